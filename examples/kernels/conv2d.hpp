// 2-D convolution of images (n, c, h, w) with filters (k, c, r, s), as a matrix product that is never laid out: for
// each block of output pixels, the filters as a matrix (k, c*r*s) times the windows around those pixels as one of
// (c*r*s, pixels). Blocks run on over the ends of rows, so that all are full but an image's last.
#pragma once
#include "accumulator.hpp"

namespace nt = tine;

/// Padding, stride and dilation of both dims.
struct ConvShape {
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
};

template <class T, class Result = T>
struct Conv2d {
  nt::BlockSize bm{64, 128}, bn{64, 32}, bk{144, 576, 64};  // of output channels, output pixels, and c*r*s
  ConvShape at{};
  static constexpr auto names = nt::names("x", "w", "y");

  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> w, nt::Tensor<Result, 4> y) const {
    nt::require(x.size(1) == w.size(1)), nt::require(y.size(0) == x.size(0)), nt::require(y.size(1) == w.size(0));
    auto windows =
        x.pad({{0, 0}, {0, 0}, {at.pad_h, at.pad_h}, {at.pad_w, at.pad_w}})
            .tile({1, w.size(1), w.size(2), w.size(3)}, {.strides = {nt::whole, nt::whole, at.stride_h, at.stride_w},
                                                         .dilation = {1, 1, at.dilation_h, at.dilation_w},
                                                         .mode = nt::Mode::floor})
            .squeeze(1)
            .squeeze(0, nt::level<1>);  // (n, p, q) of (c, r, s)
    nt::require(y.size(2) == windows.size(1)), nt::require(y.size(3) == windows.size(2));
    auto yt = y.flatten(nt::dims<2>).permute({0, 2, 1}).tile({1, bn, bm}).squeeze(0, nt::level<1>).permute({1, 0}, nt::level<1>);
    auto xt = windows.flatten(nt::dims<1>)
                  .ravel()
                  .flatten(nt::dims<2>)
                  .tile({1, bn, bk})
                  .tile({1, 1, nt::whole})  // (n, pixel blocks, 1)
                  .expand({nt::keep, nt::keep, yt.size(2)})
                  .squeeze({0, 1}, nt::level<1>)
                  .squeeze(0, nt::level<2>)
                  .permute({1, 0}, nt::level<2>);
    auto wt = w.flatten(nt::dims<1>)
                  .tile({bm, bk})
                  .tile({1, nt::whole})
                  .squeeze(1)
                  .squeeze(0, nt::level<1>)  // (k blocks)
                  .unsqueeze(0)
                  .unsqueeze(0)
                  .expand({yt.size(0), yt.size(1), nt::keep});
    return std::tuple{xt, wt, yt};
  }
  void application(auto x, auto w, auto& y) const { y = sums(x, w, y); }

  /// The products of one tile of y, summed up.
  static auto sums(auto& x, auto& w, auto& y) {
    auto sum = nt::zeros<Accumulator<T>>(y.shape());
    for (auto k : nt::range(x.size(0))) sum += nt::dot(w[k], x[k]);
    return sum;
  }
};

/// The same with a number added to each output channel, before the one rounding.
template <class T, class Result = T>
struct Conv2dBias : Conv2d<T, Result> {
  static constexpr auto names = nt::names("x", "w", "bias", "y");

  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> w, nt::Tensor<Result, 1> bias, nt::Tensor<Result, 4> y) const {
    nt::require(bias.size(0) == w.size(0));
    auto [xt, wt, yt] = Conv2d<T, Result>::arrangement(x, w, y);
    auto bt = bias.tile({this->bm})
                  .unsqueeze(0)
                  .unsqueeze(0)
                  .expand({yt.size(0), yt.size(1), nt::keep});
    return std::tuple{xt, wt, bt, yt};
  }
  void application(auto x, auto w, auto bias, auto& y) const {
    auto each = nt::cast<Accumulator<T>>(bias);
    y = this->sums(x, w, y) + each(nt::whole, nt::newaxis);
  }
};

TINE_EXPORT(Conv2d, float, tine::f16, tine::bf16);
TINE_EXPORT(Conv2dBias, float, tine::f16, tine::bf16);
