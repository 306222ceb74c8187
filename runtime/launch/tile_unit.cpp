#include "runtime/launch/tile_unit.hpp"

#include "runtime/diagnostics.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tine::launch {
namespace {

TileUnit ask() {
#if defined(__x86_64__) && defined(__linux__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned bf16 = 1u << 22, tiles = 1u << 24, int8 = 1u << 25;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & (bf16 | tiles | int8)) != (bf16 | tiles | int8)) return TileUnit::absent;
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0 ? TileUnit::allowed : TileUnit::refused;
#else
  return TileUnit::absent;
#endif
}

// Whether this processor runs the code of a target with that name.
bool runs_here(const std::string& target) {
#if defined(__x86_64__)
  if (target == "cpu:x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  if (target == "cpu:x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
  if (target == "cpu:aarch64") return false;
#endif
  return target == "cpu" || target.starts_with("cpu:");  // a name that is none is the compiler's to refuse
}

TileUnit& answer() {
  static TileUnit unit = ask();
  return unit;
}

}  // namespace

TileUnit tile_unit() { return answer(); }

void assume_tile_unit(TileUnit unit) { answer() = unit; }

std::string runnable_target(const std::string& target, TileUnit unit) {
  if (!runs_here(target)) fail(Diag::foreign_target, {}, {target});
  if (target == "cpu:amx" && unit != TileUnit::allowed) fail(Diag::no_tile_unit, {}, {target});
  if ((target == "cpu" || target == "cpu:native") && unit == TileUnit::refused) return "cpu:no-amx";
  return target;
}

}  // namespace tine::launch
