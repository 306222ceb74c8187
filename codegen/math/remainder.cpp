// C's fmod, exactly, and what NumPy's floor division makes of it. By long division with a large digit.
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
/// f32, in f64: each step takes a digit of 48 bits off. What remains is a multiple of the divisor's last bit, and below
/// the divisor, so that the fma which forms it is exact. 277 bits lie between the largest value and the smallest
/// subnormal.
Value magnitude_f32(Emit& e, Value x, Value y) {
  Type f64 = e.b.getF64Type();
  Value r = e.fext(x, f64), d = e.fext(y, f64);
  Value inverse = e.div(e.f(d, 1), d);
  for (int k = 5; k >= 0; --k) {
    const double scale = __builtin_ldexp(1.0, 48 * k);
    // Off by one at most, near a tie: r stays within 3/4 of the divisor.
    Value q = e.round_even(e.mul(r, e.mul(inverse, 1 / scale)));
    r = e.fma(e.neg(q), e.mul(d, scale), r);
  }
  r = e.select(e.cmp(FPred::OLT, r, 0.0), e.add(r, d), r);
  return e.ftrunc(r, e.b.getF32Type());
}

/// f64: x = X 2^i and y = Y 2^j with X, Y in [1, 2); X 2^(i-j) mod Y, 50 bits of i - j at a time. A step's remainder is
/// a multiple of Y's last bit below Y, so that the fma which forms it is exact.
Value magnitude_f64(Emit& e, Value x, Value y) {
  Type f64 = e.b.getF64Type();
  struct Scaled {
    Value mantissa, exponent;
  };
  auto scaled = [&](Value v) -> Scaled {
    Value small = e.cmp(FPred::OLT, v, 0x1p-1022);
    Value b = e.bits(e.select(small, e.mul(v, 0x1p54), v));
    Value exponent = e.isub(e.lshr(b, 52), e.select(small, e.i(b, 54), e.i(b, 0)));
    Value mantissa = e.as_float(e.bor(e.band(b, 0xfffffffffffff), 0x3ff0000000000000), f64);
    return {mantissa, exponent};
  };
  Scaled sx = scaled(x), sy = scaled(y);
  Value difference = e.isub(sx.exponent, sy.exponent);
  Value r = sx.mantissa, d = sy.mantissa;
  Value inverse = e.div(e.f(d, 1), d);
  Value zero = e.i(difference, 0), digit = e.i(difference, 50);
  for (int k = 0; k < 42; ++k) {
    Value c = e.smin(e.smax(difference, zero), digit);
    difference = e.isub(difference, 50);
    r = e.mul(r, e.as_float(e.shl(e.iadd(c, 1023), 52), f64));
    Value q = e.round_even(e.mul(r, inverse));
    r = e.fma(e.neg(q), d, r);
  }
  r = e.select(e.cmp(FPred::OLT, r, 0.0), e.add(r, d), r);
  // Back to y's exponent; in two factors, since it may be below the normal ones.
  Value half = e.ashr(e.isub(sy.exponent, 1023), 1);
  Value rest = e.isub(e.isub(sy.exponent, 1023), half);
  r = e.mul(r, e.as_float(e.shl(e.iadd(half, 1023), 52), f64));
  return e.mul(r, e.as_float(e.shl(e.iadd(rest, 1023), 52), f64));
}
}  // namespace

Value remainder(Emit& e, Value x, Value y) {
  const double inf = __builtin_inf();
  Value a = e.abs(x), d = e.abs(y);
  Value r = Emit::width(x) == 64 ? magnitude_f64(e, a, d) : magnitude_f32(e, a, d);
  r = e.select(e.cmp(FPred::OLT, a, d), a, r);  // also for infinite y
  // inf % y, x % 0 and NaN
  Value bad = e.bor(e.cmp(FPred::UEQ, a, inf), e.bor(e.cmp(FPred::UEQ, d, 0.0), e.is_nan(a)));
  r = e.select(e.bor(bad, e.is_nan(d)), e.f(x, __builtin_nan("")), r);
  return e.copysign(r, x);
}

Value remainder_floor(Emit& e, Value x, Value y) {
  Value r = remainder(e, x, y);
  Value zero = e.f(x, 0);
  Value opposite = e.cmp(IPred::slt, e.bxor(e.bits(r), e.bits(y)), 0);
  Value moved = e.select(opposite, e.add(r, y), r);
  return e.select(e.cmp(FPred::OEQ, r, zero), e.copysign(zero, y), moved);
}

Value quotient_floor(Emit& e, Value x, Value y) {
  // NumPy: (x - r) / y is whole but for rounding; x / 0 is what division says.
  Value r = remainder_floor(e, x, y);
  Value exact = e.div(x, y);
  Value q = e.round_even(e.div(e.sub(x, r), y));
  q = e.select(e.cmp(FPred::OEQ, q, 0.0), e.copysign(e.f(x, 0), exact), q);
  return e.select(e.cmp(FPred::OEQ, y, 0.0), exact, q);
}

}  // namespace tine::math
