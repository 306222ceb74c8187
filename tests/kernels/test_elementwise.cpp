// Cases add_349, add_sizes_i32, axpy_scalar, silu, sigmoid, tanh, gelu_erf, gelu_tanh and swiglu.
#include "check.hpp"
#include "elementwise.hpp"

using namespace tine;
using namespace tine::test;

namespace {

// Tile sizes beyond those that the cases list: single lanes, vectors of every width, odd ones, more than all elements.
constexpr int64_t blocks[] = {1, 3, 8, 16, 32, 64, 100, 128, 333, 512, 1024};

template <class T>
void add_case(const char* id) {
  const Variant v = load_variant("add_349", id);
  auto add = make(Add<T>{});
  for (int64_t block : blocks) {
    add.set("block", block);
    INFO("block " << block);
    check_variant(v, [&](Run& r) { add(r.view<const T, 1>("x"), r.view<const T, 1>("y"), r.view<T, 1>("out")); });
  }
}

template <class T, class F>
void map_case(const char* name, const char* id) {
  const Variant v = load_variant(name, id);
  auto kernel = make(Map<T, T, F>{});
  for (int64_t block : {1, 7, 64, 128, 512}) {
    kernel.set("block", block);
    INFO(name << ", block " << block);
    check_variant(v, [&](Run& r) { kernel(r.view<const T, 1>("x"), r.view<T, 1>("out")); });
  }
}

template <class A>
void axpy_case(const char* id) {
  const Variant v = load_variant("axpy_scalar", id);
  auto kernel = make(Axpy<float, A>{});
  for (int64_t block : {64, 100, 512}) {
    kernel.set("block", block);
    check_variant(v, [&](Run& r) {
      kernel(static_cast<A>(r.scalar("a")), r.view<const float, 1>("x"), r.view<const float, 1>("y"),
             r.view<float, 1>("out"));
    });
  }
}

}  // namespace

TEST_CASE("add_349", "[case]") {
  add_case<float>("f32");
  add_case<f16>("f16");
}

TEST_CASE("add_sizes_i32: one compiled kernel serves all lengths, 0 among them", "[case]") {
  for (int64_t block : {32, 64, 100}) {
    auto add = make(Add<i32>{});
    add.set("block", block);
    for (const Variant& v : load_case("add_sizes_i32")) {
      check_variant(v,
                    [&](Run& r) { add(r.view<const i32, 1>("x"), r.view<const i32, 1>("y"), r.view<i32, 1>("out")); });
      i32 untouched = 7;
      CHECK_NOTHROW(add(view(&untouched, {0}), view(&untouched, {0}), view(&untouched, {0})));
      CHECK(untouched == 7);
    }
  }
}

TEST_CASE("axpy_scalar", "[case]") {
  axpy_case<float>("a_f32");
  axpy_case<double>("a_f64");
  axpy_case<float>("a_zero_nan");
  axpy_case<float>("a_neg");
}

TEST_CASE("silu", "[case]") {
  map_case<float, SiluFunction>("silu", "f32");
  map_case<f16, SiluFunction>("silu", "f16");
}

TEST_CASE("sigmoid", "[case]") {
  map_case<float, SigmoidFunction>("sigmoid", "f32");
  map_case<bf16, SigmoidFunction>("sigmoid", "bf16");
  map_case<float, SigmoidFormula>("sigmoid", "f32");
  map_case<bf16, SigmoidFormula>("sigmoid", "bf16");
}

TEST_CASE("tanh", "[case]") {
  map_case<f16, TanhFunction>("tanh", "f16");
  map_case<bf16, TanhFunction>("tanh", "bf16");
}

TEST_CASE("gelu_erf", "[case]") {
  map_case<float, GeluErfFunction>("gelu_erf", "f32");
  map_case<bf16, GeluErfFunction>("gelu_erf", "bf16");
}

TEST_CASE("gelu_tanh", "[case]") {
  map_case<float, GeluTanhFunction>("gelu_tanh", "f32");
  map_case<bf16, GeluTanhFunction>("gelu_tanh", "bf16");
}

TEST_CASE("swiglu", "[case]") {
  auto kernel = make(Zip<f16, f16, SwigluFunction>{});
  for (int64_t block : {1, 100, 128, 2048}) {
    kernel.set("block", block);
    check_variant("swiglu", "f16",
                  [&](Run& r) { kernel(r.view<const f16, 1>("a"), r.view<const f16, 1>("b"), r.view<f16, 1>("out")); });
  }
}
