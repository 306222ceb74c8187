// The hyperbolic functions, on the cores of expm1 and log1p.
#include <limits>

#include "codegen/math/parts.hpp"

namespace tine::math {

Value tanh(Emit& e, Value x) {
  // tanh |x| = t / (t + 2) with t = e^(2|x|) - 1. Past the clamp the result is 1.
  Value a = e.at_most(e.abs(x), Emit::width(x) == 64 ? 22 : 10);
  Value t = expm1_core(e, e.add(a, a));
  return e.copysign(e.div(t, e.add(t, 2)), x);
}

Value sinh(Emit& e, Value x) {
  // With t = e^|x| - 1: (t + t / (t + 1)) / 2. A quarter of t does not overflow before the result does.
  const bool wide = Emit::width(x) == 64;
  Value q = expm1_quarter(e, e.abs(x));
  Value y = e.fma(q, 2.0, e.mul(e.div(q, e.add(q, 0.25)), 0.5));
  y = e.select(e.cmp(FPred::OLT, e.abs(x), wide ? 0x1p-28 : 0x1p-13), e.abs(x), y);
  return e.copysign(y, x);
}

Value cosh(Emit& e, Value x) {
  // With u = e^|x|: (u + 1 / u) / 2, from a quarter of u.
  Value q = e.add(expm1_quarter(e, e.abs(x)), 0.25);
  return e.fma(q, 2.0, e.div(e.f(x, 0.125), q));
}

namespace {
constexpr double ln2 = 0x1.62e42fefa39efp-1;
/// From here on x + sqrt(x^2 +- 1) is 2 x to the last bit of its logarithm.
double large(Value x) { return Emit::width(x) == 64 ? 0x1p28 : 0x1p13; }
}  // namespace

Value asinh(Emit& e, Value x) {
  // log(a + sqrt(a^2 + 1)) = log1p(a + a^2 / (1 + sqrt(a^2 + 1))); for large a, log(2 a) = log1p(a - 1) + log 2.
  Value a = e.abs(x);
  Value z = e.mul(a, a);
  Value u = e.add(a, e.div(z, e.add(e.sqrt(e.add(z, 1)), 1)));
  Value far = e.cmp(FPred::OGT, a, large(x));
  Value y = log1p(e, e.select(far, e.sub(a, 1), u));
  return e.copysign(e.add(y, e.select(far, e.f(x, ln2), e.f(x, 0))), x);
}

Value acosh(Emit& e, Value x) {
  // With t = x - 1: log1p(t + sqrt(t (t + 2))).
  Value t = e.sub(x, 1);
  Value u = e.add(t, e.sqrt(e.mul(t, e.add(t, 2))));
  Value far = e.cmp(FPred::OGT, x, large(x));
  Value y = log1p(e, e.select(far, t, u));
  y = e.add(y, e.select(far, e.f(x, ln2), e.f(x, 0)));
  return e.select(e.cmp(FPred::OGE, x, 1.0), y, e.f(x, std::numeric_limits<double>::quiet_NaN()));
}

Value atanh(Emit& e, Value x) {
  // log((1 + a) / (1 - a)) / 2 = log1p(2 a / (1 - a)) / 2.
  Value a = e.abs(x);
  Value y = log1p(e, e.div(e.add(a, a), e.sub(e.f(x, 1), a)));
  return e.copysign(e.mul(y, 0.5), x);
}

}  // namespace tine::math
