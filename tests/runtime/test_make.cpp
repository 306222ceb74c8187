// `make` and the callable: conversions of arguments, options, errors. Nothing here needs the compiler.
#include <dlpack/dlpack.h>

#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <tine/tine.hpp>
#include <vector>

#include "errors.hpp"

namespace nt = tine;
using tine::test::caught;

namespace make_test {

struct Scale {  // y = x * factor + shift, in tiles of a row
  nt::BlockSize bm{64, 128};
  static constexpr auto names = nt::names("x", "factor", "shift", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Scalar<int8_t> factor, nt::Scalar<nt::f16> shift,
                   nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({1, bm}), factor, shift, y.tile({1, bm})};
  }
  void application(auto x, auto factor, auto shift, auto y) const { y = x * factor + shift; }
};
constexpr int scale_line = __LINE__ - 4;

struct Squeezed {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> y) const {
    nt::require(x.size(1) == 1);
    return std::tuple{x.squeeze(1).tile({8}), y.tile({8})};
  }
  void application(auto x, auto y) const { y = x; }
};

struct Wrong {  // squeezes what is not 1
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({8}).squeeze(0, nt::level<1>)}; }
  void application(auto x) const { x = 0; }
};

struct Target {  // the stand-in compiler's code for it says what it was compiled for
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<int32_t, 2> x) const { return std::tuple{x.tile({nt::whole, nt::whole})}; }
  void application(auto x) const { x = 0; }
};

}  // namespace make_test

using namespace make_test;

TEST_CASE("callables take whatever a view can be made of", "[make]") {
  const auto k = nt::make(Scale{});
  std::vector<float> v(6);
  float a[2][3] = {};
  const std::array<float, 6> c{};
  CHECK(k.programs(a, 2, 1.5, nt::view(v, {2, 3})) == 2);
  CHECK(k.programs(nt::view(c, {2, 3}), int8_t{2}, nt::from_float<nt::f16>(1), a) == 2);
  CHECK(k.programs(nt::view(c.data(), {6, 1}, {1, 1}), true, 1.0f, nt::view(v, {6, 1})) == 6);
  CHECK(k.programs(nt::view(v.data(), {0, 3}), 1, 1, nt::view(v.data(), {0, 3})) == 0);
}

TEST_CASE("callables take DLPack tensors and mdspans as they are", "[make]") {
  const auto k = nt::make(Scale{});
  float data[6] = {};
  int64_t shape[] = {2, 3};
  DLTensor t{};
  t.data = data;
  t.device = {kDLCPU, 0};
  t.ndim = 2;
  t.dtype = {kDLFloat, 32, 1};
  t.shape = shape;
  DLManagedTensor managed{};
  managed.dl_tensor = t;
  struct Matrix {
    static constexpr std::size_t rank() { return 2; }
    std::size_t extent(std::size_t d) const { return d == 0 ? 2 : 3; }
    std::size_t stride(std::size_t d) const { return d == 0 ? 3 : 1; }
    float* data_handle() const { return data; }
    float* data;
  };
  CHECK(k.programs(t, 1, 0, managed) == 2);
  CHECK(k.programs(Matrix{data}, 1, 0, Matrix{data}) == 2);
  t.ndim = 1;
  CHECK(caught([&] { k.programs(t, 1, 0, managed); }).message ==
        "the DLPack tensor has 1 dims, but the view has rank 2");
}

TEST_CASE("numbers that do not fit a scalar parameter are refused", "[make]") {
  const auto k = nt::make(Scale{});
  float a[2][3] = {};
  const auto error = [&](auto factor) { return caught([&] { k.programs(a, factor, 0, a); }); };
  CHECK(error(127).kind.empty());
  CHECK(error(-128L).kind.empty());
  CHECK(error(128).message ==
        "kernel `make_test::Scale`: parameter `factor` is the scalar 128, which does not fit its type `i8`");
  CHECK(error(-129).kind == "user");
  CHECK(error(128u).kind == "user");
  CHECK(error(~0ull).message ==
        "kernel `make_test::Scale`: parameter `factor` is the scalar 18446744073709551615, which does not fit its type "
        "`i8`");
}

TEST_CASE("sizes are checked where the kernel says so", "[make]") {
  const auto k = nt::make(Scale{});
  float a[2][3] = {}, b[3][3] = {};
  const tine::test::Caught e = caught([&] { k.programs(a, 1, 0, b); });
  CHECK(e.kind == "user");
  CHECK(e.message ==
        "kernel `make_test::Scale`: the outermost shapes of the parameters differ: `x` has 2x1, `y` has 3x1 (`x` 2x3, "
        "`y` 3x3); "
        "arrange them so that all have the same number of programs along each dim");
  CHECK(e.file.find("test_make.cpp") != std::string::npos);
  CHECK(e.line == scale_line);
  const auto squeezed = nt::make(Squeezed{});
  float y[2] = {};
  CHECK(caught([&] { squeezed.programs(nt::view(&a[0][0], {2, 1}), y); }).kind.empty());
  CHECK(caught([&] { squeezed.programs(a, y); }).message ==
        "kernel `make_test::Squeezed`: requirement `x.size(1)` == `1` does not hold: `x.size(1)` is 3 and `1` is 1; "
        "called with `x` 2x3, `y` 2");
}

TEST_CASE("a wrong kernel fails when it is made", "[make]") {
  const tine::test::Caught e = caught([] { nt::make(Wrong{}); });
  CHECK(e.kind == "user");
  INFO(e.message);
  CHECK(e.message.find("`make_test::Wrong`") != std::string::npos);
}

TEST_CASE("options of a callable", "[make]") {
  auto k = nt::make(Scale{});
  float a[2][300] = {};
  CHECK(std::string(k.config()) == "bm=64");
  CHECK(k.programs(a, 1, 0, a) == 10);
  auto other = k;
  other.set("bm", 300).threads(2).option("fast_math", "1").device("cpu");
  CHECK(std::string(other.config()) == "bm=300");
  CHECK(other.programs(a, 1, 0, a) == 2);
  CHECK(k.programs(a, 1, 0, a) == 10);
  k = other;
  CHECK(k.programs(a, 1, 0, a) == 2);
  const auto moved = std::move(k);
  CHECK(moved.programs(a, 1, 0, a) == 2);
  CHECK(caught([&] { other.set("bn", 2); }).message ==
        "kernel `make_test::Scale` has no meta-parameter `bn`; it has `bm`");
  CHECK(caught([&] { other.set("bm", 0); }).kind == "user");
  CHECK(caught([&] { other.device("hip"); }).kind == "runtime");
  CHECK(caught([&] { other.device(nullptr); }).message.find("device `` is unknown; there are `cpu`, ") == 0);
  CHECK(caught([&] { other.set(nullptr, 2); }).kind == "user");
  CHECK(caught([&] { other.option(nullptr, "1"); }).kind == "user");
  other.option("fast_math", nullptr);
  CHECK(other.programs(a, 1, 0, a) == 2);
}

TEST_CASE("make from an arrangement and an application", "[make]") {
  const auto k = nt::make(
      [](auto x, auto y) {
        return std::tuple{x.tile({8}), y.tile({8})};
      },
      [](auto x, auto& y) { y = x + 1; }, nt::Tensor<float, 1>(), nt::Tensor<float, 1>());
  std::vector<float> v(20);
  CHECK(k.programs(v, v) == 3);
}

TEST_CASE("arguments that nobody has checked", "[make]") {
  const auto k = nt::make(Scale{});
  const tine::Argument one[1] = {};
  CHECK(caught([&] { nt::host::checked_call(k.state(), one, 1); }).message ==
        "kernel `make_test::Scale` takes 4 arguments (`x`, `factor`, `shift`, `y`), but was called with 1");
}

TEST_CASE("calls on a stream of the kernel's device", "[make][emulated]") {
  const nt::Device device("emulated:sm_90");
  const nt::Stream stream(device);
  int32_t out[2][2] = {};
  auto k = nt::make(Target{});
  CHECK(caught([&] { k.on(stream)(out); }).message ==
        "kernel `make_test::Target` runs on `cpu`, but the stream belongs to `emulated:sm_90`; choose the kernel's device with "
        "`device`");
  k.device("emulated:sm_80");
  CHECK(caught([&] { k.on(stream)(out); }).kind == "user");
  k.device(device.name());
  k.on(stream)(out);
  CHECK(out[0][0] == 90);
  const nt::DeviceArray<int32_t> there(device, 4);
  k.on(nt::Stream::borrow(device, nullptr))(nt::view(there, {2, 2}));
  there.read(out[0]);
  CHECK(out[0][0] == 90);
}

TEST_CASE("arrays of a device know where they lie", "[make][emulated][errors]") {
  const nt::Device device("emulated:sm_90");
  const nt::DeviceArray<int32_t> array(device, 4);
  auto k = nt::make(Target{});
  for (const char* other : {"cpu", "emulated:sm_80"}) {
    k.device(other);
    const tine::test::Caught e = caught([&] { k(nt::view(array, {2, 2})); });
    CHECK(e.kind == "user");
    CHECK(e.message == "kernel `make_test::Target`: the data of parameter `x` lies on `emulated:sm_90`, but the kernel runs on `" +
                           std::string(other) + "`; copy it there, or run the kernel where it lies (`device`)");
  }
  k.device("emulated:sm_90");
  k(nt::view(array, {2, 2}));
  int32_t out[4] = {};
  array.read(out);
  CHECK(out[0] == 90);
}
