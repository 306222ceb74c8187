// log, log2, log10 and log1p.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)); f = m - 1 is exact.
// f32: log(1 + f) = f - f^2/2 + f^3 P(f).
// f64: with s = f / (2 + f), log(1 + f) = f - (f^2/2 - s (f^2/2 + s^2 R(s^2))), as atanh's series gives it.
#include <limits>

#include "codegen/math/parts.hpp"

namespace tine::math {

LogParts log_parts(Emit& e, Value x, bool normal) {
  const bool wide = Emit::width(x) == 64;
  const int mantissa = wide ? 52 : 23;
  const int64_t half_root = wide ? 0x3fe6a09e667f3bcd : 0x3f3504f3;  // bits of sqrt(1/2)
  Value small, y = x;
  if (!normal) {
    small = e.cmp(FPred::OLT, x, wide ? 0x1p-1022 : 0x1p-126);
    y = e.select(small, e.mul(x, wide ? 0x1p54 : 0x1p24), x);
  }
  Value b = e.bits(y);
  // Everything below sqrt(1/2) borrows from the exponent.
  Value d = e.isub(b, half_root);
  Value k = e.ashr(d, mantissa);
  Value m = e.as_float(e.isub(b, e.shl(k, mantissa)), mlir::getElementTypeOrSelf(x.getType()));
  Value kf;
  if (wide) {
    // |k| < 2^11: the bits of 1.5 * 2^52 + k are those of the constant, plus k
    kf = e.sub(e.as_float(e.iadd(k, e.bits(e.f(x, 0x1.8p52))), e.b.getF64Type()), 0x1.8p52);
  } else {
    kf = e.si_to_f(k, e.b.getF32Type());
  }
  if (!normal) kf = e.sub(kf, e.select(small, e.f(x, wide ? 54 : 24), e.f(x, 0)));
  return {kf, e.sub(m, 1)};
}

namespace {
// Coefficients: tools/minimax/fits.py.
// log_f32: 2^-27.25 relative on [sqrt(1/2) - 1, sqrt(2) - 1], from f^3 on
constexpr double log_f32[] = {0x1.555554p-2, -0x1.000228p-2, 0x1.99a036p-3, -0x1.54722ap-3,
                              0x1.22d5eap-3, -0x1.0d8118p-3, 0x1.057496p-3, -0x1.3908d6p-4};
// log_f64: minimax 2^-51.54, as rounded 2^-51.53, times s^2
constexpr double log_f64[] = {0x1.5555555555558p-1, 0x1.99999999952d5p-2, 0x1.2492492df8014p-2, 0x1.c71c62db1b559p-3,
                              0x1.7462b7bfb4bf6p-3, 0x1.39fdfab90cdfap-3, 0x1.2b5d1358fb3f6p-3};

/// log(1 + f) - f.
Value tail(Emit& e, Value f) {
  Value z = e.mul(f, f);
  if (Emit::width(f) == 64) {
    Value s = e.div(f, e.add(f, 2));
    Value w = e.mul(s, s);
    Value r = e.mul(w, e.poly(w, log_f64));
    Value h = e.mul(z, 0.5);
    return e.sub(e.mul(s, e.add(h, r)), h);
  }
  Value p = e.mul(f, e.poly(f, log_f32));
  return e.mul(z, e.add(p, -0.5));
}

/// log(0) = -inf, log(inf) = inf, log(x < 0) = NaN, log(NaN) = NaN.
Value specials(Emit& e, Value x, Value y) {
  const double inf = std::numeric_limits<double>::infinity();
  y = e.select(e.cmp(FPred::OEQ, x, inf), x, y);
  y = e.select(e.cmp(FPred::OEQ, x, 0.0), e.f(x, -inf), y);
  return e.select(e.cmp(FPred::ULT, x, 0.0), e.f(x, std::numeric_limits<double>::quiet_NaN()), y);
}

struct Ln2 {
  double high, low;
};
Ln2 ln2(Value x) {
  if (Emit::width(x) == 64) return {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
  return {0x1.62e4p-1, 0x1.7f7d1cp-20};
}

Value natural(Emit& e, Value k, Value f) {
  const Ln2 l = ln2(f);
  Value t = e.fma(k, l.low, tail(e, f));
  return e.fma(k, l.high, e.add(f, t));
}
}  // namespace

Value log(Emit& e, Value x) {
  LogParts s = log_parts(e, x, false);
  return specials(e, x, natural(e, s.k, s.f));
}

Value log2(Emit& e, Value x) {
  // log2(1 + f) = (f + tail) / ln 2 with 1 / ln 2 = 1 + c: f is added last but k, and exactly 0 for powers of two.
  LogParts s = log_parts(e, x, false);
  const double c = 0.44269504088896340736;
  Value t = tail(e, s.f);
  Value y = e.add(t, e.mul(e.add(s.f, t), c));
  return specials(e, x, e.add(s.k, e.add(s.f, y)));
}

Value log10(Emit& e, Value x) {
  // k log10(2) in two pieces, and log10(1 + f) = (f + tail) log10(e).
  LogParts s = log_parts(e, x, false);
  const bool wide = Emit::width(x) == 64;
  const double high = wide ? 0x1.34413509f78p-2 : 0x1.344p-2, low = wide ? 0x1.fef311f12b358p-46 : 0x1.3509f8p-18;
  const double m_high = wide ? 0x1.bcb7b14p-2 : 0x1.bcbp-2, m_low = wide ? 0x1.26e50e32a6ab7p-30 : 0x1.ec549cp-16;
  Value t = tail(e, s.f);
  Value y = e.add(s.f, t);
  Value small = e.fma(s.k, low, e.mul(y, m_low));
  return specials(e, x, e.fma(s.k, high, e.fma(y, m_high, small)));
}

Value log1p(Emit& e, Value x) {
  // u = 1 + x names k; then f = x 2^-k + (2^-k - 1) rounds once, and is x itself for k = 0. The factor is 2^(2-k), with
  // x/4 beside it: 2^-k may be below the normal numbers.
  Value u = e.add(x, 1);
  LogParts s = log_parts(e, u, true);
  const bool wide = Emit::width(x) == 64;
  Value magic = e.f(x, wide ? 0x1.8p52 + 1025 : 0x1.8p23 + 129);
  Value scale = e.as_float(e.shl(e.bits(e.sub(magic, s.k)), wide ? 52 : 23), mlir::getElementTypeOrSelf(x.getType()));
  Value f = e.fma(e.mul(x, 0.25), scale, e.fma(scale, 0.25, e.f(x, -1)));
  Value y = specials(e, u, natural(e, s.k, f));
  Value tiny = e.cmp(FPred::OLT, e.abs(x), wide ? 0x1p-54 : 0x1p-25);
  return e.select(tiny, x, y);
}

}  // namespace tine::math
