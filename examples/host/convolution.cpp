// Convolutions with padding, stride and dilation, which are constants of the kernel.
#include "examples/kernels/conv2d.hpp"
#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

template <class T>
int convolve(const char* what, const reference::Convolution& v) {
  const ConvShape at{int(v.pad_h),    int(v.pad_w),      int(v.stride_h),
                     int(v.stride_w), int(v.dilation_h), int(v.dilation_w)};
  auto conv2d = tine::make(Conv2d<T>{.at = at});
  const auto x = random_vector<T>(v.n * v.c * v.h * v.w, 1), w = random_vector<T>(v.k * v.c * v.r * v.s, 2);
  std::vector<T> y(static_cast<std::size_t>(v.n * v.k * v.p() * v.q()));
  conv2d(tine::view(x, {v.n, v.c, v.h, v.w}), tine::view(w, {v.k, v.c, v.r, v.s}),
         tine::view(y, {v.n, v.k, v.p(), v.q()}));
  return report(what, compare(y, reference::conv2d(widened(x), widened(w), v), of_products<T>(v.c * v.r * v.s)));
}

int with_bias() {
  const reference::Convolution v{1, 3, 20, 21, 5, 3, 3};
  auto conv2d = tine::make(Conv2dBias<float>{});
  const auto x = random_vector<float>(v.n * v.c * v.h * v.w, 1), w = random_vector<float>(v.k * v.c * v.r * v.s, 2);
  const auto bias = random_vector<float>(v.k, 3);
  std::vector<float> y(static_cast<std::size_t>(v.n * v.k * v.p() * v.q()));
  conv2d(tine::view(x, {v.n, v.c, v.h, v.w}), tine::view(w, {v.k, v.c, v.r, v.s}), bias,
         tine::view(y, {v.n, v.k, v.p(), v.q()}));
  Doubles want = reference::conv2d(widened(x), widened(w), v);
  const std::size_t pixels = want.size() / bias.size();
  for (std::size_t i = 0; i < want.size(); ++i) want[i] += widen(bias[i / pixels]);
  return report("conv2d, with bias", compare(y, want, of_products<float>(v.c * v.r * v.s)));
}

}  // namespace

int main() {
  int wrong = 0;
  wrong += convolve<float>("conv2d, 3x3", {2, 5, 19, 23, 7, 3, 3});
  wrong += convolve<float>("conv2d, 3x3, padded", {1, 64, 28, 28, 64, 3, 3, 1, 1});
  wrong += convolve<float>("conv2d, 5x3, stride and dilation", {2, 3, 31, 29, 9, 5, 3, 4, 2, 2, 1, 2, 3});
  wrong += convolve<tine::f16>("conv2d, f16, 7x7, stride 2", {1, 3, 40, 40, 8, 7, 7, 3, 3, 2, 2});
  wrong += with_bias();
  return wrong ? 1 : 0;
}
