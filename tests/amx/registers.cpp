#include "registers.hpp"

#include <cpuid.h>

#include <cstring>

namespace tine::amx {
namespace {

// Parts of the XSAVE area (Intel's manual, volume 1, chapter 13).
enum Component { sse = 1, avx = 2, opmask = 5, zmm_high = 6, high_zmm = 7, components = 8 };
constexpr int first_xmm = 160, present = 512;

struct Place {
  uint32_t size, offset;
};
Place place(int component) {
  uint32_t size = 0, offset = 0, c = 0, d = 0;
  __get_cpuid_count(0xd, static_cast<unsigned>(component), &size, &offset, &c, &d);
  return {size, offset};
}
const Place& place_of(int component) {
  static const std::array<Place, components> places = {Place{}, Place{},       place(avx),      Place{},
                                                       Place{}, place(opmask), place(zmm_high), place(high_zmm)};
  return places[static_cast<std::size_t>(component)];
}

}  // namespace

Registers::Registers(ucontext_t& context) : context_(context) {
  auto* area = reinterpret_cast<uint8_t*>(context.uc_mcontext.fpregs);
  constexpr int software_bytes =
      464;  // what Linux says of the area: a magic number, sizes, the components that it holds
  uint32_t magic = 0;
  uint64_t held = 0;
  if (!area) return;
  std::memcpy(&magic, area + software_bytes, sizeof magic);
  std::memcpy(&held, area + software_bytes + 8, sizeof held);
  constexpr uint64_t wanted = 1u << sse | 1u << avx | 1u << opmask | 1u << zmm_high | 1u << high_zmm;
  if (magic == 0x46505853 && (held & wanted) == wanted) xsave_ = area;
}

uint64_t& Registers::general(int number) const {
  static constexpr int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                   REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return reinterpret_cast<uint64_t&>(context_.uc_mcontext.gregs[places[number]]);
}
uint64_t& Registers::rip() const { return reinterpret_cast<uint64_t&>(context_.uc_mcontext.gregs[REG_RIP]); }
uint64_t& Registers::flags() const { return reinterpret_cast<uint64_t&>(context_.uc_mcontext.gregs[REG_EFL]); }
uint32_t Registers::mxcsr() const { return context_.uc_mcontext.fpregs->mxcsr; }

// A component that is not present has its initial value, zeros, whatever its bytes are.
uint8_t* Registers::component(int number) const {
  uint8_t* bytes = number == sse ? xsave_ + first_xmm : xsave_ + place_of(number).offset;
  const std::size_t size = number == sse ? 256 : place_of(number).size;
  uint64_t all = 0;
  std::memcpy(&all, xsave_ + present, sizeof all);
  if (!(all >> number & 1)) {
    std::memset(bytes, 0, size);
    all |= uint64_t{1} << number;
    std::memcpy(xsave_ + present, &all, sizeof all);
  }
  return bytes;
}

Vector Registers::vector(int number) const {
  Vector v;
  if (number >= 16) {
    std::memcpy(v.data(), component(high_zmm) + (number - 16) * 64, 64);
  } else {
    std::memcpy(v.data(), component(sse) + number * 16, 16);
    std::memcpy(v.data() + 16, component(avx) + number * 16, 16);
    std::memcpy(v.data() + 32, component(zmm_high) + number * 32, 32);
  }
  return v;
}
void Registers::set_vector(int number, const Vector& v) const {
  if (number >= 16) {
    std::memcpy(component(high_zmm) + (number - 16) * 64, v.data(), 64);
  } else {
    std::memcpy(component(sse) + number * 16, v.data(), 16);
    std::memcpy(component(avx) + number * 16, v.data() + 16, 16);
    std::memcpy(component(zmm_high) + number * 32, v.data() + 32, 32);
  }
}
uint64_t Registers::mask(int number) const {
  uint64_t m = 0;
  std::memcpy(&m, component(opmask) + number * 8, sizeof m);
  return m;
}
void Registers::set_mask(int number, uint64_t m) const { std::memcpy(component(opmask) + number * 8, &m, sizeof m); }

uint64_t Registers::base_address(const Instruction& in, int unit) const {
  const uint64_t base = in.base == Instruction::none  ? 0
                        : in.base == Instruction::rip ? rip() + static_cast<uint64_t>(in.size)
                                                      : general(in.base);
  return base + static_cast<uint64_t>(int64_t{in.displacement} * (in.short_displacement ? unit : 1));
}
uint64_t Registers::scaled_index(const Instruction& in) const {
  return in.index == Instruction::none ? 0 : general(in.index) * static_cast<uint64_t>(in.scale);
}

}  // namespace tine::amx
