// Reading and writing the narrow floats on the host: `to_float(x)`, `from_float<tine::f16>(y)`.
// Rounding is to nearest even, once; subnormals are kept; NaN stays NaN (which one is unspecified).
#pragma once
#include <cstdint>

#include "tine/dtype.hpp"

namespace tine {

/// What conversion to fp8 does with what is too large: the largest finite value, or NaN (e4m3fn) and infinity (e5m2).
/// The wider formats always give infinity.
enum class TooLarge : uint8_t { saturates, is_special };

namespace detail {

// A binary format of up to 32 bits: sign, exponent, mantissa. `infinity`: the largest exponent holds infinity and NaN;
// without it (e4m3fn) only the code of all ones is NaN.
struct FloatFormat {
  int exponent, mantissa;
  bool infinity;
  constexpr uint32_t sign_bit() const { return 1u << (exponent + mantissa); }
  constexpr uint32_t infinity_code() const { return ((1u << exponent) - 1) << mantissa; }
  constexpr uint32_t nan_code() const { return infinity ? infinity_code() | 1u << (mantissa - 1) : sign_bit() - 1; }
  constexpr uint32_t max_code() const { return infinity ? infinity_code() - 1 : nan_code() - 1; }
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
};

constexpr uint32_t encode(double value, FloatFormat f, bool saturate) {
  const auto bits = __builtin_bit_cast(uint64_t, value);
  const uint32_t sign = bits >> 63 ? f.sign_bit() : 0;
  const int exponent = int(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff && fraction) return sign | f.nan_code();
  const uint32_t too_large = saturate ? f.max_code() : f.infinity ? f.infinity_code() : f.nan_code();
  if (exponent == 0x7ff) return sign | too_large;
  if (exponent == 0) return sign;                          // far below every format's smallest number
  const int e = exponent - 1023, smallest = 1 - f.bias();  // of the value; of a normal number of the format
  if (e > f.bias() + 1) return sign | too_large;
  int drop = 52 - f.mantissa + (e < smallest ? smallest - e : 0);
  if (drop > 60) drop = 60;
  const uint64_t whole = fraction | uint64_t{1} << 52, half = uint64_t{1} << (drop - 1);
  const uint64_t rest = whole & (half + (half - 1));
  uint64_t kept = whole >> drop;
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  const uint64_t code = (e < smallest ? 0 : uint64_t(e - smallest) << f.mantissa) + kept;
  return sign | (code > f.max_code() ? too_large : uint32_t(code));
}

constexpr double decode(uint32_t code, FloatFormat f) {
  const uint64_t sign = code & f.sign_bit() ? uint64_t{1} << 63 : 0;
  const uint32_t magnitude = code & (f.sign_bit() - 1), fraction = magnitude & ((1u << f.mantissa) - 1);
  const int exponent = int(magnitude >> f.mantissa);
  if (f.infinity ? magnitude > f.infinity_code() : magnitude == f.nan_code())
    return __builtin_bit_cast(double, sign | 0x7ff8000000000000);
  if (f.infinity && magnitude == f.infinity_code()) return __builtin_bit_cast(double, sign | 0x7ff0000000000000);
  const int scale = (exponent ? exponent : 1) - f.bias() - f.mantissa;  // at least -149
  const double unit = __builtin_bit_cast(double, uint64_t(scale + 1023) << 52);
  const double value = double(exponent ? fraction | 1u << f.mantissa : fraction) * unit;
  return sign ? -value : value;
}

template <class T> struct format_of {};
template <> struct format_of<f16> { static constexpr FloatFormat value{5, 10, true}; };
template <> struct format_of<bf16> { static constexpr FloatFormat value{8, 7, true}; };
template <> struct format_of<f8e5m2> { static constexpr FloatFormat value{5, 2, true}; };
template <> struct format_of<f8e4m3fn> { static constexpr FloatFormat value{4, 3, false}; };

template <class T>
concept narrow_float = requires {
  format_of<T>::value;
};
template <class T> inline constexpr bool is_fp8 = sizeof(T) == 1;

}  // namespace detail

/// Exact.
template <detail::narrow_float T> constexpr float to_float(T x) {
  return float(detail::decode(x.bits, detail::format_of<T>::value));
}

/// Rounds once, from the double's own value.
template <detail::narrow_float T> constexpr T from_float(double x, TooLarge policy = TooLarge::saturates) {
  const uint32_t code =
      detail::encode(x, detail::format_of<T>::value, detail::is_fp8<T> && policy == TooLarge::saturates);
  return T{static_cast<decltype(T::bits)>(code)};
}

}  // namespace tine
