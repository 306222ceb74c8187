#include "ops/numbers.hpp"

#include <limits>
#include <memory>

namespace tine::emulator::detail {

std::uint64_t round_to(const Format& f, bool negative, std::uint64_t magnitude, int exponent, bool sticky, Round mode, bool saturate_finite) {
  const int mb = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1, emin = 1 - bias;
  const std::uint64_t sign = std::uint64_t{negative} << (f.exponent_bits + mb);
  const std::uint64_t top = (std::uint64_t{1} << (f.exponent_bits + mb)) - 1;  // all exponent and mantissa bits
  const std::uint64_t largest = f.has_infinity ? (top ^ ((std::uint64_t{1} << mb) - 1)) - 1 : top - 1;
  if (magnitude == 0) {
    if (!sticky) return sign;
    // Below everything: only the directed modes leave zero.
    return sign | ((mode == Round::up && !negative) || (mode == Round::down && negative) ? 1u : 0u);
  }
  const int msb = 63 - std::countl_zero(magnitude), e = msb + exponent;  // value in [2^e, 2^(e+1))
  const int quantum = (e < emin ? emin : e) - mb;                        // weight of the last kept bit
  const int shift = quantum - exponent;
  std::uint64_t kept = 0, rest = 0, half = 0;
  bool rest_sticky = sticky;
  if (shift <= 0)
    kept = magnitude << -shift;
  else if (shift < 64) {
    kept = magnitude >> shift;
    rest = magnitude & ((std::uint64_t{1} << shift) - 1);
    half = std::uint64_t{1} << (shift - 1);
  } else {
    rest_sticky = true;  // far below half of the last bit, unless shift is just 64
    if (shift == 64) {
      rest = magnitude;
      half = std::uint64_t{1} << 63;
      rest_sticky = sticky;
    }
  }
  bool up = false;
  const bool inexact = rest != 0 || rest_sticky;
  switch (mode) {
    case Round::nearest: up = half != 0 && (rest > half || (rest == half && (rest_sticky || (kept & 1) != 0))); break;
    case Round::away: up = half != 0 && rest >= half; break;
    case Round::zero: break;
    case Round::down: up = inexact && negative; break;
    case Round::up: up = inexact && !negative; break;
  }
  kept += up;
  std::uint64_t bits = 0;
  if (e < emin)
    bits = kept;  // subnormal; a carry makes it the least normal number by itself
  else {
    const int biased = e + bias;
    if (biased > (1 << f.exponent_bits)) {
      bits = top + 1;
    } else
      bits = (static_cast<std::uint64_t>(biased) << mb) + (kept - (std::uint64_t{1} << mb));
  }
  if (bits > largest) {
    const bool to_largest = saturate_finite || mode == Round::zero || (mode == Round::down && !negative) || (mode == Round::up && negative);
    bits = to_largest ? largest : f.has_infinity ? largest + 1 : f.nan;
  }
  return sign | bits;
}

std::uint64_t from_double(const Format& f, double v, Round mode, bool saturate_finite) {
  if (v != v) return f.nan;
  const auto b = std::bit_cast<std::uint64_t>(v);
  const bool negative = (b >> 63) != 0;
  const int be = static_cast<int>((b >> 52) & 0x7FF);
  std::uint64_t m = b & 0xFFFFFFFFFFFFFull;
  if (be == 0x7FF) {
    const std::uint64_t top = (std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits)) - 1;
    const std::uint64_t sign = std::uint64_t{negative} << (f.exponent_bits + f.mantissa_bits);
    const std::uint64_t infinity = top ^ ((std::uint64_t{1} << f.mantissa_bits) - 1);
    if (!f.has_infinity) return sign | (saturate_finite ? top - 1 : f.nan);
    return sign | (saturate_finite ? infinity - 1 : infinity);
  }
  if (be != 0) m |= std::uint64_t{1} << 52;
  return round_to(f, negative, m, (be == 0 ? 1 : be) - 1075, false, mode, saturate_finite);
}

double to_double(const Format& f, std::uint64_t bits) {
  const int mb = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1;
  const bool negative = (bits >> (f.exponent_bits + mb) & 1) != 0;
  const std::uint64_t emax = (std::uint64_t{1} << f.exponent_bits) - 1;
  const std::uint64_t e = (bits >> mb) & emax, m = bits & ((std::uint64_t{1} << mb) - 1);
  double v = 0;
  if (f.has_infinity && e == emax)
    v = m == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (!f.has_infinity && e == emax && m == (std::uint64_t{1} << mb) - 1)
    v = std::numeric_limits<double>::quiet_NaN();
  else
    v = e == 0 ? std::ldexp(static_cast<double>(m), 1 - bias - mb) : std::ldexp(static_cast<double>(m | (std::uint64_t{1} << mb)), static_cast<int>(e) - bias - mb);
  return negative ? -v : v;
}

float half_to_float(std::uint16_t h) {
  static const std::unique_ptr<float[]> table = [] {
    auto t = std::make_unique<float[]>(65536);
    for (std::uint32_t i = 0; i < 65536; ++i) t[i] = static_cast<float>(to_double(kF16, i));
    return t;
  }();
  return table[h];
}

double add_odd(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  const double e = (a - (s - bb)) + (b - bb);  // TwoSum: s + e is exact
  if (e == 0 || !(std::fabs(s) <= std::numeric_limits<double>::max())) return s;
  auto bits = std::bit_cast<std::uint64_t>(s);
  if ((bits & 1) == 0) {
    if ((e > 0) == (s > 0))
      ++bits;
    else
      --bits;
  }
  return std::bit_cast<double>(bits);
}

Round round_from(std::string_view m) {
  if (m == "rz" || m == "rzi") return Round::zero;
  if (m == "rm" || m == "rmi") return Round::down;
  if (m == "rp" || m == "rpi") return Round::up;
  if (m == "rna") return Round::away;
  return Round::nearest;
}

}  // namespace tine::emulator::detail
