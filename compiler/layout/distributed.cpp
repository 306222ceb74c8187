#include "compiler/layout/distributed.hpp"
#include <algorithm>
#include <cassert>

namespace tine::layout {
namespace {

/// Bits along each dim that no input reaches yet.
struct Room {
  std::vector<int> bits;
  explicit Room(const std::vector<int64_t>& shape) {
    for (int64_t n : shape) bits.push_back(log2_ceil(n));
  }
  int take(int d, int wanted) {
    int n = std::min(bits[size_t(d)], wanted);
    bits[size_t(d)] -= n;
    return n;
  }
};

Layout start(const std::vector<int64_t>& shape) {  // fixes the order of inputs and outputs
  Layout l = Layout::zeros(Axis::reg, 0) * Layout::zeros(Axis::lane, 0) * Layout::zeros(Axis::warp, 0);
  for (int d = 0; d < int(shape.size()); ++d) l = l * Layout::unreached(dim(d), 0);
  return l;
}

}  // namespace

Layout blocked(const std::vector<int64_t>& shape, const Blocked& b) {
  Room room(shape);
  Layout l = start(shape);
  for (int d : b.order) l = l * Layout::identity(Axis::reg, dim(d), room.take(d, log2_ceil(b.per_thread[size_t(d)])));
  auto spread = [&](Axis axis, const std::vector<int64_t>& counts) {
    for (int d : b.order) {
      int bits = log2_ceil(counts[size_t(d)]), taken = room.take(d, bits);
      l = l * Layout::identity(axis, dim(d), taken) * Layout::zeros(axis, bits - taken);
    }
  };
  spread(Axis::lane, b.lanes);
  spread(Axis::warp, b.warps);
  for (int d : b.order) l = l * Layout::identity(Axis::reg, dim(d), room.bits[size_t(d)]);
  return l;
}

Layout blocked(const std::vector<int64_t>& shape, int64_t vector, int lanes, int warps, const std::vector<int>& order) {
  Room room(shape);
  Blocked b;
  b.order = order;
  b.per_thread.assign(shape.size(), 1), b.lanes = b.per_thread, b.warps = b.per_thread;
  if (shape.empty()) return Layout::zeros(Axis::reg, 0) * Layout::zeros(Axis::lane, log2_ceil(lanes)) * Layout::zeros(Axis::warp, log2_ceil(warps));
  b.per_thread[size_t(order[0])] = int64_t(1) << room.take(order[0], log2_ceil(vector));
  int left = log2_ceil(lanes);
  for (int d : order) {
    int n = room.take(d, left);
    b.lanes[size_t(d)] <<= n, left -= n;
  }
  b.lanes[size_t(order.back())] <<= left;
  left = log2_ceil(warps);
  for (size_t i = order.size(); i-- > 0;) {
    int n = room.take(order[i], left);
    b.warps[size_t(order[i])] <<= n, left -= n;
  }
  b.warps[size_t(order[0])] <<= left;
  return blocked(shape, b);
}

Layout repeated(const Layout& unit, const std::vector<int64_t>& shape, const std::vector<int>& order, const std::vector<int>& warp_dims) {
  Room room(shape);
  Layout l = start(shape) * unit;
  for (size_t d = 0; d < shape.size(); ++d) {
    assert(room.bits[d] >= unit.out_bits(dim(int(d))) && "the tile is at least as large as the unit");
    room.bits[d] -= unit.out_bits(dim(int(d)));
  }
  std::vector<int> taken;  // by warps, which are outermost
  for (int d : warp_dims) taken.push_back(d < 0 ? 0 : room.take(d, 1));
  for (int d : order) l = l * Layout::identity(Axis::reg, dim(d), room.bits[size_t(d)]);
  for (size_t i = 0; i < warp_dims.size(); ++i)
    l = l * (taken[i] ? Layout::identity(Axis::warp, dim(warp_dims[i]), 1) : Layout::zeros(Axis::warp, 1));
  return l;
}

}  // namespace tine::layout
