// Kernels of the tests of `tinec build`.
#pragma once
#include <tine/tine.hpp>

#include "helper.hpp"
namespace nt = tine;

template <class T> struct Scaled {
  nt::BlockSize block{1024, 64};
  static constexpr auto names = nt::names("x", "s", "y");
  auto arrangement(nt::Tensor<T, 1> x, nt::Scalar<std::conditional_t<std::is_integral_v<T>, nt::i32, float>> s,
                   nt::Tensor<T, 1> y) const {
    nt::require(x.size(0) == y.size(0));
    return std::tuple{x.tile({block}), s, y.tile({block})};
  }
  void application(auto x, auto s, auto& y) const { y = product(x, s); }
};
TINE_EXPORT(Scaled, float, tine::f16, tine::i32);

// Sums the rows of a matrix; a whole dim, which GPUs have a capacity for.
template <class T> struct RowSum {
  nt::BlockSize rows{4};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<float, 1> y) const {
    nt::require(x.size(0) == y.size(0));
    return std::tuple{x.tile({rows, nt::whole}).squeeze(1), y.tile({rows})};
  }
  void application(auto x, auto& y) const { y = nt::sum(nt::cast<float>(x), nt::axis(1)); }
};
TINE_EXPORT(RowSum, float);
