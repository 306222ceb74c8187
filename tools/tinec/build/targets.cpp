#include "tools/tinec/build/targets.hpp"

#include <sys/utsname.h>


#include "runtime/aot/pack.hpp"
#include "runtime/aot/processor.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

using Features = std::vector<std::array<uint32_t, 4>>;
enum Register : uint32_t { eax, ebx, ecx, edx };
constexpr uint32_t bit(int n) { return 1u << n; }

// The levels of the x86-64 psABI, as cpuid says them.
Features level_v3() {
  return {{1, 0, ecx,
           bit(0) | bit(9) | bit(12) | bit(13) | bit(19) | bit(20) | bit(22) | bit(23) | bit(27) | bit(28) | bit(29)},
          {7, 0, ebx, bit(3) | bit(5) | bit(8)},
          {0x80000001, 0, ecx, bit(0) | bit(5)},
          {tine::aot::xcr0_leaf, 0, eax, 0x6}};
}
Features level_v4() {
  Features f = level_v3();
  f.push_back({7, 0, ebx, bit(16) | bit(17) | bit(28) | bit(30) | bit(31)});
  f.push_back({tine::aot::xcr0_leaf, 0, eax, 0xe6});
  return f;
}
// What the first processors with tiles have (Sapphire Rapids), which is what LLVM is told.
Features level_amx() {
  Features f = level_v4();
  f.push_back({7, 0, ebx, bit(19) | bit(21) | bit(29)});
  f.push_back({7, 0, ecx, bit(1) | bit(6) | bit(8) | bit(9) | bit(10) | bit(11) | bit(12) | bit(14)});
  f.push_back({7, 0, edx, bit(22) | bit(23) | bit(24) | bit(25)});
  f.push_back({7, 1, eax, bit(4) | bit(5)});
  f.push_back({tine::aot::xcr0_leaf, 0, eax, 0x600e6});
  return f;
}

// Instruction sets of this processor, of the registers that say them; what else stands in those is none of code's
// business.
Features this_processor() {
  constexpr std::array<uint32_t, 4> known[] = {
      {1, 0, ecx,
       bit(0) | bit(1) | bit(9) | bit(12) | bit(13) | bit(19) | bit(20) | bit(22) | bit(23) | bit(25) | bit(28) |
           bit(29)},
      {7, 0, ebx,
       bit(3) | bit(5) | bit(8) | bit(16) | bit(17) | bit(19) | bit(21) | bit(28) | bit(29) | bit(30) | bit(31)},
      {7, 0, ecx, bit(1) | bit(6) | bit(8) | bit(9) | bit(10) | bit(11) | bit(12) | bit(14)},
      {7, 0, edx, bit(8) | bit(22) | bit(23) | bit(24) | bit(25)},
      {7, 1, eax, bit(4) | bit(5) | bit(21) | bit(23)},
      {7, 1, edx, bit(4) | bit(5) | bit(10)},
      {0x80000001, 0, ecx, bit(0) | bit(5) | bit(6) | bit(11) | bit(16) | bit(21)},
      {tine::aot::xcr0_leaf, 0, eax, 0x600e6},
  };
  Features out;
  for (auto [leaf, subleaf, reg, bits] : known)
    if (const uint32_t has = tine::aot::processor_register(leaf, subleaf, reg) & bits)
      out.push_back({leaf, subleaf, reg, has});
  return out;
}

}  // namespace

std::string this_machine() {
  utsname name{};
  ::uname(&name);
  return name.machine;
}

Target describe_target(const std::string& name) {
  const std::vector<std::string> processors = {"cpu",           "cpu:native", "cpu:x86-64-v3",
                                               "cpu:x86-64-v4", "cpu:amx",    "cpu:aarch64"};
  Target t;
  t.name = t.resolved = name;
  if (name == "cpu" || name == "cpu:native") {
    t.resolved = "cpu " + std::string(tine::jit::compiler_library().host_target());
    t.features = this_processor();
    t.rank = 9;
    for (const auto& f : t.features) t.amx |= f[0] == 7 && f[1] == 0 && f[2] == edx && (f[3] & bit(24));
    return t;
  }
  if (name == "cpu:x86-64-v3") return t.features = level_v3(), t.rank = 3, t;
  if (name == "cpu:x86-64-v4") return t.features = level_v4(), t.rank = 4, t;
  if (name == "cpu:amx") return t.features = level_amx(), t.rank = 5, t.amx = true, t;
  if (name == "cpu:aarch64") return t.rank = 1, t;
  if (name.starts_with("nvptx:sm_")) {
    const auto arch = parse_integer(name.substr(9));
    if (arch && *arch > 0 && *arch < 1000) {
      t.device = tine::aot::device_cuda;
      t.arch = t.rank = static_cast<uint32_t>(*arch);
      return t;
    }
  }
  std::vector<std::string> names = processors;
  for (const char* arch : {"80", "86", "89", "90", "100", "120"}) names.push_back(std::string("nvptx:sm_") + arch);
  throw Usage("target " + ticked(name) + " does not exist or is not built in; there are " +
              list_of(nearest_first(name, names)));
}

std::string machine_of(const std::vector<Target>& targets) {
  std::string machine, name;
  for (const Target& t : targets) {
    if (t.device != tine::aot::device_cpu) continue;
    const bool here = t.name == "cpu" || t.name == "cpu:native";
    const std::string of = here ? this_machine() : t.name == "cpu:aarch64" ? "aarch64" : "x86_64";
    if (machine.empty()) machine = of, name = t.name;
    if (machine != of)
      throw Usage("targets " + ticked(name) + " and " + ticked(t.name) +
                  " are of different machines and cannot stand in one library; build two");
  }
  return machine.empty() ? this_machine() : machine;
}

}  // namespace tinec::builder
