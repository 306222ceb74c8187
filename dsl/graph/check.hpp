// What a graph's checks mean.
#pragma once
#include "dsl/graph/graph.hpp"

namespace tine::graph {

/// Whether a check of this kind holds for its two values; one with a single operand ignores b.
constexpr bool holds(Check::Kind kind, int64_t a, int64_t b) {
  switch (kind) {
    case Check::equal: return a == b;
    case Check::not_equal: return a != b;
    case Check::less: return a < b;
    case Check::less_equal: return a <= b;
    case Check::one_or_equal: return a == 1 || a == b;
    case Check::in_range: return 0 <= a && a < b;
    case Check::nonneg: return a >= 0;
    case Check::positive: return a > 0;
  }
  return false;
}

}  // namespace tine::graph
