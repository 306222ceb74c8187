// How long the first call of `add` takes in a fresh process: prints milliseconds from before `make` to after the call, and how
// many kernels were compiled and how many came from the disk cache.
#include <chrono>
#include <cstdio>
#include <vector>

#include "examples/kernels/add.hpp"

int main() {
  std::vector<float> a(1000, 1), b(1000, 2), c(1000);
  const auto start = std::chrono::steady_clock::now();
  auto add = tine::make(Add<float>{});
  add(a, b, c);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const tine::JitStatistics s = tine::jit_statistics();
  std::printf("%.3f %lld %lld\n", ms, static_cast<long long>(s.compiled), static_cast<long long>(s.from_disk));
  return c[999] == 3 ? 0 : 1;
}
