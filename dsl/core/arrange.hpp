// The arrangement algebra, with ranks known at run time.
//
// Definition. An arranged tensor is a source tensor together with a list of *levels*, each a shape. It denotes a
// partial map from indices (one for each dim of each level, outermost level first) to source elements. The source
// itself is one level and the identity map. A *meta-operation* acts on one level, and is given by two things: the new
// list of levels, and a map that pulls an index into the new levels back to an index into the old ones. The map of a
// chain is the composition of these pulls, last operation first. An index is *in range* if, after each pull, it lies
// within the shape that the operation was applied to. So range is a property of the whole chain, not of the address
// that comes out at the end: a lane past an inner pad, slice or outer tile is out of range even where the source has an
// element at that address.
//
//   operation          level S becomes                           pull of an index
//   tile T, s, d       O of T, O = max(0, div(S-d(T-1)-1, s)+1)    (o, i) -> o*s + i*d; must lie in [0, S)
//   expand W           W                                         x -> 0 where S was 1, else x
//   squeeze k          S without dim k, which is 1               x -> x with 0 put in at k
//   unsqueeze k        S with a 1 at k                           x -> x without dim k
//   permute p          S[p[0]], S[p[1]], ...                     y[p[k]] = x[k]
//   flatten a, b       the product of S[a..b)                    row-major: division and remainder by the sizes behind
//   ravel              this level and all below as one level     x -> x
//   pad (b, a)         S + b + a                                 x -> x - b; must lie in [0, S)
//   slice a:b:c        the length that Python gives              x -> a + x*c
//
// Worked example: 13 elements, tile(5), then tile(2) of level 0. Levels (2) of (2) of (5); the element of (p, q, i) is
// 10p + 5q + i, under the two conditions 2p + q < 3 (the outer tile) and 10p + 5q + i < 13 (the inner one).
//
//   p q   i = 0  1  2  3  4
//   0 0       0  1  2  3  4
//   0 1       5  6  7  8  9
//   1 0      10 11 12  .  .       out of range by the second condition
//   1 1       .  .  .  .  .       by the first
//
// Sizes are symbolic (`graph::Pool`): one arrangement serves all sizes of the tensors. What is provable is decided
// here; what is not becomes a check at the call (`Check`) or a condition on lanes (`Bound`). Conditions that hold for
// every value of the index variables are proved and dropped, so that exact tilings cost nothing.
//
// Comparison. NumPy's views (`as_strided`, slicing, `transpose`) are the one-level, unmasked part of this algebra.
// NineToothed has the same operations; here they are values (deriving two views leaves the first alone), every level is
// open to all of them, and what would silently read a wrong element there (negative dims, zero steps, dims left out) is
// an error. A CuTe layout is a map (shape, stride) -> offset that is linear in its coordinates; ours are linear with
// floor divisions, and carry their range with them, where CuTe tiles must divide or be predicated by hand.
#pragma once
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "dsl/core/diagnostics.hpp"
#include "dsl/graph/graph.hpp"
#include "dsl/include/tine/detail/api.hpp"

namespace tine::core {

using graph::Check;
using graph::Ex;
using graph::Pool;
using graph::Sym;

/// Sizes of all levels in one list, outermost first, and the rank of each level.
struct Levels {
  std::vector<Ex> size;
  std::vector<int> rank;
  int begin(int level) const;  ///< position of a level's first dim
  int count() const { return int(rank.size()); }
};

/// One meta-operation, with what its pull needs.
struct Step {
  enum Kind : uint8_t { tile, expand, squeeze, unsqueeze, permute, flatten, ravel, pad, slice } kind;
  int level;
  Loc loc;
  const Step* previous;
  Levels before;
  std::vector<Ex> a, b;  ///< tile: strides, dilations; expand: factor of the index, where expanded; pad: before; slice:
                         ///< start, step of each old dim (no step: an integer index)
  std::vector<int> dims;  ///< squeeze, permute, unsqueeze, flatten (start, end); slice: new dims that are new axes
};

/// A check as recorded; it becomes a `graph::Check` when the graph is made.
struct PendingCheck {
  Check::Kind kind;
  Ex a, b;
  std::string what;
  int source, dim;
  Loc loc;
};
struct PendingBound {
  Ex index, size;
  bool low;
  Loc loc;
};
struct IndexMap {
  std::vector<Ex> source;            ///< one index for each dim of the source
  std::vector<PendingBound> bounds;  ///< all conditions that are not proved
};

/// What the arrangements of one kernel share.
struct Arena {
  explicit Arena(Pool& p) : pool(p) {}
  Pool& pool;
  std::string kernel;              ///< for messages
  std::vector<std::string> names;  ///< of the sources, for messages
  std::deque<Step> steps;          ///< a deque: steps point to each other
  std::vector<PendingCheck> checks;
  void check(PendingCheck);  ///< adds it, unless it is there
  std::string text(Ex) const;
  std::string text(const Ex* first, std::size_t n) const;
};

/// One item of a slice. Bounds that are not given have no id.
struct SliceItem {
  enum Kind : uint8_t { integer, slice, newaxis, ellipsis } kind = slice;
  Ex start, stop;
  int64_t step = 1;
};

class ArrangedTensor {
 public:
  static constexpr int max_levels = 8;
  /// As a size or stride: "whole", "keep", "the tile's size".
  static constexpr Ex automatic{-2};

  static ArrangedTensor source(Arena&, int source, std::vector<Ex> sizes);

  /// Level and dims may be negative (from the end). Empty strides and dilations are the defaults.
  ArrangedTensor tile(int level, std::vector<Ex> sizes, std::vector<Ex> strides, std::vector<Ex> dilation, Mode,
                      Loc) const;
  ArrangedTensor expand(int level, const std::vector<Ex>& shape, Loc) const;
  ArrangedTensor squeeze(int level, const std::vector<int>& dims, Loc) const;
  ArrangedTensor unsqueeze(int level, int dim, Loc) const;
  ArrangedTensor permute(int level, std::vector<int> order, Loc) const;
  ArrangedTensor flatten(int level, int start, int end, Loc) const;  ///< `end` exclusive
  ArrangedTensor ravel(int level, Loc) const;
  ArrangedTensor pad(int level, const std::vector<std::pair<Ex, Ex>>& amounts, Loc) const;
  ArrangedTensor slice(int level, const std::vector<SliceItem>&, Loc) const;

  const Levels& levels() const { return levels_; }
  int source_index() const { return source_; }
  Loc last_loc() const { return last_ ? last_->loc : Loc{}; }
  /// Variables of all axes, for use as parameter `param`; an axis of extent 1 is 0.
  std::vector<Ex> variables(int param) const;
  /// The source element of the given indices, one for each axis.
  IndexMap map(std::vector<Ex> indices) const;
  std::string shape_text() const;  ///< "(a.size(0), 4) of (2)"
  int level_index(int level, const char* op, Loc) const;
  int dim_index(int dim, int count, const char* op, Loc) const;
  [[noreturn]] void fail(Diagnostic, std::initializer_list<std::string>, const char* op, Loc) const;

  double other = 0;

 private:
  Arena* arena_ = nullptr;
  const Step* last_ = nullptr;
  Levels levels_;
  int source_ = 0;

  Step step(Step::Kind, int level, const char* op, Loc) const;
  ArrangedTensor next(Step, Levels) const;
  void positive(Ex, const char* what, int dim, Loc) const;
};

}  // namespace tine::core
