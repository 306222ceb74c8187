// Cases softmax_7x781, softmax_middle_dim, rms_norm, layer_norm, logsumexp and cross_entropy.
#include "check.hpp"
#include "rows.hpp"

using namespace tine;
using namespace tine::test;

TEST_CASE("softmax_7x781: one tile a row", "[case]") {
  for (int64_t width : {0, 781, 800, 1024}) {
    auto kernel = make(SoftmaxRow<float>{width});
    for (const Variant& v : load_case("softmax_7x781")) {
      INFO("width " << width);
      check_variant(v, [&](Run& r) { kernel(r.view<const float, 2>("x"), r.view<float, 2>("out")); });
    }
  }
}

TEST_CASE("softmax_7x781: blocks with a running maximum", "[case]") {
  auto kernel = make(SoftmaxOnline<float>{});
  for (int64_t block : {256, 1, 100, 781, 1000}) {
    kernel.set("block", block);
    for (const Variant& v : load_case("softmax_7x781")) {
      INFO("block " << block);
      check_variant(v, [&](Run& r) { kernel(r.view<const float, 2>("x"), r.view<float, 2>("out")); });
    }
  }
}

TEST_CASE("softmax_middle_dim", "[case]") {
  auto kernel = make(SoftmaxMiddle<float>{});
  for (int64_t block : {16, 5, 37, 64}) {
    kernel.set("block", block);
    INFO("block " << block);
    check_variant("softmax_middle_dim", "f32",
                  [&](Run& r) { kernel(r.view<const float, 3>("x"), r.view<float, 3>("out")); });
  }
}

TEST_CASE("rms_norm", "[case]") {
  for (int64_t block : {256, 100, 1000, 1024}) {
    INFO("block " << block);
    auto f32_kernel = make(RmsNormBlocks<float, float>{});
    f32_kernel.set("block", block);
    check_variant("rms_norm", "f32", [&](Run& r) {
      f32_kernel(r.view<const float, 2>("x"), r.view<const float, 1>("w"), r.scalar("eps"), r.view<float, 2>("out"));
    });
    auto mixed = make(RmsNormBlocks<f16, float>{});
    mixed.set("block", block);
    check_variant("rms_norm", "f16_in_f32_out", [&](Run& r) {
      mixed(r.view<const f16, 2>("x"), r.view<const float, 1>("w"), r.scalar("eps"), r.view<float, 2>("out"));
    });
  }
}

TEST_CASE("layer_norm", "[case]") {
  auto kernel = make(LayerNorm{});
  for (int64_t block : {512, 64, 513, 1024}) {
    kernel.set("block", block);
    INFO("block " << block);
    check_variant("layer_norm", "f32", [&](Run& r) {
      kernel(r.view<const float, 2>("x"), r.view<const float, 1>("w"), r.view<const float, 1>("b"), r.scalar("eps"),
             r.view<float, 2>("out"));
    });
  }
}

TEST_CASE("logsumexp", "[case]") {
  auto kernel = make(LogSumExp{});
  for (int64_t block : {256, 301, 512, 50}) {
    kernel.set("block", block);
    INFO("block " << block);
    check_variant("logsumexp", "f32", [&](Run& r) { kernel(r.view<const float, 2>("x"), r.view<float, 1>("out")); });
  }
}

TEST_CASE("cross_entropy", "[case]") {
  auto kernel = make(CrossEntropy{});
  check_variant("cross_entropy", "i64_labels", [&](Run& r) {
    kernel(r.view<const float, 2>("x"), r.view<const i64, 1>("label"), r.view<float, 1>("loss"));
  });
}
