// CUDA C++ functions in kernels: on the PTX machine with numbers checked, and refused where they cannot run.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "tine/tine.hpp"

namespace nt = tine;

namespace {

constexpr auto gelu = nt::cuda_function<float(float)>("gelu", R"(
  __device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
)");

struct Gelu {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({block}), y.tile({block})}; }
  void application(auto x, auto& y) const { y = gelu(x) + 1; }
};

// Types, broadcasting, a namespace, a template's instance, two functions of one source, a scalar.
constexpr const char* mixed_source = R"(
namespace mine {
template <int N> __device__ __half scale(__half x, float by, unsigned char n, bool negative) {
  float v = __half2float(x) * by + N * n;
  return __float2half(negative ? -v : v);
}
__device__ long long twice(long long x) { return 2 * x; }
}
)";
constexpr auto scale = nt::cuda_function<nt::f16(nt::f16, float, nt::u8, bool)>("mine::scale<3>", mixed_source);
constexpr auto twice = nt::cuda_function<nt::i64(nt::i64)>("mine::twice", mixed_source);

struct Mixed {
  nt::BlockSize bm{4}, bn{32};
  static constexpr auto names = nt::names("x", "b", "n", "y");
  auto arrangement(nt::Tensor<nt::f16, 2> x, nt::Tensor<float, 1> b, nt::Tensor<nt::u8, 2> n, nt::Tensor<nt::f16, 2> y) const {
    auto yt = y.tile({bm, bn});
    return std::tuple{x.tile({bm, bn}), b.tile({bn}).unsqueeze(0).expand({yt.size(0), nt::keep}), n.tile({bm, 1}).expand({nt::keep, yt.size(1)}), yt};
  }
  void application(auto x, auto b, auto n, auto& y) const { y = scale(x, b, n, twice(nt::program_index(0)) > 0); }
};

struct Wrong {
  nt::CudaFunction<float(float)> f;
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({64})}; }
  void application(auto& x) const { x = f(x); }
};

std::string refusal(const Wrong& w, std::string& file, unsigned& line) {
  std::vector<float> x(10);
  try {
    auto k = tine::make(w);
    k.device("emulated:sm_80");
    k(x);
  } catch (const tine::UserError& e) {
    file = e.file();
    line = unsigned(e.line());
    return e.message();
  }
  return "";
}

bool no_nvrtc() {
  std::vector<float> x(1), y(1);
  auto k = tine::make(Gelu{});
  k.device("emulated:sm_80");
  try {
    k(x, y);
  } catch (const tine::UserError& e) {
    if (std::string(e.message()).find("nvrtc") == std::string::npos) throw;
    WARN("skipped: no nvrtc");
    std::printf("skipped: no nvrtc\n");
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a CUDA function is called for each element") {
  if (no_nvrtc()) return;
  for (const char* device : {"emulated:sm_80", "emulated:sm_90"})
    for (const std::size_t n : {1u, 63u, 200u}) {
      std::vector<float> x(n), y(n, -99.0f);
      for (std::size_t i = 0; i < n; ++i) x[i] = 0.05f * float(i) - 4;
      auto k = tine::make(Gelu{});
      k.device(device);
      k(x, y);
      for (std::size_t i = 0; i < n; ++i) {
        const double v = x[i], want = 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))) + 1;
        CHECK(std::abs(double(y[i]) - want) < 1e-6 + 1e-6 * std::abs(want));
      }
    }
}

TEST_CASE("element types, broadcasting, and scalars reach a CUDA function") {
  if (no_nvrtc()) return;
  const std::size_t m = 7, n = 45;
  std::vector<nt::f16> x(m * n), y(m * n);
  std::vector<float> b(n);
  std::vector<nt::u8> c(m);
  for (std::size_t i = 0; i < m * n; ++i) x[i] = tine::from_float<nt::f16>(double(i % 13) - 6);
  for (std::size_t j = 0; j < n; ++j) b[j] = float(j % 5);
  for (std::size_t i = 0; i < m; ++i) c[i] = nt::u8(40 * i);
  auto k = tine::make(Mixed{});
  k.device("emulated:sm_80");
  k(tine::view(x, {int64_t(m), int64_t(n)}), b, tine::view(c, {int64_t(m), 1}), tine::view(y, {int64_t(m), int64_t(n)}));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {  // whole numbers below 2048: exact in f16
      const float v = (float((i * n + j) % 13) - 6) * float(j % 5) + 3 * float(40 * i);
      CHECK(tine::to_float(y[i * n + j]) == (i >= 4 ? -v : v));
    }
}

TEST_CASE("where it cannot run, a CUDA function is refused with its place") {
  std::vector<float> x(10), y(10);
  auto k = tine::make(Gelu{});
  k.device("cpu");
  try {
    k(x, y);
    FAIL("it ran");
  } catch (const tine::UserError& e) {
    CHECK(std::string(e.message()).find("`Gelu`: `gelu` is a CUDA function, which runs on NVIDIA targets only, not on `cpu") != std::string::npos);
    CHECK(std::string(e.message()).find("for example `nvptx:sm_80`") != std::string::npos);
    CHECK(std::string(e.file()).find("test_cuda_functions.cpp") != std::string::npos);
  }
}

TEST_CASE("mistakes in CUDA functions are told in the user's words and lines") {
  if (no_nvrtc()) return;
  std::string file;
  unsigned line = 0;
  std::string said = refusal({nt::cuda_function<float(float)>("f", R"(
    __device__ float f(float x) {
      return y;
    })")}, file, line);
  CHECK(said.find("`Wrong`: the source of `f` does not compile: identifier \"y\" is undefined") != std::string::npos);
  CHECK(file.find("test_cuda_functions.cpp") != std::string::npos);
  CHECK(line == __LINE__ - 4);

  said = refusal({nt::cuda_function<float(float)>("g", "__device__ float f(float x) { return x; }")}, file, line);
  CHECK(said.find("`Wrong`: `g` is not a device function of its source of the type float(float): ") != std::string::npos);
  CHECK(line == __LINE__ - 2);
}
