// Type rules of operations: what two operands become. All of it is compile-time arithmetic on element types.
#pragma once
#include <cstdint>
#include <type_traits>

#include "tine/detail/api.hpp"

namespace tine {

template <class T, int R> class Value;         // a tile of run-time values
template <class T, int... R> class Parameter;  // what an application receives: the levels below the outermost
template <class T, int... R> class Cell;       // p[k]: one element of a level
template <class T> class ScalarParameter;      // a scalar of the call

namespace detail {

using core::Op;

template <class T, int R> Value<T, R> tile_probe(const Value<T, R>*);
struct NotATile {};
NotATile tile_probe(const void*);
template <class X> using tile_t = decltype(tile_probe(static_cast<const X*>(nullptr)));
template <class X> inline constexpr bool is_tile = !std::is_same_v<tile_t<X>, NotATile>;
template <class X> inline constexpr bool is_scalar_parameter = false;
template <class T> inline constexpr bool is_scalar_parameter<ScalarParameter<T>> = true;
template <class X> inline constexpr bool is_condition = std::is_same_v<X, Condition>;
template <class X> inline constexpr bool is_number = std::is_arithmetic_v<X>;
// What may stand beside a tile in an operator.
template <class X> inline constexpr bool is_companion = is_number<X> || is_size<X> || is_condition<X> || is_scalar_parameter<X>;
template <class X> inline constexpr bool is_operand = is_tile<X> || is_companion<X>;
template <class X> concept companion = is_companion<X>;
// A place with levels left to index.
template <class X> inline constexpr bool is_leveled = false;
template <class T, int A, int B, int... R> inline constexpr bool is_leveled<Parameter<T, A, B, R...>> = true;
template <class T, int A, int B, int... R> inline constexpr bool is_leveled<Cell<T, A, B, R...>> = true;

constexpr bool narrow8(DType t) { return t == DType::f8e4m3fn || t == DType::f8e5m2; }
constexpr int kind(DType t) { return t == DType::b1 ? 0 : is_float(t) ? 2 : 1; }  // bool < integer < float

/// Two tiles: the wider float wins; f16 with bf16 gives f32; float with int the float; ints the wider, then the unsigned.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  if (kind(a) != kind(b)) return kind(a) > kind(b) ? a : b;
  if (bytes(a) != bytes(b)) return bytes(a) > bytes(b) ? a : b;
  if (is_float(a)) return narrow8(a) ? DType::f8e4m3fn : DType::f32;  // of two fp8 types: refused by whoever asks
  return is_unsigned(a) ? a : b;
}

/// The type a number has by itself: bool, i32, i64 if its C++ type may need it, f32.
template <class X>
constexpr DType number_type() {
  if constexpr (std::is_same_v<X, bool>) return DType::b1;
  else if constexpr (std::is_floating_point_v<X>) return DType::f32;
  else return sizeof(X) < 4 || (sizeof(X) == 4 && std::is_signed_v<X>) ? DType::i32 : DType::i64;
}

template <class V> struct value_traits { static constexpr DType type = DType::f32; static constexpr int rank = 0; };
template <class T, int R>
struct value_traits<Value<T, R>> {
  static constexpr DType type = dtype_of<T>::value;
  static constexpr int rank = R;
};
template <class V> struct scalar_traits;
template <class T> struct scalar_traits<ScalarParameter<T>> { static constexpr DType type = dtype_of<T>::value; };

/// The element type of an operand by itself.
template <class X>
constexpr DType type_of_operand() {
  if constexpr (is_tile<X>) return value_traits<tile_t<X>>::type;
  else if constexpr (is_scalar_parameter<X>) return scalar_traits<X>::type;
  else if constexpr (is_size<X>) return DType::i64;
  else if constexpr (is_condition<X>) return DType::b1;
  else if constexpr (is_number<X>) return number_type<X>();
  else return DType::f32;
}
template <class X>
constexpr int rank_of() {
  if constexpr (is_tile<X>) return value_traits<tile_t<X>>::rank;
  else return 0;
}

struct Joint {
  bool any = false;
  DType type = DType::b1;
  constexpr void add(DType t) {
    type = any ? promote(type, t) : t;
    any = true;
  }
};
/// The common type of operands. Tiles, sizes and conditions decide; scalar parameters and numbers take that type unless their
/// kind is higher, a float beside integers then being f32. Without tiles the scalar parameters decide, else the numbers.
template <class... X>
constexpr DType joint() {
  Joint strong, scalars, numbers;
  ((is_number<X> ? numbers.add(type_of_operand<X>())
    : is_scalar_parameter<X> ? scalars.add(type_of_operand<X>())
                             : strong.add(type_of_operand<X>())),
   ...);
  if (!strong.any && scalars.any) strong = scalars, scalars = {};
  if (!strong.any) return numbers.type;
  DType t = strong.type;
  for (Joint weak : {scalars, numbers})
    if (weak.any && kind(weak.type) > kind(t)) t = is_float(weak.type) ? DType::f32 : weak.type;
  return t;
}

template <DType D> using element_of = typename type_of<D>::type;
constexpr DType arithmetic(DType t) { return t == DType::b1 ? DType::i32 : t; }  // arithmetic on bool gives i32
/// What `sum` and `prod` compute in and return.
constexpr DType accumulator(DType t) {
  if (t == DType::f16 || t == DType::bf16) return DType::f32;
  if (is_float(t) || bytes(t) >= 4) return t;
  return t != DType::b1 && is_unsigned(t) ? DType::u32 : DType::i32;
}

constexpr bool comparison(Op o) { return o >= Op::eq && o <= Op::ge; }
constexpr bool logical(Op o) { return o == Op::land || o == Op::lor; }
constexpr bool bitwise(Op o) { return o == Op::band || o == Op::bor || o == Op::bxor; }
constexpr bool shift(Op o) { return o == Op::shl || o == Op::shr; }
constexpr bool integers_only(Op o) {
  return bitwise(o) || shift(o) || o == Op::mod || o == Op::floordiv || o == Op::floormod || o == Op::cdiv || o == Op::umulhi;
}
constexpr bool floats_only(Op o) { return o == Op::pow || o == Op::atan2 || o == Op::copysign; }

template <class X>
core::Operand operand(const X& x) {
  constexpr DType t = type_of_operand<X>();
  if constexpr (is_tile<X> || is_scalar_parameter<X>) {
    return {core::Operand::tile, t, x};
  } else if constexpr (is_size<X>) {
    core::Operand o{core::Operand::size, t};
    o.size_value = x;
    return o;
  } else if constexpr (is_condition<X>) {
    core::Operand o{core::Operand::condition, t};
    o.condition_value = x;
    return o;
  } else if constexpr (std::is_floating_point_v<X>) {
    core::Operand o{core::Operand::real, t};
    o.real_value = static_cast<double>(x);
    return o;
  } else {
    core::Operand o{std::is_unsigned_v<X> ? core::Operand::natural : core::Operand::integer, t};
    o.integer_value = static_cast<int64_t>(x);
    return o;
  }
}

#define TINE_OPERAND(X)                                                                                                  \
  static_assert(!::tine::detail::is_leveled<X>,                                                                          \
                "tine: this parameter still has levels to index; write p[k], or p(i, j), to get a tile");                \
  static_assert(::tine::detail::is_operand<X> || ::tine::detail::is_leveled<X>, "tine: this is not a tile, a size or a number")
#define TINE_NO_FP8(T) \
  static_assert(!::tine::detail::narrow8(T), "tine: fp8 tiles do no arithmetic; cast them first, for example nt::cast<float>(x)")

}  // namespace detail
}  // namespace tine
