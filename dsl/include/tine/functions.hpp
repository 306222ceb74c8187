// Functions on tiles. Arguments are tiles, sizes, scalar parameters and numbers; shapes broadcast as in NumPy.
#pragma once
#include <cstddef>

#include "tine/tile.hpp"

namespace tine {

inline constexpr float inf = __builtin_inff();
inline constexpr float nan = __builtin_nanf("");

namespace detail {

// A function of one tile of floats.
template <Op O, class X>
auto float_function(const X& x, Loc loc) {
  TINE_OPERAND(X);
  if constexpr (is_operand<X>) {
    constexpr DType t = type_of_operand<X>();
    TINE_NO_FP8(t);
    static_assert(is_float(t), "tine: this function takes floats; cast first, for example nt::cast<float>(x)");
    constexpr bool predicate = O == Op::isnan || O == Op::isinf || O == Op::isfinite || O == Op::signbit;
    return Value<element_of<predicate ? DType::b1 : t>, rank_of<X>()>(Made{}, core::unary(O, t, predicate ? DType::b1 : t, operand(x), loc));
  } else {
    return Value<float, 0 * int(sizeof(X))>(Made{}, core::Handle{});
  }
}
template <Op O, class X>
auto integer_function(const X& x, Loc loc) {
  TINE_OPERAND(X);
  if constexpr (is_operand<X>) {
    constexpr DType t = type_of_operand<X>();
    static_assert(kind(t) == 1, "tine: this operation takes integers");
    return Value<element_of<t>, rank_of<X>()>(Made{}, core::unary(O, t, t, operand(x), loc));
  } else {
    return Value<float, 0 * int(sizeof(X))>(Made{}, core::Handle{});
  }
}

template <Op O, class A, class B, class C>
auto ternary(const A& a, const B& b, const C& c, Loc loc) {
  TINE_OPERAND(A);
  TINE_OPERAND(B);
  TINE_OPERAND(C);
  if constexpr (is_operand<A> && is_operand<B> && is_operand<C>) {
    constexpr DType t = arithmetic(joint<A, B, C>());
    TINE_NO_FP8(t);
    constexpr int ra = rank_of<A>(), rb = rank_of<B>(), rc = rank_of<C>(), r = ra > rb ? (ra > rc ? ra : rc) : (rb > rc ? rb : rc);
    return Value<element_of<t>, r>(Made{}, core::ternary(O, t, t, operand(a), operand(b), operand(c), loc));
  } else {
    return Value<float, 0 * int(sizeof(A))>(Made{}, core::Handle{});
  }
}

// min, max, floordiv, ... of two sizes give a size, of anything else a tile.
template <Op O, core::SizeOp S, class A, class B>
auto size_or_tile(const A& a, const B& b, Loc loc) {
  if constexpr (sizes<A, B>) return core::size_binary(S, Size(a), Size(b), loc);
  else return binary<O>(a, b, loc);
}

}  // namespace detail

#define TINE_FLOAT_FUNCTION(name)                           \
  template <class X>                                        \
  auto name(const X& x, Loc loc = Loc::here()) {            \
    return detail::float_function<core::Op::name>(x, loc);  \
  }
TINE_FLOAT_FUNCTION(exp) TINE_FLOAT_FUNCTION(exp2) TINE_FLOAT_FUNCTION(expm1) TINE_FLOAT_FUNCTION(log) TINE_FLOAT_FUNCTION(log2)
TINE_FLOAT_FUNCTION(log10) TINE_FLOAT_FUNCTION(log1p) TINE_FLOAT_FUNCTION(sqrt) TINE_FLOAT_FUNCTION(rsqrt) TINE_FLOAT_FUNCTION(sin)
TINE_FLOAT_FUNCTION(cos) TINE_FLOAT_FUNCTION(tan) TINE_FLOAT_FUNCTION(asin) TINE_FLOAT_FUNCTION(acos) TINE_FLOAT_FUNCTION(atan)
TINE_FLOAT_FUNCTION(sinh) TINE_FLOAT_FUNCTION(cosh) TINE_FLOAT_FUNCTION(tanh) TINE_FLOAT_FUNCTION(asinh) TINE_FLOAT_FUNCTION(acosh)
TINE_FLOAT_FUNCTION(atanh) TINE_FLOAT_FUNCTION(erf) TINE_FLOAT_FUNCTION(sigmoid) TINE_FLOAT_FUNCTION(floor) TINE_FLOAT_FUNCTION(ceil)
TINE_FLOAT_FUNCTION(round) TINE_FLOAT_FUNCTION(trunc) TINE_FLOAT_FUNCTION(isnan) TINE_FLOAT_FUNCTION(isinf)
TINE_FLOAT_FUNCTION(isfinite) TINE_FLOAT_FUNCTION(signbit)
#undef TINE_FLOAT_FUNCTION

template <class X>
auto popcount(const X& x, Loc loc = Loc::here()) { return detail::integer_function<core::Op::popcount>(x, loc); }
template <class X>
auto clz(const X& x, Loc loc = Loc::here()) { return detail::integer_function<core::Op::clz>(x, loc); }

template <class X>
auto abs(const X& x, Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  constexpr DType t = detail::arithmetic(detail::type_of_operand<X>());
  TINE_NO_FP8(t);
  return Value<detail::element_of<t>, detail::rank_of<X>()>(detail::Made{}, core::unary(core::Op::abs, t, t, detail::operand(x), loc));
}

#define TINE_BINARY_FUNCTION(name)                         \
  template <class A, class B>                              \
  auto name(const A& a, const B& b, Loc loc = Loc::here()) { \
    return detail::binary<core::Op::name>(a, b, loc);      \
  }
TINE_BINARY_FUNCTION(fmin) TINE_BINARY_FUNCTION(fmax) TINE_BINARY_FUNCTION(umulhi) TINE_BINARY_FUNCTION(pow)
TINE_BINARY_FUNCTION(atan2) TINE_BINARY_FUNCTION(copysign)
#undef TINE_BINARY_FUNCTION
#define TINE_SIZE_FUNCTION(name)                                              \
  template <class A, class B>                                                 \
  auto name(const A& a, const B& b, Loc loc = Loc::here()) {                  \
    return detail::size_or_tile<core::Op::name, core::SizeOp::name>(a, b, loc); \
  }
TINE_SIZE_FUNCTION(floordiv) TINE_SIZE_FUNCTION(floormod) TINE_SIZE_FUNCTION(cdiv) TINE_SIZE_FUNCTION(min) TINE_SIZE_FUNCTION(max)
#undef TINE_SIZE_FUNCTION

/// a*b + c, rounded once for floats.
template <class A, class B, class C>
auto fma(const A& a, const B& b, const C& c, Loc loc = Loc::here()) {
  return detail::ternary<core::Op::fma>(a, b, c, loc);
}
/// min(max(x, low), high); NaN if any of them is.
template <class X, class L, class H>
auto clamp(const X& x, const L& low, const H& high, Loc loc = Loc::here()) {
  return detail::ternary<core::Op::clamp>(x, low, high, loc);
}
template <class C, class A, class B>
auto where(const C& condition, const A& a, const B& b, Loc loc = Loc::here()) {
  TINE_OPERAND(C);
  TINE_OPERAND(A);
  TINE_OPERAND(B);
  static_assert(detail::type_of_operand<C>() == DType::b1 || !detail::is_operand<C>, "tine: the condition of where is a tile of bool");
  constexpr DType t = detail::joint<A, B>();
  constexpr int ra = detail::rank_of<A>(), rb = detail::rank_of<B>(), rc = detail::rank_of<C>();
  constexpr int r = ra > rb ? (ra > rc ? ra : rc) : (rb > rc ? rb : rc);
  if constexpr (detail::is_operand<C> && detail::is_operand<A> && detail::is_operand<B>)
    return Value<detail::element_of<t>, r>(detail::Made{}, core::where(t, detail::operand(condition), detail::operand(a), detail::operand(b), loc));
  else return Value<float, 0 * int(sizeof(A))>(detail::Made{}, core::Handle{});
}

// ---- types

/// What becomes of values that an fp8 type cannot hold.
enum class Overflow { saturate, ieee };

/// Converts elements: between floats rounding once to nearest even; float to integer truncates, saturates, NaN gives 0.
template <class T, class X>
auto cast(const X& x, Overflow overflow, Loc loc = Loc::here()) {
  static_assert(detail::is_element<T>, "tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types");
  TINE_OPERAND(X);
  if constexpr (detail::is_operand<X>)
    return Value<T, detail::rank_of<X>()>(detail::Made{}, detail::as_type(detail::dtype_of<T>::value, x, loc, overflow == Overflow::ieee));
  else return Value<T, 0>(detail::Made{}, core::Handle{});
}
template <class T, class X>
auto cast(const X& x, Loc loc = Loc::here()) {
  return cast<T>(x, Overflow::saturate, loc);
}
/// The same bits as another type of the same width.
template <class T, class X>
auto bitcast(const X& x, Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  constexpr DType t = detail::dtype_of<T>::value, from = detail::type_of_operand<X>();
  constexpr bool fits = bytes(t) == bytes(from) && (t == DType::b1) == (from == DType::b1);
  static_assert(fits, "tine: bitcast goes between types of the same width, and not to or from bool");
  return Value<T, detail::rank_of<X>()>(detail::Made{}, core::unary(core::Op::bitcast, from, t, detail::operand(x), loc));
}
/// The present value of a place, as a variable that can be reassigned.
template <class X>
auto load(const X& x, Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  if constexpr (detail::is_tile<X>) return detail::tile_t<X>(detail::Made{}, core::copy(x, loc));
  else return Value<detail::element_of<detail::type_of_operand<X>()>, 0>(detail::Made{}, detail::as_type(detail::type_of_operand<X>(), x, loc));
}

// ---- making tiles

template <class T, int R, class X = int>
auto full(const Shape<R>& shape, const X& value, Loc loc = Loc::here()) {
  static_assert(detail::is_element<T>, "tine: this is not an element type; there are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and the f8 types");
  TINE_OPERAND(X);
  constexpr bool single = detail::rank_of<X>() == 0;
  static_assert(single, "tine: full repeats a single number; nt::broadcast repeats a tile");
  return Value<T, R>(detail::Made{}, core::full(detail::dtype_of<T>::value, shape.dims, R, detail::operand(value), loc));
}
template <class T, std::size_t N, class X = int>
auto full(const Size (&shape)[N], const X& value, Loc loc = Loc::here()) {
  Shape<int(N)> s;
  for (std::size_t i = 0; i < N; ++i) s.dims[i] = shape[i];
  return full<T>(s, value, loc);
}
template <class T, int R>
auto zeros(const Shape<R>& shape, Loc loc = Loc::here()) { return full<T>(shape, 0, loc); }
template <class T, std::size_t N>
auto zeros(const Size (&shape)[N], Loc loc = Loc::here()) { return full<T>(shape, 0, loc); }

/// start, start + step, ... below stop, as i64; the length is a size.
inline Value<i64, 1> arange(const Size& start, const Size& stop, int64_t step = 1, Loc loc = Loc::here()) {
  return {detail::Made{}, core::arange(start, stop, step, loc)};
}
inline Value<i64, 1> arange(const Size& stop, Loc loc = Loc::here()) { return arange(0, stop, 1, loc); }

// ---- parameters

namespace detail {
template <class P> inline constexpr bool has_source = is_place<P>;
}
#define TINE_PLACE(P) \
  static_assert(detail::has_source<P>, "tine: this is about a parameter or p[k]; a computed tile has no place in a source tensor")

/// Which lanes are in range.
template <class P>
auto valid(const P& p, Loc loc = Loc::here()) {
  TINE_OPERAND(P);
  TINE_PLACE(P);
  return Value<bool, P::tile_rank>(detail::Made{}, core::valid(p, loc));
}
/// The source coordinate of each lane along a dim of the source, also of lanes out of range.
template <class P>
auto offsets(const P& p, int dim, Loc loc = Loc::here()) {
  TINE_OPERAND(P);
  TINE_PLACE(P);
  return Value<i64, P::tile_rank>(detail::Made{}, core::offsets(p, dim, false, loc));
}
/// The row-major position of each lane in the source's shape.
template <class P>
auto offsets(const P& p, Loc loc = Loc::here()) {
  TINE_OPERAND(P);
  TINE_PLACE(P);
  return Value<i64, P::tile_rank>(detail::Made{}, core::offsets(p, 0, true, loc));
}
/// Size and stride (in elements) of a dim of the source tensor.
template <class P>
Size size(const P& p, int dim, Loc loc = Loc::here()) {
  TINE_PLACE(P);
  return core::source_size(p, dim, loc);
}
template <class P>
Size stride(const P& p, int dim, Loc loc = Loc::here()) {
  TINE_PLACE(P);
  return core::source_stride(p, dim, loc);
}
/// Index of this program along a dim of the grid.
inline Value<i64, 0> program_index(int dim, Loc loc = Loc::here()) { return {detail::Made{}, core::program_index(dim, loc)}; }

// ---- shape

/// Swaps the last two dims.
template <class X>
auto trans(const X& x, Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  constexpr int r = detail::rank_of<X>();
  static_assert(r >= 2 || !detail::is_operand<X>, "tine: trans swaps the last two dims of a tile; this one has fewer");
  if constexpr (r >= 2) {
    int order[r] = {};
    for (int i = 0; i < r; ++i) order[i] = i < r - 2 ? i : 2 * r - 3 - i;
    return detail::tile_t<X>(detail::Made{}, core::permute(detail::operand(x), order, r, loc));
  } else {
    return Value<float, 2 + 0 * int(sizeof(X))>(detail::Made{}, core::Handle{});
  }
}
/// Dim k of the result is dim order[k].
template <class X, std::size_t N>
auto permute(const X& x, const int (&order)[N], Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  static_assert(!detail::is_tile<X> || detail::rank_of<X>() == int(N), "tine: permute names each dim of the tile once");
  if constexpr (detail::rank_of<X>() == int(N)) return detail::tile_t<X>(detail::Made{}, core::permute(detail::operand(x), order, int(N), loc));
  else return Value<float, 0 * int(sizeof(X))>(detail::Made{}, core::Handle{});
}
/// The same elements in row-major order; one size may be -1.
template <class X, std::size_t N>
auto reshape(const X& x, const Size (&shape)[N], Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  using T = detail::element_of<detail::type_of_operand<X>()>;
  return Value<T, int(N)>(detail::Made{}, core::reshape(detail::operand(x), shape, int(N), loc));
}
/// Repeats along new leading dims and dims of size 1.
template <class X, int R>
auto broadcast(const X& x, const Shape<R>& shape, Loc loc = Loc::here()) {
  TINE_OPERAND(X);
  constexpr bool fits = detail::rank_of<X>() <= R;
  static_assert(fits, "tine: broadcast cannot drop dims");
  using T = detail::element_of<detail::type_of_operand<X>()>;
  return Value<T, R>(detail::Made{}, core::broadcast(detail::operand(x), shape.dims, R, loc));
}
template <class X, std::size_t N>
auto broadcast(const X& x, const Size (&shape)[N], Loc loc = Loc::here()) {
  Shape<int(N)> s;
  for (std::size_t i = 0; i < N; ++i) s.dims[i] = shape[i];
  return broadcast(x, s, loc);
}

// ---- reductions

/// The axes of a reduction: axis(1), axis(0, 1), axis(-1). So max(x, axis(1)) is a reduction and max(x, 1) is not.
template <int N> struct Axes { int axes[N]; };
template <class... I>
constexpr Axes<int(sizeof...(I))> axis(I... i) {
  static_assert(sizeof...(I) > 0 && (std::is_same_v<I, int> && ...), "tine: axis takes one or more ints; leave it out to reduce over all axes");
  return {{i...}};
}
/// Leaves reduced dims as dims of size 1.
struct KeepDims {};
inline constexpr KeepDims keep_dims{};

namespace detail {
constexpr DType reduced(Op o, DType t) {
  if (o == Op::sum || o == Op::prod) return accumulator(t);
  if (o == Op::any || o == Op::all) return DType::b1;
  if (o == Op::argmax || o == Op::argmin) return DType::i32;
  return t;
}
template <Op O, bool Keep, int N, class X>
auto reduce(const X& x, const int* axes, Loc loc) {
  TINE_OPERAND(X);
  constexpr int r = rank_of<X>(), n = N == 0 ? r : N;
  constexpr bool axes_fit = n <= r || !is_operand<X>;
  static_assert(axes_fit, "tine: this reduction names more axes than the tile has");
  if constexpr (is_operand<X> && n <= r) {
    constexpr DType t = type_of_operand<X>();
    TINE_NO_FP8(t);
    static_assert(O != Op::rxor || !is_float(t), "tine: this operation takes integers");
    // The largest of bools is whether there is any, the least whether all are.
    constexpr Op o = t != DType::b1 ? O : O == Op::rmax ? Op::any : O == Op::rmin ? Op::all : O;
    constexpr DType result = reduced(o, t);
    return Value<element_of<result>, Keep ? r : r - n>(Made{}, core::reduce(o, t, result, operand(x), axes, N, N == 0, Keep, loc));
  } else {
    return Value<float, 0 * int(sizeof(X))>(Made{}, core::Handle{});
  }
}
}  // namespace detail
#define TINE_REDUCE(name, O)                                             \
  template <class X>                                                     \
  auto name(const X& x, Loc loc = Loc::here()) {                         \
    return detail::reduce<core::Op::O, false, 0>(x, nullptr, loc);       \
  }                                                                      \
  template <class X, int N>                                              \
  auto name(const X& x, Axes<N> a, Loc loc = Loc::here()) {              \
    return detail::reduce<core::Op::O, false, N>(x, a.axes, loc);        \
  }                                                                      \
  template <class X, int N>                                              \
  auto name(const X& x, Axes<N> a, KeepDims, Loc loc = Loc::here()) {    \
    return detail::reduce<core::Op::O, true, N>(x, a.axes, loc);         \
  }
TINE_REDUCE(sum, sum) TINE_REDUCE(prod, prod) TINE_REDUCE(max, rmax) TINE_REDUCE(min, rmin) TINE_REDUCE(any, any) TINE_REDUCE(all, all)
TINE_REDUCE(xor_sum, rxor) TINE_REDUCE(argmax, argmax) TINE_REDUCE(argmin, argmin)
#undef TINE_REDUCE

// ---- contraction

/// How f32 products are computed.
enum class Precision { ieee, tf32, tf32x3 };

namespace detail {
constexpr bool int8(DType t) { return t == DType::i8 || t == DType::u8; }
constexpr DType dot_result(DType t) { return t == DType::f64 ? t : is_float(t) ? DType::f32 : DType::i32; }
}  // namespace detail
/// Matrix product of the last two dims, batched over those before. Returns its accumulator: f32 for floats up to f32, f64, i32.
template <class A, class B>
auto dot(const A& a, const B& b, Precision precision, Loc loc = Loc::here()) {
  TINE_OPERAND(A);
  TINE_OPERAND(B);
  constexpr int ra = detail::rank_of<A>(), rb = detail::rank_of<B>();
  constexpr bool shapes = detail::is_tile<A> && detail::is_tile<B> && ra == rb && ra >= 2;
  constexpr bool shapes_fit = shapes || !detail::is_operand<A> || !detail::is_operand<B>;
  static_assert(shapes_fit, "tine: dot takes two tiles of 2 dims, or more of equal number when batched");
  constexpr DType ta = detail::type_of_operand<A>(), tb = detail::type_of_operand<B>();
  constexpr bool fp8 = detail::narrow8(ta) || detail::narrow8(tb);
  constexpr bool types = fp8 ? detail::narrow8(ta) && detail::narrow8(tb)
                             : (is_float(ta) && is_float(tb)) || (detail::int8(ta) && detail::int8(tb));
  static_assert(types || !shapes, "tine: dot takes two tiles of floats, two of fp8, or two of i8 and u8; cast first");
  if constexpr (shapes && types) {
    constexpr bool as_is = fp8 || detail::int8(ta);
    constexpr DType t = as_is ? ta : detail::promote(ta, tb), u = as_is ? tb : t, r = detail::dot_result(t);
    return Value<detail::element_of<r>, ra>(detail::Made{}, core::dot(t, u, r, detail::operand(a), detail::operand(b), ra, int(precision), loc));
  } else {
    return Value<float, 2 + 0 * int(sizeof(A))>(detail::Made{}, core::Handle{});
  }
}
template <class A, class B>
auto dot(const A& a, const B& b, Loc loc = Loc::here()) {
  return dot(a, b, Precision::ieee, loc);
}

}  // namespace tine
