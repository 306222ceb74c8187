#include "dsl/graph/launch_plan.hpp"

#include <algorithm>

namespace tine::graph {
namespace {

// Expressions that code may need as numbers of the call, in the order that the header states.
class Collector {
 public:
  Collector(const Graph& g, std::vector<Ex>& out) : g_(g), out_(out), seen_(g.pool.size()) {}
  void run() {
    for (Ex e : g_.grid) parts(e);
    for (auto& p : g_.params) {
      for (auto& l : p.levels)
        for (Ex e : l) parts(e);
      for (Ex e : p.coords) parts(e);
      for (auto& b : p.bounds) parts(b.index), parts(b.size);
    }
    if (!g_.regions.empty()) region(0);
  }

 private:
  const Graph& g_;
  std::vector<Ex>& out_;
  std::vector<char> seen_;

  void parts(Ex e) {  // the maximal subexpressions without variable
    const Pool& p = g_.pool;
    if (!e || seen_[e.id]) return;
    seen_[e.id] = 1;
    if (p.is_num(e)) return;
    if (!p.has_var(e)) return out_.push_back(e);
    if (p.kind(e) == ExKind::sym) return;
    bool sum = p.kind(e) == ExKind::sum;
    for (int i = sum ? 2 : 0; i < p.operand_count(e); i += sum ? 2 : 1) parts(Ex{int32_t(p.operand(e, i))});
  }
  void node(int32_t id) {
    const Node& n = g_.nodes[id];
    for (Ex e : n.shape) parts(e);
    parts(n.expr);
  }
  void use(int32_t id) {
    if (g_.nodes[id].op == Op::size) node(id);
  }
  void region(int32_t id) {
    const Region& r = g_.regions[id];
    for (int32_t n : r.inputs) node(n);
    for (int32_t n : r.nodes) {
      for (int32_t a : g_.nodes[n].args) use(a);
      node(n);
      for (int32_t q : g_.nodes[n].regions) region(q);
      for (int32_t q : g_.nodes[n].results) node(q);
    }
    for (int32_t y : r.yields) use(y);
  }
};

}  // namespace

int LaunchPlan::symbol_slot(Ex e) const {
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i] == e) return first_symbol + int(i);
  return -1;
}

LaunchPlan plan_launch(const Graph& g) {
  LaunchPlan plan;
  int slot = int(g.sources.size());
  for (auto& s : g.sources) {
    plan.first_stride.push_back(slot);
    slot += s.rank;
  }
  plan.first_symbol = slot;
  Collector(g, plan.symbols).run();
  plan.slots = slot + int(plan.symbols.size());
  return plan;
}

std::vector<int> tile_extents(const Graph& g, const LaunchPlan& plan) {
  Equalities equal(g);
  std::vector<int> found;
  auto extent = [&](Ex e) {
    Ex r = equal(e);
    if (g.pool.is_num(r)) return;
    for (std::size_t i = 0; i < plan.symbols.size(); ++i)
      if (equal(plan.symbols[i]) == r) return found.push_back(int(i));
  };
  for (auto& n : g.nodes)
    for (Ex e : n.shape) extent(e);
  for (auto& p : g.params)
    if (p.levels.size() > 1)
      for (Ex e : p.levels.back()) extent(e);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Union-find over the pairs that `Check::equal` joins; the representative is a number, else the first in the plan's order.
Equalities::Equalities(const Graph& g) {
  std::vector<int32_t> ids;
  std::vector<std::pair<int32_t, int32_t>> joins;
  for (auto& c : g.checks)
    if (c.kind == Check::equal) {
      joins.push_back({c.a.id, c.b.id});
      ids.insert(ids.end(), {c.a.id, c.b.id});
    }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  auto at = [&](int32_t id) { return std::size_t(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin()); };
  LaunchPlan plan = plan_launch(g);
  std::vector<std::size_t> parent(ids.size()), rank(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    parent[i] = i;
    Ex e{ids[i]};
    int slot = plan.symbol_slot(e);
    rank[i] = g.pool.is_num(e) ? 0 : slot >= 0 ? std::size_t(slot) + 1 : std::size_t(plan.slots) + 1 + i;
  }
  auto find = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (auto& [a, b] : joins) {
    std::size_t u = find(at(a)), v = find(at(b));
    if (u == v) continue;
    rank[u] <= rank[v] ? parent[v] = u : parent[u] = v;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) pairs_.push_back({ids[i], ids[find(i)]});
}

Ex Equalities::operator()(Ex e) const {
  auto it = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{e.id, INT32_MIN});
  return it != pairs_.end() && it->first == e.id ? Ex{it->second} : e;
}

}  // namespace tine::graph
