// Block sizes that nobody set: what the model must do, not which numbers it picks.
#include <catch2/catch.hpp>

#include "environment.hpp"
#include "examples/kernels/add.hpp"
#include "examples/kernels/matmul.hpp"
#include "runtime/jit/block_model.hpp"
#include "tine/tine.hpp"

using tine::test::Environment;

namespace {

// The sizes alone matter: `programs` runs nothing.
template <class T, class R = T>
struct Sizes {
  tine::Kernel<Matmul<T, R>> kernel = tine::make(Matmul<T, R>{});
  T* a = reinterpret_cast<T*>(64);
  R* c = reinterpret_cast<R*>(64);
  int64_t programs(int64_t m, int64_t n, int64_t k) { return kernel.programs(tine::view(a, {m, k}), tine::view(a, {k, n}), tine::view(c, {m, n})); }
  int64_t block(const std::string& name) const {
    const std::string text = std::string(" ") + kernel.config();
    return std::stoll(text.substr(text.find(" " + name + "=") + name.size() + 2));
  }
};

}  // namespace

TEST_CASE("block model: few rows and columns still use all threads", "[model]") {
  Sizes<float> s;
  s.kernel.threads(1);
  CHECK(s.programs(256, 256, 1000) == 1);
  for (int threads : {2, 4, 8}) {
    s.kernel.threads(threads);
    CHECK(s.programs(256, 256, 1000) >= threads);
    CHECK(s.programs(512, 512, 512) >= threads);
    CHECK(s.programs(1000, 900, 800) >= threads);
  }
}

TEST_CASE("block model: one thread takes the first candidates of f32", "[model]") {
  const Environment env({{"TINE_L1", "48"}, {"TINE_L2", "1024"}});
  Sizes<float> s;
  s.kernel.threads(1);
  CHECK(s.programs(2048, 2048, 2048) == 4 * 8);
  CHECK(std::string(s.kernel.config()) == "bm=512 bn=256 bk=256");
}

TEST_CASE("block model: f16 is widened into copies, whose rows stay in the second cache", "[model]") {
  int64_t rows[2];
  for (int large : {0, 1}) {
    const Environment env({{"TINE_L1", "48"}, {"TINE_L2", large ? "16384" : "1024"}});
    Sizes<tine::f16, tine::f16> s;
    s.kernel.threads(1);
    s.programs(1024, 1024, 1024);
    rows[large] = s.block("bm");
  }
  CHECK(rows[0] == 128);
  CHECK(rows[1] == 512);
}

TEST_CASE("block model: what was set stays", "[model]") {
  Sizes<float> s;
  s.kernel.set("bm", 24).threads(8);
  CHECK(s.programs(240, 256, 100) % 10 == 0);
  CHECK(s.block("bm") == 24);
  s.kernel.set("bn", 256).set("bk", 64);
  CHECK(s.programs(240, 256, 100) == 10);
  CHECK(std::string(s.kernel.config()) == "bm=24 bn=256 bk=64");
}

TEST_CASE("block model: the same sizes give the same choice, on copies too", "[model]") {
  Sizes<float> s;
  s.kernel.threads(4);
  const int64_t first = s.programs(333, 1536, 1536);
  const std::string chosen = s.kernel.config();
  s.programs(1, 4096, 4096);
  Sizes<float> copy{s.kernel};
  CHECK(copy.programs(333, 1536, 1536) == first);
  CHECK(std::string(copy.kernel.config()) == chosen);
  CHECK(s.programs(333, 1536, 1536) == first);
}

TEST_CASE("block model: no sizes, and kernels without products", "[model]") {
  Sizes<float> s;
  s.kernel.threads(4);
  CHECK(s.programs(0, 5, 7) == 0);
  CHECK(s.programs(3, 5, 0) == 1);
  auto add = tine::make(Add<float>{});
  float x[5] = {};
  CHECK(add.programs(x, x, x) == 1);
  CHECK(std::string(add.config()) == "block=4096");
}
