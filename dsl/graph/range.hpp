// Between which values integers lie: sums, products and quotients of ranges, for whoever bounds an index before it is computed.
// (`Pool::bounds` has its own: of any call, with infinite ends, for simplification.)
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include "dsl/graph/expr.hpp"

namespace tine::graph {

/// Both ends included, and within (-widest_bound, widest_bound), so that no sum of two overflows.
struct Range {
  int64_t least = 0, most = 0;
  friend bool operator==(const Range&, const Range&) = default;
};
inline constexpr int64_t widest_bound = int64_t{1} << 62;

/// The range itself if both ends lie within (-limit, limit).
inline std::optional<Range> within(Range r, int64_t limit) {
  if (r.least <= -limit || r.most >= limit) return {};
  return r;
}

inline Range sum(Range a, Range b) { return {a.least + b.least, a.most + b.most}; }
inline Range difference(Range a, Range b) { return {a.least - b.most, a.most - b.least}; }
inline Range lesser(Range a, Range b) { return {std::min(a.least, b.least), std::min(a.most, b.most)}; }
inline Range greater(Range a, Range b) { return {std::max(a.least, b.least), std::max(a.most, b.most)}; }

/// None if 64 bits may not hold it.
inline std::optional<Range> product(Range a, Range b) {
  int64_t ends[4];
  if (__builtin_mul_overflow(a.least, b.least, &ends[0]) || __builtin_mul_overflow(a.least, b.most, &ends[1]) ||
      __builtin_mul_overflow(a.most, b.least, &ends[2]) || __builtin_mul_overflow(a.most, b.most, &ends[3]))
    return {};
  const auto [least, most] = std::minmax_element(ends, ends + 4);
  return Range{*least, *most};
}

/// Rounded to minus infinity. None if the divisor may be 0 or less.
inline std::optional<Range> quotient(Range a, Range b) {
  if (b.least <= 0) return {};
  const auto floored = [](int64_t x, int64_t y) { return x / y - (x % y < 0 ? 1 : 0); };
  return Range{std::min(floored(a.least, b.least), floored(a.least, b.most)),
               std::max(floored(a.most, b.least), floored(a.most, b.most))};
}
/// What a quotient leaves, likewise.
inline std::optional<Range> remainder(Range a, Range b) {
  if (b.least <= 0) return {};
  return a.least >= 0 && a.most < b.least ? a : Range{0, b.most - 1};
}

/// Of an expression that is no number or symbol, from the ranges of its operands: `of(Ex)` gives one or none. None where it,
/// a term of it or what is added up on the way may leave (-limit, limit). `Pool` can be asked what `graph::Pool` can.
template <class Pool, class Of>
std::optional<Range> range_of_operation(const Pool& pool, Ex e, int64_t limit, const Of& of) {
  const auto operand = [&](int i) -> std::optional<Range> { return of(Ex{static_cast<int32_t>(pool.operand(e, i))}); };
  const auto held = [&](std::optional<Range> r) { return r ? within(*r, limit) : std::nullopt; };
  switch (pool.kind(e)) {
    case ExKind::num:
    case ExKind::sym: return {};
    case ExKind::sum: {
      std::optional<Range> total = within({pool.operand(e, 0), pool.operand(e, 0)}, limit);
      for (int i = 1; total && i + 1 < pool.operand_count(e); i += 2) {
        const std::optional<Range> factor = within({pool.operand(e, i), pool.operand(e, i)}, limit), x = operand(i + 1);
        const std::optional<Range> term = factor && x ? held(product(*x, *factor)) : std::nullopt;
        total = term ? within(sum(*total, *term), limit) : std::nullopt;
      }
      return total;
    }
    case ExKind::prod: {
      std::optional<Range> result = Range{1, 1};
      for (int i = 0; result && i < pool.operand_count(e); ++i) {
        const std::optional<Range> factor = operand(i);
        result = factor ? held(product(*result, *factor)) : std::nullopt;
      }
      return result;
    }
    default: break;
  }
  const std::optional<Range> a = operand(0), b = operand(1);
  if (!a || !b) return {};
  switch (pool.kind(e)) {
    case ExKind::div: return held(quotient(*a, *b));
    case ExKind::mod: return held(remainder(*a, *b));
    case ExKind::min: return held(lesser(*a, *b));
    default: return held(greater(*a, *b));
  }
}

}  // namespace tine::graph
