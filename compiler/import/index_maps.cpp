#include "compiler/import/index_maps.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace tine::compiler {
using graph::Ex;
using graph::ExKind;
using graph::Sym;

SymbolNumbers::SymbolNumbers(graph::Graph& graph, const graph::LaunchPlan& plan)
    : pool_(graph.pool), equal_(graph), count_(int(plan.symbols.size())) {
  for (int i = 0; i < count_; ++i) numbers_.push_back({plan.symbols[size_t(i)].id, i});
  // Expressions of one class share the first number.
  for (auto& [id, number] : numbers_)
    for (const auto& [other, first] : numbers_)
      if (same(Ex{other}, Ex{id})) {
        number = first;
        break;
      }
}
bool SymbolNumbers::same(Ex a, Ex b) const {
  llvm::SmallVector<std::pair<int32_t, int32_t>> open;
  return same(a, b, open);
}
bool SymbolNumbers::same(Ex a, Ex b, llvm::SmallVectorImpl<std::pair<int32_t, int32_t>>& open) const {
  a = equal_(a), b = equal_(b);
  if (a == b) return true;
  // A size may be required to be equal to what is computed from itself: such a question proves nothing about itself.
  if (llvm::is_contained(open, std::pair{a.id, b.id})) return false;
  int count = pool_.operand_count(a);
  if (pool_.kind(a) != pool_.kind(b) || pool_.kind(a) == ExKind::num || pool_.kind(a) == ExKind::sym || count != pool_.operand_count(b)) return false;
  open.push_back({a.id, b.id});
  for (int i = 0; i < count; ++i) {
    int64_t x = pool_.operand(a, i), y = pool_.operand(b, i);
    bool number = pool_.kind(a) == ExKind::sum && (i == 0 || i % 2 == 1);  // a constant, then factors and terms in turn
    if (number ? x == y : same(Ex{int32_t(x)}, Ex{int32_t(y)}, open)) continue;
    open.pop_back();
    return false;
  }
  open.pop_back();
  return true;
}
std::optional<int> SymbolNumbers::number_of(Ex e) const {
  if (pool_.is_num(equal_(e))) return {};
  for (auto [id, number] : numbers_)
    if (id == e.id) return number;
  for (auto [id, number] : numbers_)
    if (same(Ex{id}, e)) return number;
  return {};
}

std::vector<Ex> join_digits(graph::Pool& pool, const std::vector<Ex>& coords, const std::vector<Ex>& sizes) {
  std::vector<Ex> joined = coords;
  for (size_t last = coords.size(); last-- > 0;) {
    // Dims d .. last hold `x mod span`; the dim before joins if it is the next digit of x.
    Ex e = coords[last];
    if (pool.kind(e) != ExKind::mod || pool.operand(e, 1) != sizes[last].id) continue;
    Ex x{int32_t(pool.operand(e, 0))}, span = sizes[last];
    for (size_t d = last; d-- > 0;) {
      Ex digit = pool.div(x, span);
      bool top = coords[d] == digit;  // all that is left of x: it needs no `mod`
      if (!top && !(coords[d] == pool.mod(digit, sizes[d]))) break;
      if (top) {
        for (size_t k = d; k < last; ++k) joined[k] = pool.num(0);
        joined[last] = x;
        last = d;
        break;
      }
      span = pool.mul(span, sizes[d]);
    }
  }
  return joined;
}

namespace {
struct Converter {
  MLIRContext& context;
  graph::Graph& g;
  const SymbolNumbers& symbols;
  bool& valid;

  AffineExpr operator()(Ex e) {
    const graph::Pool& p = g.pool;
    if (p.is_num(e)) return getAffineConstantExpr(p.value(e), &context);
    if (!p.has_var(e)) {
      if (auto n = symbols.number_of(e)) return getAffineSymbolExpr(unsigned(*n), &context);
      if (p.is_num(symbols.representative(e))) return getAffineConstantExpr(p.value(symbols.representative(e)), &context);
      valid = false;
      return getAffineConstantExpr(0, &context);
    }
    auto sub = [&](int i) { return (*this)(Ex{int32_t(p.operand(e, i))}); };
    switch (p.kind(e)) {
      case ExKind::sym: return getAffineDimExpr(unsigned(p.operand(e, 1)), &context);
      case ExKind::sum: {
        AffineExpr r = getAffineConstantExpr(p.operand(e, 0), &context);
        for (int i = 1; i < p.operand_count(e); i += 2) r = r + sub(i + 1) * p.operand(e, i);
        return r;
      }
      case ExKind::prod: {
        // The factor with the index first: MLIR wants symbols on the right of a product.
        AffineExpr r;
        for (int i = 0; i < p.operand_count(e); ++i)
          if (p.has_var(Ex{int32_t(p.operand(e, i))})) r = r ? r * sub(i) : sub(i);
        for (int i = 0; i < p.operand_count(e); ++i)
          if (!p.has_var(Ex{int32_t(p.operand(e, i))})) r = r * sub(i);
        return r;
      }
      case ExKind::div: return sub(0).floorDiv(sub(1));
      case ExKind::mod: return sub(0) % sub(1);
      default: valid = false; return getAffineConstantExpr(0, &context);
    }
  }
};
}  // namespace

ParamMaps make_maps(MLIRContext& context, graph::Graph& g, const graph::Param& param, const SymbolNumbers& symbols) {
  ParamMaps m;
  Converter convert{context, g, symbols, m.valid};
  unsigned axes = 0;
  for (const graph::Shape& level : param.levels) axes += unsigned(level.size());
  auto map = [&](ArrayRef<AffineExpr> r) { return AffineMap::get(axes, unsigned(symbols.count()), r, &context); };
  SmallVector<AffineExpr> coords, bounds, limits, linear;
  for (Ex e : param.coords) coords.push_back(convert(e));
  for (const graph::Bound& b : param.bounds) {
    bounds.push_back(convert(b.index));
    limits.push_back(convert(b.size));
    m.low.push_back(b.low);
  }
  std::vector<Ex> sizes;
  for (int d = 0; d < g.sources[size_t(param.source)].rank; ++d) sizes.push_back(g.pool.sym(Sym::size, param.source, d));
  if (std::vector<Ex> joined = join_digits(g.pool, param.coords, sizes); joined != param.coords) {
    bool listed = true;
    Converter joined_expr{context, g, symbols, listed};
    for (Ex e : joined) linear.push_back(joined_expr(e));
    if (!listed) linear.clear();
  }
  m.coords = map(coords);
  m.bounds = map(bounds);
  m.limits = map(limits);
  m.linear = map(linear);
  return m;
}

}  // namespace tine::compiler
