// From statements to SSA. Three steps: build (variables become values; loops carry what their bodies assign), liveness
// (what no store needs goes, carried values too), order. The order is the point: C++ evaluates operands in an order of
// its compiler's choice, so the recorded order of what has no effect means nothing. Stores and what contains stores
// keep their order and cut a region into gaps; a load stays in the gap where it was recorded; all else goes into the
// first gap that needs it, and within a gap everything is placed by a walk over operands.
#include <algorithm>
#include <climits>

#include "dsl/core/tracer.hpp"

namespace tine::core {
namespace {

bool is_structure(Op op) { return op == Op::for_ || op == Op::if_ || op == Op::while_; }
bool is_detached(Op op) { return op == Op::literal || op == Op::size; }  // in no region's list
bool is_input(Op op) { return op == Op::loop_var || op == Op::iter_arg; }
std::size_t fixed_args(Op op) { return op == Op::for_ ? 3 : op == Op::if_ ? 1 : 0; }
std::size_t fixed_yields(Op op) { return op == Op::while_ ? 1 : 0; }
std::size_t fixed_inputs(Op op) { return op == Op::for_ ? 1 : 0; }

class Builder {
 public:
  explicit Builder(Tracer& t) : t_(t), g_(t.graph), now_(t.statements.size(), -1) {}
  void run() {
    new_region(-1);
    while (at_ < t_.statements.size()) statement();
  }

 private:
  static constexpr int32_t out_of_scope = -2;
  Tracer& t_;
  graph::Graph& g_;
  std::vector<int32_t> now_;  // node that each variable holds
  std::size_t at_ = 0;
  int32_t region_ = 0;
  bool in_condition_ = false;

  int32_t new_region(int32_t owner) {
    g_.regions.push_back({owner, {}, {}, {}});
    return int32_t(g_.regions.size()) - 1;
  }
  int32_t new_node(Op op, const Statement& s) {
    graph::Node n;
    n.op = op;
    n.type = s.type;
    n.shape = s.shape;
    n.attr = s.attr;
    n.attr2 = s.attr2;
    n.integer = s.integer;
    n.real = s.real;
    n.expr = s.expr;
    n.list = s.list;
    n.region = region_;
    n.loc = t_.place(s.loc);
    g_.nodes.push_back(std::move(n));
    return int32_t(g_.nodes.size()) - 1;
  }
  int32_t value(int32_t variable, Loc loc) {
    int32_t n = now_[variable];
    if (n == out_of_scope) t_.fail(Diagnostic::scope, {}, "", loc);
    return n;
  }
  void statement() {
    const Statement& s = t_.statements[at_];
    switch (s.kind) {
      case Statement::copy:
        now_[at_++] = value(s.args[0], s.loc);
        return;
      case Statement::assign:
        value(s.args[0], s.loc);
        if (in_condition_) t_.fail(Diagnostic::assign_in_condition, {}, "while_", s.loc);
        now_[s.args[0]] = value(s.args[1], s.loc);
        ++at_;
        return;
      case Statement::open:
        structure();
        return;
      default:
        break;
    }
    std::vector<int32_t> args;
    for (int32_t a : s.args) args.push_back(value(a, s.loc));
    int32_t n = new_node(s.op, s);
    g_.nodes[n].args = std::move(args);
    if (!is_detached(s.op)) g_.regions[region_].nodes.push_back(n);
    now_[at_++] = n;
  }
  // Variables from before the structure at `from` that it assigns, in the order of their first assignment.
  std::vector<int32_t> assigned(std::size_t from) const {
    std::vector<int32_t> v;
    int depth = 0;
    for (std::size_t k = from; k < t_.statements.size(); ++k) {
      const Statement& s = t_.statements[k];
      depth += s.kind == Statement::open;
      if (s.kind == Statement::close && --depth == 0) break;
      if (s.kind != Statement::assign || s.args[0] >= int32_t(from)) continue;
      if (std::find(v.begin(), v.end(), s.args[0]) == v.end()) v.push_back(s.args[0]);
    }
    return v;
  }
  void leave(std::size_t from) {  // what was made since then is out of scope
    for (std::size_t k = from; k < at_; ++k)
      if (!(t_.statements[k].kind == Statement::node && is_detached(t_.statements[k].op))) now_[k] = out_of_scope;
  }
  void structure() {
    std::size_t from = at_;
    const Statement& s = t_.statements[at_++];
    std::vector<int32_t> variables = assigned(from), before;
    std::vector<int32_t> args;
    for (int32_t a : s.args) args.push_back(value(a, s.loc));
    for (int32_t v : variables) before.push_back(value(v, s.loc));
    int32_t n = new_node(s.op, s), home = region_;
    g_.regions[home].nodes.push_back(n);
    if (s.op != Op::if_) args.insert(args.end(), before.begin(), before.end());
    g_.nodes[n].args = std::move(args);

    auto variable_node = [&](Op op, std::size_t k) {
      Statement x;
      x.type = t_.statements[variables[k]].type;
      x.shape = t_.statements[variables[k]].shape;
      x.attr = int64_t(k);
      x.loc = s.loc;
      int32_t id = new_node(op, x);
      g_.nodes[id].args = {n};
      return id;
    };
    auto enter = [&] {
      region_ = new_region(n);
      g_.nodes[n].regions.push_back(region_);
      if (s.op == Op::for_) {
        int32_t id = new_node(Op::loop_var, t_.statements[at_]);
        g_.nodes[id].args = {n};
        g_.regions[region_].inputs.push_back(id);
        now_[at_++] = id;
      }
      for (std::size_t k = 0; k < variables.size(); ++k) {
        if (s.op == Op::if_) {
          now_[variables[k]] = before[k];
          continue;
        }
        int32_t id = variable_node(Op::iter_arg, k);
        g_.regions[region_].inputs.push_back(id);
        now_[variables[k]] = id;
      }
    };
    auto yield = [&] {
      for (int32_t v : variables) g_.regions[region_].yields.push_back(now_[v]);
    };
    enter();
    bool outer_condition = in_condition_, second = false;
    in_condition_ = outer_condition || s.op == Op::while_;
    std::size_t part = at_;
    while (t_.statements[at_].kind != Statement::close) {
      const Statement& x = t_.statements[at_];
      if (x.kind == Statement::body) {
        g_.regions[region_].yields.push_back(value(x.args[0], x.loc));
        g_.nodes[n].split = int64_t(g_.regions[region_].nodes.size());
        in_condition_ = outer_condition;
        ++at_;
      } else if (x.kind == Statement::otherwise) {
        yield();
        leave(part);
        part = ++at_;
        enter();
        second = true;
      } else {
        statement();
      }
    }
    in_condition_ = outer_condition;
    yield();
    leave(from + 1);
    ++at_;
    if (s.op == Op::if_ && !second) {
      enter();
      yield();
    }
    region_ = home;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      int32_t id = variable_node(Op::result, k);
      g_.nodes[n].results.push_back(id);
      now_[variables[k]] = id;
    }
  }
};

class Liveness {
 public:
  explicit Liveness(graph::Graph& g) : live(g.nodes.size(), 0), g_(g), carried_(g.nodes.size()) {}
  std::vector<char> live;
  void run() {
    for (std::size_t n = 0; n < g_.nodes.size(); ++n)
      if (g_.nodes[n].op == Op::store) mark(int32_t(n));
    for (std::size_t n = 0; n < g_.nodes.size(); ++n)
      if (live[n] && is_structure(g_.nodes[n].op)) drop_dead(int32_t(n));
  }

 private:
  graph::Graph& g_;
  std::vector<std::vector<char>> carried_;  // of structures: which carried values are needed

  void mark(int32_t n) {
    if (live[n]) return;
    live[n] = 1;
    const graph::Node& x = g_.nodes[n];
    if (is_detached(x.op)) return;
    if (x.op == Op::result || x.op == Op::iter_arg) {
      mark(x.args[0]);
      carry(x.args[0], std::size_t(x.attr));
      return;
    }
    std::size_t count = is_structure(x.op) ? fixed_args(x.op) : x.args.size();
    for (std::size_t k = 0; k < count; ++k) mark(g_.nodes[n].args[k]);
    if (x.op == Op::while_) mark(g_.regions[x.regions[0]].yields[0]);
    if (x.region != 0) mark(g_.regions[x.region].owner);
  }
  void carry(int32_t n, std::size_t k) {
    const graph::Node& x = g_.nodes[n];
    carried_[n].resize(x.results.size());
    if (carried_[n][k]) return;
    carried_[n][k] = 1;
    live[x.results[k]] = 1;
    if (x.op != Op::if_) {
      live[g_.regions[x.regions[0]].inputs[fixed_inputs(x.op) + k]] = 1;
      mark(x.args[fixed_args(x.op) + k]);
    }
    for (int32_t r : x.regions) mark(g_.regions[r].yields[fixed_yields(x.op) + k]);
  }
  void drop_dead(int32_t n) {
    graph::Node& x = g_.nodes[n];
    std::vector<char>& needed = carried_[n];
    needed.resize(x.results.size());
    auto keep = [&](std::vector<int32_t>& v, std::size_t fixed) {
      std::size_t m = fixed;
      for (std::size_t k = fixed; k < v.size(); ++k)
        if (needed[k - fixed]) v[m++] = v[k];
      v.resize(m);
    };
    if (x.op != Op::if_) keep(x.args, fixed_args(x.op));
    keep(x.results, 0);
    for (std::size_t k = 0; k < x.results.size(); ++k) g_.nodes[x.results[k]].attr = int64_t(k);
    for (int32_t q : x.regions) {
      graph::Region& r = g_.regions[q];
      if (x.op != Op::if_) keep(r.inputs, fixed_inputs(x.op));
      keep(r.yields, fixed_yields(x.op));
      for (std::size_t k = fixed_inputs(x.op); k < r.inputs.size(); ++k)
        g_.nodes[r.inputs[k]].attr = int64_t(k - fixed_inputs(x.op));
    }
  }
};

class Placer {
 public:
  Placer(graph::Graph& g, const std::vector<char>& live)
      : g_(g),
        live_(live),
        captures_(g.nodes.size()),
        stores_(g.nodes.size(), 0),
        loads_(g.nodes.size(), 0),
        gap_(g.nodes.size(), INT_MAX),
        placed_(g.nodes.size(), 0) {}
  void run() { order(0); }

 private:
  graph::Graph& g_;
  const std::vector<char>& live_;
  std::vector<std::vector<int32_t>> captures_;  // of structures: nodes from outside that they use
  std::vector<char> stores_, loads_;            // whether a node stores or loads, inside it too
  std::vector<int> gap_;
  std::vector<char> placed_;

  // The node of region r that must stand before a use of n; -1 if there is none.
  int32_t home(int32_t n, int32_t r) const {
    const graph::Node& x = g_.nodes[n];
    if (is_detached(x.op) || is_input(x.op) || x.region != r) return -1;
    return x.op == Op::result ? x.args[0] : n;
  }
  template <class F>
  void dependencies(int32_t n, int32_t r, F&& f) const {
    for (int32_t a : g_.nodes[n].args)
      if (int32_t h = home(a, r); h >= 0) f(h);
    for (int32_t a : captures_[n])
      if (int32_t h = home(a, r); h >= 0) f(h);
  }
  void capture(int32_t structure, int32_t inner_region, int32_t n) {
    const graph::Node& x = g_.nodes[n];
    if (is_detached(x.op) || x.region == inner_region) return;
    auto& c = captures_[structure];
    if (std::find(c.begin(), c.end(), n) == c.end()) c.push_back(n);
  }
  void order(int32_t r) {
    std::vector<int32_t> nodes;
    for (int32_t n : g_.regions[r].nodes)
      if (live_[n]) nodes.push_back(n);
    int32_t owner = g_.regions[r].owner;
    bool is_while = owner >= 0 && g_.nodes[owner].op == Op::while_;
    int64_t split = is_while ? g_.nodes[owner].split : -1;

    for (int32_t n : nodes) {
      stores_[n] = g_.nodes[n].op == Op::store;
      loads_[n] = g_.nodes[n].op == Op::load;
      std::vector<int32_t> inner = g_.nodes[n].regions;
      for (int32_t q : inner) {
        order(q);
        for (int32_t m : g_.regions[q].nodes) {
          stores_[n] |= stores_[m];
          loads_[n] |= loads_[m];
          for (int32_t a : g_.nodes[m].args) capture(n, q, a);
          std::vector<int32_t> deeper = captures_[m];
          for (int32_t a : deeper) capture(n, q, a);
        }
        for (int32_t y : g_.regions[q].yields) capture(n, q, y);
      }
    }
    // Anchors cut the region into gaps; -1 is the end of a while_'s condition.
    std::vector<int32_t> anchors;
    bool past_split = !is_while;
    int split_anchor = -1;
    auto pass_split = [&] {
      split_anchor = int(anchors.size());
      anchors.push_back(-1);
      past_split = true;
    };
    int64_t position = 0;
    for (int32_t n : g_.regions[r].nodes) {
      if (!past_split && position++ == split) pass_split();
      if (!live_[n]) continue;
      if (stores_[n]) {
        gap_[n] = int(anchors.size());
        anchors.push_back(n);
      } else if (loads_[n]) {
        gap_[n] = int(anchors.size());
      }
    }
    if (!past_split) pass_split();
    const std::vector<int32_t>& yields = g_.regions[r].yields;
    for (std::size_t k = 0; k < yields.size(); ++k) {
      int32_t h = home(yields[k], r);
      if (h >= 0) gap_[h] = std::min(gap_[h], is_while && k == 0 ? split_anchor : int(anchors.size()));
    }
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
      dependencies(*it, r, [&](int32_t d) {
        if (!stores_[d]) gap_[d] = std::min(gap_[d], gap_[*it]);
      });

    std::vector<std::vector<int32_t>> gaps(anchors.size() + 1);
    auto place = [&](auto& self, int32_t n) -> void {
      if (placed_[n] || stores_[n]) return;
      placed_[n] = 1;
      dependencies(n, r, [&](int32_t d) { self(self, d); });
      gaps[std::size_t(gap_[n])].push_back(n);
    };
    for (int32_t a : anchors) {
      if (a >= 0)
        dependencies(a, r, [&](int32_t d) { place(place, d); });
      else if (int32_t h = home(yields[0], r); h >= 0)
        place(place, h);
    }
    for (int32_t y : yields)
      if (int32_t h = home(y, r); h >= 0) place(place, h);

    std::vector<int32_t> sequence;
    for (std::size_t k = 0; k <= anchors.size(); ++k) {
      sequence.insert(sequence.end(), gaps[k].begin(), gaps[k].end());
      if (k == anchors.size()) break;
      if (anchors[k] >= 0)
        sequence.push_back(anchors[k]);
      else
        g_.nodes[owner].split = int64_t(sequence.size());
    }
    g_.regions[r].nodes = std::move(sequence);
  }
};

}  // namespace

void resolve(Tracer& t) {
  Builder(t).run();
  Liveness liveness(t.graph);
  liveness.run();
  Placer(t.graph, liveness.live).run();
}

}  // namespace tine::core
