// Cases reduce_misc and argmax; reductions over nothing; every width from 1 to 130 (BR-57).
#include <numeric>

#include "check.hpp"
#include "rows.hpp"

using namespace tine;
using namespace tine::test;

namespace {

// Whole tiles, then tiles wider than the data.
template <class T, class R, class F>
void reduce_case(const char* id, int64_t rest) {
  const Variant v = load_variant("reduce_misc", id);
  auto whole = make(ReduceAll<T, R, F>{});
  check_variant(v, [&](Run& r) { whole(r.view<const T, 1>("x"), r.view<R, 1>("out")); });
  const int64_t n = v.parameters.at("x").shape[0];
  for (int64_t width : {n, n + 1, n + 61}) {
    INFO("width " << width);
    auto wide = make(ReduceWide<T, R, F>{width, rest});
    check_variant(v, [&](Run& r) { wide(r.view<const T, 1>("x"), r.view<R, 1>("out")); });
  }
}

template <class T, class R, class F>
R reduce(std::vector<T> x) {
  R out{};
  make(ReduceAll<T, R, F>{})(x, view(&out, {1}));
  return out;
}

}  // namespace

TEST_CASE("reduce_misc: sum", "[case]") {
  for (const char* id : {"sum_i32_3", "sum_i32_48", "sum_i32_96", "sum_i32_100", "sum_i32_127"}) {
    INFO(id);
    reduce_case<i32, i32, SumOf>(id, 0);
  }
  reduce_case<i8, i32, SumOf>("sum_i8_promotes", 0);
  reduce_case<bool, i32, SumOf>("sum_bool", 0);
  reduce_case<f16, float, SumOf>("sum_f16_in_f32", 0);
}

TEST_CASE("reduce_misc: min, max and xor", "[case]") {
  for (const char* id : {"min_i32_3", "min_i32_48", "min_i32_1025"}) {
    INFO(id);
    reduce_case<i32, i32, MinOf>(id, INT32_MAX);
  }
  for (const char* id : {"max_neg_i32_1", "max_neg_i32_3", "max_neg_i32_96", "max_neg_i32_100", "max_neg_i32_1025"}) {
    INFO(id);
    reduce_case<i32, i32, MaxOf>(id, INT32_MIN);
  }
  reduce_case<i32, i32, XorOf>("xor_i32", 0);
}

TEST_CASE("reduce_misc: along an axis", "[case]") {
  auto columns = make(ReduceAxis<i32, i32, 0, SumOf>{});
  check_variant("reduce_misc", "sum_axis0", [&](Run& r) { columns(r.view<const i32, 2>("x"), r.view<i32, 1>("out")); });
  auto rows = make(ReduceAxis<i32, i32, 1, SumOf>{});
  check_variant("reduce_misc", "sum_axis1", [&](Run& r) { rows(r.view<const i32, 2>("x"), r.view<i32, 1>("out")); });
}

TEST_CASE("products wrap and keep their type's accumulator", "[case]") {
  CHECK(reduce<i32, i32, ProdOf>({3, -5, 7, 11, 13}) == -15015);
  CHECK(reduce<i8, i32, ProdOf>({100, 100, 100}) == 1000000);
  CHECK(reduce<i64, i64, ProdOf>({int64_t{1} << 40, int64_t{1} << 30, 3}) == 0);
  CHECK(reduce<u8, u32, ProdOf>({200, 200}) == 40000);
  CHECK(reduce<float, float, ProdOf>({0.5f, 8.0f, -3.0f}) == -12.0f);
}

TEST_CASE("reductions over nothing give their identity", "[case]") {
  CHECK(reduce<float, float, SumOf>({}) == 0.0f);
  CHECK(reduce<float, float, ProdOf>({}) == 1.0f);
  CHECK(reduce<i32, i32, MaxOf>({}) == INT32_MIN);
  CHECK(reduce<i32, i32, MinOf>({}) == INT32_MAX);
  CHECK(reduce<u8, u8, MaxOf>({}) == 0);
  CHECK(reduce<u8, u8, MinOf>({}) == 255);
  CHECK(reduce<float, float, MaxOf>({}) == -INFINITY);
  CHECK(reduce<double, double, MinOf>({}) == INFINITY);
  CHECK(reduce<i32, i32, XorOf>({}) == 0);
  CHECK(reduce<float, i32, ArgmaxOf>({}) == 0);
}

TEST_CASE("argmax", "[case]") {
  auto largest = make(ReduceRows<i32, ArgmaxOf>{});
  auto smallest = make(ReduceRows<i32, ArgminOf>{});
  for (int64_t rows : {1, 2, 4, 6}) {
    INFO("rows " << rows);
    largest.set("rows", rows);
    smallest.set("rows", rows);
    check_variant("argmax", "argmax_f32", [&](Run& r) { largest(r.view<const float, 2>("x"), r.view<i32, 1>("out")); });
    check_variant("argmax", "argmin_f32",
                  [&](Run& r) { smallest(r.view<const float, 2>("x"), r.view<i32, 1>("out")); });
    auto value = make(ReduceRows<float, MaxOf>{});
    value.set("rows", rows);
    check_variant("argmax", "nan_propagated", [&](Run& r) {
      largest(r.view<const float, 2>("x"), r.view<i32, 1>("out"));
      value(r.view<const float, 2>("x"), r.view<float, 1>("value"));
    });
  }
  auto blocks = make(ArgmaxBlocks{});
  check_variant("argmax", "argmax_loop_blocks",
                [&](Run& r) { blocks(r.view<const float, 2>("x"), r.view<i32, 1>("out")); });
}

TEST_CASE("BR-57: sums over every width from 1 to 130", "[fault]") {
  for (int64_t width = 1; width <= 130; width += width < 20 || width > 120 ? 1 : 7) {
    INFO("width " << width);
    std::vector<i32> x(static_cast<std::size_t>(width));
    std::iota(x.begin(), x.end(), 1);
    i32 out = -1;
    make(ReduceWide<i32, i32, SumOf>{width, 0})(x, view(&out, {1}));
    CHECK(out == width * (width + 1) / 2);
  }
}

TEST_CASE("BR-07: sums of 48, 24 and 96 lanes", "[fault]") {
  for (auto [width, sum] : {std::pair{48, 1176}, {24, 300}, {96, 4656}}) {
    std::vector<i32> x(static_cast<std::size_t>(width));
    std::iota(x.begin(), x.end(), 1);
    CHECK(reduce<i32, i32, SumOf>(x) == sum);
  }
}

TEST_CASE("BR-09: rows of a 4x16 tile", "[fault]") {
  std::vector<i32> x(64), out(4, -1);
  std::iota(x.begin(), x.end(), 0);
  make(ReduceAxis<i32, i32, 1, SumOf>{})(view(x, {4, 16}), out);
  CHECK(out == std::vector<i32>{120, 376, 632, 888});
}

TEST_CASE("BR-48: value and index follow one NaN policy", "[fault]") {
  const float nan = NAN;
  const std::vector<std::vector<float>> rows = {{nan, 6, 8}, {6, nan, 8}, {8, 6, nan}};
  for (int i = 0; i < 3; ++i) {
    CHECK(std::isnan(reduce<float, float, MaxOf>(rows[std::size_t(i)])));
    CHECK(reduce<float, i32, ArgmaxOf>(rows[std::size_t(i)]) == i);
  }
}
