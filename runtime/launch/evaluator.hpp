// The arithmetic behind `evaluate`, over anything that can be asked what `graph::Pool` can: AOT libraries keep their
// expressions in a form of their own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "dsl/graph/expr.hpp"
#include "dsl/graph/graph.hpp"
#include "tine/argument.hpp"

namespace tine::launch {

template <class Pool>
class Evaluator {
 public:
  Evaluator(const Pool& pool, std::span<const Argument> arguments) : pool_(pool), arguments_(arguments) {}
  bool overflow = false;

  int64_t value(graph::Ex e) {
    switch (pool_.kind(e)) {
      case graph::ExKind::num: return pool_.value(e);
      case graph::ExKind::sym: return symbol(e);
      case graph::ExKind::sum: return sum(e);
      case graph::ExKind::prod: return product(e);
      case graph::ExKind::div: return divide(first(e), second(e));
      case graph::ExKind::mod: return remainder(first(e), second(e));
      case graph::ExKind::min: return std::min(first(e), second(e));
      case graph::ExKind::max: return std::max(first(e), second(e));
    }
    return 0;
  }

 private:
  int64_t at(int64_t id) { return value(graph::Ex{static_cast<int32_t>(id)}); }
  int64_t first(graph::Ex e) { return at(pool_.operand(e, 0)); }
  int64_t second(graph::Ex e) { return at(pool_.operand(e, 1)); }

  int64_t symbol(graph::Ex e) {
    const Argument& a = arguments_[static_cast<std::size_t>(pool_.operand(e, 0))];
    const auto dim = static_cast<std::size_t>(pool_.operand(e, 1));
    return a.dims[pool_.sym_kind(e) == graph::Sym::size ? dim : a.rank + dim];
  }

  int64_t sum(graph::Ex e) {
    int64_t total = pool_.operand(e, 0);
    for (int i = 1; i + 1 < pool_.operand_count(e); i += 2) {
      int64_t term;
      overflow |= __builtin_mul_overflow(pool_.operand(e, i), at(pool_.operand(e, i + 1)), &term);
      overflow |= __builtin_add_overflow(total, term, &total);
    }
    return total;
  }

  int64_t product(graph::Ex e) {
    int64_t result = 1;
    bool wide = false, zero = false;  // a factor of 0 makes the product 0 however large the others are
    for (int i = 0; i < pool_.operand_count(e); ++i) {
      const int64_t factor = at(pool_.operand(e, i));
      zero |= factor == 0;
      wide |= __builtin_mul_overflow(result, factor, &result);
    }
    if (zero) return 0;
    overflow |= wide;
    return result;
  }

  int64_t divide(int64_t a, int64_t b) {  // rounds to minus infinity; x div 0 is 0
    if (b == 0) return 0;
    if (b == -1) {
      int64_t negated;
      overflow |= __builtin_sub_overflow(int64_t{0}, a, &negated);
      return negated;
    }
    return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
  }

  static int64_t remainder(int64_t a, int64_t b) {  // has the divisor's sign; x mod 0 is 0
    if (b == 0 || b == -1) return 0;
    const int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }

  const Pool& pool_;
  std::span<const Argument> arguments_;
};

/// Value of an expression without `Sym::var`; nothing if a step of it does not fit in 64 bits.
template <class Pool>
std::optional<int64_t> value_in(const Pool& pool, graph::Ex e, std::span<const Argument> arguments) {
  Evaluator<Pool> evaluator(pool, arguments);
  const int64_t value = evaluator.value(e);
  if (evaluator.overflow) return std::nullopt;
  return value;
}

}  // namespace tine::launch
