// Cases aliasing, store_semantics and masked_lane_traps, and what stores do beside.
#include <numeric>

#include "check.hpp"
#include "elementwise.hpp"
#include "layout.hpp"

using namespace tine;
using namespace tine::test;

namespace {

struct InplaceAdd {
  nt::BlockSize block{32};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> y) const {
    return std::tuple{x.tile({block}), y.tile({block})};
  }
  void application(auto& x, auto& y) const { x = x + y; }
};
struct InplaceAddCompound : InplaceAdd {
  void application(auto& x, auto& y) const { x += y; }
};
struct Swap {
  nt::BlockSize block{32};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> y) const {
    return std::tuple{x.tile({block}), y.tile({block})};
  }
  void application(auto& x, auto& y) const {
    auto t = x;
    x = y;
    y = t;
  }
};
struct Same {
  auto operator()(const auto& x) const { return nt::load(x); }
};
struct TimesThree {
  auto operator()(const auto& a) const { return a * 3; }
};
struct StoreThenTransposed {
  static constexpr auto names = nt::names("a", "tmp", "out");
  auto arrangement(nt::Tensor<i32, 2> a, nt::Tensor<i32, 2> tmp, nt::Tensor<i32, 2> out) const {
    auto all = [](nt::Tensor<i32, 2> x) { return x.tile({16, 16}); };
    return std::tuple{all(a), all(tmp), all(out)};
  }
  void application(auto& a, auto& tmp, auto& out) const {
    tmp = a + 1;
    out = nt::trans(tmp);
  }
};
struct LastWins {
  nt::BlockSize block{16};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({block}), out.tile({block})};
  }
  void application(auto& x, auto& out) const {
    out = x;
    out = x * 2;
  }
};
struct FloorTiles {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    const nt::TileOptions floor{{}, {}, nt::Mode::floor};
    return std::tuple{x.tile({4}, floor), out.tile({4}, floor)};
  }
  void application(auto& x, auto& out) const { out = x; }
};
struct SecondOnly {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({4}), out.tile({4})};
  }
  void application(auto& x, auto& out) const {
    nt::if_(nt::program_index(0) == 1, [&] { out = x; });
  }
};
struct Guards {
  static constexpr auto names = nt::names("a", "out");
  auto arrangement(nt::Tensor<i32, 1> a, nt::Tensor<i32, 1> out) const {
    return std::tuple{a.tile({1}).squeeze(0, nt::level<1>), out.tile({1}).squeeze(0, nt::level<1>)};
  }
  void application(auto& a, auto& out) const {
    nt::if_(nt::load(a) == 0, [&] { a = 7; });
    nt::if_(
        nt::load(a) == 0, [&] { out = 1; }, [&] { out = 2; });
  }
};
struct Divide {
  auto operator()(const auto& x, const auto& y) const { return x / y; }
};
// The three neighbours of each element of a row, zero outside.
struct Neighbours {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<f16, 2> x, nt::Tensor<f16, 2> out) const {
    auto shifted = [&](int by) {
      return x.pad({{0, 0}, {1, 1}})(nt::whole, nt::slice(by, by + x.size(1))).tile({4, 4});
    };
    return std::tuple{shifted(0), shifted(1), shifted(2), out.tile({4, 4})};
  }
  void application(auto& l, auto& c, auto& r, auto& out) const { out = l + c + r; }
};
struct OtherZero {
  double other;
  static constexpr auto names = nt::names("x", "sum", "lanes");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> sum, nt::Tensor<float, 1> lanes) const {
    return std::tuple{x.other(other).tile({256}), sum.tile({1}), lanes.tile({256})};
  }
  void application(auto& x, auto& sum, auto& lanes) const {
    sum = nt::sum(x);
    lanes = x;
  }
};
struct RowMax {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.tile({1, 8}).squeeze(1), out.tile({1})};
  }
  void application(auto& x, auto& out) const { out = nt::max(x, nt::axis(1)); }
};
struct FillMinusThree {
  nt::BlockSize block{16};
  static constexpr auto names = nt::names("out");
  auto arrangement(nt::Tensor<i8, 1> out) const { return std::tuple{out.tile({block})}; }
  void application(auto& out) const { out = -3; }
};
// Three tiles of different types, reduced along different axes.
struct Scratch {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 2> x, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.tile({4, 4}), out.tile({4, 4})};
  }
  void application(auto& x, auto& out) const {
    auto a = nt::sum(nt::cast<u8>(x), nt::axis(0), nt::keep_dims);
    auto b = nt::sum(nt::cast<u16>(x) * 300, nt::axis(1), nt::keep_dims);
    auto c = nt::sum(nt::cast<u8>(x) + 1, nt::axis(0), nt::keep_dims);
    out = nt::cast<i32>(a + b + c);
  }
};

}  // namespace

TEST_CASE("aliasing", "[case]") {
  auto add = make(InplaceAdd{});
  check_variant("aliasing", "inplace_add", [&](Run& r) { add(r.view<i32, 1>("x"), r.view<const i32, 1>("y")); });
  auto compound = make(InplaceAddCompound{});
  check_variant("aliasing", "inplace_add", [&](Run& r) { compound(r.view<i32, 1>("x"), r.view<const i32, 1>("y")); });
  auto swap = make(Swap{});
  check_variant("aliasing", "swap", [&](Run& r) { swap(r.view<i32, 1>("x"), r.view<i32, 1>("y")); });
  auto twice = make(Map<i32, i32, TimesThree>{});
  check_variant("aliasing", "same_tensor_twice", [&](Run& r) { twice(r.view<i32, 1>("x"), r.view<i32, 1>("x")); });
}

TEST_CASE("BR-33: stored, then read transposed in the same program; 200 times", "[case][fault]") {
  auto kernel = make(StoreThenTransposed{});
  const Variant v = load_variant("aliasing", "store_then_transposed_read");
  for (int i = 0; i < 50; ++i)
    check_variant(v, [&](Run& r) { kernel(r.view<const i32, 2>("a"), r.view<i32, 2>("tmp"), r.view<i32, 2>("out")); });
}

TEST_CASE("store_semantics", "[case]") {
  auto narrow = make(Map<float, f16, Same>{});
  check_variant("store_semantics", "f32_into_f16",
                [&](Run& r) { narrow(r.view<const float, 1>("x"), r.view<f16, 1>("out")); });
  auto whole = make(Map<float, i32, Same>{});
  check_variant("store_semantics", "f32_into_i32",
                [&](Run& r) { whole(r.view<const float, 1>("x"), r.view<i32, 1>("out")); });
  auto last = make(LastWins{});
  check_variant("store_semantics", "last_assignment_wins",
                [&](Run& r) { last(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
  auto floor = make(FloorTiles{});
  check_variant("store_semantics", "floor_mode_leaves_tail",
                [&](Run& r) { floor(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
  auto second = make(SecondOnly{});
  check_variant("store_semantics", "unwritten_output_branch",
                [&](Run& r) { second(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
}

TEST_CASE("masked_lane_traps: out-of-range lanes divide by zero", "[case]") {
  auto kernel = make(Zip<i32, i32, Divide>{});
  for (int64_t block : {8, 64}) {
    kernel.set("block", block);
    check_variant("masked_lane_traps", "div_by_out_of_range",
                  [&](Run& r) { kernel(r.view<const i32, 1>("x"), r.view<const i32, 1>("y"), r.view<i32, 1>("out")); });
    check_variant("int_div_mod", "tail_lanes_divisor",
                  [&](Run& r) { kernel(r.view<const i32, 1>("x"), r.view<const i32, 1>("y"), r.view<i32, 1>("out")); });
  }
}

TEST_CASE("BR-01: three masked loads of 16-bit lanes", "[fault]") {
  std::vector<f16> x(16), out(16);
  for (std::size_t i = 0; i < 16; ++i) x[i] = from_float<f16>(double(i));
  make(Neighbours{})(view(x, {4, 4}), view(out, {4, 4}));
  std::vector<float> got;
  for (f16 v : out) got.push_back(to_float(v));
  CHECK(got == std::vector<float>{1, 3, 6, 5, 9, 15, 18, 13, 17, 27, 30, 21, 25, 39, 42, 29});
}

TEST_CASE("BR-03: other = 0 is a value like any other", "[fault]") {
  for (double other : {0.0, -0.0}) {
    std::vector<float> x(16, 1.0f), lanes(256, 5.0f);
    float sum = -1;
    make(OtherZero{other})(x, view(&sum, {1}), lanes);
    CHECK(sum == 16);
    for (std::size_t i = 16; i < 256; ++i) CHECK((lanes[i] == 0 && std::signbit(lanes[i]) == std::signbit(other)));
  }
}

TEST_CASE("BR-05: one short row a program", "[fault]") {
  std::vector<i32> x(128), out(16, -1);
  std::iota(x.begin(), x.end(), 0);
  make(RowMax{})(view(x, {16, 8}), out);
  for (int i = 0; i < 16; ++i) CHECK(out[std::size_t(i)] == 8 * i + 7);
}

TEST_CASE("BR-06: the row bound of a slice binds", "[fault]") {
  std::vector<i32> x(16), out(16, -1);
  std::iota(x.begin(), x.end(), 0);
  make(Copy2<i32>{}).set("rows", 1).set("columns", 8)(view(x.data(), {1, 8}), view(out.data(), {1, 8}));
  CHECK(std::equal(x.begin(), x.begin() + 8, out.begin()));
  CHECK(std::all_of(out.begin() + 8, out.end(), [](i32 v) { return v == -1; }));
}

TEST_CASE("BR-35: scratch of different types is not shared", "[fault]") {
  std::vector<i32> x(16, 1), out(16, -1);
  make(Scratch{})(view(x, {4, 4}), view(out, {4, 4}));
  CHECK(out == std::vector<i32>(16, 1212));
}

TEST_CASE("BR-44: a fill of negative bytes", "[fault]") {
  auto kernel = make(FillMinusThree{});
  check_variant("int_wrap_shift", "fill_i8_negative", [&](Run& r) { kernel(r.view<i8, 1>("out")); });
}

TEST_CASE("BR-51: guards on one place are not merged", "[fault]") {
  i32 a = 0, out = -1;
  make(Guards{})(view(&a, {1}), view(&out, {1}));
  CHECK(a == 7);
  CHECK(out == 2);
}
