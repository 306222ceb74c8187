// Time to trace a kernel, to hash its graph and to serialise it. Prints a table; judges nothing.
#include <chrono>
#include <cstdio>

#include "dsl/core/trace.hpp"
#include "kernels.hpp"

namespace {

template <class F>
double microseconds(F&& f) {
  double best = 1e30;
  for (int round = 0; round < 20; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) f();
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 20);
  }
  return best;
}

void report(const char* name, tine::core::Definition* d) {
  auto graph = tine::core::trace(*d);
  double trace = microseconds([&] { tine::core::trace(*d); });
  double hash = microseconds([&] { tine::graph::hash(graph); });
  auto bytes = tine::graph::serialize(graph);
  double serialize = microseconds([&] { tine::graph::serialize(graph); });
  double deserialize = microseconds([&] { tine::graph::deserialize(bytes); });
  std::printf("%-18s %8.1f %8.1f %10.1f %12.1f %8zu\n", name, trace, hash, serialize, deserialize, bytes.size());
  tine::core::release(d);
}

}  // namespace

int main() {
  std::printf("%-18s %8s %8s %10s %12s %8s\n", "kernel", "trace", "hash", "serialize", "deserialize", "bytes");
  std::printf("%-18s %8s %8s %10s %12s\n", "", "us", "us", "us", "us");
  report("Add<float>", tine::define(Add<float>{}));
  report("Softmax<f16>", tine::define(Softmax<nt::f16>{}));
  report("RmsNorm<f16>", tine::define(RmsNorm<nt::f16>{}));
  report("Matmul<f16>", tine::define(Matmul<nt::f16>{}));
  report("Conv2d<f16>", tine::define(Conv2d<nt::f16>{{}, 1, 1}));
  report("Attention<f16>", tine::define(Attention<nt::f16>{}));
  report("Order", tine::define(Order{}));
  report("Bits", tine::define(Bits{}));
}
