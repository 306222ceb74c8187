// A product whose block sizes have few candidates.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

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
