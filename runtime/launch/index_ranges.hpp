// Whether the indices of a call fit in 32 bits, by interval arithmetic over a kernel's index expressions. A template,
// as AOT libraries keep their expressions in a form of their own (runtime/aot).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "dsl/graph/expr.hpp"
#include "dsl/graph/specialization.hpp"
#include "runtime/launch/evaluator.hpp"

namespace tine::launch {
namespace ranges_detail {

using graph::Ex;
using graph::ExKind;

inline bool fits(int64_t v) { return -graph::narrow_limit < v && v < graph::narrow_limit; }

struct Range {
  int64_t lo = 0, hi = 0;
};

// Ranges of a parameter's index expressions; none where a step leaves the limit or the divisor is not positive.
// Operands within the limit keep every sum of two products within 64 bits.
template <class Pool, class Param>
class Ranges {
 public:
  Ranges(const Pool& pool, std::span<const Argument> arguments, const Param& p)
      : pool_(pool), arguments_(arguments), param_(p) {}

  std::optional<Range> of(Ex e) const {
    const std::optional<Range> r = pool_.has_var(e) ? compound(e) : constant(e);
    return r && fits(r->lo) && fits(r->hi) ? r : std::nullopt;
  }

 private:
  std::optional<Range> at(int64_t id) const { return of(Ex{static_cast<int32_t>(id)}); }

  std::optional<Range> constant(Ex e) const {
    const std::optional<int64_t> v = value_in(pool_, e, arguments_);
    if (!v) return {};
    return Range{*v, *v};
  }

  static Range times(Range a, Range b) {
    const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return {lo, hi};
  }

  // All lanes of a tile are indexed, also those that fill it up to a power of two; of other levels what exists.
  std::optional<Range> variable(Ex e) const {
    int64_t axis = pool_.operand(e, 1), level = 0;
    while (level < static_cast<int64_t>(param_.levels.size()) &&
           axis >= static_cast<int64_t>(param_.levels[static_cast<std::size_t>(level)].size()))
      axis -= static_cast<int64_t>(param_.levels[static_cast<std::size_t>(level++)].size());
    if (level >= static_cast<int64_t>(param_.levels.size())) return {};
    const auto extent = constant(param_.levels[static_cast<std::size_t>(level)][static_cast<std::size_t>(axis)]);
    if (!extent || !fits(extent->hi)) return {};
    const int64_t n = std::max<int64_t>(extent->hi, 1);
    const bool tile = level > 0 && level + 1 == static_cast<int64_t>(param_.levels.size());
    return Range{0, tile ? static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n))) - 1 : n - 1};
  }

  std::optional<Range> compound(Ex e) const {
    switch (pool_.kind(e)) {
      case ExKind::sym: return variable(e);
      case ExKind::sum: {
        int64_t constant_term = pool_.operand(e, 0);
        if (!fits(constant_term)) return {};
        Range total{constant_term, constant_term};
        for (int i = 1; i + 1 < pool_.operand_count(e); i += 2) {
          const int64_t factor = pool_.operand(e, i);
          const std::optional<Range> term = at(pool_.operand(e, i + 1));
          if (!term || !fits(factor)) return {};
          const Range scaled = times(*term, {factor, factor});
          total = {total.lo + scaled.lo, total.hi + scaled.hi};
          if (!fits(scaled.lo) || !fits(scaled.hi) || !fits(total.lo) || !fits(total.hi)) return {};
        }
        return total;
      }
      case ExKind::prod: {
        Range product{1, 1};
        for (int i = 0; i < pool_.operand_count(e); ++i) {
          const std::optional<Range> factor = at(pool_.operand(e, i));
          if (!factor) return {};
          product = times(product, *factor);
          if (!fits(product.lo) || !fits(product.hi)) return {};
        }
        return product;
      }
      case ExKind::div:
      case ExKind::mod: {
        const std::optional<Range> a = at(pool_.operand(e, 0)), b = at(pool_.operand(e, 1));
        if (!a || !b || b->lo <= 0) return {};
        if (pool_.kind(e) == ExKind::mod) return a->lo >= 0 && a->hi < b->lo ? *a : Range{0, b->hi - 1};
        const auto floor = [](int64_t x, int64_t y) { return x / y - (x % y < 0 ? 1 : 0); };
        return Range{std::min(floor(a->lo, b->lo), floor(a->lo, b->hi)),
                     std::max(floor(a->hi, b->lo), floor(a->hi, b->hi))};
      }
      default: return {};  // the others hold no variable
    }
  }

  const Pool& pool_;
  std::span<const Argument> arguments_;
  const Param& param_;
};

template <class Pool, class Param>
bool narrow(const Pool& pool, std::span<const Argument> arguments, const Param& p, int64_t element) {
  const Argument& a = arguments[static_cast<std::size_t>(p.source)];
  if (a.rank == 0) return true;
  const Ranges<Pool, Param> ranges(pool, arguments, p);
  for (const auto& level : p.levels)
    for (Ex e : level)
      if (!ranges.of(e)) return false;
  for (const auto& b : p.bounds)
    if (!ranges.of(b.index) || !ranges.of(b.size)) return false;
  int64_t lo = 0, hi = element;
  for (std::size_t d = 0; d < p.coords.size(); ++d) {
    const int64_t size = a.dims[d], stride = a.dims[a.rank + d];
    const std::optional<Range> at = ranges.of(p.coords[d]);
    if (!at || !fits(size)) return false;
    if (size <= 1 && at->lo == 0 && at->hi == 0) continue;  // the stride is never taken
    int64_t step;
    if (__builtin_mul_overflow(stride, element, &step) || !fits(step)) return false;
    const int64_t ends[] = {at->lo * step, at->hi * step};
    lo += std::min({ends[0], ends[1], int64_t{0}});
    hi += std::max({ends[0], ends[1], int64_t{0}});
    // Code also adds up distances between elements: from the first block to this one, from a thread's first element on.
    if (!fits(hi - lo)) return false;
  }
  return true;
}

}  // namespace ranges_detail

/// What `Specialization::narrow_index` states; never wrong when it says yes. `element_bytes(source)` gives the size of
/// a source's elements; grid, params and their parts are ranges as in `graph::Graph`.
template <class Pool, class Grid, class Params, class ElementBytes>
bool indices_are_narrow(const Pool& pool, const Grid& grid, const Params& params, ElementBytes element_bytes,
                        std::span<const Argument> arguments) {
  int64_t programs = 1;
  for (graph::Ex e : grid) {
    const std::optional<int64_t> n = value_in(pool, e, arguments);
    if (!n || !ranges_detail::fits(*n)) return false;
    programs *= std::max<int64_t>(*n, 1);
    if (!ranges_detail::fits(programs)) return false;
  }
  for (const auto& p : params)
    if (!ranges_detail::narrow(pool, arguments, p, element_bytes(p.source))) return false;
  return true;
}

}  // namespace tine::launch
