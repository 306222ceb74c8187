// Gaussian elimination over F2 on words.
#pragma once
#include <array>
#include <optional>
#include "compiler/layout/layout.hpp"

namespace tine::layout {

/// The span of some vectors, each with a tag that says how it was made. Tags add (xor) as vectors do.
class Span {
 public:
  /// Adds a vector; false if it lies in the span already.
  bool add(Word vector, Word tag = 0) {
    while (vector) {
      Row& row = rows_[top(vector)];
      if (!row.vector) return row = {vector, tag}, ++rank_, true;
      vector ^= row.vector, tag ^= row.tag;
    }
    return false;
  }
  /// The tag of a vector in the span.
  std::optional<Word> solve(Word vector) const {
    Word tag = 0;
    while (vector) {
      const Row& row = rows_[top(vector)];
      if (!row.vector) return std::nullopt;
      vector ^= row.vector, tag ^= row.tag;
    }
    return tag;
  }
  bool contains(Word vector) const { return solve(vector).has_value(); }
  int rank() const { return rank_; }

 private:
  struct Row { Word vector, tag; };
  static unsigned top(Word v) { return 63u - unsigned(__builtin_clzll(v)); }
  std::array<Row, 64> rows_{};
  int rank_ = 0;
};

}  // namespace tine::layout
