// Index maps: a graph's symbolic index expressions as affine maps over the kernel's symbols. What `coords`, `linear`,
// `bounds` and `limits` of a `#tine.param` are made of.
#pragma once
#include <optional>
#include "dsl/graph/launch_plan.hpp"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/AffineMap.h"

namespace tine::compiler {

/// The kernel's symbols: expressions that the launch plan lists. Those that the checks make equal share the first number.
class SymbolNumbers {
 public:
  SymbolNumbers(graph::Graph& graph, const graph::LaunchPlan& plan);
  graph::Ex representative(graph::Ex e) const { return equal_(e); }
  std::optional<int> number_of(graph::Ex e) const;  ///< none for numbers and for expressions that are no symbol
  /// Whether the checks make two expressions equal: they are, or the same is computed from parts that are.
  bool same(graph::Ex a, graph::Ex b) const;
  int count() const { return count_; }

 private:
  graph::Pool& pool_;
  bool same(graph::Ex a, graph::Ex b, llvm::SmallVectorImpl<std::pair<int32_t, int32_t>>& open) const;
  graph::Equalities equal_;
  std::vector<std::pair<int32_t, int>> numbers_;  // expression id -> number
  int count_;
};

struct ParamMaps {
  mlir::AffineMap coords, linear, bounds, limits;
  llvm::SmallVector<int64_t> low;
  bool valid = true;  ///< false if an expression was no symbol of the plan
};
ParamMaps make_maps(mlir::MLIRContext& context, graph::Graph& graph, const graph::Param& param, const SymbolNumbers& symbols);

/// Coordinates of one flattened index, for a source without gaps: neighbouring dims whose coordinates are the digits of one
/// index, as (f div C, f mod C) with sizes (R, C) are, are joined into their last dim, which takes the index; the others
/// take 0. (f div C, f mod C) becomes (0, f); (n, f div C, f mod C) with f < R*C becomes (n, 0, f).
std::vector<graph::Ex> join_digits(graph::Pool& pool, const std::vector<graph::Ex>& coords, const std::vector<graph::Ex>& sizes);

}  // namespace tine::compiler
