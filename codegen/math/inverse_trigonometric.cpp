// asin, acos, atan and atan2.
#include <limits>

#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
// Coefficients: tools/minimax/fits.py. atan t = t + t z A(z) for |t| <= tan(pi/8); asin s = s + s z A(z) for |s| <=
// 1/2. atan_f32: minimax 2^-30.46, as rounded 2^-30.41
constexpr double atan_f32[] = {-0x1.55554ap-2, 0x1.9991ep-3, -0x1.23b966p-3, 0x1.b21ff8p-4, -0x1.f2cbeep-5};
// atan_f64: minimax 2^-59.43, as rounded 2^-59.36
constexpr double atan_f64[] = {-0x1.555555555553cp-2, 0x1.999999999565p-3,  -0x1.24924922a15a7p-3, 0x1.c71c70e1bd771p-4,
                               -0x1.745cf868604cap-4, 0x1.3b11117be86d6p-4, -0x1.10eb657749656p-4, 0x1.df0ac2fc4449bp-5,
                               -0x1.9cbef4184a03ep-5, 0x1.37a4b208b626dp-5, -0x1.250186230cdf7p-6};
// asin_f32: minimax 2^-27.62, as rounded 2^-27.61
constexpr double asin_f32[] = {0x1.5555c8p-3, 0x1.330204p-4, 0x1.747bb8p-5, 0x1.8c3e4ep-6, 0x1.595c5ep-5};
// asin_f64: minimax 2^-55.90, as rounded 2^-55.90
constexpr double asin_f64[] = {0x1.555555555539p-3,  0x1.333333336e834p-4, 0x1.6db6db4277b55p-5,  0x1.f1c72c3a18827p-6,
                               0x1.6e89f42027729p-6, 0x1.1c6be3c7584dcp-6, 0x1.c6fd93aa04af7p-7,  0x1.8ec4403d94166p-7,
                               0x1.abc3d0552778bp-8, 0x1.3ffced1a5324dp-6, -0x1.09e09f9991b71p-6, 0x1.05723103ed2abp-5};

struct Constant {
  double high, low;
};
Constant quarter_pi(Value x) {
  if (Emit::width(x) == 64) return {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  return {0x1.921fb6p-1, -0x1.777a5cp-26};
}
bool wide(Value x) { return Emit::width(x) == 64; }

constexpr double tan_eighth = 0x1.a827999fcef32p-2;  // tan(pi/8)

Value atan_small(Emit& e, Value t) {
  Value z = e.mul(t, t);
  Value p = wide(t) ? e.poly(z, atan_f64) : e.poly(z, atan_f32);
  return e.fma(e.mul(t, z), p, t);
}
Value asin_small(Emit& e, Value s, Value z) {
  Value p = wide(s) ? e.poly(z, asin_f64) : e.poly(z, asin_f32);
  return e.fma(e.mul(s, z), p, s);
}
/// m pi/4 + y, for small whole m.
Value quarters_plus(Emit& e, Value m, Value y) {
  const Constant c = quarter_pi(y);
  return e.fma(m, c.high, e.fma(m, c.low, y));
}
}  // namespace

Value atan(Emit& e, Value x) {
  // |x| <= tan(pi/8): as it is; up to tan(3pi/8): pi/4 + atan((x - 1) / (x + 1)); above: pi/2 - atan(1 / x).
  Value a = e.abs(x);
  Value one = e.f(x, 1);
  Value middle = e.cmp(FPred::OGT, a, tan_eighth), high = e.cmp(FPred::OGT, a, 0x1.3504f333f9de6p+1);
  Value up = e.select(high, e.f(x, -1), e.select(middle, e.sub(a, one), a));
  Value down = e.select(high, a, e.select(middle, e.add(a, one), one));
  Value m = e.select(high, e.f(x, 2), e.select(middle, one, e.f(x, 0)));
  return e.copysign(quarters_plus(e, m, atan_small(e, e.div(up, down))), x);
}

Value atan2(Emit& e, Value y, Value x) {
  const double inf = std::numeric_limits<double>::infinity();
  Value ay = e.abs(y), ax = e.abs(x), one = e.f(x, 1), zero = e.f(x, 0);
  Value steep = e.cmp(FPred::OGT, ay, ax);
  Value small = e.select(steep, ax, ay), large = e.select(steep, ay, ax);
  // 0/0 and inf/inf have their own answers: 0 and 1.
  Value at_infinity = e.cmp(FPred::OEQ, large, inf), at_zero = e.cmp(FPred::OEQ, large, zero);
  small = e.select(at_infinity, e.select(e.cmp(FPred::OEQ, small, inf), one, zero), small);
  large = e.select(e.bor(at_infinity, at_zero), one, large);
  // The sum below must not overflow.
  Value scale = e.select(e.cmp(FPred::OGT, large, 1.0), e.f(x, 0.25), one);
  small = e.mul(small, scale);
  large = e.mul(large, scale);
  Value middle = e.cmp(FPred::OGT, small, e.mul(large, tan_eighth));
  Value up = e.select(middle, e.sub(small, large), small), down = e.select(middle, e.add(small, large), large);
  Value r = atan_small(e, e.div(up, down));
  // The angle is m pi/4 + r or m pi/4 - r.
  Value m = e.select(middle, one, zero);
  m = e.select(steep, e.sub(e.f(x, 2), m), m);
  r = e.select(steep, e.neg(r), r);
  Value left = e.cmp(IPred::slt, e.bits(x), 0);
  m = e.select(left, e.sub(e.f(x, 4), m), m);
  r = e.select(left, e.neg(r), r);
  Value angle = e.copysign(quarters_plus(e, m, r), y);
  return e.select(e.cmp(FPred::UNO, x, y), e.add(x, y), angle);
}

Value asin(Emit& e, Value x) {
  // |x| > 1/2: pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
  Value a = e.abs(x);
  Value far = e.cmp(FPred::OGT, a, 0.5);
  Value z = e.select(far, e.fma(a, -0.5, 0.5), e.mul(x, x));
  Value s = e.select(far, e.sqrt(z), a);
  Value y = asin_small(e, s, z);
  Value bent = quarters_plus(e, e.f(x, 2), e.mul(y, -2));
  return e.copysign(e.select(far, bent, y), x);
}

Value acos(Emit& e, Value x) {
  // x > 1/2: 2 asin(sqrt((1 - x) / 2)); x < -1/2: pi minus that of -x; between: pi/2 - asin x.
  Value a = e.abs(x);
  Value far = e.cmp(FPred::OGT, a, 0.5), negative = e.cmp(FPred::OLT, x, 0.0);
  Value z = e.select(far, e.fma(a, -0.5, 0.5), e.mul(x, x));
  Value s = e.select(far, e.sqrt(z), a);
  Value y = asin_small(e, s, z);
  Value m = e.select(far, e.select(negative, e.f(x, 4), e.f(x, 0)), e.f(x, 2));
  Value twice = e.select(far, e.add(y, y), e.neg(y));
  return quarters_plus(e, m, e.select(negative, e.neg(twice), twice));
}

}  // namespace tine::math
