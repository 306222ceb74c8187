// y = x, rows and columns swapped. The programs of y walk over the tiles of x in y's order.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Transpose {
  nt::BlockSize bm{64, 32}, bn{64, 32};
  static constexpr auto names = nt::names("x", "y");

  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const {
    nt::require(x.size(0) == y.size(1));
    nt::require(x.size(1) == y.size(0));
    return std::tuple{x.tile({bm, bn}).permute({1, 0}), y.tile({bn, bm})};
  }
  void application(auto x, auto& y) const { y = nt::trans(x); }
};

TINE_EXPORT(Transpose, float, tine::f16, tine::bf16);
