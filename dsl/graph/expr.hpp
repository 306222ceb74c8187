// Symbolic integers of a kernel: sums of products of atoms in canonical form, hash-consed in a pool,
// so that equal expressions have equal ids. The sizes of tiles, the grid and the index maps are made of them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tine::graph {

/// An expression: an index into the `Pool` that made it.
struct Ex {
  int32_t id = -1;
  explicit operator bool() const { return id >= 0; }
  friend bool operator==(Ex, Ex) = default;
};

/// What a symbol stands for, and the meaning of its two numbers.
enum class Sym : uint8_t {
  size,    ///< (source, dim): extent of a source tensor's dim, in elements; at least 0
  stride,  ///< (source, dim): stride of a source tensor's dim, in elements; any value
  var,     ///< (param, flat axis): index along one dim of one level of an arranged parameter. The flat axis counts the
           ///< dims of all levels, outermost level first. 0 <= var < extent.
};

/// The kinds of canonical expression. Operands of each:
/// num: {value}; sym: {a, b}; sum: {constant, coefficient, id, coefficient, id, ...} with ids of sym, prod, div, mod, min,
/// max (at least two terms, or one with a constant or a coefficient other than 1); prod: {id, id, ...} of two or more atoms; div, mod (rounding to minus infinity; x div 0 = x mod 0 = 0), min, max: {id, id}.
/// min and max never contain a `Sym::var`.
enum class ExKind : uint8_t { num, sym, sum, prod, div, mod, min, max };

class Pool {
 public:
  Pool();
  Ex num(int64_t v);
  Ex sym(Sym kind, int a, int b, Ex extent = {});
  Ex add(Ex a, Ex b);
  Ex sub(Ex a, Ex b) { return add(a, scale(b, -1)); }
  Ex scale(Ex a, int64_t k);
  Ex mul(Ex a, Ex b);
  /// Floor division and its remainder. An expression with a `Sym::var` speaks of an element that exists, so its divisors,
  /// which are sizes and strides, count as positive when it is simplified; without one, 0 as divisor gives 0 exactly.
  Ex div(Ex a, Ex b);
  Ex mod(Ex a, Ex b);
  Ex cdiv(Ex a, Ex b);
  Ex min(Ex a, Ex b);
  Ex max(Ex a, Ex b);

  // ---- inspection
  ExKind kind(Ex e) const { return nodes_[e.id].kind; }
  Sym sym_kind(Ex e) const { return nodes_[e.id].sk; }
  Ex extent(Ex e) const { return nodes_[e.id].extent; }          ///< of a `Sym::var`
  int operand_count(Ex e) const { return nodes_[e.id].n; }
  int64_t operand(Ex e, int i) const { return data_[nodes_[e.id].at + i]; }  ///< as listed at `ExKind`
  bool is_num(Ex e) const { return kind(e) == ExKind::num; }
  bool is(Ex e, int64_t v) const { return is_num(e) && value(e) == v; }
  int64_t value(Ex e) const { return operand(e, 0); }             ///< of a `num`
  bool has_var(Ex e) const { return nodes_[e.id].var; }           ///< contains a `Sym::var`
  std::size_t size() const { return nodes_.size(); }

  // ---- proofs
  static constexpr int64_t inf = INT64_MAX / 4;                    ///< bounds saturate here
  void bounds(Ex e, int64_t& lo, int64_t& hi) const {             ///< inclusive
    lo = nodes_[e.id].lo;
    hi = nodes_[e.id].hi;
  }
  bool nonneg(Ex e);
  bool less(Ex a, Ex b);                                          ///< provably a < b
  /// Order by structure; ids depend on the order in which C++ evaluated operands, this does not.
  int order(Ex a, Ex b) const;

  /// Value of e, with f(Sym, a, b) -> int64_t for symbols.
  template <class F> int64_t eval(Ex e, F&& f) const;
  /// Calls f(Sym, a, b) for each symbol in e (more than once if it occurs more than once).
  template <class F> void symbols(Ex e, F&& f) const;
  /// Appends e as text. `name(Sym, a, b)` gives the text of a symbol; by default `p0.size1`, `p0.stride1`, `i0_1`.
  void print(std::string& out, Ex e) const;
  template <class F> void print(std::string& out, Ex e, F&& name) const;

  /// Levels of nesting; what walks an expression recurses that deep.
  int depth(Ex e) const { return nodes_[e.id].depth; }
  /// Nodes of the expression written as a tree, in which what it shares stands more than once; what walks it visits as many.
  double tree(Ex e) const { return nodes_[e.id].tree; }

 private:
  struct Node {
    ExKind kind;
    Sym sk;
    bool var;       // contains a `Sym::var`
    bool mod;       // is a remainder, or a product with one among its factors
    uint16_t n;     // operands
    uint16_t depth;
    uint32_t at;    // of the operands in data_
    Ex extent;
    uint64_t hash;
    int64_t lo, hi;
    double tree;
  };
  using Terms = std::vector<std::pair<int32_t, int64_t>>;  // (monomial, coefficient)
  std::vector<Node> nodes_;
  std::vector<int64_t> data_;
  std::vector<int32_t> table_;
  Ex intern(ExKind k, const int64_t* p, std::size_t n, Sym sk = Sym::size, Ex extent = {});
  void grow();
  void find_bounds(Node& x) const;
  int64_t terms(Ex e, Terms& out) const;
  Ex from_terms(int64_t c, Terms& t);
  bool join_remainder(int64_t& c, Terms& t);
  bool split(Ex a, Ex d, Ex& q, Ex& r);
  bool in_range(Ex r, Ex d);
  Ex lower(Ex e);
  void factors(int32_t monomial, std::vector<int64_t>& out) const;
  Ex monomial(std::vector<int64_t>& f);
  bool positive_divisor(Ex a, Ex d) const;
  static std::string symbol_text(Sym kind, int a, int b);
  bool is_id(ExKind k, int operand) const;  // operand of such a node is an expression, not a number
};

template <class F>
int64_t Pool::eval(Ex e, F&& f) const {
  const Node& x = nodes_[e.id];
  const int64_t* p = &data_[x.at];
  auto at = [&](int64_t id) { return eval(Ex{int32_t(id)}, f); };
  switch (x.kind) {
    case ExKind::num: return p[0];
    case ExKind::sym: return f(x.sk, int(p[0]), int(p[1]));
    case ExKind::sum: {  // unsigned: overflow wraps
      uint64_t s = uint64_t(p[0]);
      for (int i = 1; i < x.n; i += 2) s += uint64_t(p[i]) * uint64_t(at(p[i + 1]));
      return int64_t(s);
    }
    case ExKind::prod: {
      uint64_t s = 1;
      for (int i = 0; i < x.n; ++i) s *= uint64_t(at(p[i]));
      return int64_t(s);
    }
    default: break;
  }
  int64_t a = at(p[0]), b = at(p[1]);
  if (x.kind == ExKind::min) return a < b ? a : b;
  if (x.kind == ExKind::max) return a > b ? a : b;
  if (b == 0) return 0;
  if (b == -1) return x.kind == ExKind::div ? int64_t(-uint64_t(a)) : 0;
  int64_t q = a / b, r = a % b;
  if (r && (r < 0) != (b < 0)) --q, r += b;
  return x.kind == ExKind::div ? q : r;
}

template <class F>
void Pool::symbols(Ex e, F&& f) const {
  const Node& x = nodes_[e.id];
  const int64_t* p = &data_[x.at];
  if (x.kind == ExKind::sym) f(x.sk, int(p[0]), int(p[1]));
  for (int i = 0; i < x.n; ++i)
    if (is_id(x.kind, i)) symbols(Ex{int32_t(data_[x.at + i])}, f);
}

template <class F>
void Pool::print(std::string& out, Ex e, F&& name) const {
  const Node& x = nodes_[e.id];
  auto p = [&](int i) { return data_[x.at + i]; };
  auto sub = [&](int i) { print(out, Ex{int32_t(p(i))}, name); };
  switch (x.kind) {
    case ExKind::num: out += std::to_string(p(0)); return;
    case ExKind::sym: out += name(x.sk, int(p(0)), int(p(1))); return;
    case ExKind::prod:
      for (int i = 0; i < x.n; ++i) {
        if (i) out += "*";
        sub(i);
      }
      return;
    case ExKind::sum:
      out += '(';
      for (int i = 1; i < x.n; i += 2) {
        int64_t c = p(i);
        if (i > 1) out += c < 0 ? " - " : " + ";
        else if (c < 0) out += '-';
        uint64_t m = c < 0 ? -uint64_t(c) : uint64_t(c);
        if (m != 1) out += std::to_string(m) + "*";
        sub(i + 1);
      }
      if (p(0)) out += (p(0) < 0 ? " - " : " + ") + std::to_string(p(0) < 0 ? -uint64_t(p(0)) : uint64_t(p(0)));
      out += ')';
      return;
    default: break;
  }
  out += x.kind == ExKind::div ? "floordiv(" : x.kind == ExKind::mod ? "floormod(" : x.kind == ExKind::min ? "min(" : "max(";
  sub(0);
  out += ", ";
  sub(1);
  out += ')';
}

}  // namespace tine::graph
