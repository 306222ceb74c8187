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

// A product whose block sizes have few candidates.
template <class T> struct Product {
  nt::BlockSize bm{128, 64}, bn{128, 64}, bk{64, 128};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<float, 2> c) const {
    nt::require(a.size(1) == b.size(0)), nt::require(a.size(0) == c.size(0)), nt::require(b.size(1) == c.size(1));
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto& c) const {
    auto sum = nt::zeros<float>(c.shape());
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[k]);
    c = sum;
  }
};
