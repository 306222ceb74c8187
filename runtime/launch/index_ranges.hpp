// Whether the indices of a call fit in 32 bits, by interval arithmetic over a kernel's index expressions. A template,
// as AOT libraries keep their expressions in a form of their own (runtime/aot). What follows for sizes at every such call
// says `compiler/import/known_range`.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "dsl/graph/range.hpp"
#include "dsl/graph/specialization.hpp"
#include "runtime/launch/evaluator.hpp"

namespace tine::launch {
namespace ranges_detail {

using graph::Ex;
using graph::ExKind;
using graph::Range;

inline bool fits(int64_t v) { return -graph::narrow_limit < v && v < graph::narrow_limit; }

// Ranges of a parameter's index expressions; none where a step leaves the limit or the divisor is not positive.
template <class Pool, class Param>
class Ranges {
 public:
  Ranges(const Pool& pool, std::span<const Argument> arguments, const Param& p)
      : pool_(pool), arguments_(arguments), param_(p) {}

  std::optional<Range> of(Ex e) const {
    const auto r = !pool_.has_var(e) ? constant(e) : pool_.kind(e) == ExKind::sym ? variable(e) : operation(e);
    return r ? graph::within(*r, graph::narrow_limit) : std::nullopt;
  }

 private:
  // Computed at the call, in 64 bits.
  std::optional<Range> constant(Ex e) const {
    const std::optional<int64_t> v = value_in(pool_, e, arguments_);
    if (!v) return {};
    return Range{*v, *v};
  }

  std::optional<Range> operation(Ex e) const {
    return graph::range_of_operation(pool_, e, graph::narrow_limit, [&](Ex x) { return of(x); });
  }

  // All lanes of a tile are indexed, also those that fill it up to a power of two; of other levels what exists.
  std::optional<Range> variable(Ex e) const {
    int64_t axis = pool_.operand(e, 1), level = 0;
    while (level < static_cast<int64_t>(param_.levels.size()) &&
           axis >= static_cast<int64_t>(param_.levels[static_cast<std::size_t>(level)].size()))
      axis -= static_cast<int64_t>(param_.levels[static_cast<std::size_t>(level++)].size());
    if (level >= static_cast<int64_t>(param_.levels.size())) return {};
    const auto extent = constant(param_.levels[static_cast<std::size_t>(level)][static_cast<std::size_t>(axis)]);
    if (!extent || !fits(extent->most)) return {};
    const int64_t n = std::max<int64_t>(extent->most, 1);
    const bool tile = level > 0 && level + 1 == static_cast<int64_t>(param_.levels.size());
    return Range{0, tile ? static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n))) - 1 : n - 1};
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
    if (size <= 1 && at->least == 0 && at->most == 0) continue;  // the stride is never taken
    int64_t step;
    if (__builtin_mul_overflow(stride, element, &step) || !fits(step)) return false;
    const int64_t ends[] = {at->least * step, at->most * step};
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
