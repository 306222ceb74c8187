#include "runtime/aot/processor.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif
#include <sys/syscall.h>
#include <unistd.h>

namespace tine::aot {

#if defined(__x86_64__)
uint32_t processor_register(uint32_t leaf, uint32_t subleaf, uint32_t reg) {
  uint32_t r[4] = {};
  if (leaf == xcr0_leaf) {
    if (!(processor_register(1, 0, 2) >> 27 & 1)) return 0;  // the system saves nothing beyond SSE
    asm volatile("xgetbv" : "=a"(r[0]), "=d"(r[3]) : "c"(0));
    return r[reg & 3];
  }
  if (!__get_cpuid_count(leaf, subleaf, &r[0], &r[1], &r[2], &r[3])) return 0;
  // A leaf says in its first register how many subleaves it has; beyond them it says nothing of use.
  if (leaf == 7 && subleaf > 0) {
    uint32_t first[4] = {};
    if (!__get_cpuid_count(7, 0, &first[0], &first[1], &first[2], &first[3]) || subleaf > first[0]) return 0;
  }
  return r[reg & 3];
}

bool allow_tiles() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM of asm/prctl.h
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}
#else
uint32_t processor_register(uint32_t leaf, uint32_t, uint32_t reg) {
  if (leaf != 0) return 0;
  const auto word = static_cast<uint64_t>(getauxval(reg < 2 ? AT_HWCAP : AT_HWCAP2));
  return static_cast<uint32_t>(reg & 1 ? word >> 32 : word);
}

bool allow_tiles() { return false; }
#endif

bool processor_has(std::span<const PackedFeature> features) {
  for (const PackedFeature& f : features)
    if ((processor_register(f.leaf, f.subleaf, f.reg) & f.bits) != f.bits) return false;
  return true;
}

}  // namespace tine::aot
