// y = x * sigmoid(x). Narrow floats are computed in f32 and rounded once.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Silu {
  nt::BlockSize block{4096, 1024, 16384};
  static constexpr auto names = nt::names("x", "y");

  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<T, 1> y) const {
    nt::require(x.size(0) == y.size(0));
    return std::tuple{x.tile({block}), y.tile({block})};
  }
  void application(auto x, auto& y) const {
    auto f = nt::cast<float>(x);
    y = f * nt::sigmoid(f);
  }
};

TINE_EXPORT(Silu, float, tine::f16, tine::bf16);
