#include "tests/math/values.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/math/names.hpp"

namespace tine::math::test {
using graph::DType;

namespace {
struct Format {
  int exponent, mantissa, bias;
  bool infinities;
};
Format format(DType t) {
  switch (t) {
    case DType::f8e4m3fn:
      return {4, 3, 7, false};
    case DType::f8e5m2:
      return {5, 2, 15, true};
    case DType::f16:
      return {5, 10, 15, true};
    case DType::bf16:
      return {8, 7, 127, true};
    case DType::f32:
      return {8, 23, 127, true};
    default:
      return {11, 52, 1023, true};
  }
}
int width(DType t) { return t == DType::b1 ? 1 : 8 * graph::bytes(t); }
Bits mask(int bits) { return bits >= 64 ? ~Bits{0} : (Bits{1} << bits) - 1; }
__int128 to_int(DType t, Bits b) {
  const int w = width(t);
  if (graph::is_unsigned(t) || !(b >> (w - 1) & 1)) return __int128(b);
  return __int128(b) - (__int128{1} << w);
}
}  // namespace

bool is_nan(DType t, Bits b) { return graph::is_float(t) && std::isnan(decode(t, b)); }

long double decode(DType t, Bits b) {
  if (!graph::is_float(t)) return (long double)to_int(t, b);
  const Format f = format(t);
  const int e = int(b >> f.mantissa & mask(f.exponent));
  const Bits m = b & mask(f.mantissa);
  long double v;
  if (e == int(mask(f.exponent)) && f.infinities) {
    v = m ? std::numeric_limits<long double>::quiet_NaN() : std::numeric_limits<long double>::infinity();
  } else if (e == int(mask(f.exponent)) && m == mask(f.mantissa) && !f.infinities) {
    v = std::numeric_limits<long double>::quiet_NaN();
  } else if (e == 0) {
    v = std::ldexp((long double)m, 1 - f.bias - f.mantissa);
  } else {
    v = std::ldexp((long double)(m | Bits{1} << f.mantissa), e - f.bias - f.mantissa);
  }
  return b >> (f.exponent + f.mantissa) & 1 ? -v : v;
}

Bits encode_float(DType t, long double v, Overflow overflow) {
  const Format f = format(t);
  const Bits sign = Bits{std::signbit(v)} << (f.exponent + f.mantissa);
  const Bits infinity = mask(f.exponent) << f.mantissa, nan = mask(f.exponent + f.mantissa);
  const Bits largest = f.infinities ? infinity - 1 : nan - 1;
  if (std::isnan(v)) return nan | sign;
  v = std::fabs(v);
  const bool fp8 = f.exponent + f.mantissa == 7;
  Bits r;
  if (v == 0) {
    r = 0;
  } else if (std::isinf(v)) {
    r = f.infinities ? infinity : nan;
  } else {
    const int e = std::max(std::ilogb(v), 1 - f.bias);
    const long double scaled =
        std::ldexp(v, f.mantissa - e);             // exact: v has 64 bits at most and a far smaller exponent
    const Bits n = Bits(std::nearbyint(scaled));   // half to even
    r = (Bits(e + f.bias - 1) << f.mantissa) + n;  // the leading bit of a normal n carries into the exponent
    if (e + f.bias > int(mask(f.exponent)) || r > largest) r = f.infinities ? infinity : nan;
  }
  if (fp8 && overflow == Overflow::saturate && r > largest) r = largest;
  return r | sign;
}

Bits encode_saturating(DType t, long double v) {
  if (std::isnan(v)) return 0;
  v = std::trunc(v);
  const int w = width(t);
  const bool u = graph::is_unsigned(t);
  const long double low = u ? 0 : -std::ldexp(1.0L, w - 1), high = std::ldexp(1.0L, u ? w : w - 1) - 1;
  v = v < low ? low : v > high ? high : v;
  return encode_wrapping(t, __int128(v));
}

Bits encode_wrapping(DType t, __int128 v) { return Bits(v) & mask(width(t)); }

Bits cast_reference(DType from, DType to, Bits b, Overflow overflow) {
  if (to == DType::b1) return decode(from, b) != 0;
  if (graph::is_float(to)) return encode_float(to, decode(from, b), overflow);
  if (graph::is_float(from)) return encode_saturating(to, decode(from, b));
  return encode_wrapping(to, to_int(from, b));
}

std::vector<Bits> edges(DType t) {
  std::vector<Bits> v;
  const int w = width(t);
  if (t == DType::b1) return {0, 1};
  if (!graph::is_float(t)) {
    for (int k = 0; k < w; ++k)
      for (int d = -1; d <= 1; ++d) v.push_back(((Bits{1} << k) + Bits(d)) & mask(w));
    for (int k = 1; k < w; k += 3) v.push_back(~((Bits{1} << k) - 1) & mask(w));
    for (Bits k : {0, 3, 5, 7, 10, 100}) v.push_back(k & mask(w)), v.push_back((0 - k) & mask(w));
    return v;
  }
  const Format f = format(t);
  const Bits one = Bits(f.bias) << f.mantissa, infinity = mask(f.exponent) << f.mantissa, sign = Bits{1} << (w - 1);
  for (Bits b :
       {Bits{0}, Bits{1}, mask(f.mantissa), Bits{1} << f.mantissa, one - 1, one, one + 1,
        one + (Bits{1} << (f.mantissa - 1)), one + (Bits{1} << f.mantissa), one + (Bits{3} << (f.mantissa - 1)),
        one - (Bits{1} << f.mantissa), infinity - 1, infinity, infinity + 1, mask(w - 1)})
    v.push_back(b), v.push_back(b | sign);
  return v;
}

std::vector<Bits> inputs(DType t, size_t random) {
  std::vector<Bits> v;
  const int w = width(t);
  if (w <= 16) {
    for (Bits b = 0; b <= mask(w); ++b) v.push_back(b);
    return v;
  }
  v = edges(t);
  std::mt19937_64 g(99);
  for (size_t k = 0; k < random; ++k) {
    Bits b = g();
    if (!graph::is_float(t)) b >>= g() % unsigned(w);  // every magnitude
    if (!graph::is_float(t) && g() & 1) b = 0 - b;
    v.push_back(b & mask(w));
  }
  // Around the values and the midpoints of the narrow formats, and the ends of the integers.
  auto around = [&](long double x) {
    if (!graph::is_float(t)) {
      if (std::fabs(x) < 0x1p63L)
        for (int d = -1; d <= 1; ++d) v.push_back(encode_wrapping(t, __int128(x) + d));
      return;
    }
    const Bits b = encode_float(t, x);
    for (int d = -1; d <= 1; ++d) v.push_back((b + Bits(d)) & mask(w));
  };
  for (DType n : {DType::f8e4m3fn, DType::f8e5m2, DType::f16, DType::bf16})
    for (Bits b = 0; b < mask(8 * graph::bytes(n)); b += 1 + graph::bytes(n) / 2 * 3) {
      const long double x = decode(n, b), y = decode(n, b + 1);
      if (std::isfinite(x)) around(x);
      if (std::isfinite(x) && std::isfinite(y)) around((x + y) / 2);
      if (std::isfinite(x) && !std::isfinite(y))
        around(x * 1.0625L), around(x * (1 + 0x1p-9L)), around(x * (1 + 0x1p-12L)), around(x * (1 + 0x1p-11L));
    }
  for (int k = 0; k <= 64; ++k)
    for (long double s : {-1.0L, 1.0L})
      for (long double d : {-1.0L, -0.5L, 0.0L, 0.5L, 1.0L}) around(s * std::exp2((long double)k) + d);
  return v;
}

Bits Array::get(size_t k) const {
  Bits b = 0;
  const size_t n = size_t(graph::bytes(type));
  std::memcpy(&b, bytes.data() + k * n, n);
  return b;
}
void Array::set(size_t k, Bits b) {
  const size_t n = size_t(graph::bytes(type));
  std::memcpy(bytes.data() + k * n, &b, n);
}

std::string show(DType t, Bits b) {
  char s[80];
  std::snprintf(s, sizeof s, "%s 0x%llx (%.20Lg)", name_of(t), (unsigned long long)b, decode(t, b));
  return s;
}

const std::vector<DType>& all_types() {
  static const std::vector<DType> v = [] {
    std::vector<DType> r;
    for (int k = 0; k <= int(DType::f64); ++k) r.push_back(DType(k));
    return r;
  }();
  return v;
}

}  // namespace tine::math::test
