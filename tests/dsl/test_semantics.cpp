// What an application means: places and values, order, control flow, shapes; run by the reference evaluator.
#include <cstring>
#include <utility>

#include "harness.hpp"

using namespace tine::test;
using Floats = std::vector<float>;

namespace {

const Floats X{1, 2, 3, 4}, Y{10, 20, 30, 40};

template <class F>
std::pair<Floats, Floats> one(F f) {
  std::vector<Buffer> b{buffer<float>({4}, X), buffer<float>({4}, Y)};
  run(traced(OneTile<F>{f}), b);
  return {b[0].as<float>(), b[1].as<float>()};
}
#define CHECK_ONE(want_x, want_y, ...)                                       \
  {                                                                          \
    auto [x_, y_] = one([](auto& x, auto& y) { (void)x, (void)y; __VA_ARGS__; }); \
    CHECK(x_ == (Floats want_x));                                            \
    CHECK(y_ == (Floats want_y));                                            \
  }
const Floats M{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
template <class F>
std::pair<Floats, Floats> rows(F f) {
  std::vector<Buffer> b{buffer<float>({3, 4}, M), buffer<float>({4}, Y)};
  run(traced(RowLevel<F>{f}), b);
  return {b[0].as<float>(), b[1].as<float>()};
}

struct Axpy {
  nt::BlockSize n{4};
  auto arrangement(nt::Scalar<double> a, nt::Tensor<float, 1> x, nt::Tensor<int, 1> y) const { return std::tuple{a, x.tile({n}), y.tile({n})}; }
  void application(auto a, auto x, auto y) const { y = a * x + (a + 1) - nt::size(x, 0) + nt::program_index(0) * 100; }
};

struct Sum {
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({4}).other(-5), y.tile({1})}; }
  void application(auto x, auto y) const { y = nt::sum(x); }
};

struct Batched {
  auto arrangement(nt::Tensor<nt::i8, 3> a, nt::Tensor<nt::u8, 3> b, nt::Tensor<int, 3> c) const {
    auto all = [](auto x) { return x.tile({nt::whole, nt::whole, nt::whole}).squeeze({0, 1, 2}); };
    return std::tuple{all(a), all(b), all(c)};
  }
  void application(auto a, auto b, auto c) const { c = nt::dot(a, b); }
};

struct Matmul {
  nt::BlockSize bm{2}, bn{3}, bk{4};
  auto arrangement(nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> c) const {
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto c) const {
    auto acc = nt::zeros<float>(c.shape());
    for (auto k : nt::range(a.size(0))) acc += nt::dot(a[k], b[k]);
    c = acc;
  }
};

}  // namespace

TEST_CASE("places and values") {
  CHECK_ONE(({1, 2, 3, 4}), ({1, 2, 3, 4}), auto m = nt::load(x); auto old = m + 0.0f; m = y; y = old + m * 0)
  CHECK_ONE(({1, 2, 3, 4}), ({1, 2, 3, 4}), auto m = nt::load(x); auto old = m; m = y; y = old)
  CHECK_ONE(({10, 20, 30, 40}), ({1, 2, 3, 4}), auto t = x; x = y; y = t)
  CHECK_ONE(({20, 30, 40, 50}), ({10, 20, 30, 40}), x = x + 1; x = x * 10)
  CHECK_ONE(({11, 22, 33, 44}), ({10, 20, 30, 40}), x += y)
  CHECK_ONE(({-9, -18, -27, -36}), ({20, 40, 60, 80}), x -= y; y *= 2)
  CHECK_ONE(({1, 2, 3, 4}), ({5, 5, 5, 5}), y = 5)
  CHECK_ONE(({1, 2, 3, 4}), ({1, 2, 3, 4}), y = x; auto z = std::move(y); z = x)
  CHECK_ONE(({1, 2, 3, 4}), ({2, 4, 6, 8}), auto c = nt::cast<float>(x); auto d = nt::cast<float>(c); c = c * 100; y = d * 2)
  // storing what a place holds: the operand is read before the store
  CHECK_ONE(({1, 2, 3, 4}), ({11, 22, 33, 44}), y = x + y)
}

TEST_CASE("helper functions") {
  CHECK_ONE(({1, 2, 3, 4}), ({104, 209, 316, 425}), auto h = [](auto a) { auto t = a + 1; t = t * t; return t; }; auto t = x * 100; auto u = h(x); y = t + u)
  CHECK_ONE(({1, 2, 3, 4}), ({3, 6, 9, 12}), auto h = [](auto& d, const auto& s) { d = s * 3; }; h(y, x))
  CHECK_ONE(({1, 2, 3, 4}), ({101, 102, 103, 104}), auto add = [](auto& v, const auto& s) { v += s; }; auto v = nt::load(x); add(v, 100); y = v)
}

TEST_CASE("loops") {
  CHECK_ONE(({1, 2, 3, 4}), ({3, 6, 9, 12}), auto s = nt::zeros<float>(x.shape()); for (auto k : nt::range(3)) s += x * k; y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({1, 2, 3, 4}), auto s = nt::load(x); for (auto k : nt::range(0)) s += k; y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({3, 6, 9, 12}), auto a = nt::load(x); auto b = a; for (auto k : nt::range(2)) { a += b; } y = a)
  CHECK_ONE(({1, 2, 3, 4}), ({5, 10, 15, 20}), auto a = nt::zeros<float>(x.shape()); auto b = nt::load(x); for (auto k : nt::range(5)) { auto t = a + b; a = b; b = t; } y = a)
  CHECK_ONE(({10, 20, 30, 40}), ({1, 2, 3, 4}), auto a = nt::load(x), b = nt::load(y); for (auto k : nt::range(2)) { std::swap(a, b); } y = a; x = b)
  CHECK_ONE(({1, 2, 3, 4}), ({3, 6, 9, 12}), auto m = nt::zeros<float>(x.shape()); auto s = m; for (auto k : nt::range(3)) { auto old = m; m = m + x; s += m - old; } y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({84, 168, 252, 336}), auto s = nt::zeros<float>(x.shape()); for (auto i : nt::range(3)) for (auto j : nt::range(i + 1)) s += x * (i * 10 + j); y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({2, 4, 6, 8}), auto s = nt::zeros<float>(x.shape()); for (int i = 0; i < 3; ++i) { if (i == 1) continue; s += x * i; } y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({2, 4, 6, 8}), auto s = nt::zeros<float>(x.shape()); for (auto i : nt::range(3)) { auto c = i == 1; if (true) { s += nt::where(c, 0, x * i); continue; } } y = s)
}

TEST_CASE("bounds of loops follow Python") {
  auto indices = [](auto... bounds) {
    std::vector<Buffer> b{buffer<int64_t>({3}, {0, 0, 0}), buffer<int64_t>({1}, {0})};
    auto f = [=](auto& x, auto& y) {
      (void)x;
      auto s = nt::cast<int64_t>(1);
      for (auto k : nt::range(bounds...)) s = s * 100 + k;
      y = s;
    };
    run(traced(whole_kernel<int64_t, 1, int64_t, 1>(f)), b);
    return b[1].as<int64_t>()[0];
  };
  CHECK(indices(3) == 1000102);
  CHECK(indices(2, 5) == 1020304);
  CHECK(indices(0, 7, 3) == 1000306);
  CHECK(indices(5, 0, -2) == 1050301);
  CHECK(indices(5, 5) == 1);
  CHECK(indices(0, 5, -1) == 1);
  // a step that only the run knows
  for (int64_t step : {2, -2, 0}) {
    std::vector<Buffer> b{buffer<int64_t>({1}, {step}), buffer<int64_t>({1}, {0})};
    auto f = [](auto& x, auto& y) {
      auto s = nt::cast<int64_t>(1), step = nt::sum(x);
      auto from = nt::where(step < 0, 4, 0), to = nt::where(step < 0, 0, 4);
      for (auto k : nt::range(from, to, step)) s = s * 100 + k;
      y = s;
    };
    run(traced(whole_kernel<int64_t, 1, int64_t, 1>(f)), b);
    CHECK(b[1].as<int64_t>()[0] == (step == 2 ? 10002 : step == -2 ? 10402 : 1));
  }
}

TEST_CASE("branches") {
  CHECK_ONE(({1, 2, 3, 4}), ({2, 4, 6, 8}), auto s = nt::load(x); nt::if_(nt::sum(x) > 5, [&] { s = s * 2; }, [&] { s = s * 3; }); nt::if_(nt::sum(y) < 5, [&] { s = s + 100; }); y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({2, 4, 6, 8}), for (auto k : nt::range(4)) nt::if_(k == 2, [&] { y = x * k; }))
  CHECK_ONE(({1, 2, 3, 4}), ({1, 2, 3, 4}), nt::if_(nt::size(x, 0) > 3, [&] { y = x; }, [&] { y = 0; }))
  CHECK_ONE(({1, 2, 3, 4}), ({7, 7, 7, 7}), nt::if_(nt::size(x, 0) == 4 && nt::size(y, 0) != 4, [&] { y = x; }, [&] { y = 7; }))
  CHECK_ONE(({1, 2, 3, 4}), ({4, 8, 12, 16}), auto s = nt::load(x); auto n = nt::cast<int>(0); nt::while_([&] { return n < 3; }, [&] { s += x; n += 1; }); y = s)
  CHECK_ONE(({1, 2, 3, 4}), ({10, 20, 30, 40}), nt::while_([&] { return nt::sum(x) > 100; }, [&] { x = x * 0; }))
}

TEST_CASE("stores are seen by later loads, in order") {
  CHECK_ONE(({2, 4, 6, 8}), ({4, 8, 12, 16}), auto before = nt::load(x); x = x * 2; y = x + before + before)
  CHECK_ONE(({7, 7, 7, 7}), ({7, 14, 21, 28}), auto t = x; x = 7; y = x * t)
  CHECK_ONE(({16, 32, 48, 64}), ({10, 20, 30, 40}), for (auto k : nt::range(4)) x = x * 2)
}

TEST_CASE("levels and their places") {
  auto [x1, y1] = rows([](auto& x, auto& y) { for (auto k : nt::range(x.size(0))) x[k] = y * k; });
  CHECK(x1 == Floats{0, 0, 0, 0, 10, 20, 30, 40, 20, 40, 60, 80});
  auto [x2, y2] = rows([](auto& x, auto& y) { for (auto k : nt::range(x.size(0))) x[k] += y; });
  CHECK(x2 == Floats{11, 22, 33, 44, 15, 26, 37, 48, 19, 30, 41, 52});
  auto [x3, y3] = rows([](auto& x, auto& y) { auto t = x[0]; x[0] = y; y = t; });
  CHECK(x3 == Floats{10, 20, 30, 40, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(y3 == X);
  auto [x4, y4] = rows([](auto& x, auto& y) { auto n = x.size(0); auto s = nt::load(y); for (auto k : nt::range(n)) s += x[n - 1 - k] * k; y = s; });
  CHECK(y4 == Floats{10 + 5 + 2, 20 + 6 + 4, 30 + 7 + 6, 40 + 8 + 8});
  auto [x5, y5] = rows([](auto& x, auto& y) { y = x[7]; });
  CHECK(y5 == Floats{0, 0, 0, 0});
  auto [x6, y6] = rows([](auto& x, auto& y) { auto i = nt::cast<nt::i64>(1); auto t = x[i]; i = i + 1; y = nt::cast<float>(nt::offsets(t, 0)) * 100 + t; });
  CHECK(y6 == Floats{105, 106, 107, 108});  // the index is what it was when the element was named
  auto [x7, y7] = rows([](auto& x, auto& y) { auto sum = [](auto p) { auto s = nt::load(p[0]); for (auto k : nt::range(1, p.size(0))) s += p[k]; return s; }; y = sum(x); });
  CHECK(y7 == Floats{15, 18, 21, 24});
  auto [x8, y8] = rows([](auto& x, auto& y) { y = nt::where(nt::valid(x[2]), x[2], 0) + nt::where(nt::valid(x[3]), 1, 100); });
  CHECK(y8 == Floats{109, 110, 111, 112});
}

TEST_CASE("scalar parameters, sizes and conversion at the store") {
  std::vector<Buffer> b{scalar<double>(0.5), buffer<float>({6}, {1, 2, 3, 4, 5, 6}), buffer<int>({6}, {0, 0, 0, 0, 0, 0})};
  run(traced(Axpy{}), b);
  CHECK(b[2].as<int>() == std::vector<int>{-4, -3, -3, -2, 98, 98});  // -4, -3.5, -3, -2.5, 98, 98.5, truncated
}

TEST_CASE("out of range lanes load `other`, and are not stored") {
  std::vector<Buffer> b{buffer<float>({5}, {1, 2, 3, 4, 5}), buffer<float>({2}, {0, 0})};
  run(traced(Sum{}), b);
  CHECK(b[1].as<float>() == Floats{10, -10});
}

TEST_CASE("shapes: new axes, transposition, permutation, reshape, broadcast") {
  auto run_whole = [](auto f) {
    std::vector<Buffer> b{buffer<float>({2, 3}, {1, 2, 3, 4, 5, 6}), buffer<float>({3, 2}, Floats(6))};
    run(traced(whole_kernel<float, 2, float, 2>(f)), b);
    return b[1].as<float>();
  };
  CHECK(run_whole([](auto& x, auto& y) { y = nt::trans(x); }) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::permute(x, {1, 0}); }) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::permute(x, {-1, -2}) + nt::trans(x); }) == Floats{2, 8, 4, 10, 6, 12});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::reshape(x, {3, 2}); }) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::reshape(x, {-1, 2}); }) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::sum(x, nt::axis(0))(nt::whole, nt::newaxis); }) == Floats{5, 5, 7, 7, 9, 9});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::sum(x, nt::axis(1)); }) == Floats{6, 15, 6, 15, 6, 15});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::broadcast(nt::sum(x, nt::axis(-1)), y.shape()); }) == Floats{6, 15, 6, 15, 6, 15});
  CHECK(run_whole([](auto& x, auto& y) { y = nt::trans(x - nt::max(x, nt::axis(1), nt::keep_dims)); }) == Floats{-2, -2, -1, -1, 0, 0});
  CHECK(run_whole([](auto& x, auto& y) { auto t = nt::trans(x)(nt::ellipsis, nt::newaxis); y = nt::sum(t, nt::axis(2)); }) == Floats{1, 4, 2, 5, 3, 6});
}

TEST_CASE("making tiles") {
  auto made = [](auto f) {
    std::vector<Buffer> b{buffer<int64_t>({5}, {0, 0, 0, 0, 0}), buffer<int64_t>({5}, {0, 0, 0, 0, 0})};
    run(traced(whole_kernel<int64_t, 1, int64_t, 1>(f)), b);
    return b[1].as<int64_t>();
  };
  using I = std::vector<int64_t>;
  CHECK(made([](auto& x, auto& y) { y = nt::arange(nt::size(x, 0)); }) == I{0, 1, 2, 3, 4});
  CHECK(made([](auto& x, auto& y) { y = nt::arange(2, nt::size(x, 0) + 2); }) == I{2, 3, 4, 5, 6});
  CHECK(made([](auto&, auto& y) { y = nt::arange(10, 0, -2); }) == I{10, 8, 6, 4, 2});
  CHECK(made([](auto&, auto& y) { y = nt::full<int>(y.shape(), 7); }) == I{7, 7, 7, 7, 7});
  CHECK(made([](auto& x, auto& y) { y = nt::offsets(x) * 10 + nt::offsets(x, -1) + nt::stride(x, 0); }) == I{1, 12, 23, 34, 45});
}

TEST_CASE("reductions") {
  auto reduced = [](auto f) {
    std::vector<Buffer> b{buffer<int>({2, 3}, {3, -1, 2, 0, 7, -4}), buffer<int64_t>({3}, {0, 0, 0})};
    run(traced(whole_kernel<int, 2, int64_t, 1>(f)), b);
    return b[1].as<int64_t>();
  };
  using I = std::vector<int64_t>;
  CHECK(reduced([](auto& x, auto& y) { y = nt::sum(x); }) == I{7, 7, 7});
  CHECK(reduced([](auto& x, auto& y) { y = nt::prod(x, nt::axis(0)); }) == I{0, -7, -8});
  CHECK(reduced([](auto& x, auto& y) { y = nt::max(x, nt::axis(0)); }) == I{3, 7, 2});
  CHECK(reduced([](auto& x, auto& y) { y = nt::min(x, nt::axis(0, 1)); }) == I{-4, -4, -4});
  CHECK(reduced([](auto& x, auto& y) { y = nt::argmax(x, nt::axis(0)); }) == I{0, 1, 0});
  CHECK(reduced([](auto& x, auto& y) { y = nt::argmin(x); }) == I{5, 5, 5});
  CHECK(reduced([](auto& x, auto& y) { y = nt::any(x, nt::axis(0)); }) == I{1, 1, 1});
  CHECK(reduced([](auto& x, auto& y) { y = nt::all(x, nt::axis(0)); }) == I{0, 1, 1});
  CHECK(reduced([](auto& x, auto& y) { y = nt::xor_sum(x, nt::axis(0)); }) == I{3, -8, -2});
  CHECK(reduced([](auto& x, auto& y) { y = nt::max(x > 5, nt::axis(0)); }) == I{0, 1, 0});
  CHECK(reduced([](auto& x, auto& y) { y = nt::sum(nt::max(x, 1), nt::axis(0)); }) == I{4, 8, 3});  // max is element-wise here
}

TEST_CASE("products") {
  std::vector<Buffer> b{buffer<nt::i8>({2, 1, 2}, {1, -2, 3, 4}), buffer<nt::u8>({2, 2, 1}, {200, 100, 1, 1}), buffer<int>({2, 1, 1}, {0, 0})};
  run(traced(Batched{}), b);
  CHECK(b[2].as<int>() == std::vector<int>{0, 7});
}

TEST_CASE("a matrix product over blocks") {
  const int M = 5, K = 7, N = 4;
  Floats a(M * K), b(K * N), want(M * N);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 5);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 5 % 13) - 6);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < K; ++k) want[std::size_t(i * N + j)] += a[std::size_t(i * K + k)] * b[std::size_t(k * N + j)];
  for (int64_t bm : {1, 2, 8}) {
    std::vector<Buffer> buffers{buffer<float>({M, K}, a), buffer<float>({K, N}, b), buffer<float>({M, N}, Floats(M * N))};
    run(traced(Matmul{}, {{{"bm", bm}}, ""}), buffers);
    CHECK(buffers[2].as<float>() == want);
  }
}
