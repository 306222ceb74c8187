// pow: |x|^y by logarithm and exponential with enough extra bits, then the signs and exceptions of C99 F.9.4.4.
#include <limits>

#include "codegen/math/double_double.hpp"
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
// Coefficients: tools/minimax/fits.py. With s = f / (2 + f), w = s^2:
// f64: log(1 + f) = 2 s (1 + w (1/3 + w R(w))).  pow_log: minimax 2^-73.55, as rounded 2^-73.48
constexpr double pow_log[] = {0x1.9999999999996p-3, 0x1.2492492492f51p-3, 0x1.c71c71c5968bdp-4, 0x1.745d18295a6f3p-4,
                              0x1.3b1364c7b4f58p-4, 0x1.11206f7d4101ap-4, 0x1.de3d61763f9e7p-5, 0x1.eac64eca5d663p-5};
// f32: log2(1 + f) = s R(w), in f64.  powf_log: minimax 2^-43.56, as rounded 2^-43.56
constexpr double powf_log[] = {0x1.71547652b825p+1,  0x1.ec709dc53e317p-1, 0x1.2776c2914706bp-1,
                               0x1.a61a304eca757p-2, 0x1.479518d222fb3p-2, 0x1.21b44deead017p-2};

constexpr double inf = std::numeric_limits<double>::infinity();

/// log2 of 0 and infinity, which the exponent field does not give.
Value log_ends(Emit& e, Value a, Value l) {
  l = e.select(e.cmp(FPred::OEQ, a, 0.0), e.f(l, -inf), l);
  return e.select(e.cmp(FPred::OLT, a, inf), l, a);  // infinity and NaN
}

/// |x|^y in f32, computed in f64: 2^-43 of log2 x, times at most 150, leaves 2^-35.
Value power_f32(Emit& e, Value a32, Value y) {
  Type f64 = e.b.getF64Type(), f32 = e.b.getF32Type();
  Value a = e.fext(a32, f64);
  LogParts p = log_parts(e, a, /*normal=*/true);
  Value s = e.div(p.f, e.add(p.f, 2));
  Value l = e.fma(s, e.poly(e.mul(s, s), powf_log), p.k);
  l = log_ends(e, a, l);
  Value t = e.mul(l, e.fext(y, f64));
  t = e.at_most(e.at_least(t, -160), 160);
  Value n = e.round_even(t);
  return exp2_of_parts(e, e.ftrunc(e.sub(t, n), f32), e.ftrunc(n, f32));
}

/// |x|^y in f64: the logarithm as a pair with about 66 good bits.
Value power_f64(Emit& e, Value a, Value y) {
  LogParts p = log_parts(e, a, false);
  Value d = e.add(p.f, 2);
  Value d_low = e.sub(p.f, e.sub(d, 2));
  Pair s;
  s.high = e.div(p.f, d);
  s.low = e.div(e.fma(e.neg(s.high), d_low, e.fma(e.neg(s.high), d, p.f)), d);
  Pair w = multiply(e, s, s);
  Pair c = fast_two_sum(e, e.f(a, 0x1.5555555555555p-2), rounded_product(e, w.high, e.poly(w.high, pow_log)));
  c.low = e.add(c.low, 0x1.5555555555555p-56);
  Pair v = multiply(e, s, multiply(e, w, c));
  Pair l = fast_two_sum(e, s.high, v.high);
  l.low = e.add(l.low, e.add(s.low, v.low));
  // k ln 2 + 2 l; the high part of ln 2 has 42 bits, so that its product is exact.
  Pair sum = fast_two_sum(e, rounded_product(e, p.k, e.f(a, 0x1.62e42fefa38p-1)), e.add(l.high, l.high));
  sum.low = e.add(sum.low, e.fma(p.k, 0x1.ef35793c7673p-45, e.add(l.low, l.low)));
  Value high = log_ends(e, a, sum.high);
  Pair t = two_product(e, y, high);
  Value low = e.fma(y, sum.low, t.low);
  low = e.select(e.cmp(FPred::OLT, e.abs(t.high), 1000.0), low, e.f(a, 0));  // past the ends; also y or x infinite
  return exp_of_pair(e, t.high, low);
}
}  // namespace

Value pow(Emit& e, Value x, Value y) {
  Value a = e.abs(x), one = e.f(x, 1);
  Value r = Emit::width(x) == 64 ? power_f64(e, a, y) : power_f32(e, a, y);
  // |x| = 1: also for infinite y. x^0 = 1 and 1^y = 1 for NaN too, at the end.
  r = e.select(e.cmp(FPred::OEQ, a, 1.0), one, r);
  Value whole = e.cmp(FPred::OEQ, e.trunc(y), y);
  Value half = e.mul(y, 0.5);
  Value odd = e.band(whole, e.cmp(FPred::UNE, e.trunc(half), half));
  Value negative = e.cmp(IPred::slt, e.bits(x), 0);
  r = e.select(e.band(negative, odd), e.neg(r), r);
  Value finite_negative = e.band(e.cmp(FPred::OLT, x, 0.0), e.cmp(FPred::OGT, x, -inf));
  Value nan = e.f(x, std::numeric_limits<double>::quiet_NaN());
  r = e.select(e.band(finite_negative, e.cmp(FPred::UNE, e.trunc(y), y)), nan, r);
  r = e.select(e.cmp(FPred::UNO, x, y), nan, r);
  Value is_one = e.bor(e.cmp(FPred::OEQ, y, 0.0), e.cmp(FPred::OEQ, x, 1.0));
  return e.select(is_one, one, r);
}

}  // namespace tine::math
