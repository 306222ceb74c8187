// 2-D convolution of images (n, c, h, w) with filters (k, c, r, s), as a matrix product that is never laid out: the
// arrangement shows the windows of x as a matrix of (n*p*q, c*r*s) and the filters as one of (c*r*s, k).
#pragma once
#include "accumulator.hpp"

namespace nt = tine;

/// Padding, stride and dilation of both dims.
struct ConvShape {
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
};

template <class T, class Result = T>
struct Conv2d {
  nt::BlockSize bm{128, 64}, bn{64, 32}, bk{144, 64};
  ConvShape at{};
  static constexpr auto names = nt::names("x", "w", "y");

  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> w, nt::Tensor<Result, 4> y) const {
    nt::require(x.size(1) == w.size(1)), nt::require(y.size(0) == x.size(0)), nt::require(y.size(1) == w.size(0));
    auto windows = x.pad({{0, 0}, {0, 0}, {at.pad_h, at.pad_h}, {at.pad_w, at.pad_w}})
                    .tile({1, w.size(1), w.size(2), w.size(3)}, {.strides = {nt::whole, nt::whole, at.stride_h, at.stride_w},
                           .dilation = {1, 1, at.dilation_h, at.dilation_w}, .mode = nt::Mode::floor})
                    .squeeze(1).squeeze(0, nt::level<1>);  // (n, p, q) of (c, r, s)
    nt::require(y.size(2) == windows.size(1)), nt::require(y.size(3) == windows.size(2));
    auto a = windows.ravel().flatten(nt::dims<0, 3>).flatten(nt::dims<1>);  // (n*p*q, c*r*s)
    auto b = w.flatten(nt::dims<1>).permute({1, 0});                        // (c*r*s, k)
    auto yt = y.permute({0, 2, 3, 1}).flatten(nt::dims<0, 3>).tile({bm, bn});
    auto xt = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, yt.size(1)}).squeeze(0, nt::level<1>);
    auto wt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({yt.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{xt, wt, yt};
  }
  void application(auto x, auto w, auto& y) const {
    auto sum = nt::zeros<Accumulator<T>>(y.shape());
    for (auto k : nt::range(x.size(0))) sum += nt::dot(x[k], w[k]);
    y = sum;
  }
};

TINE_EXPORT(Conv2d, float, tine::f16, tine::bf16);
