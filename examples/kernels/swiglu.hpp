// y = up * silu(gate): what a gated feed-forward network puts between its products. Computed in f32, rounded once.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Swiglu {
  nt::BlockSize block{4096, 1024, 16384};
  static constexpr auto names = nt::names("up", "gate", "y");

  auto arrangement(nt::Tensor<T, 1> up, nt::Tensor<T, 1> gate, nt::Tensor<T, 1> y) const {
    nt::require(up.size(0) == y.size(0)), nt::require(gate.size(0) == y.size(0));
    return std::tuple{up.tile({block}), gate.tile({block}), y.tile({block})};
  }
  void application(auto up, auto gate, auto& y) const {
    auto f = nt::cast<float>(gate);
    y = nt::cast<float>(up) * f * nt::sigmoid(f);
  }
};

TINE_EXPORT(Swiglu, float, tine::f16, tine::bf16);
