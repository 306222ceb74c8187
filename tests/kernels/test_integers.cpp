// Cases int_div_mod, int_wrap_shift and float_to_int.
#include "check.hpp"
#include "elementwise.hpp"

using namespace tine;
using namespace tine::test;

namespace {

struct TruncDiv {
  auto operator()(const auto& x, const auto& y) const { return x / y; }
};
struct TruncRem {
  auto operator()(const auto& x, const auto& y) const { return x % y; }
};
struct FloorDiv {
  auto operator()(const auto& x, const auto& y) const { return nt::floordiv(x, y); }
};
struct FloorMod {
  auto operator()(const auto& x, const auto& y) const { return nt::floormod(x, y); }
};
struct CeilDiv {
  auto operator()(const auto& x, const auto& y) const { return nt::cdiv(x, y); }
};
template <int N>
struct TruncDivBy {
  auto operator()(const auto& x) const { return x / N; }
};
template <int N>
struct TruncRemBy {
  auto operator()(const auto& x) const { return x % N; }
};
template <int N>
struct FloorDivBy {
  auto operator()(const auto& x) const { return nt::floordiv(x, N); }
};
template <int N>
struct FloorModBy {
  auto operator()(const auto& x) const { return nt::floormod(x, N); }
};

template <class F>
void zip(Run& r, const char* out) {
  auto k = make(Zip<i32, i32, F>{});
  k(r.view<const i32, 1>("x"), r.view<const i32, 1>("y"), r.view<i32, 1>(out));
}
template <class T, class R, class F>
void map(Run& r, const char* x, const char* out) {
  auto k = make(Map<T, R, F>{});
  k.set("block", 16);
  k(r.view<const T, 1>(x), r.view<R, 1>(out));
}
template <int N>
void by_constant() {
  check_variant("int_div_mod", "by_const_" + std::to_string(N), [](Run& r) {
    map<i32, i32, TruncDivBy<N>>(r, "x", "trunc_div");
    map<i32, i32, TruncRemBy<N>>(r, "x", "trunc_rem");
    map<i32, i32, FloorDivBy<N>>(r, "x", "floor_div");
    map<i32, i32, FloorModBy<N>>(r, "x", "floor_mod");
  });
}

struct AddF {
  auto operator()(const auto& x, const auto& y) const { return x + y; }
};
struct SubF {
  auto operator()(const auto& x, const auto& y) const { return x - y; }
};
struct MulF {
  auto operator()(const auto& x, const auto& y) const { return x * y; }
};
struct SumBelow {
  auto operator()(const auto& x, const auto& y) const { return x + y < x; }
};
struct HalfSum {
  auto operator()(const auto& x, const auto& y) const { return (x + y) >> 1; }
};
struct UmulhiF {
  auto operator()(const auto& x, const auto& y) const { return nt::umulhi(x, y); }
};
struct Square {
  auto operator()(const auto& x) const { return x * x; }
};
struct Same {
  auto operator()(const auto& x) const { return nt::load(x); }
};
template <int N>
struct Left {
  auto operator()(const auto& x) const { return x << N; }
};
template <int N>
struct Right {
  auto operator()(const auto& x) const { return x >> N; }
};
template <int N>
struct Logical {
  auto operator()(const auto& x) const { return nt::bitcast<u32>(x) >> N; }
};

template <int N>
void shifts() {
  check_variant("int_wrap_shift", "shift_" + std::to_string(N), [](Run& r) {
    map<i32, i32, Left<N>>(r, "x", "left");
    map<i32, i32, Right<N>>(r, "x", "arith");
    map<i32, u32, Logical<N>>(r, "x", "logical");
  });
}

template <class T, class R>
void cast_case(const char* id) {
  check_variant("float_to_int", id, [](Run& r) { map<T, R, Same>(r, "x", "out"); });
}

struct Mixed {
  static constexpr auto names = nt::names("x", "y", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i64, 1> y, nt::Tensor<i64, 1> out) const {
    return std::tuple{x.tile({8}), y.tile({8}), out.tile({8})};
  }
  void application(auto& x, auto& y, auto& out) const { out = x + y; }
};

// One expression of each kind on constants, which the compiler folds, beside the same on run-time values.
struct Folded {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<i32, 1> x, nt::Tensor<i32, 2> out) const {
    return std::tuple{x.tile({nt::whole}), out.tile({1, nt::whole})
                                               .squeeze(0, nt::level<1>)
                                               .tile({nt::whole, nt::whole})
                                               .squeeze(1)
                                               .squeeze(1, nt::level<1>)};
  }
  void application(auto& x, auto& out) const {
    auto c = [](int v) { return nt::full<i32>({nt::Size(1)}, v); };
    auto t = nt::load(x);
    out[0] = nt::floordiv(c(-7), c(2)) + 0 * t;
    out[1] = nt::floordiv(t - 7, t + 2);
    out[2] = nt::floordiv(c(7), c(-2)) + 0 * t;
    out[3] = nt::floordiv(t + 7, t - 2);
    out[4] = nt::cdiv(c(7), c(-3)) + 0 * t;
    out[5] = nt::cdiv(t + 7, t - 3);
    out[6] = nt::cdiv(c(-7), c(3)) + 0 * t;
    out[7] = nt::cdiv(t - 7, t + 3);
    out[8] = nt::cdiv(c(-1), c(4)) + 0 * t;
    out[9] = nt::cdiv(t - 1, t + 4);
    out[10] = c(INT32_MIN) / c(-1) + 0 * t;
    out[11] = (t + INT32_MIN) / (t - 1);
    out[12] = c(5) / c(0) + 0 * t;
    out[13] = (t + 5) % t;
  }
};

template <class T>
std::vector<T> run(auto kernel, std::vector<T> x) {
  std::vector<T> out(x.size(), T(99));
  kernel(x, out);
  return out;
}
struct Half {
  auto operator()(const auto& x) const { return x / 2; }
};
struct ModTwo {
  auto operator()(const auto& x) const { return x % 2; }
};
struct PlusOne {
  auto operator()(const auto& x) const { return x + 1; }
};
struct ShiftThree {
  auto operator()(const auto& x) const { return x >> 3; }
};
struct IsZero {
  auto operator()(const auto& x) const { return x == 0; }
};

}  // namespace

TEST_CASE("int_div_mod", "[case]") {
  check_variant("int_div_mod", "pairs", [](Run& r) {
    zip<TruncDiv>(r, "trunc_div");
    zip<TruncRem>(r, "trunc_rem");
    zip<FloorDiv>(r, "floor_div");
    zip<FloorMod>(r, "floor_mod");
  });
  by_constant<4>();
  by_constant<8>();
  by_constant<3>();
  by_constant<7>();
  by_constant<-4>();
}

TEST_CASE("int_wrap_shift", "[case]") {
  check_variant("int_wrap_shift", "u8_wrap", [](Run& r) {
    make(Zip<u8, u8, AddF>{})(r.view<const u8, 1>("x"), r.view<const u8, 1>("y"), r.view<u8, 1>("add"));
    make(Zip<u8, u8, SubF>{})(r.view<const u8, 1>("x"), r.view<const u8, 1>("y"), r.view<u8, 1>("sub"));
    make(Zip<u8, u8, MulF>{})(r.view<const u8, 1>("x"), r.view<const u8, 1>("y"), r.view<u8, 1>("mul"));
  });
  check_variant("int_wrap_shift", "u8_compare_after_wrap", [](Run& r) {
    make(Zip<u8, bool, SumBelow>{})(r.view<const u8, 1>("x"), r.view<const u8, 1>("y"), r.view<bool, 1>("lt"));
    make(Zip<u8, u8, HalfSum>{})(r.view<const u8, 1>("x"), r.view<const u8, 1>("y"), r.view<u8, 1>("avg"));
  });
  check_variant("int_wrap_shift", "widen", [](Run& r) {
    map<u8, i32, Same>(r, "u", "u_i32");
    map<i8, i32, Same>(r, "i", "i_i32");
    map<u8, float, Same>(r, "u", "u_f32");
    map<i8, u32, Same>(r, "i", "i_u32");
  });
  shifts<1>();
  shifts<15>();
  shifts<31>();
  check_variant("int_wrap_shift", "i32_mul_wrap", [](Run& r) { map<i32, i32, Square>(r, "x", "out"); });
  check_variant("int_wrap_shift", "mixed_width", [](Run& r) {
    make(Mixed{})(r.view<const i32, 1>("x"), r.view<const i64, 1>("y"), r.view<i64, 1>("out"));
  });
  check_variant("int_wrap_shift", "umulhi", [](Run& r) {
    make(Zip<u32, u32, UmulhiF>{})(r.view<const u32, 1>("x"), r.view<const u32, 1>("y"), r.view<u32, 1>("hi"));
  });
}

TEST_CASE("float_to_int", "[case]") {
  cast_case<float, u8>("f32_to_u8");
  cast_case<float, i16>("f32_to_i16");
  cast_case<float, i32>("f32_to_i32");
  cast_case<float, u64>("f32_to_u64");
  cast_case<i32, float>("i32_to_f32");
  cast_case<u32, float>("u32_to_f32");
  cast_case<i64, float>("i64_to_f32");
}

TEST_CASE("BR-16: floor and ceil, folded and at run time", "[fault]") {
  std::vector<i32> x{0}, out(14, 99);
  make(Folded{})(x, view(out, {14, 1}));
  const i32 want[] = {-4, -4, -4, -4, -2, -2, -2, -2, 0, 0, INT32_MIN, INT32_MIN, 0, 0};
  for (int i = 0; i < 14; ++i) {
    INFO(i);
    CHECK(out[std::size_t(i)] == want[i]);
  }
}

TEST_CASE("BR-17: floor of large values by 16", "[fault]") {
  const std::vector<i32> x{2147483647, 2147483632, INT32_MIN, -1};
  CHECK(run(make(Map<i32, i32, FloorDivBy<16>>{}), x) == std::vector<i32>{134217727, 134217727, -134217728, -1});
  CHECK(run(make(Map<i32, i32, FloorModBy<16>>{}), x) == std::vector<i32>{15, 0, 0, 15});
}

TEST_CASE("BR-46: signedness follows the source's type", "[fault]") {
  CHECK(run(make(Map<i32, i32, Half>{}), std::vector<i32>{-2}) == std::vector<i32>{-1});
  CHECK(run(make(Map<u32, u32, Half>{}), std::vector<u32>{0xFFFFFFFE}) == std::vector<u32>{0x7FFFFFFF});
}

TEST_CASE("BR-59: a literal takes the unsigned type", "[fault]") {
  const std::vector<u32> x{0, 1, 0x80000001, 0xFFFFFFFF};
  CHECK(run(make(Map<u32, u32, ModTwo>{}), x) == std::vector<u32>{0, 1, 1, 1});
  CHECK(run(make(Map<u32, u32, PlusOne>{}), x) == std::vector<u32>{1, 2, 0x80000002, 0});
  CHECK(run(make(Map<u32, u32, ShiftThree>{}), x) == std::vector<u32>{0, 0, 0x10000000, 0x1FFFFFFF});
  CHECK(run(make(Map<u32, u32, IsZero>{}), x) == std::vector<u32>{1, 0, 0, 0});
}
