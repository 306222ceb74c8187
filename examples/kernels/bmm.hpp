// c[i] = a[i] b[i] for each i of a batch.
#pragma once
#include "accumulator.hpp"

namespace nt = tine;

template <class T, class Result = T>
struct Bmm {
  nt::BlockSize bm{512, 128, 64, 32}, bn{256, 128, 64}, bk{256, 1024, 64};
  static constexpr auto names = nt::names("a", "b", "c");

  auto arrangement(nt::Tensor<T, 3> a, nt::Tensor<T, 3> b, nt::Tensor<Result, 3> c) const {
    nt::require(a.size(2) == b.size(1)), nt::require(a.size(1) == c.size(1)), nt::require(b.size(2) == c.size(2));
    auto ct = c.tile({1, bm, bn}).squeeze(0, nt::level<1>);
    auto at = a.tile({1, bm, bk}).tile({1, 1, nt::whole}).expand({nt::keep, nt::keep, ct.size(2)});
    auto bt = b.tile({1, bk, bn}).tile({1, nt::whole, 1}).expand({nt::keep, ct.size(1), nt::keep});
    return std::tuple{at.squeeze({0, 1}, nt::level<1>).squeeze(0, nt::level<2>),
                      bt.squeeze({0, 2}, nt::level<1>).squeeze(0, nt::level<2>), ct};
  }
  void application(auto a, auto b, auto& c) const {
    auto sum = nt::zeros<Accumulator<T>>(c.shape());
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[k]);
    c = sum;
  }
};

TINE_EXPORT(Bmm, float, tine::f16, tine::bf16);
