// The kernels of the library on the cases that our own kernels pass too: they are what users run.
#include "check.hpp"
#include "examples/kernels/add.hpp"
#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/rope.hpp"
#include "examples/kernels/silu.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/kernels/swiglu.hpp"
#include "examples/kernels/transpose.hpp"

using tine::make;
using namespace tine::test;

namespace {

template <class T>
void add_case(const char* id) {
  auto kernel = make(Add<T>{});
  for (int64_t block : {64, 100, 512, 4096}) {
    kernel.set("block", block);
    check_variant("add_349", id,
                  [&](Run& r) { kernel(r.view<const T, 1>("x"), r.view<const T, 1>("y"), r.view<T, 1>("out")); });
  }
}
template <class T>
void silu_case(const char* id) {
  auto kernel = make(Silu<T>{});
  for (int64_t block : {64, 128, 4096}) {
    kernel.set("block", block);
    check_variant("silu", id, [&](Run& r) { kernel(r.view<const T, 1>("x"), r.view<T, 1>("out")); });
  }
}

}  // namespace

TEST_CASE("library: add", "[library]") {
  add_case<float>("f32");
  add_case<tine::f16>("f16");
}

TEST_CASE("library: silu and swiglu", "[library]") {
  silu_case<float>("f32");
  silu_case<tine::f16>("f16");
  auto kernel = make(Swiglu<tine::f16>{});
  check_variant("swiglu", "f16", [&](Run& r) {
    kernel(r.view<const tine::f16, 1>("a"), r.view<const tine::f16, 1>("b"), r.view<tine::f16, 1>("out"));
  });
}

TEST_CASE("library: softmax", "[library]") {
  auto kernel = make(Softmax<float>{});
  for (int64_t rows : {1, 4})
    for (int64_t block : {1024, 256, 100}) {
      kernel.set("rows", rows).set("block", block);
      INFO("rows " << rows << ", block " << block);
      for (const Variant& v : load_case("softmax_7x781"))
        check_variant(v, [&](Run& r) { kernel(r.view<const float, 2>("x"), r.view<float, 2>("out")); });
    }
}

TEST_CASE("library: rms_norm", "[library]") {
  for (int64_t rows : {1, 4})
    for (int64_t block : {4096, 256, 100}) {
      INFO("rows " << rows << ", block " << block);
      auto kernel = make(RmsNorm<float>{});
      kernel.set("rows", rows).set("block", block);
      check_variant("rms_norm", "f32", [&](Run& r) {
        kernel(r.view<const float, 2>("x"), r.view<const float, 1>("w"), r.scalar("eps"), r.view<float, 2>("out"));
      });
      auto mixed = make(RmsNorm<tine::f16, float, float>{});
      mixed.set("rows", rows).set("block", block);
      check_variant("rms_norm", "f16_in_f32_out", [&](Run& r) {
        mixed(r.view<const tine::f16, 2>("x"), r.view<const float, 1>("w"), r.scalar("eps"), r.view<float, 2>("out"));
      });
    }
}

TEST_CASE("library: rope", "[library]") {
  for (const Variant& v : load_case("rope")) {
    Rope<float> rope;
    if (v.id.find("interleaved") == 0) rope.pairs = Pairs::neighbours;
    auto kernel = make(rope);
    for (int64_t positions : {16, 2, 1}) {
      kernel.set("positions", positions);
      check_variant(v, [&](Run& r) {
        const auto x = r.view<float, 4>("x");
        kernel(x, r.view<const float, 2>("sin"), r.view<const float, 2>("cos"),
               v.expected.count("x") ? x : r.view<float, 4>("out"));
      });
    }
  }
}

TEST_CASE("library: transpose", "[library]") {
  for (auto [rows, columns] : {std::pair{5, 7}, {1, 70}, {33, 65}, {64, 32}}) {
    std::vector<float> x(std::size_t(rows * columns)), y(x.size(), -1), want(x.size());
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        x[std::size_t(i * columns + j)] = float(100 * i + j);
        want[std::size_t(j * rows + i)] = float(100 * i + j);
      }
    make(Transpose<float>{})(tine::view(x, {rows, columns}), tine::view(y, {columns, rows}));
    CHECK(y == want);
  }
}
