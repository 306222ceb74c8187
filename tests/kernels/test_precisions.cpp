// Products beyond the library's kernels: precisions that f32 products may ask for, fp8 operands, and the order of programs, each
// against f64 with a bound from the arithmetic.
#include <cmath>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>
#include <tine/host.hpp>
#include <tine/narrow.hpp>
#include <tine/tine.hpp>

namespace nt = tine;

namespace {

template <class T, class R> struct Product {
  nt::Precision precision = nt::Precision::ieee;
  nt::BlockSize bm{64}, bn{32}, bk{32};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<R, 2> c) const {
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto& c) const {
    auto sum = nt::zeros<R>(c.shape());
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[k], precision);
    c = sum;
  }
};

double wide(float x) { return x; }
template <class T> double wide(T x) { return tine::to_float(x); }
template <class T> T narrow(double x) {
  if constexpr (std::is_same_v<T, float>) return float(x);
  else return tine::from_float<T>(x);
}

struct Layout { bool a_columns, b_columns; };
constexpr Layout layouts[] = {{false, false}, {false, true}, {true, false}, {true, true}};

/// Elements of a product and what they should be.
template <class T, class R> struct Check {
  int m, n, k;
  Layout layout;
  std::vector<T> a, b;
  std::vector<R> c;
  Check(int rows, int columns, int depth, Layout l) : m(rows), n(columns), k(depth), layout(l), a(size_t(m * k)), b(size_t(k * n)), c(size_t(m * n), R(-77)) {
    std::mt19937 random(unsigned(m * 31 + n * 7 + k));
    std::uniform_real_distribution<double> values(-1, 1);
    for (T& x : a) x = narrow<T>(values(random));
    for (T& x : b) x = narrow<T>(values(random));
  }
  double at_a(int i, int l) const { return wide(a[size_t(layout.a_columns ? l * m + i : i * k + l)]); }
  double at_b(int l, int j) const { return wide(b[size_t(layout.b_columns ? j * k + l : l * n + j)]); }
  template <class K> void call(K& kernel) {
    auto strided = [](auto* p, int rows, int columns, bool turned) {
      return turned ? tine::view(p, {rows, columns}, {1, rows}) : tine::view(p, {rows, columns}, {columns, 1});
    };
    kernel(strided(a.data(), m, k, layout.a_columns), strided(b.data(), k, n, layout.b_columns), strided(c.data(), m, n, false));
  }
  /// `relative`: of each product, beside the sum's own rounding.
  void within(double relative) const {
    int wrong = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int l = 0; l < k; ++l) sum += at_a(i, l) * at_b(l, j), size += std::fabs(at_a(i, l) * at_b(l, j));
        wrong += !(std::fabs(c[size_t(i * n + j)] - sum) <= ((k + 1) * 0x1p-24 + relative) * size);
      }
    CHECK(wrong == 0);
  }
};

template <class T> void check_product(nt::Precision precision, double relative) {
  for (Layout l : layouts)
    for (auto [m, n, k] : {std::tuple{70, 45, 83}, {64, 96, 80}, {1, 33, 7}}) {
      INFO(m << " x " << n << " x " << k << ", a by " << (l.a_columns ? "columns" : "rows") << ", b by " << (l.b_columns ? "columns" : "rows"));
      Product<T, float> p;
      p.precision = precision;
      auto kernel = nt::make(p);
      Check<T, float> check(m, n, k, l);
      check.call(kernel);
      check.within(relative);
    }
}

bool on_gpu() {
  const char* device = std::getenv("TINE_DEVICE");
  return device && std::string(device) != "cpu";
}

}  // namespace

// Operands are rounded to 11 bits: each is off by 2^-11 of itself at most.
TEST_CASE("tf32 products", "[product]") { check_product<float>(nt::Precision::tf32, 2 * 0x1p-11 + 0x1p-22); }

// What two roundings to 11 bits leave of either operand, and the product of what one leaves of both.
TEST_CASE("tf32x3 products", "[product]") { check_product<float>(nt::Precision::tf32x3, 3 * 0x1p-22); }

TEST_CASE("tf32x3 products of infinities are those of f32", "[product]") {
  // 1 and 3 leave no rest, 1 + 2^-12 one that is less than 0, 1 + 2^-13 one that is more.
  const int n = 16;
  const float numbers[] = {1, 3, 1 + 0x1p-12f, 1 + 0x1p-13f, -2};
  std::vector<float> a(n * n, 1), b(n * n), c(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) b[size_t(i * n + j)] = numbers[size_t(i * 3 + j) % 5];
  a[0] = INFINITY, a[n + 5] = -INFINITY, a[2 * n + 9] = NAN;
  Product<float, float> p;
  p.precision = nt::Precision::tf32x3;
  auto kernel = nt::make(p);
  kernel(tine::view(a.data(), {n, n}), tine::view(b.data(), {n, n}), tine::view(c.data(), {n, n}));
  for (int j = 0; j < n; ++j) {
    INFO(j);
    CHECK(c[size_t(j)] == (b[size_t(j)] > 0 ? INFINITY : -INFINITY));
    CHECK(c[size_t(n + j)] == (b[size_t(5 * n + j)] > 0 ? -INFINITY : INFINITY));
    CHECK(std::isnan(c[size_t(2 * n + j)]));
    CHECK(std::isfinite(c[size_t(3 * n + j)]));
  }
}

TEST_CASE("products of fp8", "[product]") {
  SECTION("e4m3fn") { check_product<tine::f8e4m3fn>(nt::Precision::ieee, 0); }
  SECTION("e5m2") { check_product<tine::f8e5m2>(nt::Precision::ieee, 0); }
}

// Rows of 128 lie along all lanes of the one warp, so that a thread's registers are neighbours along k in memory, and along m and n
// in shared memory, where f32 operands turn. Both are vectors of four, of different elements.
TEST_CASE("f32 operands turn on their way into shared memory, rows as long as a warp's vectors", "[product]") {
  for (Layout l : layouts) {
    INFO("a by " << (l.a_columns ? "columns" : "rows") << ", b by " << (l.b_columns ? "columns" : "rows"));
    auto kernel = nt::make(Product<float, float>{});
    kernel.set("bm", 16).set("bn", 16).set("bk", 128);
    if (on_gpu()) kernel.option("warps", "1").option("stages", "2");
    Check<float, float> check(32, 48, 320, l);
    check.call(kernel);
    check.within(0);
  }
}

TEST_CASE("the order of programs, warps and stages change no bit of a product", "[product]") {
  if (!on_gpu()) return;  // options of GPUs
  Check<tine::f16, float> check(200, 150, 100, layouts[0]);
  auto plain = nt::make(Product<tine::f16, float>{});
  check.call(plain);
  check.within(0);
  std::vector<float> first = check.c;
  for (auto [key, value] : {std::pair{"order", "persistent"}, {"order", "grouped:2"}, {"order", "persistent,grouped:3"}, {"stages", "1"}, {"stages", "2"},
                            {"stages", "4"}, {"warps", "1"}, {"warps", "8"}}) {
    INFO(key << "=" << value);
    auto kernel = nt::make(Product<tine::f16, float>{});
    kernel.option(key, value);
    std::fill(check.c.begin(), check.c.end(), -77.0f);
    check.call(kernel);
    CHECK(check.c == first);
  }
}
