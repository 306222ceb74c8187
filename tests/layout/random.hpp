// Random layouts. Every test says its seed through Catch's own generator.
#pragma once
#include <catch2/catch.hpp>
#include <random>
#include "compiler/layout/distributed.hpp"

namespace tine::layout {

inline constexpr Axis threads[] = {Axis::reg, Axis::lane, Axis::warp};

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  int up_to(int n) { return int(engine() % unsigned(n + 1)); }
  Word word(int bits) { return bits ? Word(engine()) & ((Word(1) << bits) - 1) : 0; }

  std::vector<Extent> extents(std::vector<Axis> axes, int most) {
    std::vector<Extent> list;
    for (Axis a : axes) list.push_back({a, up_to(most)});
    return list;
  }
  /// Any linear map.
  Layout map(const std::vector<Extent>& ins, const std::vector<Extent>& outs) {
    int n = 0, m = 0;
    for (const Extent& e : ins) n += e.bits;
    for (const Extent& e : outs) m += e.bits;
    std::vector<Word> columns;
    for (int i = 0; i < n; ++i) columns.push_back(word(m));
    return Layout::from_columns(ins, outs, columns);
  }
  Layout map() { return map(extents({Axis::reg, Axis::lane, Axis::warp}, 3), extents({dim(0), dim(1)}, 4)); }
  /// A layout of a tile that reaches every element; up to 2 bits more than needed hold copies or sums of others.
  Layout distributed(const std::vector<Extent>& dims, int lanes, int warps, int least_registers = 0) {
    int total = 0;
    for (const Extent& e : dims) total += e.bits;
    int registers = std::max(least_registers, std::max(0, total - lanes - warps) + up_to(2));
    std::vector<Extent> ins{{Axis::reg, registers}, {Axis::lane, lanes}, {Axis::warp, warps}};
    for (;;) {
      Layout l = map(ins, dims);
      if (l.surjective()) return l;
    }
  }
  /// A blocked layout of a tile.
  Layout any_blocked(const std::vector<int64_t>& shape, int lanes, int warps) {
    Blocked b;
    for (size_t d = 0; d < shape.size(); ++d) b.order.push_back(int(d)), b.per_thread.push_back(int64_t(1) << up_to(3)), b.lanes.push_back(1), b.warps.push_back(1);
    std::shuffle(b.order.begin(), b.order.end(), engine);
    for (int i = 0; i < lanes; ++i) b.lanes[size_t(up_to(int(shape.size()) - 1))] *= 2;
    for (int i = 0; i < warps; ++i) b.warps[size_t(up_to(int(shape.size()) - 1))] *= 2;
    return blocked(shape, b);
  }
};

}  // namespace tine::layout
