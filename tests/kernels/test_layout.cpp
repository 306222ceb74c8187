// Cases strided_copy, expand_add, degenerate_sizes, max_pool2d, avg_pool2d and rope.
#include <numeric>

#include "check.hpp"
#include "layout.hpp"

using namespace tine;
using namespace tine::test;

namespace {

struct Sizes {
  int64_t rows, columns;
};
constexpr Sizes tiles[] = {{4, 4}, {3, 5}, {8, 8}, {1, 1}, {1, 64}, {16, 3}};

// The input may be read only; an output with a view of its own shares one buffer with its guard cells.
template <class T, int R, class K>
void copy_case(K kernel, const char* id) {
  const Variant v = load_variant("strided_copy", id);
  for (const Sizes& s : tiles) {
    INFO(id << ", tile " << s.rows << "x" << s.columns);
    kernel.set("rows", s.rows).set("columns", s.columns);
    check_variant(v, [&](Run& r) { kernel(r.view<const T, R>("x"), r.view<T, R>("out")); });
  }
}

template <class K>
K windows(K kernel, const nlohmann::json& j) {
  const auto pair = [&](const char* key, int64_t otherwise, int64_t(&to)[2]) {
    for (std::size_t i : {0, 1}) to[i] = j.contains(key) ? j.at(key).at(i).template get<int64_t>() : otherwise;
  };
  pair("kernel", 1, kernel.kernel);
  pair("stride", 1, kernel.stride);
  pair("padding", 0, kernel.padding);
  pair("dilation", 1, kernel.dilation);
  kernel.ceil = j.value("ceil", false);
  return kernel;
}

}  // namespace

TEST_CASE("strided_copy", "[case]") {
  copy_case<i32, 2>(make(Copy2<i32>{}), "row_pitch");
  copy_case<i32, 2>(make(Copy2<i32>{}), "zero_stride_rows");
  copy_case<i32, 2>(make(Copy2<i32>{}), "zero_stride_all");
  copy_case<i32, 2>(make(Copy2<i32>{}), "stride1_outer");
  copy_case<i8, 2>(make(Copy2<i8>{}), "unaligned_i8");
  copy_case<f16, 2>(make(Copy2<f16>{}), "unaligned_f16");
  copy_case<i32, 3>(make(Copy3<i32>{}), "permute_3d");
  auto kernel = make(Copy1<i32>{});
  for (int64_t block : {1, 5, 16, 64}) {
    kernel.set("block", block);
    check_variant("strided_copy", "negative_1d",
                  [&](Run& r) { kernel(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
  }
}

TEST_CASE("BR-22: a view whose base is aligned to its elements only", "[fault]") {
  std::vector<float> x(34), out(34, -1);
  std::iota(x.begin(), x.end(), 0.0f);
  auto kernel = make(Copy1<float>{});
  kernel(view(x.data() + 1, {33}), view(out.data() + 1, {33}));
  CHECK(out[0] == -1);
  CHECK(std::equal(x.begin() + 1, x.end(), out.begin() + 1));
}

TEST_CASE("BR-23: copies of 1 to 40 bytes", "[fault]") {
  for (int64_t block : {8, 16, 64}) {
    auto kernel = make(Copy1<i8>{});
    kernel.set("block", block);
    for (int64_t n = 1; n <= 40; ++n) {
      std::vector<i8> x(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(n) + 64, 77);
      std::iota(x.begin(), x.end(), i8(-20));
      kernel(x, view(out.data(), {n}));
      CHECK(std::equal(x.begin(), x.end(), out.begin()));
      CHECK(std::all_of(out.begin() + n, out.end(), [](i8 v) { return v == 77; }));
    }
  }
}

TEST_CASE("BR-26: 4x5 into strides (1, 4)", "[fault]") {
  std::vector<i32> x(20), out(20, -1), want;
  std::iota(x.begin(), x.end(), 0);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 4; ++i) want.push_back(5 * i + j);
  make(Copy2<i32>{})(view(x, {4, 5}), view(out.data(), {4, 5}, {1, 4}));
  CHECK(out == want);
}

TEST_CASE("expand_add", "[case]") {
  auto kernel = make(ExpandAdd{});
  auto three = make(BroadcastAdd{});
  i32 zero = 0;
  for (const Sizes& s : tiles) {
    INFO("tile " << s.rows << "x" << s.columns);
    kernel.set("rows", s.rows).set("columns", s.columns);
    three.set("rows", s.rows).set("columns", s.columns);
    check_variant("expand_add", "outer",
                  [&](Run& r) { kernel(r.view<const i32, 2>("a"), r.view<const i32, 2>("b"), r.view<i32, 2>("out")); });
    check_variant("expand_add", "outer", [&](Run& r) {
      three(r.view<const i32, 2>("a"), r.view<const i32, 2>("b"), view(&zero, {1, 1}), r.view<i32, 2>("out"));
    });
  }
  auto line = make(ExpandAdd1{});
  check_variant("expand_add", "scalar_like",
                [&](Run& r) { line(r.view<const i32, 1>("a"), r.view<const i32, 1>("b"), r.view<i32, 1>("out")); });
}

TEST_CASE("degenerate_sizes", "[case]") {
  auto sums = make(RowSums{});
  check_variant("degenerate_sizes", "sum_empty_dim",
                [&](Run& r) { sums(r.view<const float, 2>("x"), r.view<float, 1>("out")); });
  auto copy = make(Copy2<i32>{});
  check_variant("degenerate_sizes", "copy_zero_cols", [&](Run& r) {
    CHECK(copy.programs(r.view<const i32, 2>("x"), r.view<i32, 2>("out")) == 0);
    copy(r.view<const i32, 2>("x"), r.view<i32, 2>("out"));
  });
  const Variant v = load_variant("degenerate_sizes", "pool_window_larger_than_input_floor");
  auto pool = make(windows(MaxPool<float>{}, v.json));
  check_variant(v, [&](Run& r) {
    CHECK(pool.programs(r.view<const float, 4>("x"), r.view<float, 4>("out")) == 0);
    pool(r.view<const float, 4>("x"), r.view<float, 4>("out"));
  });
  auto line = make(Copy1<i32>{});
  line(View<const i32, 1>(nullptr, {0}), View<i32, 1>(nullptr, {0}));
  check_variant("degenerate_sizes", "empty_then_full",
                [&](Run& r) { line(r.view<const i32, 1>("x"), r.view<i32, 1>("out")); });
}

TEST_CASE("BR-55: 5 elements, then none, then 5", "[fault]") {
  std::vector<i32> x{1, 2, 3, 4, 5}, none, out(5, -1);
  auto kernel = make(Copy1<i32>{});
  kernel(x, out);
  CHECK(out == x);
  kernel(none, none);
  std::fill(out.begin(), out.end(), -1);
  kernel(x, out);
  CHECK(out == x);
}

TEST_CASE("max_pool2d", "[case]") {
  for (const Variant& v : load_case("max_pool2d")) {
    if (v.parameters.at("x").array.type == DType::f16) {
      auto pool = make(windows(MaxPool<f16>{}, v.json));
      check_variant(v, [&](Run& r) { pool(r.view<const f16, 4>("x"), r.view<f16, 4>("out")); });
    } else {
      auto pool = make(windows(MaxPool<float>{}, v.json));
      check_variant(v, [&](Run& r) { pool(r.view<const float, 4>("x"), r.view<float, 4>("out")); });
    }
  }
}

TEST_CASE("avg_pool2d", "[case]") {
  for (const Variant& v : load_case("avg_pool2d")) {
    auto pool = make(windows(AvgPool{}, v.json));
    check_variant(v, [&](Run& r) { pool(r.view<const float, 4>("x"), r.view<float, 4>("out")); });
  }
}

TEST_CASE("rope", "[case]") {
  auto interleaved = make(Rope<true>{});
  auto half = make(Rope<false>{});
  for (const Variant& v : load_case("rope")) {
    const bool inplace = v.id.find("inplace") != v.id.npos;
    check_variant(v, [&](Run& r) {
      const auto x = r.view<float, 4>("x");
      const auto out = inplace ? x : r.view<float, 4>("out");
      const auto table = [&](const char* name) { return r.view<const float, 4>(name, {2, 5, 3, 8}, {0, 8, 0, 1}); };
      if (v.id.find("interleaved") == 0)
        interleaved(x, table("sin"), table("cos"), out);
      else
        half(x, table("sin"), table("cos"), out);
    });
  }
}
