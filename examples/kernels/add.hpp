// Sum of two vectors. Tensors of more dims that lie without gaps are vectors too: view them as such.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Add {
  nt::BlockSize block{4096, 1024, 16384};
  static constexpr auto names = nt::names("a", "b", "c");

  auto arrangement(nt::Tensor<T, 1> a, nt::Tensor<T, 1> b, nt::Tensor<T, 1> c) const {
    nt::require(a.size(0) == c.size(0));
    nt::require(b.size(0) == c.size(0));
    return std::tuple{a.tile({block}), b.tile({block}), c.tile({block})};
  }
  void application(auto a, auto b, auto& c) const { c = a + b; }
};

TINE_EXPORT(Add, float, tine::f16, tine::bf16);
