// y = beta x + alpha a b, rounded once. By the formula as written, so a NaN of x reaches y also where beta is 0.
#pragma once
#include "accumulator.hpp"

namespace nt = tine;

template <class T>
struct Addmm {
  nt::BlockSize bm{512, 128, 64, 32}, bn{256, 128, 64}, bk{256, 1024, 64};
  static constexpr auto names = nt::names("x", "a", "b", "beta", "alpha", "y");

  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Scalar<float> beta,
                   nt::Scalar<float> alpha, nt::Tensor<T, 2> y) const {
    nt::require(a.size(1) == b.size(0)), nt::require(a.size(0) == y.size(0)), nt::require(b.size(1) == y.size(1));
    nt::require(x.size(0) == y.size(0)), nt::require(x.size(1) == y.size(1));
    auto yt = y.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, yt.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({yt.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{x.tile({bm, bn}), at, bt, beta, alpha, yt};
  }
  void application(auto x, auto a, auto b, auto beta, auto alpha, auto& y) const {
    auto product = nt::zeros<Accumulator<T>>(y.shape());
    for (auto k : nt::range(a.size(0))) product += nt::dot(a[k], b[k]);
    y = beta * nt::cast<Accumulator<T>>(x) + alpha * product;
  }
};

TINE_EXPORT(Addmm, float, tine::f16, tine::bf16);
