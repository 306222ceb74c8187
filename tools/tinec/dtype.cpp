#include "tools/tinec/dtype.hpp"

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

struct Names {
  const char* ours;
  const char* numpy;
};
constexpr Names names[] = {{"bool", "bool"},          {"i8", "int8"},
                           {"i16", "int16"},          {"i32", "int32"},
                           {"i64", "int64"},          {"u8", "uint8"},
                           {"u16", "uint16"},         {"u32", "uint32"},
                           {"u64", "uint64"},         {"f8e4m3fn", "float8_e4m3fn"},
                           {"f8e5m2", "float8_e5m2"}, {"f16", "float16"},
                           {"bf16", "bfloat16"},      {"f32", "float32"},
                           {"f64", "float64"}};
constexpr int dtype_count = sizeof names / sizeof names[0];

// Bits of a float with few bits, rounded to nearest even. `finite_only`: all exponents but one NaN are numbers
// (e4m3fn).
uint64_t narrow(double x, int exponent_bits, int mantissa_bits, bool finite_only, const std::string& text, DType type) {
  const uint64_t sign = std::signbit(x) ? uint64_t{1} << (exponent_bits + mantissa_bits) : 0;
  const uint64_t all_exponent = ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  const uint64_t all_mantissa = (uint64_t{1} << mantissa_bits) - 1;
  if (std::isnan(x)) return sign | all_exponent | (finite_only ? all_mantissa : uint64_t{1} << (mantissa_bits - 1));
  const auto too_large = [&] { throw Failure(ticked(text) + " is beyond the largest number of type " + name(type)); };
  if (std::isinf(x)) {
    if (finite_only) too_large();
    return sign | all_exponent;
  }
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int e = 0;
  std::frexp(x, &e);                                           // |x| in [2^(e-1), 2^e)
  const int unit = std::max(e - 1, 1 - bias) - mantissa_bits;  // exponent of the last bit
  // |x| in units of the last bit; exact, as both are doubles and nothing is lost that does not decide the rounding
  const double scaled = std::ldexp(std::fabs(x), -unit);
  const auto m = static_cast<uint64_t>(std::nearbyint(scaled));
  // A carry into the next exponent adds up by itself: the hidden bit is the exponent's lowest.
  const auto exponent = static_cast<uint64_t>(unit + mantissa_bits + bias - 1);
  const uint64_t bits = x == 0 ? 0 : (exponent << mantissa_bits) + m;
  if (bits > (finite_only ? all_exponent + all_mantissa - 1 : all_exponent - 1)) too_large();
  return sign | bits;
}

template <class I>
uint64_t integer(std::string_view text, DType type) {
  I value{};
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) throw Failure(ticked(text) + " does not fit in type " + name(type));
  if (error != std::errc() || end != digits.data() + digits.size()) {
    if (std::is_unsigned_v<I> && parse_integer(text))
      throw Failure(ticked(text) + " does not fit in type " + name(type));
    throw Failure(ticked(text) + " is not an integer, and the parameter has type " + name(type));
  }
  return static_cast<uint64_t>(static_cast<std::make_unsigned_t<I>>(value));
}

template <class F>
F real(const std::string& text, DType type, F (*parse)(const char*, char**)) {
  char* end = nullptr;
  errno = 0;
  const F value = parse(text.c_str(), &end);
  const bool blank = text.empty() || text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r');
  if (blank || end != text.c_str() + text.size()) throw Failure(ticked(text) + " is not a number");
  if (errno == ERANGE && std::isinf(value))
    throw Failure(ticked(text) + " is beyond the largest number of type " + name(type));
  return value;
}

}  // namespace

const char* name(DType t) { return names[static_cast<int>(t)].ours; }

std::optional<DType> parse_dtype(std::string_view text) {
  for (int i = 0; i < dtype_count; ++i)
    if (text == names[i].ours || text == names[i].numpy) return static_cast<DType>(i);
  return {};
}

npy::Element element_of(DType t) {
  const int n = tine::bytes(t);
  if (t == DType::b1) return {'b', 1};
  if (t == DType::bf16 || t == DType::f8e4m3fn || t == DType::f8e5m2) return {'u', n};
  return {tine::is_float(t) ? 'f' : tine::is_unsigned(t) ? 'u' : 'i', n};
}

bool fits(npy::Element e, DType t) {
  if (e == element_of(t)) return true;
  if (t == DType::b1) return e == npy::Element{'u', 1};
  const bool foreign = t == DType::bf16 || t == DType::f8e4m3fn || t == DType::f8e5m2;
  return foreign && e.kind == 'V' && e.bytes == tine::bytes(t);
}

uint64_t parse_scalar(std::string_view text, DType t) {
  const std::string s(text);
  switch (t) {
    case DType::b1:
      if (text == "true" || text == "True" || text == "1") return 1;
      if (text == "false" || text == "False" || text == "0") return 0;
      throw Failure(ticked(text) + " is not a bool; there are `true` and `false`");
    case DType::i8:
      return integer<int8_t>(text, t);
    case DType::i16:
      return integer<int16_t>(text, t);
    case DType::i32:
      return integer<int32_t>(text, t);
    case DType::i64:
      return integer<int64_t>(text, t);
    case DType::u8:
      return integer<uint8_t>(text, t);
    case DType::u16:
      return integer<uint16_t>(text, t);
    case DType::u32:
      return integer<uint32_t>(text, t);
    case DType::u64:
      return integer<uint64_t>(text, t);
    case DType::f8e4m3fn:
      return narrow(real(s, t, std::strtod), 4, 3, true, s, t);
    case DType::f8e5m2:
      return narrow(real(s, t, std::strtod), 5, 2, false, s, t);
    case DType::f16:
      return narrow(real(s, t, std::strtod), 5, 10, false, s, t);
    case DType::bf16:
      return narrow(real(s, t, std::strtod), 8, 7, false, s, t);
    case DType::f32:
      return std::bit_cast<uint32_t>(real(s, t, std::strtof));
    case DType::f64:
      return std::bit_cast<uint64_t>(real(s, t, std::strtod));
  }
  return 0;
}

uint64_t scalar_bits(const void* data, DType t) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, static_cast<std::size_t>(tine::bytes(t)));
  return t == DType::b1 ? bits != 0 : bits;
}

}  // namespace tinec
