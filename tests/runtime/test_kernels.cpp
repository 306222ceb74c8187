// Kernels end to end, through libtine and the compiler: from views, strides, overlap and threads to what lies in
// memory, compared with the reference evaluator on a copy of the memory.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <tine/tine.hpp>
#include <vector>

#include "dsl/core/trace.hpp"
#include "runtime/reference/evaluate.hpp"

namespace nt = tine;

namespace kernels_test {

template <class T> struct Axpy {  // y = a * x + y
  nt::BlockSize bm{32, 64};
  static constexpr auto names = nt::names("a", "x", "y");
  auto arrangement(nt::Scalar<T> a, nt::Tensor<T, 1> x, nt::Tensor<T, 1> y) const {
    return std::tuple{a, x.tile({bm}), y.tile({bm})};
  }
  void application(auto a, auto x, auto y) const { y = a * x + y; }
};

struct Shift {  // y[i] = x[i] + 1, tile by tile: order within a program shows when x and y overlap
  nt::BlockSize bm{8};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<int32_t, 1> x, nt::Tensor<int32_t, 1> y) const {
    return std::tuple{x.tile({bm}), y.tile({bm})};
  }
  void application(auto x, auto y) const {
    y = x + 1;
    y = x * 2;  // loads x again: where they share memory, it sees the store
  }
};

template <class T> struct RowSum {  // out[i] = sum of row i, in blocks along the row
  nt::BlockSize bn{16, 32};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 1> out) const {
    return std::tuple{x.tile({1, bn}).tile({1, nt::whole}).squeeze(1).squeeze(0, nt::level<1>), out.tile({1})};
  }
  void application(auto x, auto out) const {
    auto total = nt::zeros<T>({1});
    for (auto k : nt::range(x.size(0))) total += nt::sum(x[k], nt::axis(1));
    out = total;
  }
};

template <class T> std::vector<T> numbers(std::size_t n, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(static_cast<int>(random() % 41) - 20);
  return v;
}

// Runs the kernel's graph on the same arguments by the reference evaluator.
template <class K, class... A> void evaluate(const K& kernel, const A&... a) {
  nt::core::Definition* d = nt::define(kernel);
  const nt::graph::Graph g = nt::core::trace(*d);
  nt::core::release(d);
  const nt::Argument arguments[] = {a.argument()...};
  nt::reference::evaluate(g, arguments);
}

}  // namespace kernels_test

using namespace kernels_test;

TEMPLATE_TEST_CASE("axpy over sizes, strides and types", "[kernels]", float, double, int32_t, int64_t, int8_t) {
  using T = TestType;
  const Axpy<T> kernel;
  const auto k = nt::make(kernel);
  for (int64_t n : {0, 1, 5, 31, 32, 33, 100})
    for (int64_t sx : {1, 0, -1, 3})
      for (int64_t sy : {1, 2, -2}) {
        const auto x = numbers<T>(400, 1);
        auto y = numbers<T>(400, 2), wanted = y;
        const auto view = [&](auto* p, int64_t s) {
          return nt::view(p + (s < 0 ? -s * (n - 1) : 0) * (n > 0), {n}, {s});
        };
        evaluate(kernel, nt::detail::number<T>(nullptr, 0, 3), view(const_cast<T*>(x.data()), sx),
                 view(wanted.data(), sy));
        k(3, view(x.data(), sx), view(y.data(), sy));
        REQUIRE(y == wanted);
      }
}

TEST_CASE("overlapping arguments: a load sees what the same program stored before it", "[kernels]") {
  const Shift kernel;
  const auto k = nt::make(kernel);
  for (int distance : {0, 8, -8, 16, 100}) {  // whole tiles: programs stay independent
    auto memory = numbers<int32_t>(400, 3), wanted = memory;
    evaluate(kernel, nt::view(wanted.data() + 150, {8}), nt::view(wanted.data() + 150 + distance, {8}));
    k(nt::view(memory.data() + 150, {8}), nt::view(memory.data() + 150 + distance, {8}));
    REQUIRE(memory == wanted);
  }
  for (int distance : {1, -1, 3, -5}) {  // within one program's tile
    auto memory = numbers<int32_t>(400, 4), wanted = memory;
    evaluate(kernel, nt::view(wanted.data() + 150, {8}), nt::view(wanted.data() + 150 + distance, {8}));
    k(nt::view(memory.data() + 150, {8}), nt::view(memory.data() + 150 + distance, {8}));
    REQUIRE(memory == wanted);
  }
  // Interleaved without touching; and a stored parameter that is one element everywhere.
  auto memory = numbers<int32_t>(400, 5), wanted = memory;
  evaluate(kernel, nt::view(wanted.data(), {50}, {2}), nt::view(wanted.data() + 1, {50}, {2}));
  k(nt::view(memory.data(), {50}, {2}), nt::view(memory.data() + 1, {50}, {2}));
  REQUIRE(memory == wanted);
  std::vector<int32_t> same(8, 7);
  int32_t one = 0;
  k(same, nt::view(&one, {8}, {0}));
  CHECK(one == 14);
}

TEMPLATE_TEST_CASE("row sums of any length, on any number of threads", "[kernels]", float, int32_t) {
  using T = TestType;
  const RowSum<T> kernel;
  for (int threads : {1, 2, 5}) {
    auto k = nt::make(kernel);
    k.threads(threads);
    for (int64_t rows : {0, 1, 7, 300})
      for (int64_t columns : {0, 1, 15, 16, 100}) {
        const auto x = numbers<T>(static_cast<std::size_t>(rows * columns) + 1, 6);
        std::vector<T> out(static_cast<std::size_t>(rows), T(-1)), wanted = out;
        const auto view = nt::view(const_cast<T*>(x.data()), {rows, columns});
        evaluate(kernel, view, nt::view(wanted));
        k(view, out);
        REQUIRE(out == wanted);
      }
  }
}

TEST_CASE("config changes speed, not results", "[kernels]") {
  auto k = nt::make(RowSum<int32_t>{});
  const auto x = numbers<int32_t>(13 * 77, 7);
  std::vector<int32_t> first(13), out(13);
  k(nt::view(x, {13, 77}), first);
  for (int bn : {1, 3, 7, 32, 100}) {
    k.set("bn", bn);
    out.assign(13, -1);
    k(nt::view(x, {13, 77}), out);
    CHECK(out == first);
  }
}

TEST_CASE("many threads make, compile and call at once", "[kernels]") {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  const auto shared = nt::make(Axpy<float>{});
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&, t] {
      const auto own = nt::make(Axpy<double>{});
      for (int round = 0; round < 20; ++round) {
        const auto n = static_cast<std::size_t>(50 + 13 * (t + round));
        const auto x = numbers<float>(n, round);
        std::vector<float> y(n, 1);
        shared(2, x, y);
        const std::vector<double> xd(x.begin(), x.end());
        std::vector<double> yd(n, 1);
        own(2, xd, yd);
        for (std::size_t i = 0; i < n; ++i) wrong += y[i] != 2 * x[i] + 1 || yd[i] != y[i];
      }
    });
  for (auto& c : callers) c.join();
  CHECK(wrong == 0);
}
