// Views from everything they can be made of, and the narrow floats.
#include <dlpack/dlpack.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "errors.hpp"
#include "tine/narrow.hpp"
#include "tine/view.hpp"

using namespace tine;

namespace {

template <class T, int R> std::vector<int64_t> dims(const View<T, R>& v) {
  const Argument a = v.argument();
  return {a.dims, a.dims + 2 * R};
}
using Dims = std::vector<int64_t>;

// As std::mdspan (C++23) looks from outside.
struct Matrix {
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t d) const { return d == 0 ? 2 : 3; }
  std::size_t stride(std::size_t d) const { return d == 0 ? 1 : 2; }
  const double* data_handle() const { return data; }
  const double* data;
};

}  // namespace

TEST_CASE("views of pointers", "[views]") {
  float p[24] = {};
  const std::size_t m = 4;
  const int n = 6;
  CHECK(dims(view(p, {m, n})) == Dims{4, 6, 6, 1});
  CHECK(dims(view(p, {2, 3, 4})) == Dims{2, 3, 4, 12, 4, 1});
  CHECK(dims(view(p, {2, 3}, {1, -2})) == Dims{2, 3, 1, -2});
  CHECK(dims(view(p, {0, 3})) == Dims{0, 3, 3, 1});
  CHECK(view(p, {1 << 30, 1 << 30, 1 << 30}).stride(0) == int64_t{1} << 60);
  CHECK(view(p, {2, 1 << 30, 1 << 30, 1 << 30}).stride(0) == INT64_MAX);
  const float* q = p;
  const View<const float, 1> c = view(p, {24});
  CHECK(c.argument().is_const);
  CHECK(view(q, {24}).argument().is_const);
  CHECK_FALSE(view(p, {24}).argument().is_const);
  CHECK(c.argument().data == p);
  CHECK(c.argument().type == static_cast<uint8_t>(DType::f32));
  view(p, {4, 6})(1, 2) = 7;
  CHECK(p[8] == 7);
  uint16_t bits[6] = {0x3c00};
  CHECK(to_float(view_as<f16>(bits, {2, 3})(0, 0)) == 1.0f);
  CHECK(dims(view_as<bf16>(bits, {2, 3}, {1, 2})) == Dims{2, 3, 1, 2});
}

TEST_CASE("views of containers and arrays", "[views]") {
  std::vector<int32_t> v(12);
  const std::vector<int32_t> cv(12);
  std::array<double, 6> a{};
  CHECK(dims(view(v)) == Dims{12, 1});
  CHECK(view(cv).argument().is_const);
  CHECK(dims(view(std::span<int32_t>(v).subspan(2, 5))) == Dims{5, 1});
  CHECK(view(std::span<int32_t>(v).subspan(2, 5)).data() == v.data() + 2);
  CHECK(dims(view(v, {3, 4})) == Dims{3, 4, 4, 1});
  CHECK(dims(view(a, {3, 2})) == Dims{3, 2, 2, 1});
  float c[2][3][4] = {};
  CHECK(dims(view(c)) == Dims{2, 3, 4, 12, 4, 1});
  CHECK(view(c).data() == &c[0][0][0]);
  float one[5] = {};
  CHECK(dims(view(one)) == Dims{5, 1});
  const test::Caught e = test::caught([&] { view(v, {4, 4}); });
  CHECK(e.kind == "user");
  CHECK(e.message == "a view of shape 4x4 needs 16 elements, but the container has 12");
  CHECK(test::caught([&] { view(v, {-1, -4}); }).kind == "user");
  CHECK(test::caught([&] { view(v, {int64_t{1} << 40, int64_t{1} << 40}); }).kind == "user");
}

TEST_CASE("views of mdspan and its like", "[views]") {
  double data[6] = {1, 2, 3, 4, 5, 6};
  const auto v = view(Matrix{data});
  CHECK(dims(v) == Dims{2, 3, 1, 2});
  CHECK(v(1, 2) == 6);
}

TEST_CASE("views of DLPack tensors", "[views]") {
  float data[20] = {};
  int64_t shape[] = {2, 3}, strides[] = {8, 2};
  DLTensor t{};
  t.data = data;
  t.device = {kDLCPU, 0};
  t.ndim = 2;
  t.dtype = {kDLFloat, 32, 1};
  t.shape = shape;
  t.strides = strides;
  t.byte_offset = 4;
  const auto v = from_dlpack<float, 2>(t);
  CHECK(dims(v) == Dims{2, 3, 8, 2});
  CHECK(v.data() == data + 1);
  t.strides = nullptr;
  CHECK(dims(from_dlpack<const float, 2>(t)) == Dims{2, 3, 3, 1});
  DLManagedTensor managed{};
  managed.dl_tensor = t;
  CHECK(dims(from_dlpack<float, 2>(managed)) == Dims{2, 3, 3, 1});
  CHECK(test::caught([&] { from_dlpack<double, 2>(t); }).message ==
        "the DLPack tensor has elements of code 2, 32 bits and 1 lanes, which is not the view's type `f64`");
  CHECK(test::caught([&] { from_dlpack<int32_t, 2>(t); }).kind == "user");
  CHECK(test::caught([&] { from_dlpack<float, 3>(t); }).message ==
        "the DLPack tensor has 2 dims, but the view has rank 3");
  CHECK(from_dlpack<float, 2>(t).argument().memory == 1);
  t.device.device_type = kDLCUDA;  // a call will see whether it fits the kernel's device
  CHECK(from_dlpack<float, 2>(t).argument().memory == 2);
  CHECK(View<const float, 2>(from_dlpack<float, 2>(t)).argument().memory == 2);
  CHECK(view(data).in_memory(13).argument().memory == 13);
  t.device.device_type = kDLMetal;
  CHECK(test::caught([&] { from_dlpack<float, 2>(t); }).message ==
        "the DLPack tensor lies on a device of type 8; views take the host's (1) and CUDA's (2, 3, 13)");
  t.device.device_type = kDLCPU;
  t.dtype = {kDLUInt, 8, 1};
  CHECK(dims(from_dlpack<f8e4m3fn, 2>(t)) == Dims{2, 3, 3, 1});
  CHECK(dims(from_dlpack<bool, 2>(t)) == Dims{2, 3, 3, 1});
  t.dtype = {kDLBfloat, 16, 1};
  CHECK(dims(from_dlpack<bf16, 2>(t)) == Dims{2, 3, 3, 1});
}

TEST_CASE("narrow floats: every code survives the way to float and back", "[narrow]") {
  const auto round_trip = [](auto sample) {
    using T = decltype(sample);
    const uint32_t codes = 1u << (8 * sizeof(T));
    for (uint32_t c = 0; c < codes; ++c) {
      const T x{static_cast<decltype(T::bits)>(c)};
      const float value = to_float(x);
      const T back = from_float<T>(value, TooLarge::is_special);
      if (std::isnan(value))
        REQUIRE(std::isnan(to_float(back)));
      else
        REQUIRE(back.bits == x.bits);
    }
  };
  round_trip(f16{});
  round_trip(bf16{});
  round_trip(f8e4m3fn{});
  round_trip(f8e5m2{});
}

TEST_CASE("narrow floats: rounding against exact search", "[narrow]") {
  std::mt19937_64 random(5);
  const auto check = [&](auto sample) {
    using T = decltype(sample);
    const auto nearest = [](double x) {  // by trying the neighbours of a first guess
      const uint32_t sign = std::signbit(x) ? 1u << (8 * sizeof(T) - 1) : 0;
      const auto magnitude = [](uint32_t c) {
        return static_cast<double>(to_float(T{static_cast<decltype(T::bits)>(c)}));
      };
      uint32_t lo = 0, hi = 1u << (8 * sizeof(T) - 1);
      while (hi - lo > 1) {
        const uint32_t mid = (lo + hi) / 2;
        (magnitude(mid) <= std::abs(x) ? lo : hi) = mid;  // NaN codes compare false
      }
      const double below = std::abs(x) - magnitude(lo), above = magnitude(lo + 1) - std::abs(x);
      return sign | (below < above || (below == above && lo % 2 == 0) ? lo : lo + 1);
    };
    const double largest = to_float(from_float<T>(1e30));
    for (int i = 0; i < 20000; ++i) {
      const double x =
          std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(random() % 40) - 28);
      if (std::abs(x) > largest) continue;
      REQUIRE(from_float<T>(x).bits == nearest(x));
    }
  };
  check(f16{});
  check(f8e4m3fn{});
  check(f8e5m2{});
  check(bf16{});
}

TEST_CASE("narrow floats: the ends", "[narrow]") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(from_float<f16>(65504.0).bits == 0x7bff);
  CHECK(from_float<f16>(65519.99).bits == 0x7bff);
  CHECK(from_float<f16>(65520.0).bits == 0x7c00);
  CHECK(from_float<f16>(-inf).bits == 0xfc00);
  CHECK(from_float<f16>(-0.0).bits == 0x8000);
  CHECK(from_float<f16>(5.9604644775390625e-8).bits == 1);
  CHECK(from_float<f16>(2.98023223876953125e-8).bits == 0);
  CHECK(from_float<bf16>(std::ldexp(1.0, -130)).bits == 0x0008);  // BR-43
  CHECK(to_float(bf16{0x0008}) == std::ldexp(1.0f, -130));
  CHECK(from_float<f8e4m3fn>(448.0).bits == 0x7e);
  CHECK(from_float<f8e4m3fn>(1e9).bits == 0x7e);
  CHECK(from_float<f8e4m3fn>(-inf).bits == 0xfe);
  CHECK(from_float<f8e4m3fn>(1e9, TooLarge::is_special).bits == 0x7f);
  CHECK(from_float<f8e5m2>(1e9).bits == 0x7b);
  CHECK(from_float<f8e5m2>(1e9, TooLarge::is_special).bits == 0x7c);
  CHECK(std::isnan(to_float(from_float<f8e5m2>(NAN))));
  CHECK(std::isnan(to_float(from_float<f8e4m3fn>(NAN))));
  CHECK(std::isnan(to_float(from_float<bf16>(NAN))));
}
