// Softmax of each row. A program goes over its rows block by block, so that one compile serves rows of any length: for
// the maximum, for the exponentials and their sum, and to scale them. Exponentials wait in y where it can hold them as
// they are; narrow types would round them a second time, so there they are computed again.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Softmax {
  nt::BlockSize rows{1, 4}, block{512, 4096};
  bool empty_rows_give_zero = false;  // else a row of nothing but -inf gives NaN, as 0/0 does
  static constexpr auto names = nt::names("x", "y");

  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const {
    nt::require(x.size(0) == y.size(0));
    nt::require(x.size(1) == y.size(1));
    auto blocks = [&](auto t) { return t.tile({rows, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>); };
    return std::tuple{blocks(x.other(-nt::inf)), blocks(y)};  // past the row's end: exp(-inf), which is 0
  }
  void application(auto x, auto& y) const {
    auto largest = nt::full<float>({rows}, lowest);  // finite, so that -inf - largest is no NaN
    for (auto k : nt::range(x.size(0))) largest = nt::max(largest, nt::cast<float>(nt::max(x[k], nt::axis(1))));
    auto exponentials = [&](auto tile) { return nt::exp(nt::cast<float>(tile) - largest(nt::whole, nt::newaxis)); };

    auto total = nt::zeros<float>({rows});
    for (auto k : nt::range(x.size(0))) {
      auto e = exponentials(nt::load(x[k]));
      if constexpr (keep) y[k] = e;
      total += nt::sum(e, nt::axis(1));
    }
    if (empty_rows_give_zero) total = nt::max(total, 1e-9f);  // it is at least 1, the largest one's, or else 0
    auto scale = 1.0f / total;
    for (auto k : nt::range(x.size(0))) {
      if constexpr (keep)
        y[k] *= scale(nt::whole, nt::newaxis);
      else
        y[k] = exponentials(nt::load(x[k])) * scale(nt::whole, nt::newaxis);
    }
  }

 private:
  static constexpr float lowest = -0x1.fffffep127f;
  static constexpr bool keep = sizeof(T) >= sizeof(float);
};

TINE_EXPORT(Softmax, float, tine::f16, tine::bf16);
