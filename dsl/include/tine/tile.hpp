// Tiles in an application. A `Value` is a variable that holds a tile: it can be reassigned, and a copy of it is another
// variable. A `Parameter` and a `Cell` (p[k]) are places: using one loads, assigning to one stores.
#pragma once
#include <cstddef>
#include <type_traits>

#include "tine/detail/types.hpp"
#include "tine/tensor.hpp"

namespace tine {

/// The shape of a tile of rank R; made by `shape()`, taken by `zeros` and `full`.
template <int R>
struct Shape {
  Size dims[R > 0 ? R : 1] = {};
  const Size& operator[](int d) const { return dims[d]; }
};

namespace detail {

struct Made {};  // tag: from a statement of the trace

template <class X>
core::Handle as_type(DType t, const X& x, Loc loc, int mode = 0) {
  return core::convert(t, operand(x), mode, loc);
}

template <Op O, class A, class B>
auto binary(const A& a, const B& b, Loc loc) {
  TINE_OPERAND(A);
  TINE_OPERAND(B);
  if constexpr (is_operand<A> && is_operand<B>) {
    constexpr DType j = joint<A, B>();
    TINE_NO_FP8(j);
    static_assert(!logical(O) || j == DType::b1, "tine: && and || join bools; compare first, for example x != 0");
    static_assert(!integers_only(O) || !is_float(j), "tine: this operation takes integers");
    static_assert(!floats_only(O) || is_float(j), "tine: this function takes floats; cast first, for example nt::cast<float>(x)");
    constexpr DType t = comparison(O) || logical(O) || bitwise(O) ? j : arithmetic(j);
    constexpr DType r = comparison(O) || logical(O) ? DType::b1 : t;
    constexpr int ra = rank_of<A>(), rb = rank_of<B>();
    constexpr Op o = is_float(t) ? O : O == Op::fmin ? Op::min : O == Op::fmax ? Op::max : O;  // integers have no NaN
    return Value<element_of<r>, (ra > rb ? ra : rb)>(Made{}, core::binary(o, t, r, operand(a), operand(b), loc));
  } else {
    return Value<float, 0 * int(sizeof(A))>(Made{}, core::Handle{});  // an error has been reported
  }
}

// An order of operand types: of `a == b` and its reverse `b == a` only one may be offered.
template <class T> inline constexpr int key = -1;
template <class T, int R> inline constexpr int key<Value<T, R>> = int(dtype_of<T>::value) * 64 + R;

// Operands of operators convert to these; that is where operators get their place in the source.
template <class V>
struct At {
  const V& value;
  Loc loc;
  At(const V& v, Loc l = Loc::here()) : value(v), loc(l) {}
};
template <class V>
struct Target {  // exactly a V: what derives from it has a target of its own
  V& value;
  bool named;
  Loc loc;
  template <class X>
    requires std::is_same_v<std::remove_cv_t<X>, V>
  Target(X& v, Loc l = Loc::here()) : value(const_cast<V&>(v)), named(true), loc(l) {
    static_assert(!std::is_const_v<X>, "tine: this is const here and cannot be stored to; take it as `auto` or `auto&`");
  }
  template <class X>
    requires std::is_same_v<X, V>
  Target(X&& v, Loc l = Loc::here()) : value(v), named(false), loc(l) {}
};

/// An integer: index of a level, bound of a range.
struct IndexAt {
  core::Handle handle;
  Loc loc;
  template <class X>
  IndexAt(const X& x, Loc l = Loc::here()) : loc(l) {
    TINE_OPERAND(X);
    constexpr bool ok = is_operand<X> && rank_of<X>() == 0 && kind(type_of_operand<X>()) == 1;
    static_assert(ok || !is_operand<X>, "tine: an index or a bound of a range is a single integer");
    if constexpr (ok) handle = core::index(operand(x), l);
  }
};

/// What may be assigned to a variable of this type.
template <class T, int R>
struct VariableRhs {
  core::Handle handle;
  Loc loc;
  template <class X>
  VariableRhs(const X& x, Loc l = Loc::here()) : loc(l) {
    TINE_OPERAND(X);
    constexpr DType t = dtype_of<T>::value;
    constexpr bool number = R == 0 && is_number<X> && kind(type_of_operand<X>()) <= kind(t);
    constexpr bool same = is_operand<X> && !is_number<X> && rank_of<X>() == R && type_of_operand<X>() == t;
    static_assert(number || same || !is_operand<X>, "tine: a variable keeps its element type and rank; cast the new value, or declare another variable");
    if constexpr (number || same) handle = as_type(t, x, l);
  }
};
/// What may be stored to a tile of this type: anything that broadcasts into it, converted.
template <class T, int R>
struct StoreRhs {
  core::Handle handle;
  Loc loc;
  template <class X>
  StoreRhs(const X& x, Loc l = Loc::here()) : loc(l) {
    TINE_OPERAND(X);
    constexpr bool fits = !is_operand<X> || rank_of<X>() <= R;
    static_assert(fits, "tine: the value has more dims than the tile that it is stored to");
    if constexpr (is_operand<X>) handle = as_type(dtype_of<T>::value, x, l);
  }
};

}  // namespace detail

/// A tile of run-time values of element type T and rank R; rank 0 is a scalar.
template <class T, int R>
class Value : public core::Handle {
 public:
  static constexpr int rank = R;
  using element = T;

  Value(detail::Made, const Handle& h) : Handle(h) {}
  /// A copy is a new variable with the present value.
  Value(const Value& o, Loc loc = Loc::here()) : Handle(core::copy(o, loc)) {}
  Value& operator=(const Value&) requires false;  // so that = goes through VariableRhs, which knows its place in the source
  Value& operator=(detail::VariableRhs<T, R> r) {
    core::assign(*this, r.handle, r.loc);
    return *this;
  }

  Shape<R> shape() const {
    Shape<R> s;
    core::shape_of(*this, R, s.dims);
    return s;
  }
  Size size(int dim, Loc loc = Loc::here()) const { return core::size_of(*this, R, dim, loc); }

  /// New axes: x(whole, newaxis) is Python's x[:, None]; `ellipsis` stands for the dims not named.
#define TINE_ITEMS(PARAMETERS, ...)                                        \
  template <TINE_CLASSES_##PARAMETERS>                                     \
  auto operator()(TINE_ARGS_##PARAMETERS, Loc loc = Loc::here()) const {   \
    return axes(loc, __VA_ARGS__);                                         \
  }
  TINE_ITEMS(1, a)
  TINE_ITEMS(2, a, b)
  TINE_ITEMS(3, a, b, c)
  TINE_ITEMS(4, a, b, c, d)
  TINE_ITEMS(5, a, b, c, d, e)
  TINE_ITEMS(6, a, b, c, d, e, f)
#undef TINE_ITEMS

  template <class X>
  Value operator[](const X&) const {
    static_assert(detail::never<X>, "tine: a tile is not indexed with []; Python's x[:, None] is x(nt::whole, nt::newaxis)");
    return *this;
  }
  template <class B>
    requires std::is_same_v<B, bool>
  explicit operator B() const {
    static_assert(detail::never<B>, "tine: a run-time value cannot steer a C++ if, while, for or ?:; use nt::if_, nt::while_, nt::range or nt::where");
    return false;
  }

#define TINE_BINARY(sym, O)                                              \
  template <class B>                                                     \
  friend auto operator sym(detail::At<Value> a, const B& b) {            \
    return detail::binary<core::Op::O>(a.value, b, a.loc);               \
  }                                                                      \
  template <detail::companion A>                                         \
  friend auto operator sym(const A& a, detail::At<Value> b) {            \
    return detail::binary<core::Op::O>(a, b.value, b.loc);               \
  }
  TINE_BINARY(+, add) TINE_BINARY(-, sub) TINE_BINARY(*, mul) TINE_BINARY(/, div) TINE_BINARY(%, mod)
  TINE_BINARY(&, band) TINE_BINARY(|, bor) TINE_BINARY(^, bxor) TINE_BINARY(<<, shl) TINE_BINARY(>>, shr)
  TINE_BINARY(<, lt) TINE_BINARY(<=, le) TINE_BINARY(>, gt) TINE_BINARY(>=, ge)
#undef TINE_BINARY
  // These compete with the built-in ones on bool, so they take their operands as they are, and without a place in the source.
#define TINE_LOGICAL(sym, O)                                             \
  template <class B>                                                     \
  friend auto operator sym(const Value& a, const B& b) {                 \
    return detail::binary<core::Op::O>(a, b, Loc{});                     \
  }                                                                      \
  template <detail::companion A>                                         \
  friend auto operator sym(const A& a, const Value& b) {                 \
    return detail::binary<core::Op::O>(a, b, Loc{});                     \
  }
  TINE_LOGICAL(&&, land) TINE_LOGICAL(||, lor)
#undef TINE_LOGICAL
#define TINE_EQUALITY(sym, O)                                            \
  template <class B>                                                     \
    requires(detail::key<Value> > detail::key<detail::tile_t<B>>)        \
  friend auto operator sym(detail::At<Value> a, const B& b) {            \
    return detail::binary<core::Op::O>(a.value, b, a.loc);               \
  }                                                                      \
  template <class A>                                                     \
    requires(detail::key<Value> > detail::key<detail::tile_t<A>>)        \
  friend auto operator sym(const A& a, detail::At<Value> b) {            \
    return detail::binary<core::Op::O>(a, b.value, b.loc);               \
  }                                                                      \
  friend auto operator sym(detail::At<Value> a, detail::At<Value> b) {   \
    return detail::binary<core::Op::O>(a.value, b.value, a.loc);         \
  }
  TINE_EQUALITY(==, eq) TINE_EQUALITY(!=, ne)
#undef TINE_EQUALITY
#define TINE_COMPOUND(sym, O)                                                    \
  template <class B>                                                             \
  friend Value& operator sym(detail::Target<Value> a, const B& b) {              \
    return a.value = detail::VariableRhs<T, R>(detail::binary<core::Op::O>(a.value, b, a.loc), a.loc); \
  }
  TINE_COMPOUND(+=, add) TINE_COMPOUND(-=, sub) TINE_COMPOUND(*=, mul) TINE_COMPOUND(/=, div) TINE_COMPOUND(%=, mod)
  TINE_COMPOUND(&=, band) TINE_COMPOUND(|=, bor) TINE_COMPOUND(^=, bxor) TINE_COMPOUND(<<=, shl) TINE_COMPOUND(>>=, shr)
#undef TINE_COMPOUND
  friend auto operator-(detail::At<Value> a) {
    constexpr DType t = detail::arithmetic(detail::dtype_of<T>::value);
    TINE_NO_FP8(t);
    return Value<detail::element_of<t>, R>(detail::Made{}, core::unary(core::Op::neg, t, t, detail::operand(a.value), a.loc));
  }
  friend Value operator+(detail::At<Value> a) { return Value(a.value, a.loc); }
  friend Value operator~(detail::At<Value> a) {
    constexpr DType t = detail::dtype_of<T>::value;
    static_assert(!is_float(t), "tine: this operation takes integers");
    return Value(detail::Made{}, core::unary(t == DType::b1 ? core::Op::lnot : core::Op::bnot, t, t, detail::operand(a.value), a.loc));
  }
  friend auto operator!(const Value& a) {
    static_assert(std::is_same_v<T, bool>, "tine: ! takes a bool; compare first, for example x == 0");
    return Value<bool, R>(detail::Made{}, core::unary(core::Op::lnot, DType::b1, DType::b1, detail::operand(a), Loc{}));
  }

 private:
  template <class... I>
  auto axes(Loc loc, const I&...) const {
    constexpr int wholes = (0 + ... + int(std::is_same_v<I, Whole>)), dots = (0 + ... + int(std::is_same_v<I, Ellipsis>));
    constexpr bool ok = ((std::is_same_v<I, Whole> || std::is_same_v<I, NewAxis> || std::is_same_v<I, Ellipsis>)&&...) &&
                        (dots == 0 ? wholes == R : dots == 1 && wholes <= R);
    static_assert(ok, "tine: a tile takes nt::whole once for each of its dims, and nt::newaxis where a dim of size 1 is wanted");
    if constexpr (ok) {
      constexpr int n = int(sizeof...(I)) + (dots ? R - wholes - 1 : 0);
      bool is_new[n > 0 ? n : 1] = {};
      int at = 0;
      ((std::is_same_v<I, Ellipsis> ? void(at += R - wholes) : void(is_new[at++] = std::is_same_v<I, NewAxis>)), ...);
      return Value<T, n>(detail::Made{}, core::new_axes(detail::operand(*this), is_new, n, loc));
    } else {
      return Value<T, R>(detail::Made{}, Handle{});
    }
  }
};

namespace detail {

// What parameters and cells share. With one level left, or none, a place is a tile; with more it is indexed.
template <class T, int... R> class Place;
template <class T>
class Place<T> : public Value<T, 0> {
 public:
  using Value<T, 0>::Value;
};
template <class T, int A>
class Place<T, A> : public Value<T, A> {
 public:
  using Value<T, A>::Value;
};
template <class T, int A, int B, int... R>
class Place<T, A, B, R...> : public core::Handle {
 public:
  Place(Made, const Handle& h) : Handle(h) {}

  /// Shape of the outermost level left.
  Shape<A> shape() const {
    Shape<A> s;
    core::level_shape(*this, A, s.dims);
    return s;
  }
  Size size(int dim, Loc loc = Loc::here()) const { return core::level_size(*this, A, dim, loc); }

  /// The element of the outermost level left at run-time indices.
  Cell<T, B, R...> operator[](IndexAt i) const {
    constexpr bool one_dim = A == 1;
    static_assert(one_dim, "tine: this level has more than one dim or none; index it with p(i, j)");
    return cell(i.loc, i);
  }
  Cell<T, B, R...> operator()(IndexAt i) const requires(A == 1) { return cell(i.loc, i); }
  Cell<T, B, R...> operator()(IndexAt i, IndexAt j) const requires(A == 2) { return cell(i.loc, i, j); }
  Cell<T, B, R...> operator()(IndexAt i, IndexAt j, IndexAt k) const requires(A == 3) { return cell(i.loc, i, j, k); }
  Cell<T, B, R...> operator()(IndexAt i, IndexAt j, IndexAt k, IndexAt l) const requires(A == 4) { return cell(i.loc, i, j, k, l); }
  Cell<T, B, R...> operator()(Loc loc = Loc::here()) const requires(A == 0) { return cell(loc); }
  template <class... I>
    requires(int(sizeof...(I)) != A || A > 4)
  Cell<T, B, R...> operator()(const I&... i) const {
    constexpr bool fits = int(sizeof...(I)) == A;
    static_assert(fits, "tine: give one index for each dim of this level");
    return cell({}, IndexAt(i, Loc{})...);
  }

 private:
  template <class... I>
  Cell<T, B, R...> cell(Loc loc, const I&... i) const {
    const core::Handle index[] = {i.handle..., core::Handle{}};
    return Cell<T, B, R...>(Made{}, core::cell(*this, index, int(sizeof...(I)), sizeof...(R) == 0, loc));
  }
};

template <class P> inline constexpr bool is_place = false;
template <class T, int... R> inline constexpr bool is_place<Parameter<T, R...>> = true;
template <class T, int... R> inline constexpr bool is_place<Cell<T, R...>> = true;

template <Op O, class P, class B>
void update(P& p, bool named, const B& b, Loc loc) {
  TINE_OPERAND(P);
  if constexpr (!is_leveled<P>) {
    if (named) core::store_to_copy(p, loc);
    auto v = binary<O>(p, b, loc);
    StoreRhs<typename P::element, P::tile_rank> r(v, loc);
    core::store(p, r.handle, r.loc);
  }
}

template <int... R>
constexpr int last_rank() {
  int last = 0;
  ((last = R), ...);
  return last;
}

}  // namespace detail

/// A parameter as the application receives it; R... are the ranks of its levels below the outermost.
template <class T, int... R>
class Parameter : public detail::Place<T, R...> {
  using Base = detail::Place<T, R...>;
  static constexpr bool is_tile = sizeof...(R) <= 1;

 public:
  static constexpr int tile_rank = detail::last_rank<R...>();
  using Base::Base;
  /// A copy holds what the tile holds now, and cannot be stored to.
  Parameter(const Parameter& o, Loc loc = Loc::here()) : Base(detail::Made{}, core::copy_place(o, is_tile, loc)) {}
  /// A parameter that is moved stays the parameter.
  Parameter(Parameter&& o) noexcept : Base(detail::Made{}, static_cast<const core::Handle&>(o)) {}
  Parameter& operator=(const Parameter&) requires false;
  Parameter& operator=(detail::StoreRhs<T, tile_rank> r) {
    static_assert(is_tile, "tine: this parameter still has levels to index; store to p[k]");
    core::store(*this, r.handle, r.loc);
    return *this;
  }
  void operator=(detail::StoreRhs<T, tile_rank>) const {
    static_assert(detail::never<T>, "tine: this parameter is const here and cannot be stored to; take it as `auto` or `auto&`");
  }

  // Loads, computes and stores.
#define TINE_COMPOUND(sym, O)                                                     \
  template <class B>                                                              \
  friend void operator sym(detail::Target<Parameter> a, const B& b) {             \
    detail::update<core::Op::O>(a.value, false, b, a.loc);                      \
  }
  TINE_COMPOUND(+=, add) TINE_COMPOUND(-=, sub) TINE_COMPOUND(*=, mul) TINE_COMPOUND(/=, div) TINE_COMPOUND(%=, mod)
  TINE_COMPOUND(&=, band) TINE_COMPOUND(|=, bor) TINE_COMPOUND(^=, bxor) TINE_COMPOUND(<<=, shl) TINE_COMPOUND(>>=, shr)
#undef TINE_COMPOUND
};

/// p[k]: an element of a level. Naming it (`auto t = p[k]`) takes its value then; assigning to p[k] itself stores.
template <class T, int... R>
class Cell : public detail::Place<T, R...> {
  using Base = detail::Place<T, R...>;
  static constexpr bool is_tile = sizeof...(R) <= 1;

 public:
  static constexpr int tile_rank = detail::last_rank<R...>();
  using Base::Base;
  Cell(const Cell& o, Loc loc = Loc::here()) : Base(detail::Made{}, core::copy_place(o, is_tile, loc)) {}
  Cell(Cell&& o) noexcept : Base(detail::Made{}, static_cast<const core::Handle&>(o)) {}
  Cell& operator=(const Cell&) requires false;
  Cell& operator=(detail::StoreRhs<T, tile_rank> r) && {
    static_assert(is_tile, "tine: this parameter still has levels to index; store to p[k]");
    core::store(*this, r.handle, r.loc);
    return *this;
  }
  Cell& operator=(detail::StoreRhs<T, tile_rank> r) & { core::store_to_copy(*this, r.loc); }

  // Loads, computes and stores.
#define TINE_COMPOUND(sym, O)                                                     \
  template <class B>                                                              \
  friend void operator sym(detail::Target<Cell> a, const B& b) {             \
    detail::update<core::Op::O>(a.value, a.named, b, a.loc);                      \
  }
  TINE_COMPOUND(+=, add) TINE_COMPOUND(-=, sub) TINE_COMPOUND(*=, mul) TINE_COMPOUND(/=, div) TINE_COMPOUND(%=, mod)
  TINE_COMPOUND(&=, band) TINE_COMPOUND(|=, bor) TINE_COMPOUND(^=, bxor) TINE_COMPOUND(<<=, shl) TINE_COMPOUND(>>=, shr)
#undef TINE_COMPOUND
};

/// A scalar of the call. Beside a tile it takes the tile's type, as a number does. It is read-only.
template <class T>
class ScalarParameter : public core::Handle {
 public:
  using element = T;
  static constexpr int rank = 0;
  ScalarParameter(detail::Made, const Handle& h) : Handle(h) {}
  ScalarParameter(const ScalarParameter&) = default;
  ScalarParameter& operator=(const ScalarParameter&) requires false;
  template <class X>
  void operator=(const X&) const {
    static_assert(detail::never<X>, "tine: a scalar parameter cannot be stored to; copy it with nt::load to have a variable");
  }
  template <class B>
    requires std::is_same_v<B, bool>
  explicit operator B() const {
    static_assert(detail::never<B>, "tine: a run-time value cannot steer a C++ if, while, for or ?:; use nt::if_, nt::while_, nt::range or nt::where");
    return false;
  }
#define TINE_BINARY(sym, O)                                                                   \
  template <class B>                                                                          \
    requires detail::companion<B>                                                             \
  friend auto operator sym(detail::At<ScalarParameter> a, const B& b) {                       \
    return detail::binary<core::Op::O>(a.value, b, a.loc);                                    \
  }                                                                                           \
  template <detail::companion A>                                                              \
    requires(!detail::is_scalar_parameter<A>)                                                 \
  friend auto operator sym(const A& a, detail::At<ScalarParameter> b) {                       \
    return detail::binary<core::Op::O>(a, b.value, b.loc);                                    \
  }
  TINE_BINARY(+, add) TINE_BINARY(-, sub) TINE_BINARY(*, mul) TINE_BINARY(/, div) TINE_BINARY(%, mod)
  TINE_BINARY(&, band) TINE_BINARY(|, bor) TINE_BINARY(^, bxor) TINE_BINARY(<<, shl) TINE_BINARY(>>, shr)
  TINE_BINARY(<, lt) TINE_BINARY(<=, le) TINE_BINARY(>, gt) TINE_BINARY(>=, ge)
#undef TINE_BINARY
#define TINE_LOGICAL(sym, O)                                                                  \
  template <detail::companion B>                                                              \
  friend auto operator sym(const ScalarParameter& a, const B& b) {                            \
    return detail::binary<core::Op::O>(a, b, Loc{});                                          \
  }                                                                                           \
  template <detail::companion A>                                                              \
    requires(!detail::is_scalar_parameter<A>)                                                 \
  friend auto operator sym(const A& a, const ScalarParameter& b) {                            \
    return detail::binary<core::Op::O>(a, b, Loc{});                                          \
  }
  TINE_LOGICAL(&&, land) TINE_LOGICAL(||, lor)
#undef TINE_LOGICAL
#define TINE_EQUALITY(sym, O)                                                                 \
  template <class B>                                                                          \
    requires(detail::companion<B> && !detail::is_scalar_parameter<B>)                         \
  friend auto operator sym(detail::At<ScalarParameter> a, const B& b) {                       \
    return detail::binary<core::Op::O>(a.value, b, a.loc);                                    \
  }                                                                                           \
  template <class A>                                                                          \
    requires(detail::companion<A> && !detail::is_scalar_parameter<A>)                         \
  friend auto operator sym(const A& a, detail::At<ScalarParameter> b) {                       \
    return detail::binary<core::Op::O>(a, b.value, b.loc);                                    \
  }                                                                                           \
  friend auto operator sym(detail::At<ScalarParameter> a, detail::At<ScalarParameter> b) {    \
    return detail::binary<core::Op::O>(a.value, b.value, a.loc);                              \
  }
  TINE_EQUALITY(==, eq) TINE_EQUALITY(!=, ne)
#undef TINE_EQUALITY
  friend auto operator-(detail::At<ScalarParameter> a) {
    constexpr DType t = detail::arithmetic(detail::dtype_of<T>::value);
    TINE_NO_FP8(t);
    return Value<detail::element_of<t>, 0>(detail::Made{}, core::unary(core::Op::neg, t, t, detail::operand(a.value), a.loc));
  }
  friend auto operator!(const ScalarParameter& a) {
    static_assert(std::is_same_v<T, bool>, "tine: ! takes a bool; compare first, for example x == 0");
    return Value<bool, 0>(detail::Made{}, core::unary(core::Op::lnot, DType::b1, DType::b1, detail::operand(a), Loc{}));
  }
};

/// Comparisons of sizes join to a scalar bool.
template <class A, class B>
  requires((detail::is_condition<A> && (detail::is_condition<B> || std::is_same_v<B, bool>)) || (detail::is_condition<B> && std::is_same_v<A, bool>))
Value<bool, 0> operator&&(const A& a, const B& b) { return detail::binary<core::Op::land>(a, b, Loc{}); }
template <class A, class B>
  requires((detail::is_condition<A> && (detail::is_condition<B> || std::is_same_v<B, bool>)) || (detail::is_condition<B> && std::is_same_v<A, bool>))
Value<bool, 0> operator||(const A& a, const B& b) { return detail::binary<core::Op::lor>(a, b, Loc{}); }

}  // namespace tine
