// Reading a pack where it lies: its lists as ranges, and its expressions with the interface of graph::Pool, which the
// templates of runtime/launch ask for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "dsl/graph/expr.hpp"
#include "runtime/aot/pack.hpp"

namespace tine::aot {

/// A pack's first byte, from which all lists count.
struct Base {
  const unsigned char* bytes;

  template <class T>
  std::span<const T> operator[](List<T> list) const {
    return {reinterpret_cast<const T*>(bytes + list.at), list.count};
  }
  const char* text(Text t) const { return reinterpret_cast<const char*>(bytes + t.at); }
  const Pack& pack() const { return *reinterpret_cast<const Pack*>(bytes); }
};

/// The expressions of a program.
class PackedPool {
 public:
  PackedPool(Base base, const PackedProgram& p) : exprs_(base[p.exprs]), operands_(base[p.operands]) {}
  graph::ExKind kind(graph::Ex e) const { return static_cast<graph::ExKind>(at(e).kind); }
  graph::Sym sym_kind(graph::Ex e) const { return static_cast<graph::Sym>(at(e).sym); }
  bool has_var(graph::Ex e) const { return at(e).has_var != 0; }
  int operand_count(graph::Ex e) const { return static_cast<int>(at(e).count); }
  int64_t operand(graph::Ex e, int i) const { return operands_[at(e).at + static_cast<std::size_t>(i)]; }
  int64_t value(graph::Ex e) const { return operand(e, 0); }

 private:
  const PackedExpr& at(graph::Ex e) const { return exprs_[static_cast<std::size_t>(e.id)]; }
  std::span<const PackedExpr> exprs_;
  std::span<const int64_t> operands_;
};

/// A range whose elements come of a function of the packed ones.
template <class T, class F>
class Mapped {
 public:
  Mapped(std::span<const T> items, F f) : items_(items), f_(f) {}
  struct Iterator {
    const T* at;
    const F* f;
    auto operator*() const { return (*f)(*at); }
    Iterator& operator++() { return ++at, *this; }
    friend bool operator!=(Iterator a, Iterator b) { return a.at != b.at; }
  };
  Iterator begin() const { return {items_.data(), &f_}; }
  Iterator end() const { return {items_.data() + items_.size(), &f_}; }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  auto operator[](std::size_t i) const { return f_(items_[i]); }

 private:
  std::span<const T> items_;
  F f_;
};

inline auto exprs(Base base, List<int32_t> ids) {
  return Mapped(base[ids], [](int32_t id) { return graph::Ex{id}; });
}
inline auto levels(Base base, const PackedParam& p) {
  return Mapped(base[p.levels], [base](const PackedLevel& l) { return exprs(base, l.extents); });
}
inline auto bounds(Base base, const PackedParam& p) {
  struct Bound {
    graph::Ex index, size;
  };
  return Mapped(base[p.bounds], [](const PackedBound& b) { return Bound{{b.index}, {b.size}}; });
}

/// A parameter as graph::Param shows itself.
struct ParamView {
  int source;
  decltype(aot::levels({}, {})) levels;
  decltype(exprs({}, {})) coords;
  decltype(aot::bounds({}, {})) bounds;
};
inline auto params(Base base, const PackedProgram& p) {
  return Mapped(base[p.params], [base](const PackedParam& q) {
    return ParamView{q.source, levels(base, q), exprs(base, q.coords), bounds(base, q)};
  });
}

}  // namespace tine::aot
