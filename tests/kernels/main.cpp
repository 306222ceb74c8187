// Runs the kernel cases for the target in TINE_TARGET: one of the CPU's, or the name of an emulated device. Exit code 77:
// this processor cannot run that code.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

#include "tests/amx/provide.hpp"

int main(int argc, char** argv) {
  const char* target = std::getenv("TINE_TARGET");
  if (target && std::strcmp(target, "cpu:amx") == 0) {
    const tine::amx::Provided unit = tine::amx::provide_tile_unit();
    std::puts(unit.how.c_str());
    if (!unit.runs) return 77;
  }
  if (target && std::strcmp(target, "cpu:x86-64-v4") == 0 &&
      !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))) {
    std::puts("skipped: this processor has no AVX-512, which the target needs");
    return 77;
  }
  if (target && std::strncmp(target, "emulated:", 9) == 0) {
    setenv("TINE_DEVICE", target, 1);
    unsetenv("TINE_TARGET");
  }
  return Catch::Session().run(argc, argv);
}
