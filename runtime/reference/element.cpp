#include "runtime/reference/element.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tine/narrow.hpp"

namespace tine::reference {

using graph::Op;

namespace {

double nan() { return std::numeric_limits<double>::quiet_NaN(); }

uint64_t mask(DType t) { return width(t) == 64 ? ~uint64_t{0} : (uint64_t{1} << width(t)) - 1; }
uint64_t bits_of(DType t, int64_t v) { return static_cast<uint64_t>(v) & mask(t); }

tine::detail::FloatFormat format(DType t) {
  switch (t) {
    case DType::f16: return tine::detail::format_of<f16>::value;
    case DType::bf16: return tine::detail::format_of<bf16>::value;
    case DType::f8e4m3fn: return tine::detail::format_of<f8e4m3fn>::value;
    default: return tine::detail::format_of<f8e5m2>::value;
  }
}
bool narrow(DType t) { return is_float(t) && graph::bytes(t) < 4; }
bool fp8(DType t) { return is_float(t) && graph::bytes(t) == 1; }

// An integer as a float of the type, rounded once.
double from_integer(DType t, DType from, int64_t v) {
  const bool unsigned_value = is_unsigned(from);
  const auto u = static_cast<uint64_t>(v);
  if (t == DType::f64) return unsigned_value ? static_cast<double>(u) : static_cast<double>(v);
  if (t == DType::f32) return unsigned_value ? static_cast<float>(u) : static_cast<float>(v);
  // Narrower: 50 leading bits with a sticky last one, which a double holds exactly, round as the whole would.
  uint64_t magnitude = unsigned_value || v >= 0 ? u : 0 - u;
  int shift = 0;
  for (; magnitude >> 50; ++shift) magnitude = magnitude >> 1 | (magnitude & 1);
  const double value = std::ldexp(static_cast<double>(magnitude), shift);
  return round_to(t, !unsigned_value && v < 0 ? -value : value);
}

int64_t to_integer(DType t, double x) {  // truncates, saturates, NaN gives 0
  if (std::isnan(x)) return 0;
  if (is_unsigned(t)) {
    if (x <= 0) return 0;
    if (x >= std::ldexp(1.0, width(t))) return static_cast<int64_t>(mask(t));
    return static_cast<int64_t>(static_cast<uint64_t>(x));
  }
  const double end = std::ldexp(1.0, width(t) - 1);
  if (x <= -end) return wrap(t, uint64_t{1} << (width(t) - 1));
  if (x >= end) return static_cast<int64_t>(mask(t) >> 1);
  return static_cast<int64_t>(x);
}

// ---- integers

bool less(DType t, int64_t a, int64_t b) {
  return is_unsigned(t) ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
}

enum class Rounding { to_zero, down, up };

// Quotient and remainder; a divisor of 0 gives 0 and 0, the smallest by -1 itself and 0.
int64_t divide(DType t, int64_t a, int64_t b, Rounding rounding, bool want_remainder) {
  if (b == 0) return 0;
  if (is_unsigned(t)) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    const uint64_t up = rounding == Rounding::up && x % y != 0 ? 1 : 0;
    return wrap(t, want_remainder ? x % y : x / y + up);
  }
  if (b == -1) return want_remainder ? 0 : wrap(t, 0 - static_cast<uint64_t>(a));
  int64_t q = a / b, r = a % b;
  const bool inexact = r != 0, negative = (a < 0) != (b < 0);
  if (inexact && rounding == Rounding::down && negative) --q, r += b;
  if (inexact && rounding == Rounding::up && !negative) ++q, r -= b;
  return want_remainder ? r : q;
}

int64_t shift(DType t, int64_t a, int64_t by, bool left) {
  const uint64_t n = bits_of(t, by);
  const auto w = static_cast<uint64_t>(width(t));
  if (left) return n >= w ? 0 : wrap(t, static_cast<uint64_t>(a) << n);
  if (is_unsigned(t)) return n >= w ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) >> n);
  return a >> (n >= w ? 63 : n);
}

int64_t high_half(DType t, int64_t a, int64_t b) {
  const auto product = static_cast<unsigned __int128>(bits_of(t, a)) * bits_of(t, b);
  return wrap(t, static_cast<uint64_t>(product >> width(t)));
}

int64_t integer_binary(Op op, DType t, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
    case Op::add: return wrap(t, x + y);
    case Op::sub: return wrap(t, x - y);
    case Op::mul: return wrap(t, x * y);
    case Op::div: return divide(t, a, b, Rounding::to_zero, false);
    case Op::mod: return divide(t, a, b, Rounding::to_zero, true);
    case Op::floordiv: return divide(t, a, b, Rounding::down, false);
    case Op::floormod: return divide(t, a, b, Rounding::down, true);
    case Op::cdiv: return divide(t, a, b, Rounding::up, false);
    case Op::min: case Op::fmin: return less(t, b, a) ? b : a;
    case Op::max: case Op::fmax: return less(t, a, b) ? b : a;
    case Op::umulhi: return high_half(t, a, b);
    case Op::band: return a & b;
    case Op::bor: return a | b;
    case Op::bxor: return a ^ b;
    case Op::shl: return shift(t, a, b, true);
    case Op::shr: return shift(t, a, b, false);
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return less(t, a, b);
    case Op::le: return !less(t, b, a);
    case Op::gt: return less(t, b, a);
    case Op::ge: return !less(t, a, b);
    case Op::land: return a != 0 && b != 0;
    case Op::lor: return a != 0 || b != 0;
    default: malformed(std::string("operation `") + graph::name(op) + "` on integers");
  }
}

// ---- floats

double floor_divide(double a, double b, bool want_remainder) {  // NumPy's
  double r = std::fmod(a, b);
  if (b == 0) return want_remainder ? r : a / b;
  double q = (a - r) / b;
  if (r != 0) {
    if ((b < 0) != (r < 0)) r += b, q -= 1;
  } else {
    r = std::copysign(0.0, b);
  }
  if (want_remainder) return r;
  if (q == 0) return std::copysign(0.0, a / b);
  const double down = std::floor(q);
  return q - down > 0.5 ? down + 1 : down;
}

// min and max: NaN wins.
double choose(double a, double b, bool larger) {
  if (std::isnan(a) || std::isnan(b)) return nan();
  return larger ? (a < b ? b : a) : (b < a ? b : a);
}

double real_binary(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::mod: return std::fmod(a, b);
    case Op::floordiv: return floor_divide(a, b, false);
    case Op::floormod: return floor_divide(a, b, true);
    case Op::cdiv: return -floor_divide(-a, b, false);
    case Op::min: return choose(a, b, false);
    case Op::max: return choose(a, b, true);
    case Op::fmin: return std::fmin(a, b);
    case Op::fmax: return std::fmax(a, b);
    case Op::pow: return std::pow(a, b);
    case Op::atan2: return std::atan2(a, b);
    case Op::copysign: return std::copysign(a, b);
    default: malformed(std::string("operation `") + graph::name(op) + "` on floats");
  }
}

bool compare(Op op, double a, double b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    default: return a >= b;
  }
}
bool is_comparison(Op op) { return op >= Op::eq && op <= Op::ge; }

double real_unary(Op op, double x) {
  switch (op) {
    case Op::neg: return -x;
    case Op::abs: return std::fabs(x);
    case Op::exp: return std::exp(x);
    case Op::exp2: return std::exp2(x);
    case Op::expm1: return std::expm1(x);
    case Op::log: return std::log(x);
    case Op::log2: return std::log2(x);
    case Op::log10: return std::log10(x);
    case Op::log1p: return std::log1p(x);
    case Op::sqrt: return std::sqrt(x);
    case Op::rsqrt: return 1 / std::sqrt(x);
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::erf: return std::erf(x);
    case Op::sigmoid: return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case Op::floor: return std::floor(x);
    case Op::ceil: return std::ceil(x);
    case Op::round: return std::nearbyint(x);
    case Op::trunc: return std::trunc(x);
    default: malformed(std::string("operation `") + graph::name(op) + "` on floats");
  }
}

// The bits of an element in its storage, and back.
uint64_t storage(DType t, Element e) {
  uint64_t bits = 0;
  store_element(t, &bits, e);
  return bits;
}
Element from_storage(DType t, uint64_t bits) { return load_element(t, &bits); }

}  // namespace

int width(DType t) { return t == DType::b1 ? 1 : 8 * graph::bytes(t); }

int64_t wrap(DType t, uint64_t bits) {
  bits &= mask(t);
  if (!is_unsigned(t) && width(t) < 64 && (bits >> (width(t) - 1) & 1)) bits |= ~mask(t);
  return static_cast<int64_t>(bits);
}

double round_to(DType t, double x, bool saturate) {
  if (t == DType::f64) return x;
  if (t == DType::f32) return static_cast<float>(x);
  return tine::detail::decode(tine::detail::encode(x, format(t), fp8(t) && saturate), format(t));
}

Element convert(DType from, DType to, Element e, bool ieee) {
  if (from == to) return e;
  if (to == DType::b1) return integer(is_float(from) ? e.f != 0 : e.i != 0);
  if (is_float(from)) return is_float(to) ? real(round_to(to, e.f, !ieee)) : integer(to_integer(to, e.f));
  if (is_float(to)) return real(from_integer(to, from, e.i));
  return integer(wrap(to, static_cast<uint64_t>(e.i)));
}

Element load_element(DType t, const void* p) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, static_cast<std::size_t>(graph::bytes(t)));
  if (t == DType::b1) return integer(bits != 0);
  if (t == DType::f64) return real(std::bit_cast<double>(bits));
  if (t == DType::f32) return real(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  if (narrow(t)) return real(tine::detail::decode(static_cast<uint32_t>(bits), format(t)));
  return integer(wrap(t, bits));
}

void store_element(DType t, void* p, Element e) {
  uint64_t bits = static_cast<uint64_t>(e.i);
  if (t == DType::f64) bits = std::bit_cast<uint64_t>(e.f);
  else if (t == DType::f32) bits = std::bit_cast<uint32_t>(static_cast<float>(e.f));
  else if (narrow(t)) bits = tine::detail::encode(e.f, format(t), fp8(t));
  std::memcpy(p, &bits, static_cast<std::size_t>(graph::bytes(t)));
}

bool is_unary(Op op) { return op >= Op::neg && op <= Op::trunc; }
bool is_binary(Op op) { return op >= Op::add && op <= Op::copysign; }

Element unary(Op op, DType t, DType result, Element e) {
  if (op == Op::bitcast) return from_storage(result, storage(t, e));
  if (is_float(t)) {
    switch (op) {
      case Op::isnan: return integer(std::isnan(e.f));
      case Op::isinf: return integer(std::isinf(e.f));
      case Op::isfinite: return integer(std::isfinite(e.f));
      case Op::signbit: return integer(std::signbit(e.f));
      default: return real(round_to(t, real_unary(op, e.f)));
    }
  }
  const auto x = static_cast<uint64_t>(e.i);
  switch (op) {
    case Op::neg: return integer(wrap(t, 0 - x));
    case Op::abs: return integer(!is_unsigned(t) && e.i < 0 ? wrap(t, 0 - x) : e.i);
    case Op::bnot: return integer(wrap(t, ~x));
    case Op::lnot: return integer(e.i == 0);
    case Op::popcount: return integer(std::popcount(bits_of(t, e.i)));
    case Op::clz: return integer(std::countl_zero(bits_of(t, e.i)) - (64 - width(t)));
    case Op::isnan: case Op::isinf: return integer(0);
    case Op::isfinite: return integer(1);
    case Op::signbit: return integer(!is_unsigned(t) && e.i < 0);
    case Op::floor: case Op::ceil: case Op::round: case Op::trunc: return e;
    default: malformed(std::string("operation `") + graph::name(op) + "` on integers");
  }
}

Element binary(Op op, DType t, Element a, Element b) {
  if (!is_float(t)) return integer(integer_binary(op, t, a.i, b.i));
  if (is_comparison(op)) return integer(compare(op, a.f, b.f));
  return real(round_to(t, real_binary(op, a.f, b.f)));
}

Element ternary(Op op, DType t, Element a, Element b, Element c) {
  switch (op) {
    case Op::fma:
      if (!is_float(t)) return binary(Op::add, t, binary(Op::mul, t, a, b), c);
      if (t == DType::f64) return real(std::fma(a.f, b.f, c.f));
      return real(round_to(t, std::fma(static_cast<float>(a.f), static_cast<float>(b.f), static_cast<float>(c.f))));
    case Op::clamp: return binary(Op::min, t, binary(Op::max, t, a, b), c);
    default: malformed(std::string("operation `") + graph::name(op) + "`");
  }
}

}  // namespace tine::reference
