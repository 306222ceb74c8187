// How a call of a compiled kernel is laid out in memory. Computed from the graph alone, by the same code in the compiler
// (which reads the slots) and in the run time (which fills them).
#pragma once
#include <cstdint>
#include <vector>
#include "dsl/graph/graph.hpp"

namespace tine::graph {

/// A kernel receives one array of 64-bit slots:
///   [source 0 .. source n-1]        the base pointer, or a scalar's bits in the low bytes (little-endian, the rest zero)
///   [strides, source-major]         in elements, one for each dim of each tensor source
///   [symbols]                       the value of each expression in `symbols`
struct LaunchPlan {
  std::vector<int> first_stride;  ///< slot of stride 0 of each source
  int first_symbol = 0;
  std::vector<Ex> symbols;        ///< expressions without `Sym::var` that the code needs, numbers excepted; each once
  int slots = 0;                  ///< length of the array
  int symbol_slot(Ex e) const;    ///< slot of a symbol; -1 if e is not one
};

/// The symbols are, in this order: the grid; of each param all level extents, then the maximal var-free subexpressions of
/// coords and bounds; of each node in region order its extents and `expr`. `equal` maps an expression to the
/// representative of those that the checks make equal (the first in that order).
LaunchPlan plan_launch(const Graph&);

/// Positions in `plan.symbols` of the extents of tile values that are known only at the call, ascending. Of extents that the
/// checks make equal the first symbol stands for all; none stands for those that they make equal to a number.
std::vector<int> tile_extents(const Graph&, const LaunchPlan& plan);

/// Sizes that `Check::equal` makes equal at the call: representative of e (a number if there is one).
class Equalities {
 public:
  explicit Equalities(const Graph&);
  Ex operator()(Ex e) const;
 private:
  std::vector<std::pair<int32_t, int32_t>> pairs_;
};

}  // namespace tine::graph
