// Arrangements with numbers for sizes: what `tinec arrange` prints and the tests compare. Pure: nothing is compiled.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "dsl/core/arrange.hpp"
#include "dsl/graph/graph.hpp"

namespace tine::core {

/// One meta-operation in neutral form. Sizes of -1 mean "whole" in `tile` and "keep" in `expand`; other fields by kind.
struct ArrangeOp {
  struct Item {
    SliceItem::Kind kind = SliceItem::slice;
    std::optional<int64_t> start, stop;  ///< of slices; `start` is the index of an integer
    int64_t step = 1;
  };
  Step::Kind kind{};
  int level = 0;
  std::vector<int64_t> sizes;              ///< tile's sizes, expand's shape
  std::vector<int64_t> strides, dilation;  ///< tile's; empty: defaults
  bool floor = false;                      ///< tile's mode
  std::vector<int> dims;                   ///< squeeze, unsqueeze (one), permute
  std::optional<int> start, end;           ///< flatten; left out: all dims
  std::vector<std::pair<int64_t, int64_t>> pad;
  std::vector<Item> items;  ///< slice
};

/// An arranged tensor at given sizes.
struct Evaluated {
  std::vector<std::vector<int64_t>> level_shapes;
  int64_t programs = 1;  ///< product of the outermost shape
  /// Row-major source index of each element, in row-major order over all axes, outermost level first; -1: out of range.
  std::vector<int64_t> indices;
};

/// Where one element of an arrangement lies.
struct Element {
  std::vector<int64_t> source_index;  ///< by plain index arithmetic, also when out of range
  bool in_range = false;
};

/// Builds the chain. Throws UserError, with one sentence, for what the language refuses.
ArrangedTensor build(Arena&, const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>&);
/// All elements of a chain of operations.
Evaluated evaluate(const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>&);
/// One element, at the given indices of all axes; for shapes too large to list.
Element element_at(const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>&,
                   const std::vector<int64_t>& indices);

/// The same of a traced kernel's parameter: `sizes[source][dim]`. Throws UserError where a check of the graph fails.
Evaluated evaluate(const graph::Graph&, int param, const std::vector<std::vector<int64_t>>& sizes);
/// Throws UserError, with the check's place and sizes, if the sizes do not satisfy the graph's checks.
void check_sizes(const graph::Graph&, const std::vector<std::vector<int64_t>>& sizes);

}  // namespace tine::core
