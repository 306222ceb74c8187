// What it takes to bring a tile from one distributed layout into another.
#pragma once
#include "compiler/layout/layout.hpp"

namespace tine::layout {

enum class Move {
  none,       ///< nothing moves
  registers,  ///< each thread has what it needs, in other registers
  lanes,      ///< each warp has what it needs: shuffles
  shared      ///< through shared memory
};

/// `map`: (register, lane, warp) of `to` -> those of `from` that hold the same element. Of all maps, one that moves least: it
/// keeps the warp where it can, then the lane. Where `to` is larger than `from`, what lies beyond is any element (padding).
struct Conversion {
  Move move;
  Layout map;
};
Conversion conversion(const Layout& from, const Layout& to);

/// A conversion inside warps as rounds of shuffles, one for each register r of the result whose free bits are 0 (the others are
/// copies). In round r lane l of warp w
///   - gives register give(r, l, w) of `from`,
///   - reads from lane source(r, l, w),
///   - and keeps what it got as register keep(r, l, w) of `to`.
/// Layouts (register, lane, warp) -> register, lane, register. Where `source` is the lane itself no shuffle is needed.
struct ShufflePlan {
  Layout give, source, keep;
};
/// None where lanes hold copies in such a way that two readers want different registers of one giver; then go through
/// shared memory.
std::optional<ShufflePlan> shuffle_plan(const Layout& to, const Conversion& c);

}  // namespace tine::layout
