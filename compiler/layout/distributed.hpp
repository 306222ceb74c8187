// Layouts of tiles over the threads of a block: blocked ones, and matrix fragments repeated over a tile.
#pragma once
#include "compiler/layout/layout.hpp"

namespace tine::layout {

/// A blocked layout, for loads, stores and element-wise work.
struct Blocked {
  std::vector<int64_t> per_thread;  ///< neighbours that a thread holds, per dim
  std::vector<int64_t> lanes;       ///< lanes of a warp per dim; the product is the warp's size
  std::vector<int64_t> warps;       ///< warps of the block per dim
  std::vector<int> order;           ///< dims, fastest first
};
/// The tile of `shape` (powers of two): per dim the thread's neighbours, then lanes, then warps; where the tile is larger, more
/// registers; where it is smaller, lanes and warps hold copies.
Layout blocked(const std::vector<int64_t>& shape, const Blocked& b);
/// A choice for accesses along `order`: `vector` neighbours along order[0] per thread, all lanes along order[0] as far as it
/// reaches, then along order[1], ...; warps likewise, from the slowest dim on.
Layout blocked(const std::vector<int64_t>& shape, int64_t vector, int lanes, int warps, const std::vector<int>& order);

/// Repeats `unit` (register, lane -> dims) over a tile: first by registers, fastest along order[0], then by warps: warp bit i
/// doubles along dim warp_dims[i], or holds a copy where that is -1. So each warp has one contiguous part. Where the tile is
/// smaller than the warps reach, they hold copies; it is at least as large as the unit.
Layout repeated(const Layout& unit, const std::vector<int64_t>& shape, const std::vector<int>& order, const std::vector<int>& warp_dims);

}  // namespace tine::layout
