// What the run time itself costs: making, first calls (cold and from disk), warm calls, handing out programs.
// Usage: bench-runtime   (prints one table; run it twice with TINE_CACHE_DIR set to see a first call from disk)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tine/tine.hpp>
#include <vector>

namespace nt = tine;

namespace bench_runtime {

struct Empty {  // six tensors, one program that stores one element
  nt::BlockSize bm{8};
  auto arrangement(nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> c, nt::Tensor<float, 2> d,
                   nt::Tensor<float, 2> e, nt::Tensor<float, 2> f) const {
    return std::tuple{a.tile({bm, bm}), b.tile({bm, bm}), c.tile({bm, bm}),
                      d.tile({bm, bm}), e.tile({bm, bm}), f.tile({bm, bm})};
  }
  void application(auto, auto, auto, auto, auto, auto f) const { f = 0.0f; }
};

template <class T> struct Add {
  nt::BlockSize bm{1024, 4096};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 1> a, nt::Tensor<T, 1> b, nt::Tensor<T, 1> c) const {
    return std::tuple{a.tile({bm}), b.tile({bm}), c.tile({bm})};
  }
  void application(auto a, auto b, auto c) const { c = a + b; }
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The best of several rounds, in ns for one run of f.
template <class F> double best(int rounds, int runs, F&& f) {
  double least = 1e30;
  for (int r = 0; r < rounds; ++r) {
    const double start = seconds();
    for (int i = 0; i < runs; ++i) f();
    least = std::min(least, (seconds() - start) / runs);
  }
  return least * 1e9;
}

void row(const char* what, double ns, const char* target) {
  const bool us = ns >= 1e3, ms = ns >= 1e6;
  std::printf("%-58s %10.2f %s   %s\n", what, ns / (ms ? 1e6 : us ? 1e3 : 1), ms ? "ms" : us ? "us" : "ns", target);
}

}  // namespace bench_runtime

using namespace bench_runtime;

int main() {
  std::vector<float> a(1 << 20, 1), b(1 << 20, 2), c(1 << 20);
  double start = seconds();
  const auto add = nt::make(Add<float>{});
  row("make: copy and trace a kernel", (seconds() - start) * 1e9, "");
  start = seconds();
  add(nt::view(a.data(), {16}), nt::view(b.data(), {16}), nt::view(c.data(), {16}));
  const nt::JitStatistics s = nt::jit_statistics();
  row(s.compiled ? "first call, compiled (opens the compiler)" : "first call, from the disk cache",
      (seconds() - start) * 1e9, s.compiled ? "<= 60 ms" : "<= 3 ms");
  row("make again", best(5, 200, [] { nt::make(Add<float>{}); }), "<= 100 us");

  alignas(64) static float m[6][8][8];
  const auto empty = nt::make(Empty{});
  const auto call = [&] { empty(m[0], m[1], m[2], m[3], m[4], m[5]); };
  call();
  row("warm call, 6 tensors of rank 2, one program", best(10, 200000, call), "<= 200 ns");
  int64_t n = 0;
  row("call with sizes not seen before, 3 vectors",
      best(1, 2000,
           [&] {
             ++n;
             add(nt::view(a.data(), {n}), nt::view(b.data(), {n}), nt::view(c.data(), {n}));
           }),
      "");
  for (int threads : {1, 2, 0}) {
    auto k = add;
    k.threads(threads);
    char what[80];
    std::snprintf(what, sizeof what, "add of 2^20 elements, %s",
                  threads == 0   ? "default threads"
                  : threads == 1 ? "1 thread"
                                 : "2 threads");
    row(what, best(10, 200, [&] { k(a, b, c); }), "");
  }
  auto two = add;
  two.threads(2);
  row("add of 2^13 elements in 8 programs, 2 threads",
      best(10, 2000,
           [&] { two(nt::view(a.data(), {1 << 13}), nt::view(b.data(), {1 << 13}), nt::view(c.data(), {1 << 13})); }),
      "");
  return 0;
}
