#include "dsl/graph/constant_sizes.hpp"

#include "dsl/graph/check.hpp"

namespace tine::graph {
namespace {

// Rewrites expressions of one pool into another.
class Rewriter {
 public:
  Rewriter(const Pool& from, Pool& to, const std::vector<ConstantSize>& sizes) : from_(from), to_(to), sizes_(sizes), known_(from.size()) {}

  Ex operator()(Ex e) {
    if (!e) return e;
    Ex& known = known_[e.id];
    if (!known) known = rewrite(e);
    return known;
  }
  void operator()(Shape& s) {
    for (Ex& e : s) e = (*this)(e);
  }

 private:
  Ex at(Ex e, int i) { return (*this)(Ex{int32_t(from_.operand(e, i))}); }

  Ex symbol(Ex e) {
    int a = int(from_.operand(e, 0)), b = int(from_.operand(e, 1));
    Sym kind = from_.sym_kind(e);
    if (kind == Sym::var) {
      Ex extent = (*this)(from_.extent(e));
      return extent && to_.is(extent, 1) ? to_.num(0) : to_.sym(kind, a, b, extent);
    }
    if (kind == Sym::size)
      for (auto& s : sizes_)
        if (s.source == a && s.dim == b) return to_.num(s.value);
    return to_.sym(kind, a, b);
  }

  Ex rewrite(Ex e) {
    int n = from_.operand_count(e);
    switch (from_.kind(e)) {
      case ExKind::num: return to_.num(from_.value(e));
      case ExKind::sym: return symbol(e);
      case ExKind::sum: {
        Ex total = to_.num(from_.operand(e, 0));
        for (int i = 1; i + 1 < n; i += 2) total = to_.add(total, to_.scale(at(e, i + 1), from_.operand(e, i)));
        return total;
      }
      case ExKind::prod: {
        Ex product = at(e, 0);
        for (int i = 1; i < n; ++i) product = to_.mul(product, at(e, i));
        return product;
      }
      case ExKind::div: return to_.div(at(e, 0), at(e, 1));
      case ExKind::mod: return to_.mod(at(e, 0), at(e, 1));
      case ExKind::min: return to_.min(at(e, 0), at(e, 1));
      case ExKind::max: return to_.max(at(e, 0), at(e, 1));
    }
    return {};
  }

  const Pool& from_;
  Pool& to_;
  const std::vector<ConstantSize>& sizes_;
  std::vector<Ex> known_;
};

}  // namespace

Graph with_sizes(const Graph& g, const std::vector<ConstantSize>& sizes, std::string& why) {
  why.clear();
  Graph out = g;
  out.pool = Pool();
  Rewriter rewrite(g.pool, out.pool, sizes);
  rewrite(out.grid);
  for (Param& p : out.params) {
    for (Shape& level : p.levels) rewrite(level);
    rewrite(p.coords);
    std::vector<Bound> bounds;
    for (Bound b : p.bounds) {
      b.index = rewrite(b.index);
      b.size = rewrite(b.size);
      if (b.low && out.pool.nonneg(b.index)) b.low = false;
      if (b.low || !out.pool.less(b.index, b.size)) bounds.push_back(b);
    }
    p.bounds = std::move(bounds);
  }
  for (Node& n : out.nodes) {
    rewrite(n.shape);
    n.expr = rewrite(n.expr);
  }
  std::vector<Check> checks;
  for (Check c : out.checks) {
    c.a = rewrite(c.a);
    c.b = rewrite(c.b);
    bool constant = out.pool.is_num(c.a) && (!c.b || out.pool.is_num(c.b));
    if (!constant) checks.push_back(std::move(c));
    else if (!holds(c.kind, out.pool.value(c.a), c.b ? out.pool.value(c.b) : 0) && why.empty()) why = c.what;
  }
  out.checks = std::move(checks);
  return out;
}

}  // namespace tine::graph
