// The reader trusts no byte: what it returns is a graph in which every number is in range and every operation in its place.
#include <stdexcept>

#include "dsl/graph/bytes.hpp"
#include "dsl/graph/graph.hpp"
#include "dsl/graph/serial_form.hpp"

namespace tine::graph {
namespace {

constexpr int max_depth = 256;    // of an expression; ours stay below 30
constexpr double max_tree = 1e6;  // nodes of an expression written as a tree: bounds the work of walking it

class GraphReader {
 public:
  explicit GraphReader(std::span<const std::byte> in) : r_(in) {}

  Graph run() {
    for (char c : serial_mark)
      if (r_.byte() != uint8_t(c)) Reader::bad("it does not begin with the mark of one");
    if (r_.unsigned_() != format_version) Reader::bad("another version of the format");
    identity_ = r_.flag();
    if (!identity_) {
      g_.kernel = r_.text();
      g_.files.resize(r_.count());
      for (auto& f : g_.files) f = r_.text();
    }
    g_.sources.resize(r_.count());
    for (auto& s : g_.sources) {
      s.name = r_.text();
      s.type = r_.enumerator(DType::f64);
      s.rank = rank();
      s.stored = r_.flag();
      s.loaded = r_.flag();
    }
    g_.metas.resize(r_.count());
    for (auto& m : g_.metas) {
      m.name = r_.text();
      m.value = r_.integer();
      m.candidates.resize(r_.count());
      for (auto& c : m.candidates) c = r_.integer();
    }
    g_.grid = shape();
    sizes_only(g_.grid);
    std::size_t params = r_.count();
    for (std::size_t i = 0; i < params; ++i) param();
    g_.checks.resize(r_.count());
    for (auto& c : g_.checks) {
      c.kind = r_.enumerator(Check::positive);
      c.a = size_ex();
      c.b = size_ex();
      c.what = r_.text();
      c.source = r_.small();
      c.dim = r_.small();
      if (c.source < -1 || c.source >= int(g_.sources.size())) Reader::bad("a check of no source");
      c.loc = loc();
    }
    if (r_.flag()) region(-1, 0);
    if (!r_.at_end()) Reader::bad("something follows it");
    check_symbols();
    return std::move(g_);
  }

 private:
  Reader r_;
  Graph g_;
  bool identity_ = false;
  std::vector<Ex> ex_;
  std::vector<double> tree_;
  std::vector<char> visible_;  // of nodes: not in a region that has been left

  int rank() {
    int32_t v = r_.small();
    if (v < 0 || v > 64) Reader::bad("a rank out of range");
    return v;
  }
  Loc loc() {
    if (identity_) return {};
    Loc l{r_.small(), r_.small()};
    if (l.file < -1 || l.file >= int(g_.files.size())) Reader::bad("a location in no file");
    return l;
  }
  Ex ex(int depth = 0, double* weight = nullptr) {
    uint64_t tag = r_.unsigned_();
    if (tag == 0) return {};
    if (tag > 1) {
      if (tag - 2 >= ex_.size()) Reader::bad("an expression refers to none");
      if (weight) *weight += tree_[tag - 2];
      return ex_[tag - 2];
    }
    if (depth > max_depth) Reader::bad("an expression is nested too deeply");
    double w = 1;
    Pool& p = g_.pool;
    auto operand = [&] {
      Ex e = ex(depth + 1, &w);
      if (!e) Reader::bad("an expression lacks an operand");
      return e;
    };
    auto atom = [&] {
      Ex e = operand();
      if (p.is_num(e) || p.kind(e) == ExKind::sum) Reader::bad("a product of no atoms");
      return e;
    };
    ExKind k = r_.enumerator(ExKind::max);
    Ex e;
    switch (k) {
      case ExKind::num:
        e = p.num(r_.integer());
        break;
      case ExKind::sym: {
        Sym s = r_.enumerator(Sym::var);
        int32_t a = r_.small(), b = r_.small();
        Ex extent = ex(depth + 1, &w);
        if (extent && p.has_var(extent)) Reader::bad("an extent with a variable");
        if ((s == Sym::var) != bool(extent)) Reader::bad("only variables have an extent, and always");
        e = p.sym(s, a, b, extent);
        if (!(p.extent(e) == extent)) Reader::bad("a variable of two extents");
        break;
      }
      case ExKind::sum: {
        std::size_t n = r_.count();
        e = p.num(r_.integer());
        for (std::size_t i = 0; i < n; ++i) {
          int64_t c = r_.integer();
          e = p.add(e, p.scale(operand(), c));
        }
        break;
      }
      case ExKind::prod: {
        std::size_t n = r_.count();
        if (n < 2 || n > 64) Reader::bad("a product of too few or too many factors");
        e = atom();
        for (std::size_t i = 1; i < n; ++i) e = p.mul(e, atom());
        break;
      }
      default: {
        Ex a = operand(), b = operand();
        if (k == ExKind::div)
          e = p.div(a, b);
        else if (k == ExKind::mod)
          e = p.mod(a, b);
        else if (p.has_var(a) || p.has_var(b))
          Reader::bad("min or max of a variable");
        else
          e = k == ExKind::min ? p.min(a, b) : p.max(a, b);
      }
    }
    if (w > max_tree || p.size() > 1u << 20 || p.depth(e) > max_depth) Reader::bad("an expression is too large");
    ex_.push_back(e);
    tree_.push_back(w);
    if (weight) *weight += w;
    return e;
  }
  Ex need() {
    Ex e = ex();
    if (!e) Reader::bad("an expression is missing");
    return e;
  }
  Ex size_ex() {
    Ex e = need();
    if (g_.pool.has_var(e)) Reader::bad("a variable where a size is expected");
    return e;
  }
  Shape shape() {
    std::size_t n = r_.count();
    if (n > 64) Reader::bad("a rank out of range");
    Shape s(n);
    for (auto& e : s) e = need();
    return s;
  }
  void sizes_only(const Shape& s) {
    for (Ex e : s)
      if (g_.pool.has_var(e)) Reader::bad("a variable where a size is expected");
  }
  void param() {
    Param p;
    p.source = r_.small();
    if (p.source < 0 || p.source >= int(g_.sources.size())) Reader::bad("a parameter of no source");
    std::size_t levels = r_.count();
    if (levels < 1 || levels > 16) Reader::bad("a parameter of too few or too many levels");
    for (std::size_t i = 0; i < levels; ++i) {
      p.levels.push_back(shape());
      sizes_only(p.levels.back());
    }
    p.coords = shape();
    if (int(p.coords.size()) != g_.sources[p.source].rank) Reader::bad("coordinates that do not fit the source");
    p.bounds.resize(r_.count());
    for (auto& b : p.bounds) {
      b.index = need();
      b.size = size_ex();
      b.low = r_.flag();
      b.loc = loc();
    }
    p.other = r_.real();
    p.loc = loc();
    g_.params.push_back(std::move(p));
  }
  int32_t head(int32_t region, bool free_standing) {
    Node n;
    n.op = r_.enumerator(Op::result);
    n.type = r_.enumerator(DType::f64);
    n.shape = shape();
    sizes_only(n.shape);
    n.attr = n.op == Op::foreign ? foreign() : r_.integer();
    n.attr2 = r_.integer();
    n.integer = r_.integer();
    n.real = r_.real();
    n.expr = ex();
    if (n.expr && g_.pool.has_var(n.expr)) Reader::bad("a variable where a size is expected");
    if (n.op == Op::size && !n.expr) Reader::bad("a size without expression");
    n.list.resize(r_.count());
    for (auto& v : n.list) v = r_.integer();
    n.split = r_.integer();
    n.loc = loc();
    n.region = region;
    if (free_standing != (n.op == Op::literal || n.op == Op::size)) Reader::bad("an operation in the wrong place");
    g_.nodes.push_back(std::move(n));
    visible_.push_back(1);
    return int32_t(g_.nodes.size()) - 1;
  }
  int64_t foreign() {
    uint64_t tag = r_.unsigned_();
    if (tag > g_.foreign.size()) Reader::bad("a function that is not there");
    if (tag) return int64_t(tag) - 1;
    Foreign f;
    f.name = r_.text();
    f.source = r_.text();
    f.parameters.resize(r_.count());
    for (DType& t : f.parameters) t = r_.enumerator(DType::f64);
    f.result = r_.enumerator(DType::f64);
    f.loc = loc();
    g_.foreign.push_back(std::move(f));
    return int64_t(g_.foreign.size()) - 1;
  }
  int32_t use(int32_t region) {
    uint64_t tag = r_.unsigned_();
    if (tag == 0) return head(region, true);
    if (tag - 1 >= g_.nodes.size() || !visible_[tag - 1]) Reader::bad("an operand that is not there");
    return int32_t(tag - 1);
  }
  static int operands(Op op) {  // -1: any
    if (op >= Op::add && op <= Op::copysign) return 2;
    if (op >= Op::neg && op <= Op::trunc) return 1;
    if (op >= Op::fma && op <= Op::clamp) return 3;
    if (op >= Op::sum && op <= Op::argmin) return 1;
    switch (op) {
      case Op::full:
      case Op::cast:
      case Op::broadcast:
      case Op::unsqueeze:
      case Op::permute:
      case Op::reshape:
        return 1;
      case Op::arange:
      case Op::program_index:
        return 0;
      case Op::dot:
        return 2;
      default:
        return -1;
    }
  }
  void check_node(const Node& n) {
    int want = operands(n.op);
    if (want >= 0 && int(n.args.size()) != want) Reader::bad("an operation with too few or too many operands");
    auto tensor = [&](std::size_t lead) {
      if (n.attr < 0 || n.attr >= int64_t(g_.params.size())) Reader::bad("access to no parameter");
      const Param& p = g_.params[std::size_t(n.attr)];
      std::size_t middle = 0;
      for (std::size_t i = 1; i + 1 < p.levels.size(); ++i) middle += p.levels[i].size();
      if (n.args.size() != lead + middle) Reader::bad("access with too few or too many indices");
    };
    std::size_t rank = n.args.empty() ? 0 : g_.nodes[n.args[0]].shape.size();
    switch (n.op) {
      case Op::load:
      case Op::valid:
        tensor(0);
        break;
      case Op::offsets:
        tensor(0);
        if (n.attr2 < -1 || n.attr2 >= int64_t(g_.params[std::size_t(n.attr)].coords.size()))
          Reader::bad("offsets along no dim");
        break;
      case Op::store:
        tensor(1);
        break;
      case Op::program_index:
        if (n.attr < 0 || n.attr >= int64_t(g_.grid.size())) Reader::bad("a program index along no dim");
        break;
      case Op::unsqueeze:
        if (n.attr < 0 || n.attr > int64_t(rank) || n.shape.size() != rank + 1) Reader::bad("a new dim in no place");
        break;
      case Op::permute: {
        std::vector<char> seen(rank);
        if (n.list.size() != rank || n.shape.size() != rank) Reader::bad("not a permutation");
        for (int64_t d : n.list) {
          if (d < 0 || d >= int64_t(rank) || seen[std::size_t(d)]) Reader::bad("not a permutation");
          seen[std::size_t(d)] = 1;
        }
        break;
      }
      case Op::dot:
        if (rank < 2 || g_.nodes[n.args[1]].shape.size() != rank || n.shape.size() != rank)
          Reader::bad("a dot of wrong ranks");
        break;
      case Op::foreign: {
        const Foreign& f = g_.foreign[std::size_t(n.attr)];
        bool same = n.type == f.result && n.args.size() == f.parameters.size();
        for (std::size_t i = 0; same && i < n.args.size(); ++i) same = g_.nodes[n.args[i]].type == f.parameters[i];
        if (!same) Reader::bad("a call that does not fit its function");
        break;
      }
      default:
        if (n.op < Op::sum || n.op > Op::argmin) break;
        for (std::size_t i = 0; i < n.list.size(); ++i)
          if (n.list[i] < 0 || n.list[i] >= int64_t(rank) || (i && n.list[i] <= n.list[i - 1]))
            Reader::bad("a reduction over no axis");
        if (n.shape.size() + n.list.size() != rank) Reader::bad("a reduction of wrong rank");
    }
  }
  int32_t region(int32_t owner, int depth) {
    if (depth > 64) Reader::bad("regions are nested too deeply");
    int32_t id = int32_t(g_.regions.size());
    std::size_t first = g_.nodes.size();
    g_.regions.push_back({owner, {}, {}, {}});
    std::size_t inputs = r_.count();
    for (std::size_t i = 0; i < inputs; ++i) {
      int32_t n = head(id, false);
      Node& x = g_.nodes[n];
      if (x.op != Op::loop_var && x.op != Op::iter_arg) Reader::bad("an operation in the wrong place");
      if (owner < 0) Reader::bad("the application has inputs");
      x.args = {owner};
      g_.regions[id].inputs.push_back(n);
    }
    std::size_t nodes = r_.count();
    for (std::size_t i = 0; i < nodes; ++i) {
      std::vector<int32_t> args(r_.count());
      for (auto& a : args) a = use(id);
      int32_t n = head(id, false);
      if (g_.nodes[n].op >= Op::loop_var) Reader::bad("an operation in the wrong place");
      g_.nodes[n].args = std::move(args);
      g_.regions[id].nodes.push_back(n);
      if (is_structure(g_.nodes[n].op))
        structure(n, id, depth);
      else
        check_node(g_.nodes[n]);
    }
    std::size_t yields = r_.count();
    for (std::size_t i = 0; i < yields; ++i) {
      int32_t n = use(id);
      g_.regions[id].yields.push_back(n);
    }
    // Literals and sizes stay usable: they belong to no place. All else is visible in its region only.
    for (std::size_t n = first; n < g_.nodes.size(); ++n)
      if (g_.nodes[n].op != Op::literal && g_.nodes[n].op != Op::size) visible_[n] = 0;
    return id;
  }
  void structure(int32_t n, int32_t home, int depth) {
    visible_[n] = 0;
    Op op = g_.nodes[n].op;
    std::size_t regions = r_.count();
    if (regions != (op == Op::if_ ? 2u : 1u)) Reader::bad("a loop or branch with too few or too many regions");
    for (std::size_t i = 0; i < regions; ++i) {
      int32_t r = region(n, depth + 1);
      g_.nodes[n].regions.push_back(r);
    }
    std::size_t results = r_.count(), fixed = op == Op::for_ ? 3 : op == Op::if_ ? 1 : 0;
    for (std::size_t i = 0; i < results; ++i) {
      int32_t q = head(home, false);
      if (g_.nodes[q].op != Op::result || g_.nodes[q].attr != int64_t(i))
        Reader::bad("an operation in the wrong place");
      g_.nodes[q].args = {n};
      g_.nodes[n].results.push_back(q);
    }
    const Node& x = g_.nodes[n];
    if (x.args.size() != fixed + (op == Op::if_ ? 0 : results))
      Reader::bad("a loop that carries too few or too many values");
    for (int32_t q : x.regions) {
      const Region& r = g_.regions[q];
      std::size_t inputs = op == Op::if_ ? 0 : results + (op == Op::for_);
      if (r.yields.size() != results + (op == Op::while_))
        Reader::bad("a region that yields too few or too many values");
      if (r.inputs.size() != inputs) Reader::bad("a region with too few or too many inputs");
      for (std::size_t i = 0; i < inputs; ++i) {
        bool var = op == Op::for_ && i == 0;
        if ((g_.nodes[r.inputs[i]].op == Op::loop_var) != var) Reader::bad("an operation in the wrong place");
      }
      if (op == Op::while_ && (x.split < 0 || x.split > int64_t(r.nodes.size())))
        Reader::bad("a loop split in no place");
    }
  }
  void check_symbols() {
    const Pool& p = g_.pool;
    for (int32_t i = 0; i < int32_t(p.size()); ++i) {
      Ex e{i};
      if (p.kind(e) != ExKind::sym) continue;
      int64_t a = p.operand(e, 0), b = p.operand(e, 1);
      if (p.sym_kind(e) == Sym::var) {
        if (a < 0 || a >= int64_t(g_.params.size())) Reader::bad("a variable of no parameter");
        std::size_t axes = 0;
        for (auto& l : g_.params[std::size_t(a)].levels) axes += l.size();
        if (b < 0 || b >= int64_t(axes)) Reader::bad("a variable of no axis");
      } else {
        if (a < 0 || a >= int64_t(g_.sources.size())) Reader::bad("a size of no source");
        if (b < 0 || b >= g_.sources[std::size_t(a)].rank) Reader::bad("a size of no dim");
      }
    }
  }
};

}  // namespace

Graph deserialize(std::span<const std::byte> bytes) {
  try {
    return GraphReader(bytes).run();
  } catch (const std::length_error&) {
    Reader::bad("an expression is too large");
  }
}

}  // namespace tine::graph
