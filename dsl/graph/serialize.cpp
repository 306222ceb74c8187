// One writer makes both forms: `serialize` writes everything, `canonical_bytes` leaves out what does not identify the
// graph. Expressions are written by structure, each once, later as a reference to that; nodes are numbered in the order
// in which a walk over the regions meets them. So neither pool ids nor positions in `Graph::nodes` show.
#include "dsl/graph/bytes.hpp"
#include "dsl/graph/graph.hpp"
#include "dsl/graph/serial_form.hpp"

namespace tine::graph {
namespace {

class GraphWriter {
 public:
  GraphWriter(const Graph& g, bool identity)
      : g_(g), identity_(identity), ex_(g.pool.size(), 0), number_(g.nodes.size(), -1), foreign_(g.foreign.size(), 0) {}

  std::vector<std::byte> run() {
    for (char c : serial_mark) w_.byte(uint8_t(c));
    w_.unsigned_(format_version);
    w_.byte(identity_ ? 1 : 0);
    if (!identity_) {
      w_.text(g_.kernel);
      w_.unsigned_(g_.files.size());
      for (auto& f : g_.files) w_.text(f);
    }
    w_.unsigned_(g_.sources.size());
    for (auto& s : g_.sources) {
      w_.text(s.name);
      w_.byte(uint8_t(s.type));
      w_.integer(s.rank);
      w_.byte(s.stored);
      w_.byte(s.loaded);
    }
    w_.unsigned_(g_.metas.size());
    for (auto& m : g_.metas) {
      w_.text(m.name);
      w_.integer(m.value);
      w_.unsigned_(m.candidates.size());
      for (int64_t c : m.candidates) w_.integer(c);
    }
    shape(g_.grid);
    w_.unsigned_(g_.params.size());
    for (auto& p : g_.params) {
      w_.integer(p.source);
      w_.unsigned_(p.levels.size());
      for (auto& l : p.levels) shape(l);
      shape(p.coords);
      w_.unsigned_(p.bounds.size());
      for (auto& b : p.bounds) {
        ex(b.index);
        ex(b.size);
        w_.byte(b.low);
        loc(b.loc);
      }
      w_.real(p.other);
      loc(p.loc);
    }
    w_.unsigned_(g_.checks.size());
    for (auto& c : g_.checks) {
      w_.byte(c.kind);
      ex(c.a);
      ex(c.b);
      w_.text(c.what);
      w_.integer(c.source);
      w_.integer(c.dim);
      loc(c.loc);
    }
    if (g_.regions.empty()) {
      w_.byte(0);
    } else {
      w_.byte(1);
      region(0);
    }
    return std::move(w_.out);
  }

 private:
  const Graph& g_;
  bool identity_;
  Writer w_;
  std::vector<uint64_t> ex_;  // number of each expression written, plus 1
  uint64_t ex_count_ = 0;
  std::vector<int32_t> number_;  // of nodes
  int32_t node_count_ = 0;
  std::vector<uint64_t> foreign_;  // number of each function written, plus 1
  uint64_t foreign_count_ = 0;

  void loc(Loc l) {
    if (identity_) return;
    w_.integer(l.file);
    w_.integer(l.line);
  }
  // 0: none; 1: a new one follows; 2 + n: the nth written.
  void ex(Ex e) {
    if (!e) return w_.unsigned_(0);
    if (ex_[e.id]) return w_.unsigned_(1 + ex_[e.id]);
    const Pool& p = g_.pool;
    ExKind k = p.kind(e);
    w_.unsigned_(1);
    w_.byte(uint8_t(k));
    auto operand = [&](int i) { ex(Ex{int32_t(p.operand(e, i))}); };
    switch (k) {
      case ExKind::num:
        w_.integer(p.value(e));
        break;
      case ExKind::sym:
        w_.byte(uint8_t(p.sym_kind(e)));
        w_.integer(p.operand(e, 0));
        w_.integer(p.operand(e, 1));
        ex(p.extent(e));
        break;
      case ExKind::sum:
        w_.unsigned_(uint64_t(p.operand_count(e)) / 2);
        w_.integer(p.operand(e, 0));
        for (int i = 1; i < p.operand_count(e); i += 2) {
          w_.integer(p.operand(e, i));
          operand(i + 1);
        }
        break;
      case ExKind::prod:
        w_.unsigned_(uint64_t(p.operand_count(e)));
        for (int i = 0; i < p.operand_count(e); ++i) operand(i);
        break;
      default:
        operand(0);
        operand(1);
    }
    ex_[e.id] = ++ex_count_;
  }
  void shape(const Shape& s) {
    w_.unsigned_(s.size());
    for (Ex e : s) ex(e);
  }
  void define(int32_t n) { number_[n] = node_count_++; }
  // 0: a literal or size met for the first time follows; 1 + n: node n.
  void use(int32_t n) {
    if (number_[n] >= 0) return w_.unsigned_(1 + uint64_t(number_[n]));
    w_.unsigned_(0);
    define(n);
    head(n);
  }
  void head(int32_t id) {
    const Node& n = g_.nodes[id];
    w_.byte(uint8_t(n.op));
    w_.byte(uint8_t(n.type));
    shape(n.shape);
    if (n.op == Op::foreign)
      foreign(std::size_t(n.attr));
    else
      w_.integer(n.attr);
    w_.integer(n.attr2);
    w_.integer(n.integer);
    w_.real(n.real);
    ex(n.expr);
    w_.unsigned_(n.list.size());
    for (int64_t v : n.list) w_.integer(v);
    w_.integer(n.split);
    loc(n.loc);
  }
  // In the order in which the walk meets them, like nodes. 0: a new one follows; 1 + n: the nth written.
  void foreign(std::size_t i) {
    w_.unsigned_(foreign_[i]);
    if (foreign_[i]) return;
    foreign_[i] = ++foreign_count_;
    const Foreign& f = g_.foreign[i];
    w_.text(f.name);
    w_.text(f.source);
    w_.unsigned_(f.parameters.size());
    for (DType t : f.parameters) w_.byte(uint8_t(t));
    w_.byte(uint8_t(f.result));
    loc(f.loc);
  }
  void region(int32_t id) {
    const Region& r = g_.regions[id];
    w_.unsigned_(r.inputs.size());
    for (int32_t n : r.inputs) {
      define(n);
      head(n);
    }
    w_.unsigned_(r.nodes.size());
    for (int32_t n : r.nodes) {
      const Node& x = g_.nodes[n];
      w_.unsigned_(x.args.size());
      for (int32_t a : x.args) use(a);
      define(n);
      head(n);
      if (!is_structure(x.op)) continue;
      w_.unsigned_(x.regions.size());
      for (int32_t q : x.regions) region(q);
      w_.unsigned_(x.results.size());
      for (int32_t q : x.results) {
        define(q);
        head(q);
      }
    }
    w_.unsigned_(r.yields.size());
    for (int32_t n : r.yields) use(n);
  }
};

}  // namespace

std::vector<std::byte> canonical_bytes(const Graph& g) { return GraphWriter(g, true).run(); }
std::vector<std::byte> serialize(const Graph& g) { return GraphWriter(g, false).run(); }

}  // namespace tine::graph
