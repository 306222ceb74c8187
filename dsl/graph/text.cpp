#include <cmath>
#include <cstdio>
#include <cstring>

#include "dsl/graph/graph.hpp"

namespace tine::graph {
namespace {

class Printer {
 public:
  Printer(const Graph& g, bool locations) : g_(g), locations_(locations), number_(g.nodes.size(), -1) {}

  std::string run() {
    out_ = "tine.graph " + std::to_string(format_version) + "\nkernel " + g_.kernel + "\n";
    for (auto& m : g_.metas) {
      out_ += "meta " + m.name + " = " + std::to_string(m.value);
      for (std::size_t i = 0; i < m.candidates.size(); ++i)
        out_ += (i ? ", " : " of ") + std::to_string(m.candidates[i]);
      out_ += "\n";
    }
    for (auto& s : g_.sources) {
      out_ += "source " + s.name + " : " + name(s.type);
      if (s.rank) out_ += " rank " + std::to_string(s.rank);
      if (s.loaded) out_ += " loaded";
      if (s.stored) out_ += " stored";
      out_ += "\n";
    }
    for (std::size_t i = 0; i < g_.params.size(); ++i) param(i);
    out_ += "grid ";
    shape(g_.grid);
    out_ += "\n";
    for (auto& c : g_.checks) {
      static constexpr const char* relation[] = {
          " == ", " != ", " < ", " <= ", " is 1 or ", " indexes ", " >= 0", " > 0"};
      out_ += "check " + c.what + ": ";
      ex(c.a);
      out_ += relation[c.kind];
      if (c.kind < Check::nonneg) ex(c.b);
      end(c.loc);
    }
    out_ += "body {\n";
    if (!g_.regions.empty()) region(0, 1);
    return out_ + "}\n";
  }

 private:
  const Graph& g_;
  bool locations_;
  std::vector<int> number_;
  int next_ = 0;
  std::string out_;

  void end(Loc l) {
    if (locations_ && l.line > 0) {
      out_ += "  ; ";
      if (l.file >= 0 && l.file < int(g_.files.size())) out_ += g_.files[std::size_t(l.file)];
      out_ += ":" + std::to_string(l.line);
    }
    out_ += "\n";
  }
  void ex(Ex e) {
    if (!e) return;
    g_.pool.print(out_, e, [&](Sym k, int a, int b) {
      if (k == Sym::var) return "i" + std::to_string(b);
      return g_.sources[std::size_t(a)].name + (k == Sym::size ? ".size" : ".stride") + std::to_string(b);
    });
  }
  void shape(const Shape& s) {
    out_ += "(";
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (i) out_ += ", ";
      ex(s[i]);
    }
    out_ += ")";
  }
  void param(std::size_t i) {
    const Param& p = g_.params[i];
    out_ += "param p" + std::to_string(i) + " = " + g_.sources[std::size_t(p.source)].name + " ";
    for (std::size_t l = 0; l < p.levels.size(); ++l) {
      if (l) out_ += " of ";
      shape(p.levels[l]);
    }
    end(p.loc);
    if (!p.coords.empty()) {
      out_ += "  element ";
      shape(p.coords);
      out_ += "\n";
    }
    for (auto& b : p.bounds) {
      out_ += b.low ? "  if 0 <= " : "  if ";
      ex(b.index);
      out_ += " < ";
      ex(b.size);
      end(b.loc);
    }
    if (p.other != 0 || std::signbit(p.other)) out_ += "  other " + real(p.other) + "\n";
  }
  static std::string real(double v) {
    char b[40];
    std::snprintf(b, sizeof b, "%.17g", v);
    std::string s = b;
    if (std::isnan(v)) return "nan";
    return std::strpbrk(b, ".einf") ? s : s + ".0";
  }
  void type(const Node& n) {
    out_ += name(n.type);
    if (n.shape.empty()) return;
    out_ += "[";
    for (std::size_t k = 0; k < n.shape.size(); ++k) {
      if (k) out_ += ", ";
      ex(n.shape[k]);
    }
    out_ += "]";
  }
  void use(int32_t a) {
    const Node& n = g_.nodes[a];
    if (n.op == Op::literal) {
      out_ += is_float(n.type)       ? real(n.real)
              : n.type == DType::b1  ? (n.integer ? "true" : "false")
              : n.type == DType::u64 ? std::to_string(uint64_t(n.integer))
                                     : std::to_string(n.integer);
      out_ += std::string(":") + name(n.type);
    } else if (n.op == Op::size) {
      out_ += "{";
      ex(n.expr);
      out_ += "}";
    } else {
      out_ += "%" + std::to_string(number_[a]);
    }
  }
  void define(int32_t n) {
    number_[n] = next_++;
    out_ += "%" + std::to_string(number_[n]);
  }
  void list(const std::vector<int64_t>& v) {
    for (std::size_t i = 0; i < v.size(); ++i) out_ += (i ? ", " : "") + std::to_string(v[i]);
  }
  void region(int32_t r, int depth) {
    for (int32_t id : g_.regions[r].nodes) {
      const Node& n = g_.nodes[id];
      out_.append(std::size_t(2 * depth), ' ');
      if (n.op == Op::for_ || n.op == Op::if_ || n.op == Op::while_)
        structure(n, depth);
      else
        plain(id);
    }
  }
  void plain(int32_t id) {
    const Node& n = g_.nodes[id];
    bool store = n.op == Op::store;
    if (!store) {
      define(id);
      out_ += " = ";
    }
    out_ += name(n.op);
    if (store || n.op == Op::load || n.op == Op::valid || n.op == Op::offsets) {
      out_ += " p" + std::to_string(n.attr);
      for (std::size_t k = store; k < n.args.size(); ++k) {
        out_ += k == std::size_t(store) ? "[" : ", ";
        use(n.args[k]);
        if (k + 1 == n.args.size()) out_ += "]";
      }
      if (n.op == Op::offsets && n.attr2 >= 0) out_ += " dim " + std::to_string(n.attr2);
      if (store) {
        out_ += ", ";
        use(n.args[0]);
      }
    } else {
      for (std::size_t k = 0; k < n.args.size(); ++k) {
        out_ += k ? ", " : " ";
        use(n.args[k]);
      }
      if (n.op == Op::unsqueeze || n.op == Op::program_index) out_ += " dim " + std::to_string(n.attr);
      if (n.op == Op::permute) out_ += " to ", list(n.list);
      if (n.op == Op::foreign) out_ += " by `" + g_.foreign[std::size_t(n.attr)].name + "`";
      if (n.op >= Op::sum && n.op <= Op::argmin) out_ += " axes ", list(n.list);
    }
    out_ += " : ";
    type(n);
    end(n.loc);
  }
  void structure(const Node& n, int depth) {
    auto pad = [&](int d) { out_.append(std::size_t(2 * d), ' '); };
    // Numbers follow the text: results are named first, though they come last.
    for (std::size_t k = 0; k < n.results.size(); ++k) {
      if (k) out_ += ", ";
      define(n.results[k]);
    }
    if (!n.results.empty()) out_ += " = ";
    out_ += n.op == Op::for_ ? "for " : n.op == Op::if_ ? "if " : "while";
    const Region& first = g_.regions[n.regions[0]];
    std::size_t fixed = n.op == Op::for_ ? 3 : n.op == Op::if_ ? 1 : 0;
    if (n.op == Op::for_) {
      define(first.inputs[0]);
      out_ += " = ";
      use(n.args[0]);
      out_ += " to ";
      use(n.args[1]);
      out_ += " step ";
      use(n.args[2]);
    }
    if (n.op == Op::if_) use(n.args[0]);
    for (std::size_t k = fixed; k < n.args.size(); ++k) {
      out_ += k == fixed ? " carry " : ", ";
      int32_t in = first.inputs[k - fixed + (n.op == Op::for_)];
      define(in);
      out_ += " = ";
      use(n.args[k]);
      out_ += " : ";
      type(g_.nodes[in]);
    }
    out_ += " {";
    end(n.loc);
    for (std::size_t q = 0; q < n.regions.size(); ++q) {
      if (q) pad(depth), out_ += "} else {\n";
      const Region& r = g_.regions[n.regions[q]];
      if (n.op == Op::while_) {
        for (std::size_t k = 0; k < r.nodes.size(); ++k) {
          if (int64_t(k) == n.split) condition(r, depth);
          one(r.nodes[k], depth + 1);
        }
        if (int64_t(r.nodes.size()) <= n.split) condition(r, depth);
      } else {
        region(n.regions[q], depth + 1);
      }
      std::size_t lead = n.op == Op::while_;
      if (r.yields.size() == lead) continue;
      pad(depth + 1);
      out_ += "yield ";
      for (std::size_t k = lead; k < r.yields.size(); ++k) {
        if (k > lead) out_ += ", ";
        use(r.yields[k]);
      }
      out_ += "\n";
    }
    pad(depth);
    out_ += "}\n";
  }
  void one(int32_t id, int depth) {
    out_.append(std::size_t(2 * depth), ' ');
    const Node& n = g_.nodes[id];
    if (n.op == Op::for_ || n.op == Op::if_ || n.op == Op::while_)
      structure(n, depth);
    else
      plain(id);
  }
  void condition(const Region& r, int depth) {
    out_.append(std::size_t(2 * depth), ' ');
    out_ += "} do ";
    use(r.yields[0]);
    out_ += " {\n";
  }
};

}  // namespace

std::string text(const Graph& g, bool locations) { return Printer(g, locations).run(); }

}  // namespace tine::graph
