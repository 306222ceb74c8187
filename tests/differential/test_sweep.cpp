// Library kernels over random shapes and layouts, against f64 (long double, 64-bit integers) with error bounds that come
// from the arithmetic.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <string>

#include "examples/kernels/attention.hpp"
#include "examples/kernels/matmul.hpp"
#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/kernels/transpose.hpp"
#include "sweep.hpp"

using namespace tine;
using namespace tine::test;

namespace {

/// Calls of each kernel; TINE_SWEEP multiplies them, also by less than 1.
int calls(int n) {
  const char* more = std::getenv("TINE_SWEEP");
  return more ? std::max(1, int(n * std::atof(more))) : n;
}
constexpr int64_t most = 150;  // rows and columns
int64_t below(std::mt19937& random, int64_t n) { return int64_t(random() % uint32_t(n)); }
template <class T>
typename Matrix<T>::Layout layout(std::mt19937& random) {
  return typename Matrix<T>::Layout(below(random, Matrix<T>::layouts));
}

template <class T, class R, class U = T>
void matmul_sweep(uint32_t seed) {
  std::mt19937 random(seed);
  struct Block {
    int64_t m, n, k;
  };
  for (const Block& b : {Block{64, 64, 32}, {16, 48, 24}, {0, 0, 0}, {5, 7, 3}}) {
    auto kernel = make(Matmul<T, R, U>{});
    if (b.m) kernel.set("bm", b.m).set("bn", b.n).set("bk", b.k);
    for (int call = 0; call < calls(7); ++call) {
      const int64_t m = 1 + below(random, most), n = 1 + below(random, most), k = 1 + below(random, most);
      Matrix<T> a(m, k, layout<T>(random));
      Matrix<U> w(k, n, layout<U>(random));
      Matrix<R> c(m, n, layout<R>(random));
      a.fill(random);
      w.fill(random);
      kernel(std::as_const(a).view(), std::as_const(w).view(), c.view());
      INFO("seed " << seed << ", call " << call << ": " << m << "x" << n << "x" << k << ", blocks " << b.m << " " << b.n
                   << " " << b.k);
      REQUIRE(c.damaged() == 0);
      REQUIRE(wrong_products(a, w, c, m, n, k) == 0);
    }
  }
}

}  // namespace

TEST_CASE("matmul: 1 to 150 in each dim, any layout", "[sweep]") {
  SECTION("f32") { matmul_sweep<float, float>(1); }
  SECTION("f64") { matmul_sweep<double, double>(2); }
  SECTION("f16") { matmul_sweep<f16, f16>(3); }
  SECTION("f16 into f32") { matmul_sweep<f16, float>(4); }
  SECTION("bf16") { matmul_sweep<bf16, bf16>(5); }
  SECTION("bf16 into f32") { matmul_sweep<bf16, float>(6); }
  SECTION("i8") { matmul_sweep<i8, i32>(7); }
  SECTION("u8 with i8") { matmul_sweep<u8, i32, i8>(8); }
  SECTION("i8 with u8") { matmul_sweep<i8, i32, u8>(9); }
  SECTION("u8") { matmul_sweep<u8, i32>(10); }
}

TEST_CASE("softmax of rows of 1 to 700", "[sweep]") {
  std::mt19937 random(20);
  for (int64_t rows : {1, 4})
    for (int64_t block : {64, 4096}) {
      auto kernel = make(Softmax<float>{});
      kernel.set("rows", rows).set("block", block);
      for (int call = 0; call < calls(7); ++call) {
        const int64_t m = 1 + below(random, 9), n = 1 + below(random, 700);
        Matrix<float> x(m, n, layout<float>(random)), y(m, n, layout<float>(random));
        x.fill(random);
        kernel(std::as_const(x).view(), y.view());
        INFO("call " << call << ": " << m << "x" << n << ", rows " << rows << ", block " << block);
        REQUIRE(y.damaged() == 0);
        double worst = 0;
        for (int64_t i = 0; i < m; ++i) {
          double sum = 0;
          for (int64_t j = 0; j < n; ++j) sum += std::exp(x.at(i, j));
          // exp within 2 ulp of an argument that was rounded once (|x - max| <= 2), n terms, a quotient.
          for (int64_t j = 0; j < n; ++j)
            worst = std::max(worst, std::fabs(y.at(i, j) / (std::exp(x.at(i, j)) / sum) - 1));
        }
        REQUIRE(worst <= (double(n) + 16) * 0x1p-24);
      }
    }
}

TEST_CASE("rms_norm of rows of 1 to 700", "[sweep]") {
  std::mt19937 random(30);
  for (int64_t rows : {1, 4})
    for (int64_t block : {64, 4096}) {
      auto kernel = make(RmsNorm<float>{});
      kernel.set("rows", rows).set("block", block);
      for (int call = 0; call < calls(7); ++call) {
        const int64_t m = 1 + below(random, 9), n = 1 + below(random, 700);
        Matrix<float> x(m, n, layout<float>(random)), y(m, n, layout<float>(random)), w(1, n, layout<float>(random));
        x.fill(random);
        w.fill(random);
        const View<float, 1> weights(w.view().data(), {n}, {w.view().stride(1)});
        kernel(std::as_const(x).view(), weights, 1e-5f, y.view());
        INFO("call " << call << ": " << m << "x" << n << ", rows " << rows << ", block " << block);
        REQUIRE(y.damaged() == 0);
        double worst = 0;
        for (int64_t i = 0; i < m; ++i) {
          double squares = 0;
          for (int64_t j = 0; j < n; ++j) squares += x.at(i, j) * x.at(i, j);
          for (int64_t j = 0; j < n; ++j) {
            const double want = x.at(i, j) / std::sqrt(squares / double(n) + double(1e-5f)) * w.at(0, j);
            worst = std::max(worst, want == 0 ? std::fabs(y.at(i, j)) : std::fabs(y.at(i, j) / want - 1));
          }
        }
        // All terms are positive, so the sum's relative error is n * 2^-24, of which the root halves; 8 further
        // roundings.
        REQUIRE(worst <= (double(n) / 2 + 8) * 0x1p-24);
      }
    }
}

namespace {
template <class T>
void transpose_sweep(uint32_t seed) {
  std::mt19937 random(seed);
  for (int64_t block : {64, 16, 7}) {
    auto kernel = make(Transpose<T>{});
    kernel.set("bm", block).set("bn", block);
    for (int call = 0; call < calls(7); ++call) {
      const int64_t m = 1 + below(random, most), n = 1 + below(random, most);
      Matrix<T> x(m, n, layout<T>(random)), y(n, m, layout<T>(random));
      x.fill(random);
      kernel(std::as_const(x).view(), y.view());
      INFO("call " << call << ": " << m << "x" << n << ", block " << block);
      REQUIRE(y.damaged() == 0);
      int64_t wrong = 0;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) wrong += x.at(i, j) != y.at(j, i);
      REQUIRE(wrong == 0);
    }
  }
}
}  // namespace

TEST_CASE("transpose of 1 to 150 rows and columns", "[sweep]") {
  SECTION("f32") { transpose_sweep<float>(40); }
  SECTION("f16") { transpose_sweep<f16>(41); }
  SECTION("i8") { transpose_sweep<i8>(42); }
  SECTION("f64") { transpose_sweep<double>(43); }
}

namespace {
template <class T>
void attention_sweep(uint32_t seed) {
  std::mt19937 random(seed);
  for (const auto [bm, bn] : {std::pair{0, 0}, {16, 32}})
    for (const Causal causal : {Causal::none, Causal::top_left, Causal::bottom_right}) {
      auto kernel = make(Attention<T>{.causal = causal});
      if (bm) kernel.set("bm", bm).set("bn", bn);
      for (int call = 0; call < calls(4); ++call) {
        const int64_t key_heads = 1 + below(random, 2), heads = key_heads * (1 + below(random, 2));
        const int64_t queries = 1 + below(random, most), keys = 1 + below(random, most);
        const int64_t d = 1 + below(random, bm ? most : 64);  // wider heads want smaller blocks than the default on GPUs
        Matrix<T> q(heads * queries, d, layout<T>(random)), k(key_heads * keys, d, layout<T>(random)),
            v(key_heads * keys, d, layout<T>(random)), o(heads * queries, d, layout<T>(random));
        for (Matrix<T>* x : {&q, &k, &v}) x->fill(random);
        const auto by_head = [&](auto view, int64_t many, int64_t length) {
          using E = typename decltype(view)::element;
          const int64_t row = view.stride(0);
          return View<E, 4>(view.data(), {int64_t{1}, many, length, d}, {many * length * row, length * row, row, view.stride(1)});
        };
        const float scale = 1 / std::sqrt(float(d));
        kernel(by_head(std::as_const(q).view(), heads, queries), by_head(std::as_const(k).view(), key_heads, keys),
               by_head(std::as_const(v).view(), key_heads, keys), scale, by_head(o.view(), heads, queries));
        INFO("call " << call << ": " << heads << "/" << key_heads << " heads, " << queries << " queries, " << keys
                     << " keys, " << d << " wide, blocks " << bm << " " << bn << ", mask " << int(causal));
        REQUIRE(o.damaged() == 0);
        // The products and the sum of exponentials take up to 150 terms; the narrow types round the probabilities too.
        const double rounding = std::is_same_v<T, f16> ? 0x1p-11 : std::is_same_v<T, bf16> ? 0x1p-8 : 0x1p-24;
        int64_t wrong = 0;
        for (int64_t h = 0; h < heads; ++h)
          for (int64_t i = 0; i < queries; ++i) {
            const int64_t at = h * queries + i, other = h / (heads / key_heads) * keys;
            const int64_t seen = causal == Causal::none ? keys : i + 1 + (causal == Causal::bottom_right ? keys - queries : 0);
            std::vector<double> p(std::size_t(std::max<int64_t>(0, std::min(seen, keys))));
            double highest = -INFINITY, sum = 0;
            for (std::size_t j = 0; j < p.size(); ++j) {
              for (int64_t c = 0; c < d; ++c) p[j] += q.at(at, c) * k.at(other + int64_t(j), c) * scale;
              highest = std::max(highest, p[j]);
            }
            for (double& x : p) sum += x = std::exp(x - highest);
            for (int64_t c = 0; c < d; ++c) {
              double want = 0, size = 0;
              for (std::size_t j = 0; j < p.size(); ++j) {
                want += p[j] / sum * v.at(other + int64_t(j), c);
                size += p[j] / sum * std::fabs(v.at(other + int64_t(j), c));
              }
              wrong += !(std::fabs(o.at(at, c) - want) <= size * (double(keys + d) * 0x1p-22 + 3 * rounding));
            }
          }
        REQUIRE(wrong == 0);
      }
    }
}
}  // namespace

TEST_CASE("attention of 1 to 150 queries, keys and columns", "[sweep]") {
  SECTION("f32") { attention_sweep<float>(50); }
  SECTION("f16") { attention_sweep<f16>(51); }
  SECTION("bf16") { attention_sweep<bf16>(52); }
}
