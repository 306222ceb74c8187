// How long the first call of `add` takes in a fresh process: prints milliseconds from before `make` to after the call,
// those of processor time, how many kernels were compiled and how many came from the disk cache.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

#include "examples/kernels/add.hpp"

namespace {
double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}
}  // namespace

int main() {
  std::vector<float> a(1000, 1), b(1000, 2), c(1000);
  const double cpu = cpu_ms();
  const auto start = std::chrono::steady_clock::now();
  auto add = tine::make(Add<float>{});
  add(a, b, c);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const double cpu_used = cpu_ms() - cpu;
  const tine::JitStatistics s = tine::jit_statistics();
  std::printf("%.3f %.3f %lld %lld\n", ms, cpu_used, static_cast<long long>(s.compiled),
              static_cast<long long>(s.from_disk));
  return c[999] == 3 ? 0 : 1;
}
