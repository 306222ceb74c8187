// What the mistakes share: each file is a kernel with one mistake.
#pragma once
#include <tine/dsl.hpp>

namespace nt = tine;

/// Two tensors of two dims in tiles of 4 x n.
template <class T = float>
struct Tiles {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const { return std::tuple{x.tile({4, n}), y.tile({4, n})}; }
};
/// x: levels of (rows) of tiles.
struct Levels {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({4, n}).tile({nt::whole, 1}).squeeze(1, nt::level<1>), y.tile({4, n})};
  }
};
