// c = a b. The result may have another element type than a and b, and b than a: Matmul<tine::u8, int, tine::i8>.
#pragma once
#include "accumulator.hpp"

namespace nt = tine;

template <class T, class Result = T, class U = T> struct Matmul {
  nt::BlockSize bm{512, 128, 64, 32}, bn{256, 128, 64}, bk{256, 1024, 64};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<U, 2> b, nt::Tensor<Result, 2> c) const {
    nt::require(a.size(1) == b.size(0)), nt::require(a.size(0) == c.size(0)), nt::require(b.size(1) == c.size(1));
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto& c) const {
    auto sum = nt::zeros<Accumulator<T>>(c.shape());
    for (auto k : nt::range(a.size(0))) sum += nt::dot(a[k], b[k]);
    c = sum;
  }
};

TINE_EXPORT(Matmul, float, tine::f16, tine::bf16);
