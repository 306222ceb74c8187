// Element types: the enumeration, the C++ types that stand for them, and the way from one to the other.
#pragma once
#include <cstdint>

namespace tine {

enum class DType : uint8_t { b1, i8, i16, i32, i64, u8, u16, u32, u64, f8e4m3fn, f8e5m2, f16, bf16, f32, f64 };

/// Storage of one element in bytes; bool is one byte, 0 or 1.
constexpr int bytes(DType t) {
  constexpr int n[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8};
  return n[int(t)];
}
constexpr bool is_float(DType t) { return t >= DType::f8e4m3fn; }
constexpr bool is_unsigned(DType t) { return t == DType::b1 || (t >= DType::u8 && t <= DType::u64); }

// Storage of the narrow floats. They carry bits only: arithmetic on them happens in kernels.
struct f16 { uint16_t bits; };
struct bf16 { uint16_t bits; };
struct f8e4m3fn { uint8_t bits; };
struct f8e5m2 { uint8_t bits; };
using f32 = float;
using f64 = double;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

namespace detail {
template <class T> struct dtype_of {  // not an element type; the value keeps a refused program from being refused twice
  static constexpr bool known = false;
  static constexpr DType value = DType::f32;
};
template <DType D> struct type_of {};
#define TINE_ELEMENT(T, D)                                        \
  template <> struct dtype_of<T> { static constexpr bool known = true; static constexpr DType value = DType::D; }; \
  template <> struct type_of<DType::D> { using type = T; };
TINE_ELEMENT(bool, b1)
TINE_ELEMENT(i8, i8)
TINE_ELEMENT(i16, i16)
TINE_ELEMENT(i32, i32)
TINE_ELEMENT(i64, i64)
TINE_ELEMENT(u8, u8)
TINE_ELEMENT(u16, u16)
TINE_ELEMENT(u32, u32)
TINE_ELEMENT(u64, u64)
TINE_ELEMENT(f8e4m3fn, f8e4m3fn)
TINE_ELEMENT(f8e5m2, f8e5m2)
TINE_ELEMENT(f16, f16)
TINE_ELEMENT(bf16, bf16)
TINE_ELEMENT(float, f32)
TINE_ELEMENT(double, f64)
#undef TINE_ELEMENT
// The other of `long` and `long long`, which is a 64-bit integer too, is no element type: write nt::i64.
template <class T> concept element = dtype_of<T>::known;
template <class T> inline constexpr bool is_element = dtype_of<T>::known;
}  // namespace detail

/// The element type of a C++ type.
template <detail::element T> inline constexpr DType dtype = detail::dtype_of<T>::value;

}  // namespace tine
