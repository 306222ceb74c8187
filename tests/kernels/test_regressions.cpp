// Small kernels that were wrong once, found by the fuzzer or on the way. [!mayfail]: still open.
#include <sys/mman.h>

#include <cstdlib>

#include "check.hpp"
#include "tine/tine.hpp"

using namespace tine;
using namespace tine::test;
namespace nt = tine;

namespace {

struct BoolPlusBf16 {
  static constexpr auto names = nt::names("b", "y", "p", "q");
  auto arrangement(nt::Tensor<bool, 1> b, nt::Tensor<bf16, 1> y, nt::Tensor<i32, 1> p, nt::Tensor<i32, 1> q) const {
    return std::tuple{b.tile({4}), y.tile({1}), p.tile({4}), q.tile({4})};
  }
  void application(auto& b, auto& y, auto& p, auto& q) const {
    auto sum = y + b;
    p = nt::cast<i32>(sum);
    q = nt::cast<i32>(sum);
  }
};

// x by value beside `auto&`: it is the place itself, so the second use sees what y stored to the same memory.
struct ByValueBesideReference {
  static constexpr auto names = nt::names("x", "y", "z");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> y, nt::Tensor<i32, 1> z) const {
    return std::tuple{x.tile({4}), y.tile({4}), z.tile({4})};
  }
  void application(auto x, auto& y, auto z) const {
    y = x * 2;
    z = x;
  }
};

struct ReshapedTwice {  // first by a dim of 1 alone
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> y) const { return std::tuple{x.tile({4, 6}), y.tile({8, 3})}; }
  void application(auto x, auto& y) const { y = nt::reshape(nt::reshape(x, {1, 4, 6}), {8, 3}) + 1; }
};

struct DotOfOne {  // a product whose contracted dim has one element
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<uint8_t, 2> x, nt::Tensor<i32, 2> y) const { return std::tuple{x.tile({1, 1}), y.tile({1, 1})}; }
  void application(auto x, auto& y) const { y = nt::dot(x, x); }
};

// The grids require sizes to be equal to what is computed from them: n == (n - 1) / n + 1.
struct SizeOfItself {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    nt::require(x.size(0) == y.size(0)), nt::require(x.size(1) == y.size(1));
    return std::tuple{x.tile({x.size(0), x.size(1)}), y.tile({1, 1})};
  }
  void application(auto x, auto& y) const { y = nt::sum(x) + 1; }
};

// Blocks lie more than 2^31 bytes apart, though none does from the first element.
struct FarBlocks {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<uint8_t, 1> x, nt::Tensor<i32, 1> y) const {
    return std::tuple{x.pad({{3, 0}}).tile({1}).tile({6}), y.tile({6})};
  }
  void application(auto x, auto& y) const {
    auto sum = nt::zeros<i32>({1});
    for (auto k : nt::range(x.size(0))) sum += nt::cast<i32>(x[k]);
    y = sum;
  }
};

// Coordinates of places that no 32 bits hold: outside the level, so nothing else is asked of them.
struct FarCoordinates {
  static constexpr auto names = nt::names("x", "i", "y", "z");
  auto arrangement(nt::Tensor<float, 2> x, nt::Scalar<i64> i, nt::Tensor<i64, 1> y, nt::Tensor<i64, 1> z) const {
    return std::tuple{x.flatten(nt::dims<0, 2>).tile({4}).tile({nt::whole}), i, y.tile({4}), z.tile({4})};
  }
  void application(auto x, auto i, auto& y, auto& z) const {
    y = nt::offsets(x[i], 0);
    z = nt::offsets(x[i], 1);
  }
};

// Counts are compared with the width as a whole, not by their low 32 bits.
template <class T>
struct WideShifts {
  static constexpr auto names = nt::names("x", "n", "left", "right");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<T, 1> n, nt::Tensor<T, 1> left, nt::Tensor<T, 1> right) const {
    return std::tuple{x.tile({8}), n.tile({8}), left.tile({8}), right.tile({8})};
  }
  void application(auto x, auto n, auto& left, auto& right) const {
    left = x << n;
    right = x >> n;
  }
};
template <class T>
void check_wide_shifts() {
  const std::vector<T> counts = {T(0), T(1), T(63), T(64), T(uint64_t{1} << 32), T(uint64_t{3} << 32 | 1), T(uint64_t{1} << 63), T(-1)};
  for (const T x : {T(5), T(uint64_t{1} << 63), T(-7)}) {
    const std::vector<T> values(counts.size(), x);
    std::vector<T> left(counts.size()), right(counts.size());
    make(WideShifts<T>{})(values, counts, left, right);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto n = static_cast<uint64_t>(counts[i]);
      const T none = std::is_signed_v<T> && x < T(0) ? T(-1) : T(0);
      CHECK(left[i] == (n < 64 ? T(static_cast<uint64_t>(x) << n) : T(0)));
      CHECK(right[i] == (n < 64 ? T(x >> n) : none));
    }
  }
}

// Python: len(range(INT64_MIN, INT64_MAX, INT64_MAX)) is 3. The index must not run past the largest number.
struct FarRange {
  static constexpr auto names = nt::names("y");
  auto arrangement(nt::Tensor<i32, 1> y) const { return std::tuple{y.tile({4})}; }
  void application(auto& y) const {
    auto v = nt::load(y);
    for (auto k : nt::range(INT64_MIN, INT64_MAX, INT64_MAX)) v = v + 100 + 0 * nt::cast<i32>(k);
    for (auto k : nt::range(10, -1, -3)) v = v + nt::cast<i32>(k);
    y = v;
  }
};

// The same with bounds that only the call knows: how many rounds, and the last index.
struct RangeOfScalars {
  static constexpr auto names = nt::names("start", "stop", "step", "out");
  auto arrangement(nt::Scalar<i64> start, nt::Scalar<i64> stop, nt::Scalar<i64> step, nt::Tensor<i64, 1> out) const {
    return std::tuple{start, stop, step, out.tile({1}).tile({2})};
  }
  void application(auto start, auto stop, auto step, auto& out) const {
    auto rounds = nt::cast<i64>(0), last = nt::cast<i64>(7);
    for (auto k : nt::range(start, stop, step)) {
      rounds = rounds + 1;
      last = k;
    }
    out[0] = rounds;
    out[1] = last;
  }
};

// Levels (1) of (8) of (1) over 5 elements: there is no element -7, nor 8.
struct OutsideALevel {
  static constexpr auto names = nt::names("i", "x", "out");
  auto arrangement(nt::Scalar<i64> i, nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{i, x.other(9).tile({1}).tile({8}), out.tile({1}).tile({8})};
  }
  void application(auto i, auto& x, auto& out) const {
    auto at = nt::load(i);
    out[0] = x[at];
    out[at] = 7;
  }
};

// A level without elements: nothing is stored.
struct EmptyLevel {
  static constexpr auto names = nt::names("out");
  auto arrangement(nt::Tensor<i32, 1> out) const {
    return std::tuple{out.tile({4}).tile({5}, nt::TileOptions{{}, {}, nt::Mode::floor}, nt::level<1>)};
  }
  void application(auto& out) const { out[0] = 7; }
};

// Two products in one sum, of which one is the left operand of a third: their warps would divide the result differently.
struct ProductsOfTwoKinds {
  static constexpr auto names = nt::names("a", "sums", "product");
  auto arrangement(nt::Tensor<double, 2> a, nt::Tensor<double, 2> sums, nt::Tensor<double, 2> product) const {
    return std::tuple{a.tile({64, 64}), sums.tile({64, 64}), product.tile({64, 64})};
  }
  void application(auto a, auto& sums, auto& product) const {
    auto x = nt::load(a);
    auto square = nt::dot(x, nt::trans(x));
    product = nt::dot(square, x);
    sums = square + nt::dot(x, x);
  }
};


// Values that are used twice, again and again: paths through such expressions are exponentially many, so that none of what walks
// over them may take each.
constexpr int rounds = 60;
template <class T, class Where, class Max>
T mixed(T t, T u, const Where& where, const Max& max) {
  for (int i = 0; i < rounds; ++i) {
    T v = t * 3 + u;
    u = where(v > 0, t - u, v);
    t = max(v, u ^ 5);
  }
  return t;
}
struct SharedParts {
  static constexpr auto names = nt::names("x", "signs", "y", "z", "sum");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<float, 1> signs, nt::Tensor<i32, 1> y, nt::Tensor<i32, 1> z,
                   nt::Tensor<float, 1> sum) const {
    return std::tuple{x.tile({8}), signs.tile({8}), y.tile({8}), z.tile({8}), sum.tile({1})};
  }
  void application(auto x, auto signs, auto& y, auto& z, auto& sum) const {
    const auto mix = [](const auto& t, const auto& u) {
      return mixed(nt::load(t), nt::load(u), [](auto c, auto a, auto b) { return nt::where(c, a, b); },
                   [](auto a, auto b) { return nt::max(a, b); });
    };
    y = mix(x, x + 1);
    auto t = nt::load(x), u = nt::load(x * 2);
    for ([[maybe_unused]] auto k : nt::range(nt::size(x, 0))) {
      t = mix(t, u);
      u = mix(u, x);
    }
    z = t ^ u;
    auto squares = nt::load(signs);
    for (int i = 0; i < rounds; ++i) squares = squares * squares;
    sum = nt::sum(squares);
  }
};

// The same of integers that are compared with a position, of a loop's end and index, and of a product's operand and result.
struct SharedAroundProducts {
  static constexpr auto names = nt::names("x", "a", "signs", "less", "product", "squares");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<float, 2> a, nt::Tensor<f16, 2> signs, nt::Tensor<i32, 1> less, nt::Tensor<float, 2> product,
                   nt::Tensor<float, 2> squares) const {
    return std::tuple{x.tile({8}), a.tile({16, 16}).tile({1, nt::whole}).squeeze(0).squeeze(0, nt::level<1>), signs.tile({16, 16}).squeeze(1),
                      less.tile({8}), product.tile({16, 16}).squeeze(1), squares.tile({16, 16}).squeeze(1)};
  }
  void application(auto x, auto a, auto signs, auto& less, auto& product, auto& squares) const {
    auto t = nt::load(x);
    for (int i = 0; i < rounds; ++i) t = nt::max(t + t, t);
    less = nt::cast<i32>(nt::arange(8) < nt::cast<nt::i64>(t));
    auto sum = nt::zeros<float>(product.shape());
    auto stop = nt::load(nt::size(x, 0));  // 8, and a has 4 blocks: the rest is out of range
    for (int i = 0; i < rounds; ++i) stop = nt::min(stop, stop);
    for (auto k : nt::range(stop)) {
      auto i = k + 0;
      for (int j = 0; j < rounds; ++j) i = nt::min(i + i, i);
      sum += nt::dot(a[i], nt::trans(a[k]));
    }
    product = sum;
    auto ones = nt::load(signs);
    for (int i = 0; i < rounds; ++i) ones = ones * ones;
    auto sums = nt::dot(ones, ones) * (1.f / 16);
    for (int i = 0; i < rounds; ++i) sums = sums * sums;
    squares = sums;
  }
};


// A thread of a GPU holds rows of 16 bytes here, so the parts of all warps are 128 values and positions for each: read one by one.
struct ArgmaxOfBytes {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<uint8_t, 2> x, nt::Tensor<i32, 1> y) const {
    return std::tuple{x.tile({64, 64}).squeeze(1), y.tile({64})};
  }
  void application(auto x, auto& y) const { y = nt::argmax(x, nt::axis(0)); }
};


// Neither operand is larger than a block of threads can hold, but both together are larger than its shared memory.
struct WholeProduct {
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<float, 2> a, nt::Tensor<float, 2> b, nt::Tensor<float, 2> c) const {
    return std::tuple{a.tile({32, nt::whole}).squeeze(1), b.tile({nt::whole, 64}).squeeze(0), c.tile({32, 64}).squeeze(1)};
  }
  void application(auto a, auto b, auto& c) const { c = nt::dot(a, b); }
};

struct SameTileAgain {  // in place at few elements, at the same ones in each outer round
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({8}).tile({nt::whole}).squeeze(0)}; }
  void application(auto& x) const {
    for (auto round : nt::range(3))
      for (auto k : nt::range(x.size(0))) x[k] = nt::load(x[k]) * 2 + nt::cast<float>(round);
  }
};

}  // namespace

TEST_CASE("products of two kinds in one sum", "[regression]") {
  constexpr int n = 64;
  const auto at = [](int i, int j) { return std::size_t(i * n + j); };
  std::vector<double> a(n * n), square(a), sums(n * n, -1), product(n * n, -1), want_sums(a), want_product(a);
  for (int i = 0; i < n * n; ++i) a[std::size_t(i)] = i * 7 % 11 - 5;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        square[at(i, j)] += a[at(i, k)] * a[at(j, k)];
        want_sums[at(i, j)] += a[at(i, k)] * (a[at(j, k)] + a[at(k, j)]);
      }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) want_product[at(i, j)] += square[at(i, k)] * a[at(k, j)];
  for (const char* warps : {"", "1", "4", "8"}) {
    auto kernel = make(ProductsOfTwoKinds{});
    if (*warps && std::getenv("TINE_DEVICE")) kernel.option("warps", warps);
    kernel(view(a, {n, n}), view(sums, {n, n}), view(product, {n, n}));
    CHECK(sums == want_sums);
    CHECK(product == want_product);
  }
}

TEST_CASE("bool plus bf16", "[regression]") {
  bool b[5] = {true, false, true, true, false};
  std::vector<bf16> y{from_float<bf16>(3), from_float<bf16>(-1)};
  std::vector<i32> p(5), q(5);
  make(BoolPlusBf16{})(view(b), y, p, q);
  CHECK(p == std::vector<i32>{4, 3, 4, 4, -1});
  CHECK(q == p);
}

TEST_CASE("an index outside a level", "[regression]") {
  auto kernel = make(OutsideALevel{});
  for (int64_t i : {-7, -1, 8, 100}) {
    std::vector<i32> x{1, 2, 3, 4, 5};
    Memory m(5 * sizeof(i32), sizeof(i32), Placement::guarded);
    auto* out = reinterpret_cast<i32*>(m.data());
    std::fill(out, out + 5, -1);
    kernel(i, x, view(out, {5}));
    CHECK(std::vector<i32>(out, out + 5) == std::vector<i32>{9, -1, -1, -1, -1});
    CHECK(m.damaged() == 0);
  }
}

TEST_CASE("a level without elements", "[regression]") {
  std::vector<i32> out(17, -1);
  make(EmptyLevel{})(out);
  CHECK(out == std::vector<i32>(17, -1));
}

TEST_CASE("by value beside a reference", "[regression]") {
  std::vector<i32> a{1, 2, 3, 4}, z(4, -1);
  make(ByValueBesideReference{})(a, a, z);
  CHECK(a == std::vector<i32>{2, 4, 6, 8});
  CHECK(z == a);
}

TEST_CASE("a range to the largest numbers", "[regression]") {
  std::vector<i32> y(4, 1);
  make(FarRange{})(y);
  CHECK(y == std::vector<i32>(4, 1 + 3 * 100 + 10 + 7 + 4 + 1));
}

TEST_CASE("a range of numbers that only the call knows", "[regression]") {
  auto kernel = make(RangeOfScalars{});
  struct Case { i64 start, stop, step, rounds, last; };
  for (const Case& c : {Case{0, 7, 3, 3, 6}, Case{5, 0, -2, 3, 1}, Case{0, 5, -1, 0, 7}, Case{5, 0, 1, 0, 7}, Case{3, 3, 1, 0, 7}, Case{0, 5, 0, 0, 7},
                        Case{5, 0, 0, 0, 7}, Case{INT64_MIN, INT64_MAX, INT64_MAX, 3, INT64_MAX - 1}, Case{INT64_MAX, INT64_MIN, INT64_MIN, 2, -1},
                        Case{INT64_MAX, INT64_MIN, -INT64_MAX, 3, -INT64_MAX}, Case{INT64_MIN, INT64_MIN, -1, 0, 7},
                        Case{INT64_MIN, INT64_MAX, i64(1) << 62, 4, i64(1) << 62}, Case{INT64_MAX - 1, INT64_MAX, INT64_MAX, 1, INT64_MAX - 1}}) {
    INFO(c.start << ":" << c.stop << ":" << c.step);
    std::vector<i64> out(2, -9);
    kernel(c.start, c.stop, c.step, out);
    CHECK(out == std::vector<i64>{c.rounds, c.last});
  }
}

TEST_CASE("a tile under a third shape, after one that differs in a dim of 1", "[regression]") {
  i32 x[4][6], y[8][3];
  for (int i = 0; i < 24; ++i) x[i / 6][i % 6] = 7 * i - 50, y[i / 3][i % 3] = -9;
  make(ReshapedTwice{})(x, y);
  for (int i = 0; i < 24; ++i) CHECK(y[i / 3][i % 3] == 7 * i - 49);
}

TEST_CASE("a product of single elements", "[regression]") {
  const uint8_t x[2][3] = {{0, 1, 3}, {200, 255, 16}};
  i32 y[2][3] = {};
  make(DotOfOne{})(x, y);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(y[i][j] == int(x[i][j]) * int(x[i][j]));
}

TEST_CASE("sizes that are equal to what is computed from them", "[regression]") {
  const float x[1][1] = {{5}};
  float y[1][1] = {};
  make(SizeOfItself{})(x, y);
  CHECK(y[0][0] == 6);
}

TEST_CASE("blocks that lie far apart on both sides of the first element", "[regression]") {
  constexpr std::size_t stride = std::size_t{1} << 29, bytes = 2 * stride + 1;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* x = static_cast<uint8_t*>(memory);
  x[0] = 1, x[stride] = 2, x[2 * stride] = 4;
  std::vector<i32> y(6, -9);
  make(FarBlocks{})(View<const uint8_t, 1>(x, {3}, {stride}), y);
  CHECK(y == std::vector<i32>(6, 7));
  munmap(memory, bytes);
}

TEST_CASE("coordinates of blocks that 32 bits do not hold", "[regression]") {
  const float x[5][3] = {};
  auto kernel = make(FarCoordinates{});
  for (const i64 i : {i64(2), i64(-1), (i64(1) << 31) + 1, (i64(1) << 33) + 1, -(i64(1) << 40)}) {
    INFO(i);
    std::vector<i64> y(4, -9), z(4, -9);
    kernel(x, i, y, z);
    for (i64 t = 0; t < 4; ++t) {
      const i64 at = 4 * i + t, row = at >= 0 ? at / 3 : -((2 - at) / 3);
      CHECK(y[std::size_t(t)] == row);
      CHECK(z[std::size_t(t)] == at - 3 * row);
    }
  }
}

TEST_CASE("shifts by counts that 32 bits do not hold", "[regression]") {
  check_wide_shifts<i64>();
  check_wide_shifts<uint64_t>();
}

TEST_CASE("unknown compile options are refused", "[regression]") {
  std::vector<i32> y(4);
  auto misspelt = make(FarRange{});
  misspelt.option("fast_maht", "1");
  CHECK_THROWS_WITH(misspelt(y), Catch::Contains("option `fast_maht` is unknown; there are fast_math"));
  auto wrong = make(FarRange{});
  wrong.option("fast_math", "banana");
  CHECK_THROWS_WITH(wrong(y), Catch::Contains("it takes 0 or 1"));
}

TEST_CASE("expressions whose parts are shared many times over", "[regression]") {
  const i32 x[5] = {0, 1, -7, 123456789, -2000000000};
  const float signs[5] = {1, -1, -1, 1, 1};
  i32 y[5] = {}, z[5] = {};
  float sum[1] = {};
  make(SharedParts{})(x, signs, y, z, sum);
  struct Wrapping {  // as i32 does in kernels
    i32 v;
    Wrapping operator+(Wrapping o) const { return {i32(uint32_t(v) + uint32_t(o.v))}; }
    Wrapping operator-(Wrapping o) const { return {i32(uint32_t(v) - uint32_t(o.v))}; }
    Wrapping operator*(i32 o) const { return {i32(uint32_t(v) * uint32_t(o))}; }
    Wrapping operator^(i32 o) const { return {v ^ o}; }
    bool operator>(i32 o) const { return v > o; }
  };
  const auto mix = [](Wrapping t, Wrapping u) {
    return mixed(t, u, [](bool c, Wrapping a, Wrapping b) { return c ? a : b; },
                 [](Wrapping a, Wrapping b) { return a.v > b.v ? a : b; });
  };
  for (int i = 0; i < 5; ++i) {
    const Wrapping at{x[i]};
    CHECK(y[i] == mix(at, at + Wrapping{1}).v);
    Wrapping t = at, u = at * 2;
    for (int k = 0; k < 5; ++k) {
      t = mix(t, u);
      u = mix(u, at);
    }
    CHECK(z[i] == (t.v ^ u.v));
  }
  CHECK(sum[0] == 5);
}

TEST_CASE("parts that are shared many times over, around products", "[regression]") {
  const i32 x[8] = {0, 0, -3, 7, 0, -1, 0, 0};  // 7 is doubled until that would wrap around
  std::vector<float> a(16 * 64), product(16 * 16, -1.f), want(product.size(), 0.f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 5);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j)
      for (std::size_t k = 0; k < 64; ++k) want[i * 16 + j] += a[i * 64 + k] * a[j * 64 + k];
  i32 less[8];
  std::vector<f16> signs(16 * 16);
  std::vector<float> squares(16 * 16, -1.f);
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = from_float<f16>(i % 3 ? 1.f : -1.f);
  make(SharedAroundProducts{})(x, view(a, {16, 64}), view(signs, {16, 16}), less, view(product, {16, 16}), view(squares, {16, 16}));
  for (int i = 0; i < 8; ++i) {
    i32 t = x[i];
    for (int r = 0; r < rounds; ++r) t = std::max(i32(uint32_t(t) + uint32_t(t)), t);
    CHECK(less[i] == (i < t));
  }
  CHECK(product == want);
  CHECK(squares == std::vector<float>(16 * 16, 1.f));
}

TEST_CASE("argmax across the warps of vectors of bytes", "[regression]") {
  std::vector<uint8_t> x(64 * 64);
  uint32_t state = 1;
  for (uint8_t& v : x) v = uint8_t((state = state * 1664525 + 1013904223) >> 27);  // 32 values: many ties
  std::vector<i32> y(64, -9);
  make(ArgmaxOfBytes{})(view(x, {64, 64}), y);
  for (std::size_t j = 0; j < 64; ++j) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < 64; ++i)
      if (x[i * 64 + j] > x[first * 64 + j]) first = i;
    CHECK(y[j] == i32(first));
  }
}

TEST_CASE("a product whose operands are larger than shared memory only together", "[regression]") {
  constexpr i64 m = 29, n = 61, k = 391;
  std::vector<float> a(m * k), b(k * n), c(m * n, -9);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 5) - 2);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 11 % 7) - 3);
  make(WholeProduct{})(view(a, {m, k}), view(b, {k, n}), view(c, {m, n}));
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      float sum = 0;  // of small integers: exact
      for (i64 x = 0; x < k; ++x) sum += a[std::size_t(i * k + x)] * b[std::size_t(x * n + j)];
      CHECK(c[std::size_t(i * n + j)] == sum);
    }
}

TEST_CASE("a tile in place again, of fewer elements than threads", "[regression]") {
  for (std::size_t n : {5, 12}) {
    std::vector<float> x(n), want(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = float(i) - 3, want[i] = ((x[i] * 2 + 0) * 2 + 1) * 2 + 2;
    make(SameTileAgain{})(view(x));
    CHECK(x == want);
  }
}
