// Arrangements with all sizes known: a second reading of section 2 of the language, one element at a time. Random
// chains of meta-operations are built here and replayed in the front end, whose shapes and index maps must agree.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "choices.hpp"
#include "dsl/core/arrange.hpp"

namespace tine::fuzz {

using Dims = std::vector<int64_t>;

/// One meta-operation as it is asked for.
struct Operation {
  enum Kind { tile, expand, squeeze, unsqueeze, permute, flatten, ravel, pad, slice } kind = tile;
  int level = 0;
  Dims sizes;              ///< tile (-1: whole), expand (-1: keep)
  Dims strides, dilation;  ///< tile; empty: the defaults
  bool floor = false;
  std::vector<int> dims;  ///< squeeze, unsqueeze, permute, flatten (start, end)
  Dims before, after;     ///< pad
  struct Item {
    enum Kind { whole, integer, range, newaxis, ellipsis } kind = whole;
    std::optional<int64_t> start, stop;
    int64_t step = 1;
  };
  std::vector<Item> items;  ///< slice
  std::string text() const;
};

class Arrangement {
 public:
  explicit Arrangement(Dims shape) : source_(shape), levels_{std::move(shape)} {}

  /// False, and nothing changes, if the language refuses it.
  bool apply(const Operation&);
  const std::vector<Dims>& levels() const { return levels_; }
  const std::vector<Operation>& operations() const { return operations_; }
  const Dims& source() const { return source_; }
  int64_t elements() const;  ///< indices over all levels
  /// The source index of an index over all axes, level 0 first; none if it is out of range.
  std::optional<Dims> locate(const Dims& index) const;
  std::string text() const;

 private:
  Dims source_;
  std::vector<Dims> levels_;
  std::vector<Operation> operations_;
  std::vector<std::vector<Dims>> before_;  // levels that each operation was applied to
};

/// A random operation that fits, or none after a few tries.
bool add_random(Arrangement&, Choices&);
/// A chain of up to `most` operations, with at least two levels, not more than `elements` indices and `programs`
/// programs.
Arrangement random_arrangement(Dims source, int most, int64_t elements, int64_t programs, Choices&);

/// The same chain in the front end; sizes that equal a size of the source or of a level are now and then given as
/// symbols.
int32_t replay(const Arrangement&, int source, Choices&);

}  // namespace tine::fuzz
