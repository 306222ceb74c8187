#include "runtime/launch/checks.hpp"

#include <algorithm>

#include "dsl/graph/check.hpp"
#include "runtime/launch/evaluate.hpp"
#include "runtime/launch/evaluator.hpp"

namespace tine::launch {
namespace {

using graph::Check;

bool unary(Check::Kind kind) { return kind == Check::nonneg || kind == Check::positive; }

const char* relation(Check::Kind kind) {
  switch (kind) {
    case Check::not_equal: return "!=";
    case Check::less: return "<";
    case Check::less_equal: return "<=";
    default: return "==";
  }
}

// "`squeeze` of dim 1 of parameter `a`"
std::string operation(const TracedKernel& k, const Check& c) {
  std::string out = ticked(c.what);
  if (c.dim >= 0) out += " of dim " + std::to_string(c.dim);
  if (c.source >= 0) out += " of parameter " + k.source_name(c.source);
  return out;
}

// "`a` has 3x2, `b` has 3x4"
std::string outer_shapes(const TracedKernel& k, std::span<const Argument> arguments) {
  std::string out;
  for (const graph::Param& p : k.graph.params) {
    if (p.levels.empty() || p.levels[0].empty()) continue;
    std::vector<int64_t> shape;
    for (graph::Ex e : p.levels[0]) shape.push_back(evaluate(k.graph.pool, e, arguments).value_or(-1));
    out += (out.empty() ? "" : ", ") + k.source_name(p.source) + " has " + shape_text(shape);
  }
  return out + " (" + arguments_text(k, arguments) + ")";
}

[[noreturn]] void report(const TracedKernel& k, const Check& c, int64_t a, int64_t b,
                         std::span<const Argument> arguments) {
  const std::string kernel = k.name(), what = operation(k, c), called = arguments_text(k, arguments);
  const std::string left = k.text(c.a), right = c.b ? k.text(c.b) : "";
  const std::string x = std::to_string(a), y = std::to_string(b);
  const Where where = k.where(c.loc);
  if (c.what == "grid") fail(Diag::grid_mismatch, where, {kernel, outer_shapes(k, arguments)});
  if (c.what == "require") {
    if (unary(c.kind)) {
      const std::string need = left + (c.kind == Check::positive ? " > 0" : " >= 0");
      fail(Diag::require_failed, where, {kernel, need, left + " is " + x, called});
    }
    const std::string need = c.kind == Check::in_range       ? "0 <= " + left + " < " + right
                             : c.kind == Check::one_or_equal ? left + " == 1 or == " + right
                                                             : left + " " + relation(c.kind) + " " + right;
    fail(Diag::require_failed, where, {kernel, need, left + " is " + x + " and " + right + " is " + y, called});
  }
  switch (c.kind) {
    case Check::equal:
      if (k.graph.pool.is(c.b, 1)) fail(Diag::check_one, where, {kernel, what, left, x, called});
      if (k.graph.pool.is(c.a, 1)) fail(Diag::check_one, where, {kernel, what, right, y, called});
      fail(Diag::check_equal, where, {kernel, what, left, right, x, y, called});
    case Check::one_or_equal: fail(Diag::check_one_or_equal, where, {kernel, what, left, right, x, y, called});
    case Check::positive: fail(Diag::check_positive, where, {kernel, what, left, x, called});
    case Check::nonneg: fail(Diag::check_nonneg, where, {kernel, what, left, x, called});
    case Check::in_range: fail(Diag::check_in_range, where, {kernel, what, left, right, x, y, called});
    default: fail(Diag::check_order, where, {kernel, what, left, relation(c.kind), right, x, y, called});
  }
}

}  // namespace

void check_kinds(const TracedKernel& k, std::span<const Argument> arguments) {
  const auto& sources = k.graph.sources;
  if (arguments.size() != sources.size()) {
    std::string names;
    for (std::size_t s = 0; s < sources.size(); ++s) names += (s ? ", " : "") + ticked(sources[s].name);
    fail(Diag::argument_count, {}, {k.name(), std::to_string(sources.size()), names, std::to_string(arguments.size())});
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Argument& a = arguments[s];
    const int source = static_cast<int>(s);
    if (a.type != static_cast<uint8_t>(sources[s].type))
      fail(Diag::argument_type, k.where_param(source),
           {k.name(), k.source_name(source), ticked(graph::name(sources[s].type)),
            ticked(graph::name(static_cast<graph::DType>(a.type)))});
    if (a.rank != sources[s].rank)
      fail(Diag::argument_rank, k.where_param(source),
           {k.name(), k.source_name(source), std::to_string(sources[s].rank), std::to_string(a.rank),
            shape_text({a.dims, a.rank})});
  }
}

void check_sizes(const TracedKernel& k, std::span<const Argument> arguments) {
  for (std::size_t s = 0; s < arguments.size(); ++s)
    for (int d = 0; d < arguments[s].rank; ++d)
      if (arguments[s].dims[d] < 0)
        fail(Diag::negative_extent, k.where_param(static_cast<int>(s)),
             {k.name(), k.source_name(static_cast<int>(s)), shape_text({arguments[s].dims, arguments[s].rank})});
  for (const Check& c : k.graph.checks) {
    const int64_t a = value_of(k, c.a, arguments, c.loc);
    const int64_t b = c.b ? value_of(k, c.b, arguments, c.loc) : 0;
    if (!graph::holds(c.kind, a, b)) report(k, c, a, b, arguments);
  }
}

int64_t value_of(const TracedKernel& k, graph::Ex e, std::span<const Argument> arguments, graph::Loc loc) {
  const std::optional<int64_t> value = evaluate(k.graph.pool, e, arguments);
  if (!value) fail(Diag::size_overflow, k.where(loc), {k.name(), k.text(e), arguments_text(k, arguments)});
  return *value;
}

int64_t count_programs(const TracedKernel& k, std::span<const Argument> arguments) {
  std::vector<int64_t> grid;
  for (graph::Ex e : k.graph.grid) grid.push_back(value_of(k, e, arguments));
  int64_t programs = 1;
  bool wide = false;
  for (int64_t n : grid) wide |= __builtin_mul_overflow(programs, std::max<int64_t>(n, 0), &programs);
  if (std::any_of(grid.begin(), grid.end(), [](int64_t n) { return n <= 0; })) return 0;
  if (wide) fail(Diag::too_many_programs, {}, {k.name(), shape_text(grid), arguments_text(k, arguments)});
  return programs;
}

}  // namespace tine::launch
