// y = x / sqrt(mean(x^2) + eps) * w for each row. A program goes twice over its rows, block by block, so that one
// compile serves rows of any length. Sums in f32; weights and result may have other element types than x.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T, class Weight = T, class Result = T>
struct RmsNorm {
  nt::BlockSize rows{1, 4}, block{4096, 512};
  static constexpr auto names = nt::names("x", "w", "eps", "y");

  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<Weight, 1> w, nt::Scalar<float> eps, nt::Tensor<Result, 2> y) const {
    nt::require(x.size(0) == y.size(0));
    nt::require(x.size(1) == y.size(1));
    nt::require(w.size(0) == x.size(1));
    auto blocks = [&](auto t) { return t.tile({rows, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>); };
    auto weights = w.tile({block}).tile({nt::whole}).squeeze(0);  // no outermost dims: every program sees all of them
    return std::tuple{blocks(x), weights, eps, blocks(y)};
  }
  void application(auto x, auto w, auto eps, auto& y) const {
    auto squares = nt::zeros<float>({rows});
    for (auto k : nt::range(x.size(0))) {
      auto f = nt::cast<float>(x[k]);
      squares += nt::sum(f * f, nt::axis(1));
    }
    auto scale = nt::rsqrt(squares / nt::size(x, 1) + eps);
    for (auto k : nt::range(x.size(0)))
      y[k] = nt::cast<float>(x[k]) * scale(nt::whole, nt::newaxis) * nt::cast<float>(w[k])(nt::newaxis, nt::whole);
  }
};

TINE_EXPORT(RmsNorm, float, tine::f16, tine::bf16);
