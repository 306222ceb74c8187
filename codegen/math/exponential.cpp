// exp, exp2, expm1 and the logistic function.
//
// e^x = 2^n e^r: n = round(x / ln 2) comes out of the adder's rounding by a constant so large that the last bit is 1,
// and the low bits of that sum, shifted, are the float 2^n (the constant carries the exponent's bias too). 2^n may be
// past the ends of the format when the result is not, so n = 2h and the factor 2^h is applied twice; the second product
// rounds once where the result is subnormal, and runs into infinity or zero by itself.
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
struct ExpFormat {
  double magic;  ///< 1.5 * 2^(p-1) + bias
  int mantissa;
  double ln2_high, ln2_low;  ///< high has trailing zeros: n * ln2_high is exact
  double lowest, highest;    ///< beyond them exp is 0 and infinity
  std::span<const double> exp, exp2, expm1;
};

// Coefficients: tools/minimax/fits.py.
// exp_f32: 2^-25.93 relative on [-ln 2, ln 2]
constexpr double exp_f32[] = {
    1, 1, 0x1.00000cp-1, 0x1.555512p-3, 0x1.5549ccp-5, 0x1.1126bep-7, 0x1.71cb96p-10, 0x1.9c04d8p-13};
// exp2_f32: 2^-26.25 relative on [-1/2, 1/2]
constexpr double exp2_f32[] = {
    1, 0x1.62e43p-1, 0x1.ebfb94p-3, 0x1.c6af9ep-5, 0x1.3b67eap-7, 0x1.5ef57p-10, 0x1.17cf04p-13};
// expm1_f32: 2^-26.08 relative on [-ln 2 / 2, ln 2 / 2], without the leading r
constexpr double expm1_f32[] = {0x1.fffffep-2, 0x1.5554aap-3, 0x1.555798p-5, 0x1.122c1p-7, 0x1.6ac7eap-10};

// exp_f64: minimax 2^-61.89, as rounded 2^-60.45
constexpr double exp_f64[] = {1,
                              1,
                              0x1p-1,
                              0x1.555555555554cp-3,
                              0x1.5555555555537p-5,
                              0x1.111111111225ap-7,
                              0x1.6c16c16c1cbe3p-10,
                              0x1.a01a019d3ce11p-13,
                              0x1.a01a019304eabp-16,
                              0x1.71de3df920c02p-19,
                              0x1.27e50877af75ap-22,
                              0x1.ae5f8705479afp-26,
                              0x1.1ee142b695699p-29,
                              0x1.6455db20e21f5p-33,
                              0x1.9d5ca47227d69p-37};
// exp2_f64: minimax 2^-58.04, as rounded 2^-56.29
constexpr double exp2_f64[] = {1,
                               0x1.62e42fefa39efp-1,
                               0x1.ebfbdff82c5b3p-3,
                               0x1.c6b08d704a26fp-5,
                               0x1.3b2ab6fb9daa3p-7,
                               0x1.5d87fe78455e4p-10,
                               0x1.4309131688045p-13,
                               0x1.ffcbfe67f91ebp-17,
                               0x1.62bfb479d0dcfp-20,
                               0x1.b5207e171354cp-24,
                               0x1.e63bc5631d043p-28,
                               0x1.f0ec96950013dp-32};
// expm1_f64: minimax 2^-61.74, as rounded 2^-61.26
constexpr double expm1_f64[] = {0x1p-1,
                                0x1.5555555555559p-3,
                                0x1.5555555555559p-5,
                                0x1.111111110f6fcp-7,
                                0x1.6c16c16c1639p-10,
                                0x1.a01a01af9144p-13,
                                0x1.a01a019de2298p-16,
                                0x1.71ddf97e6b42cp-19,
                                0x1.27e4fed6c8009p-22,
                                0x1.af5c5668826e9p-26,
                                0x1.1f286094e2285p-29};

const ExpFormat& format(Value x) {
  static const ExpFormat f32{0x1.8p23 + 127, 23, 0x1.62e4p-1, 0x1.7f7d1cp-20, -104, 89, exp_f32, exp2_f32, expm1_f32};
  static const ExpFormat f64{0x1.8p52 + 1023, 52,       0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, -746, 710,
                             exp_f64,         exp2_f64, expm1_f64};
  return Emit::width(x) == 64 ? f64 : f32;
}

/// The float 2^n, from magic + n.
Value power_of_two(Emit& e, Value t, int mantissa) {
  return e.as_float(e.shl(e.bits(t), mantissa), mlir::getElementTypeOrSelf(t.getType()));
}
}  // namespace

namespace {
/// x is in range, or NaN.
Value exp_clamped(Emit& e, Value x, Value low) {
  const ExpFormat& m = format(x);
  Value t = e.fma(x, 0.72134752044448170368, m.magic);  // h = round(x / (2 ln 2))
  Value h = e.sub(t, m.magic);
  Value r = e.fma(h, -2 * m.ln2_high, x);
  r = low ? e.add(r, e.fma(h, -2 * m.ln2_low, low)) : e.fma(h, -2 * m.ln2_low, r);
  Value p = e.poly(r, m.exp);
  Value s = power_of_two(e, t, m.mantissa);
  return e.mul(e.mul(p, s), s);
}

/// The factor 2^n is applied once, and 2^-127 and 2^128 come out as 0 and infinity.
Value exp_fast(Emit& e, Value x) {
  const ExpFormat& m = format(x);
  const bool wide = Emit::width(x) == 64;
  x = e.at_most(e.at_least(x, wide ? -709.1 : -88.1), m.highest);
  Value t = e.fma(x, 1.44269504088896340736, m.magic);
  Value n = e.sub(t, m.magic);
  Value r = e.fma(n, -m.ln2_high, x);
  r = e.fma(n, -m.ln2_low, r);
  Value p = e.fma(r, e.fma(r, e.poly(r, m.expm1), 1.0), 1.0);
  return e.mul(p, power_of_two(e, t, m.mantissa));
}
}  // namespace

Value exp_of_pair(Emit& e, Value x, Value low) {
  const ExpFormat& m = format(x);
  return exp_clamped(e, e.at_most(e.at_least(x, m.lowest), m.highest), low);
}

Value exp(Emit& e, Value x) {
  if (e.options.fast_math) return exp_fast(e, x);
  return exp_of_pair(e, x, {});
}

Value exp2_of_parts(Emit& e, Value r, Value n) {
  // n is not forced to be even, so that integers come out exact (r = 0): n = h + k with h = round(n / 2).
  const ExpFormat& m = format(n);
  Value p = e.poly(r, m.exp2);
  Value t = e.add(n, m.magic);
  Value th = e.fma(n, 0.5, m.magic);
  Value sh = power_of_two(e, th, m.mantissa);
  // The bits of t less those of th are k; the bias is lost with it.
  Value k = e.shl(e.isub(e.bits(t), e.bits(th)), m.mantissa);
  Value sk = e.as_float(e.iadd(k, e.bits(e.f(n, 1))), mlir::getElementTypeOrSelf(n.getType()));
  return e.mul(e.mul(p, sh), sk);
}

Value exp2(Emit& e, Value x) {
  const bool wide = Emit::width(x) == 64;
  x = e.at_most(e.at_least(x, wide ? -1080 : -152), wide ? 1025 : 129);
  Value n = e.round_even(x);
  return exp2_of_parts(e, e.sub(x, n), n);
}

Value expm1_core(Emit& e, Value x) {
  // 2^n (e^r - 1) + (2^n - 1): both terms have x's sign, or n = 0, so nothing cancels.
  const ExpFormat& m = format(x);
  Value t = e.fma(x, 1.44269504088896340736, m.magic);
  Value n = e.sub(t, m.magic);
  Value r = e.fma(n, -m.ln2_high, x);
  r = e.fma(n, -m.ln2_low, r);
  Value q = e.fma(e.mul(r, r), e.poly(r, m.expm1), r);
  Value s = power_of_two(e, t, m.mantissa);
  return e.fma(s, q, e.sub(s, 1));
}

Value expm1_quarter(Emit& e, Value x) {
  // The same, with the factor 2^(n-2): n may be two past the largest exponent.
  const ExpFormat& m = format(x);
  const bool wide = Emit::width(x) == 64;
  x = e.at_most(e.at_least(x, wide ? -40 : -20), wide ? 710.6 : 89.5);  // n - 2 <= the largest exponent
  Value t = e.fma(x, 1.44269504088896340736, m.magic - 2);
  Value n = e.sub(t, m.magic - 2);
  Value r = e.fma(n, -m.ln2_high, x);
  r = e.fma(n, -m.ln2_low, r);
  Value q = e.fma(e.mul(r, r), e.poly(r, m.expm1), r);
  Value s = power_of_two(e, t, m.mantissa);
  return e.fma(s, q, e.sub(s, 0.25));
}

Value expm1(Emit& e, Value x) {
  Value y = e.mul(expm1_quarter(e, x), 4);
  Value tiny = e.cmp(FPred::OLT, e.abs(x), Emit::width(x) == 64 ? 0x1p-54 : 0x1p-25);  // also keeps -0 and subnormals
  return e.select(tiny, x, y);
}

Value sigmoid(Emit& e, Value x) {
  // With y = e^-|x| in (0, 1]: 1 / (1 + y), or y / (1 + y) for negative x; no overflow, and small results stay
  // relative.
  Value a = e.neg(e.abs(x));
  Value y = e.options.fast_math ? exp_fast(e, a) : exp_clamped(e, e.at_least(a, format(x).lowest), {});
  Value one = e.f(x, 1);
  Value top = e.select(e.cmp(FPred::OLT, x, 0.0), y, one);
  return e.div(top, e.add(y, one));
}

}  // namespace tine::math
