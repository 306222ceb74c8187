// Softmax of each row. A program goes twice over its rows, block by block, so that one compile serves rows of any length:
// first for the maximum and the sum of exponentials (the sum so far is rescaled when the maximum grows), then to store.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Softmax {
  nt::BlockSize rows{1, 4}, block{4096, 1024};
  bool empty_rows_give_zero = false;  // else a row of nothing but -inf gives NaN, as 0/0 does
  static constexpr auto names = nt::names("x", "y");

  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const {
    nt::require(x.size(0) == y.size(0));
    nt::require(x.size(1) == y.size(1));
    auto blocks = [&](auto t) { return t.tile({rows, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>); };
    return std::tuple{blocks(x.other(-nt::inf)), blocks(y)};  // past the row's end: exp(-inf), which is 0
  }
  void application(auto x, auto& y) const {
    auto largest = nt::full<float>({rows}, -nt::inf);
    auto total = nt::zeros<float>({rows});
    auto base = nt::zeros<float>({rows});  // the maximum, or 0 while all was -inf: then -inf - base is no NaN
    for (auto k : nt::range(x.size(0))) {
      auto f = nt::cast<float>(x[k]);
      auto before = largest;
      largest = nt::max(largest, nt::max(f, nt::axis(1)));
      base = nt::where(largest == -nt::inf, 0.0f, largest);
      auto e = nt::exp(f - base(nt::whole, nt::newaxis));
      total = total * nt::exp(before - base) + nt::sum(e, nt::axis(1));
    }
    auto scale = 1.0f / total;
    if (empty_rows_give_zero) scale = nt::where(total == 0.0f, 0.0f, scale);
    for (auto k : nt::range(x.size(0))) {
      auto e = nt::exp(nt::cast<float>(x[k]) - base(nt::whole, nt::newaxis));
      y[k] = e * scale(nt::whole, nt::newaxis);
    }
  }
};

TINE_EXPORT(Softmax, float, tine::f16, tine::bf16);
