// Tiles of more elements than a block has registers: GPU targets work on them in parts (codegen/gpu/split_tiles.hpp). The option
// `split` makes every tile such a tile. Expected values are sums and comparisons of numbers in f64, or the rule of each element.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>

#include "tine/tine.hpp"

using namespace tine;
namespace nt = tine;

namespace {

bool on_gpu() {  // main.cpp
  const char* device = std::getenv("TINE_DEVICE");
  return device && std::string_view(device).starts_with("emulated:");
}
/// What `split` is set to in turn; 0: nothing, so that only large tiles are split.
std::vector<int> limits() { return on_gpu() ? std::vector<int>{0, 32, 256, 2048} : std::vector<int>{0}; }
template <class Kernel>
void limit(Kernel& kernel, int elements) {
  if (on_gpu()) kernel.option("split", elements ? std::to_string(elements).c_str() : "");
}

template <class T>
std::vector<T> random(std::size_t n, unsigned seed) {
  std::mt19937 r(seed);
  std::uniform_real_distribution<double> d(-4, 4);
  std::vector<T> v(n);
  for (T& x : v) {
    if constexpr (std::is_arithmetic_v<T>) x = static_cast<T>(d(r));
    else x = from_float<T>(d(r));
  }
  return v;
}
template <class T>
double wide(T x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(x);
  else return to_float(x);
}

// ---- rows as a whole

template <class T>
struct Softmax {
  nt::BlockSize rows{4};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const {
    auto tiles = [&](auto t) { return t.tile({rows, nt::whole}).squeeze(1); };
    return std::tuple{tiles(x), tiles(y)};
  }
  void application(auto x, auto& y) const {
    auto t = nt::cast<float>(x);
    auto e = nt::exp(t - nt::max(t, nt::axis(1))(nt::whole, nt::newaxis));
    y = nt::cast<T>(e / nt::sum(e, nt::axis(1))(nt::whole, nt::newaxis));
  }
};

template <class T>
void check_softmax(int64_t rows, int64_t n, int block, int split, bool in_place, double tolerance) {
  INFO("softmax of " << rows << " x " << n << ", " << block << " rows, split " << split << (in_place ? ", in place" : ""));
  std::vector<T> x = random<T>(static_cast<std::size_t>(rows * n), 1), apart(x.size(), x[0]);
  const std::vector<T> before = x;
  std::vector<T>& y = in_place ? x : apart;
  auto kernel = make(Softmax<T>{});
  kernel.set("rows", block);
  limit(kernel, split);
  kernel(view(x, {rows, n}), view(y, {rows, n}));
  double worst = 0;
  for (int64_t i = 0; i < rows; ++i) {
    double total = 0;
    for (int64_t j = 0; j < n; ++j) total += std::exp(wide(before[static_cast<std::size_t>(i * n + j)]));
    for (int64_t j = 0; j < n; ++j) {
      const double expected = std::exp(wide(before[static_cast<std::size_t>(i * n + j)])) / total;
      worst = std::max(worst, std::fabs(wide(y[static_cast<std::size_t>(i * n + j)]) - expected) / expected);
    }
  }
  CHECK(worst <= tolerance);
}

/// What a row comes to: sum, max, min, the places of the last two, and the sum of the places of positive elements.
template <class T>
struct Statistics {
  nt::BlockSize rows{2};
  static constexpr auto names = nt::names("x", "y", "i");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<double, 2> y, nt::Tensor<nt::i64, 2> i) const {
    auto columns = [&](auto t) { return t.tile({rows, 1}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(1); };
    return std::tuple{x.tile({rows, nt::whole}).squeeze(1), columns(y), columns(i)};
  }
  void application(auto x, auto& y, auto& i) const {
    auto column = [&](auto v) { return v(nt::whole, nt::newaxis); };
    y[0] = column(nt::cast<double>(nt::sum(x, nt::axis(1))));
    y[1] = column(nt::cast<double>(nt::max(x, nt::axis(1))));
    y[2] = column(nt::cast<double>(nt::min(x, nt::axis(1))));
    i[0] = column(nt::cast<nt::i64>(nt::argmax(x, nt::axis(1))));
    i[1] = column(nt::cast<nt::i64>(nt::argmin(x, nt::axis(1))));
    i[2] = column(nt::sum(nt::where(x > nt::cast<T>(0), nt::offsets(x, 1), nt::full<nt::i64>(x.shape(), 0)), nt::axis(1)));
    i[3] = column(nt::cast<nt::i64>(nt::any(x > nt::cast<T>(3.99), nt::axis(1))) * 2 + nt::cast<nt::i64>(nt::all(x < nt::cast<T>(3.99), nt::axis(1))));
  }
};

template <class T>
void check_statistics(int64_t rows, int64_t n, int split, bool with_nan) {
  INFO("statistics of " << rows << " x " << n << ", split " << split << (with_nan ? ", NaN" : ""));
  std::vector<T> x = random<T>(static_cast<std::size_t>(rows * n), 7);
  if constexpr (std::is_floating_point_v<T>)
    if (with_nan) x[static_cast<std::size_t>(n + n / 2)] = x[static_cast<std::size_t>(n + n - 1)] = std::numeric_limits<T>::quiet_NaN();
  std::vector<double> y(static_cast<std::size_t>(rows * 3), -99);
  std::vector<i64> i(static_cast<std::size_t>(rows * 4), -99);
  auto kernel = make(Statistics<T>{});
  limit(kernel, split);
  kernel(view(x, {rows, n}), view(y, {rows, 3}), view(i, {rows, 4}));
  for (int64_t r = 0; r < rows; ++r) {
    const T* row = x.data() + r * n;
    double sum = 0, size = 0;
    int64_t most = 0, least = 0, places = 0, nan = -1;
    bool any = false, all = true;
    for (int64_t j = 0; j < n; ++j) {
      if (row[j] != row[j] && nan < 0) nan = j;
      sum += wide(row[j]), size += std::fabs(wide(row[j]));
      if (row[j] > row[most]) most = j;
      if (row[j] < row[least]) least = j;
      if (row[j] > T(0)) places += j;
      any |= row[j] > static_cast<T>(3.99), all &= row[j] < static_cast<T>(3.99);
    }
    const auto at = [&](auto& v, int64_t columns, int64_t c) { return v[static_cast<std::size_t>(r * columns + c)]; };
    if (nan >= 0) {
      for (int c : {0, 1, 2}) CHECK(std::isnan(at(y, 3, c)));
      CHECK(at(i, 4, 0) == nan);
      CHECK(at(i, 4, 1) == nan);
    } else {
      CHECK(std::fabs(at(y, 3, 0) - sum) <= (std::is_integral_v<T> ? 0 : size * double(n) * std::numeric_limits<T>::epsilon() / 2));
      CHECK(at(y, 3, 1) == wide(row[most]));
      CHECK(at(y, 3, 2) == wide(row[least]));
      CHECK(at(i, 4, 0) == most);
      CHECK(at(i, 4, 1) == least);
    }
    CHECK(at(i, 4, 2) == places);
    CHECK(at(i, 4, 3) == 2 * any + all);
  }
}

/// Wide rows on each other: results of 8 bytes for each column.
struct Columns {
  static constexpr auto names = nt::names("x", "y", "i");
  auto arrangement(nt::Tensor<double, 2> x, nt::Tensor<double, 1> y, nt::Tensor<nt::i64, 1> i) const {
    return std::tuple{x.tile({nt::whole, nt::whole}).squeeze({0, 1}), y.tile({nt::whole}).squeeze(0), i.tile({nt::whole}).squeeze(0)};
  }
  void application(auto x, auto& y, auto& i) const {
    y = nt::sum(x, nt::axis(0));
    i = nt::sum(nt::cast<nt::i64>(x > 0.), nt::axis(0));
  }
};

/// Few rows, reduced onto each other: what warps tell each other is as wide as the rows.
struct OntoEachOther {
  static constexpr auto names = nt::names("x", "y", "i");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> y, nt::Tensor<i32, 1> i) const {
    return std::tuple{x.tile({nt::whole, nt::whole}).squeeze({0, 1}), y.tile({nt::whole}).squeeze(0), i.tile({nt::whole}).squeeze(0)};
  }
  void application(auto x, auto& y, auto& i) const {
    y = nt::sum(x, nt::axis(0));
    i = nt::argmax(x, nt::axis(0));
  }
};

}  // namespace

TEST_CASE("rows of more elements than a block has registers", "[large]") {
  // exp and the division are within 2 units, the sum of n positive terms within n halves.
  for (int split : limits()) {
    check_softmax<float>(5, 301, 4, split, false, 320 * 0x1p-24);
    check_softmax<float>(3, 1000, 1, split, true, 1020 * 0x1p-24);
    check_softmax<f16>(4, 77, 2, split, false, 0x1p-10);
    check_softmax<float>(70, 3, 64, split, false, 30 * 0x1p-24);
    check_statistics<float>(5, 333, split, false);
    check_statistics<float>(4, 1024, split, true);
    check_statistics<i32>(3, 517, split, false);
    check_statistics<i8>(3, 100, split, false);
    check_statistics<double>(2, 130, split, true);
  }
  check_softmax<float>(4, 70001, 4, 0, false, 2000 * 0x1p-24);
  check_statistics<float>(2, 40007, 0, false);
  check_statistics<double>(1, 65536, 0, false);
}

TEST_CASE("reductions along a short outer axis", "[large]") {
  for (int split : limits())
    for (std::size_t n : {300u, 4'000u, 16'000u}) {
      if (split && n > 300) continue;
      INFO("split " << split << ", " << n << " columns");
      std::vector<float> x = random<float>(3 * n, 19), y(n, -99);
      std::vector<i32> i(n, -99);
      for (float& v : x) v = std::trunc(v);  // many ties
      auto kernel = make(OntoEachOther{});
      limit(kernel, split);
      kernel(view(x, {3, i64(n)}), view(y), view(i));
      int64_t wrong = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const float a = x[j], b = x[n + j], c = x[2 * n + j];
        wrong += y[j] != a + b + c || i[j] != (c > std::max(a, b) ? 2 : b > a ? 1 : 0);
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("elements of 8 bytes take two registers", "[large]") {
  for (int split : limits()) {
    INFO("split " << split);
    const std::size_t n = split ? 400 : 40'007;
    const std::vector<double> x = random<double>(2 * n, 17);
    std::vector<double> y(n, -99);
    std::vector<i64> i(n, -99);
    auto kernel = make(Columns{});
    limit(kernel, split);
    kernel(view(x, {2, i64(n)}), view(y), view(i));
    int64_t wrong = 0;
    for (std::size_t j = 0; j < n; ++j) wrong += y[j] != x[j] + x[n + j] || i[j] != (x[j] > 0) + (x[n + j] > 0);
    CHECK(wrong == 0);
  }
}

// ---- blocks beyond all sense, and what reads places again

namespace {

struct Counted {
  nt::BlockSize block{1 << 20};
  static constexpr auto names = nt::names("x", "y", "z");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y, nt::Tensor<i32, 1> z) const { return std::tuple{x.tile({block}), y.tile({block}), z.tile({block})}; }
  void application(auto x, auto& y, auto& z) const {
    y = x * 2 + nt::cast<float>(nt::arange(block));
    z = nt::cast<i32>(nt::valid(x)) + nt::cast<i32>(nt::arange(block)) * 2;
  }
};

/// x is read, then overwritten, then what was read is used: y must not see what was written.
struct ReadBefore {
  nt::BlockSize block{256};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({block}), y.tile({block})}; }
  void application(auto& x, auto& y) const {
    auto before = nt::load(x);
    x = before + 100.f;
    y = before;
  }
};

/// Turned within its own memory: elements of one part lie in others.
struct TurnInPlace {
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<float, 2> x) const { return std::tuple{x.tile({nt::whole, nt::whole})}; }
  void application(auto& x) const { x = nt::trans(nt::load(x)) + 1.f; }
};

/// Beside a large tile: a loop carries what only the stores of a loop within it need.
struct CarriedForStores {
  nt::BlockSize block{256};
  static constexpr auto names = nt::names("x", "y", "z");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y, nt::Tensor<float, 2> z) const {
    return std::tuple{x.tile({block}), y.tile({block}), z.tile({1, 8}).tile({nt::whole, 1}).squeeze(0).squeeze(1, nt::level<1>).squeeze(0, nt::level<2>)};
  }
  void application(auto x, auto& y, auto& z) const {
    y = x + 1.f;
    auto step = nt::full<float>({8}, 1.f);
    for (auto k : nt::range(3)) {
      auto w = nt::full<float>({8}, 0.f);
      for (auto j : nt::range(4)) {
        z[k * 4 + j] = w;
        w += step;
      }
      step += 1.f;
    }
  }
};

/// A loop in a loop, both of which carry a large tile and a count that it depends on.
struct CountedRounds {
  static constexpr auto names = nt::names("x", "y", "z");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> y, nt::Tensor<float, 1> z) const {
    return std::tuple{x.tile({1, nt::whole}).tile({nt::whole, 1}).squeeze({0, 1}).squeeze(1, nt::level<1>).squeeze(0, nt::level<2>), y.tile({nt::whole}).squeeze(0), z.tile({1})};
  }
  void application(auto x, auto& y, auto& z) const {
    auto sum = nt::zeros<float>(y.shape());
    auto count = nt::zeros<i32>({1}), totals = nt::zeros<i32>({1});
    for (auto k : nt::range(x.size(0))) {
      sum += x[k] * nt::cast<float>(count);
      for (auto j : nt::range(k)) {
        sum += x[j];
        totals += nt::cast<i32>(nt::sum(x[j]));
        count += 1;
      }
      count += 1;
    }
    y = sum;
    z = nt::cast<float>(totals) + nt::max(sum);
  }
};

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.message();
  }
  return "";
}

}  // namespace

TEST_CASE("blocks of any size", "[large]") {
  for (int split : limits()) {
    const int64_t n = split ? 5000 : 1'100'003;
    const int block = split ? 4096 : 1 << 20;
    std::vector<float> x = random<float>(static_cast<std::size_t>(n), 3), y(x.size(), -1);
    std::vector<i32> z(x.size(), -1);
    auto kernel = make(Counted{});
    kernel.set("block", block);
    limit(kernel, split);
    kernel(view(x), view(y), view(z));
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      wrong += y[at] != std::fma(x[at], 2.f, static_cast<float>(i % block)) || z[at] != 1 + 2 * (i % block);
    }
    INFO("split " << split);
    CHECK(wrong == 0);
  }
}

TEST_CASE("parts of tiles see memory as it was when the tile was loaded", "[large]") {
  for (int split : limits()) {
    INFO("split " << split);
    std::vector<float> x = random<float>(200, 5), y(x.size(), -1), before = x;
    auto kernel = make(ReadBefore{});
    limit(kernel, split);
    kernel(view(x), view(y));
    int64_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += x[i] != before[i] + 100.f || y[i] != before[i];
    CHECK(wrong == 0);

    std::vector<float> square = random<float>(19 * 19, 6), turned = square;
    auto turn = make(TurnInPlace{});
    limit(turn, split);
    turn(view(turned, {19, 19}));
    for (std::size_t i = 0; i < 19; ++i)
      for (std::size_t j = 0; j < 19; ++j) wrong += turned[i * 19 + j] != square[j * 19 + i] + 1.f;
    CHECK(wrong == 0);
  }
  if (!on_gpu()) return;
  // What cannot be cut is refused as a whole.
  std::vector<float> square(1000 * 1000, 1.f);
  auto turn = make(TurnInPlace{});
  CHECK(refusal([&] { turn(view(square, {1000, 1000})); }).find("a program needs code for 1024 elements in each of 1024 threads for a tile of (1024, 1024) elements") != std::string::npos);
  CHECK(square == std::vector<float>(1000 * 1000, 1.f));
}

TEST_CASE("what a loop carries for the stores of a loop within it", "[large]") {
  for (int split : limits()) {
    INFO("split " << split);
    const std::vector<float> x = random<float>(200, 9);
    std::vector<float> y(x.size(), -1), z(12 * 8, -1);
    auto kernel = make(CarriedForStores{});
    limit(kernel, split);
    kernel(view(x), view(y), view(z, {12, 8}));
    int64_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += y[i] != x[i] + 1.f;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t i = 0; i < 8; ++i) wrong += z[(k * 4 + j) * 8 + i] != static_cast<float>(j * (k + 1));
    CHECK(wrong == 0);
  }
}

TEST_CASE("loops in loops that carry large tiles and what these depend on", "[large]") {
  for (int split : limits()) {
    const std::size_t n = split ? 500 : 70'001, rows = 3;
    INFO("split " << split);
    std::vector<float> x = random<float>(rows * n, 15), y(n, -99), z(1, -99);
    for (float& v : x) v = std::trunc(v);
    auto kernel = make(CountedRounds{});
    limit(kernel, split);
    kernel(view(x, {i64(rows), i64(n)}), view(y), view(z));
    int64_t wrong = 0;
    double most = -1e9, totals = 0;
    for (std::size_t i = 0; i < n; ++i) {  // counts before the rounds of k: 0, 1, 3
      const double want = 0 * x[i] + (1 * x[n + i] + x[i]) + (3 * x[2 * n + i] + x[i] + x[n + i]);
      most = std::max(most, want), totals += 2 * x[i] + x[n + i];
      wrong += y[i] != want;
    }
    CHECK(wrong == 0);
    CHECK(z[0] == static_cast<float>(totals + most));
  }
}

// ---- products

namespace {

/// The rounds of the sum are made for each part of the result, which is the whole.
template <class T>
struct Product {
  nt::BlockSize bk{16};
  static constexpr auto names = nt::names("a", "b", "bias", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<float, 1> bias, nt::Tensor<float, 2> c) const {
    auto at = a.tile({nt::whole, bk}).squeeze(0).tile({nt::whole}).squeeze(0);
    auto bt = b.tile({bk, nt::whole}).squeeze(1).tile({nt::whole}).squeeze(0);
    return std::tuple{at, bt, bias.tile({nt::whole}).squeeze(0), c.tile({nt::whole, nt::whole}).squeeze({0, 1})};
  }
  void application(auto a, auto b, auto bias, auto& c) const {
    auto sum = nt::zeros<float>(c.shape());
    auto rounds = nt::zeros<i32>({1});
    for (auto k : nt::range(a.size(0))) {
      sum += nt::dot(a[k], b[k]);
      rounds += 1;
    }
    c = sum + bias + nt::cast<float>(rounds) * 1000.f;
  }
};

/// All of k at once.
template <class T>
struct Deep {
  nt::BlockSize bm{16}, bn{16};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<float, 2> c) const {
    auto ct = c.tile({bm, bn});
    return std::tuple{a.tile({bm, nt::whole}).expand({nt::keep, ct.size(1)}), b.tile({nt::whole, bn}).expand({ct.size(0), nt::keep}), ct};
  }
  void application(auto a, auto b, auto& c) const { c = nt::dot(a, b); }
};

template <class T>
std::vector<T> small_integers(std::size_t n, unsigned seed) {
  std::vector<T> v = random<T>(n, seed);
  for (T& x : v) {
    if constexpr (std::is_arithmetic_v<T>) x = static_cast<T>(static_cast<int>(x));
    else x = from_float<T>(static_cast<int>(to_float(x)));
  }
  return v;
}

template <class T>
void check_products(int64_t m, int64_t n, int64_t k, int split) {
  INFO(m << " x " << n << " x " << k << ", split " << split);
  const std::vector<T> a = small_integers<T>(static_cast<std::size_t>(m * k), 11), b = small_integers<T>(static_cast<std::size_t>(k * n), 12);
  const std::vector<float> bias = small_integers<float>(static_cast<std::size_t>(n), 13);
  std::vector<float> c(static_cast<std::size_t>(m * n), -99), d = c;
  auto kernel = make(Product<T>{});
  limit(kernel, split);
  kernel(view(a, {m, k}), view(b, {k, n}), view(bias), view(c, {m, n}));
  auto deep = make(Deep<T>{});
  limit(deep, split);
  deep(view(a, {m, k}), view(b, {k, n}), view(d, {m, n}));
  int64_t wrong = 0, wrong_deep = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += wide(a[static_cast<std::size_t>(i * k + l)]) * wide(b[static_cast<std::size_t>(l * n + j)]);
      wrong += c[static_cast<std::size_t>(i * n + j)] != sum + bias[static_cast<std::size_t>(j)] + 1000 * ((k + 15) / 16);
      wrong_deep += d[static_cast<std::size_t>(i * n + j)] != sum;
    }
  CHECK(wrong == 0);
  CHECK(wrong_deep == 0);
}

}  // namespace

TEST_CASE("products whose tiles are too large", "[large]") {
  for (int split : limits()) {
    check_products<float>(70, 37, 45, split);
    check_products<f16>(33, 50, 130, split);
    check_products<i8>(20, 18, 67, split);
  }
  check_products<f16>(600, 300, 40, 0);
  check_products<f16>(17, 16, 5000, 0);
}
