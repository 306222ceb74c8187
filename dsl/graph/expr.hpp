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
/// max; prod: {id, id, ...} of two or more atoms; div, mod (rounding to minus infinity; x div 0 = x mod 0 = 0), min, max: {id, id}.
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
  bool has_var(Ex e) const;                                       ///< contains a `Sym::var`
  std::size_t size() const { return nodes_.size(); }

  // ---- proofs
  static constexpr int64_t inf = INT64_MAX / 4;                    ///< bounds saturate here
  void bounds(Ex e, int64_t& lo, int64_t& hi);                    ///< inclusive
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

 private:
  struct Node { ExKind kind; Sym sk; uint16_t n; uint32_t at; Ex extent; uint64_t hash; };
  std::vector<Node> nodes_;
  std::vector<int64_t> data_;
  std::vector<int32_t> table_;
  Ex intern(ExKind k, const int64_t* p, std::size_t n, Sym sk = Sym::size, Ex extent = {});
  void grow();
  int64_t terms(Ex e, std::vector<std::pair<int32_t, int64_t>>& out) const;
  Ex from_terms(int64_t c, std::vector<std::pair<int32_t, int64_t>>& t);
  bool split(Ex a, Ex d, Ex& q, Ex& r);
  bool in_range(Ex r, Ex d);
};

}  // namespace tine::graph
