// sin, cos and tan over the whole range of the type.
//
// x 2/pi = n + f with |f| <= 1/2 (a trifle more in f32); sine and cosine of r = f pi/2 are polynomials, and n mod 4
// chooses between them. The work is in f: for large x only the bits of 2/pi below 4 / ulp(x) matter (Payne and Hanek,
// "Radian reduction for trigonometric functions", 1983). We pick that window of 2/pi by selects, as a few floats.
#include "codegen/math/double_double.hpp"
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
// Coefficients: tools/minimax/fits.py. sin r = r + r z S(z), cos r = 1 - z/2 + z^2 C(z), z = r^2.
// sin_f32: minimax 2^-27.32, as rounded 2^-27.27
constexpr double sin_f32[] = {-0x1.55553ep-3, 0x1.110486p-7, -0x1.9862b6p-13};
// cos_f32: minimax 2^-32.17, as rounded 2^-32.09
constexpr double cos_f32[] = {0x1.555546p-5, -0x1.6c09bep-10, 0x1.993afp-16};
// sin_f64: minimax 2^-57.89, as rounded 2^-57.89
constexpr double sin_f64[] = {-0x1.5555555555548p-3, 0x1.111111110f72ep-7,   -0x1.a01a019be8bd5p-13,
                              0x1.71de3554bf7c8p-19, -0x1.ae5e4b233eb7dp-26, 0x1.5d8b36c035197p-33};
// cos_f64: minimax 2^-63.90, as rounded 2^-63.84
constexpr double cos_f64[] = {0x1.555555555554ap-5,   -0x1.6c16c16c14ep-10,  0x1.a01a019c5c386p-16,
                              -0x1.27e4f7cd30294p-22, 0x1.1ee9c333d866ap-29, -0x1.8f99ca47ae2a2p-37};

constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;
constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

struct Reduced {
  Value quadrant;  ///< an integer of x's width; its low two bits count
  Pair r;          ///< in radians; `low` is null in f32
};

/// |x| < 1e5: three pieces of pi/2, each product inside an fma.
Reduced reduce_near(Emit& e, Value x) {
  const bool wide = Emit::width(x) == 64;
  const double magic = wide ? 0x1.8p52 : 0x1.8p23;
  Value t = e.fma(x, two_over_pi, magic);
  Value n = e.sub(t, magic);
  Value r;
  if (!wide) {
    r = e.fma(n, -0x1.921fb6p+0, x);
    r = e.fma(n, 0x1.777a5cp-25, r);
    r = e.fma(n, 0x1.ee59dap-50, r);
    return {e.bits(t), {r, {}}};
  }
  r = e.fma(n, -half_pi, x);
  r = e.fma(n, -half_pi_low, r);
  r = e.fma(n, 0x1.f1976b7ed8fbcp-110, r);
  return {e.bits(t), {r, e.f(x, 0)}};
}

/// f32, by f64. |x| = M 2^22a with M < 2^46, and M an integer where a > 0, so that 2^22a 2/pi may be taken modulo 4:
/// two floats hold it to 2^-106, and f to 2^-60. No f32 comes nearer to a multiple of pi/2 than about 2^-30.
Reduced reduce_f32(Emit& e, Value x) {
  struct Window {
    double from, scale, high, low;
  };
  static constexpr Window windows[] = {
      {0, 0x1p-0, 0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55},
      {0x1p46, 0x1p-22, 0x1.b727220a94fe1p-1, 0x1.d5f47d4d37703p-56},
      {0x1p68, 0x1p-44, 0x1.054a7f09d5f48p-2, -0x1.596447e493ad5p-57},
      {0x1p90, 0x1p-66, -0x1.ec54170565912p-5, 0x1.b6c52b3278872p-63},
      {0x1p112, 0x1p-88, -0x1.70565911f924fp-3, 0x1.2b32788720840p-57},
  };
  Value a = e.fext(e.abs(x), e.b.getF64Type());
  Value scale = e.f(a, windows[0].scale), high = e.f(a, windows[0].high), low = e.f(a, windows[0].low);
  for (int k = 1; k < 5; ++k) {
    Value in = e.cmp(FPred::OGE, a, windows[k].from);
    scale = e.select(in, e.f(a, windows[k].scale), scale);
    high = e.select(in, e.f(a, windows[k].high), high);
    low = e.select(in, e.f(a, windows[k].low), low);
  }
  Value m = e.mul(a, scale);
  Pair p = two_product(e, m, high);
  Value t = e.add(p.high, 0x1.8p52);
  Value f = e.add(e.sub(p.high, e.sub(t, 0x1.8p52)), e.fma(m, low, p.low));
  return {e.itrunc(e.bits(t), 32), {e.ftrunc(e.mul(f, half_pi), e.b.getF32Type()), {}}};
}

/// 2/pi in pieces of 53 bits, each as an integer: 2/pi = sum pieces[j] 2^(-53 (j + 1)).
constexpr double pieces[] = {0x1.45f306dc9c882p+52, 0x1.4a7f09d5f47d4p+52, 0x1.a6ee06db14accp+52, 0x1.3c439041fe516p+52,
                             0x1.d5ef5de2b0db8p+50, 0x1.2371d2126e970p+51, 0x1.924bba8274600p+45, 0x1.21cfe1deb1cb1p+52,
                             0x1.4d39f74411af8p+50, 0x1.4baed1213a671p+52, 0x1.8135a2fbf209cp+52, 0x1.91d639835339fp+52,
                             0x1.272117e2ef7e4p+51, 0x1.41d8ffc4bffeep+51, 0x1.02cc07f79788cp+52, 0x1.6b414da3eda6cp+51,
                             0x1.fb3c9f2c26dd2p+51, 0x1.d18fd9a797fa8p+52, 0x1.6ba93dd63f5f2p+52, 0x1.f17b3d0739f78p+52,
                             0x1.4a525d4d7f6bfp+52, 0x1.88fc6ae842b00p+51, 0x1.98237e3db5d5fp+52};
constexpr int piece_count = 23, window = 5;

/// f64. |x| = M 2^53a with M < 2^108, and M a multiple of 8 where a > 0: pieces before the a-th contribute multiples
/// of 4. The next five give f to about 2^-157; no f64 comes nearer to a multiple of pi/2 than about 2^-62.
Reduced reduce_f64(Emit& e, Value x) {
  Value magnitude = e.band(e.bits(x), INT64_MAX);
  Value exponent = e.isub(e.lshr(magnitude, 52), 1023 + 55);
  exponent = e.smax(exponent, e.i(exponent, 0));
  // / 53 by multiplication, exact up to 1024. Both factors fit 32 bits, which LLVM sees from the shifts.
  Value a = e.lshr(e.imul(exponent, e.i(exponent, 1237)), 16);
  Value scale = e.as_float(e.shl(e.isub(e.i(a, 1023), e.imul(a, e.i(a, 53))), 52), e.b.getF64Type());
  Value m = e.mul(e.as_float(magnitude, e.b.getF64Type()), scale);

  // pieces[a .. a + 4], by the bits of a from the highest down. After the step for bit b the window may still move by
  // 2^b - 1.
  Value w[piece_count];
  for (int k = 0; k < piece_count; ++k) w[k] = e.f(m, pieces[k]);
  for (int bit = 16; bit; bit /= 2) {
    Value on = e.cmp(IPred::ne, e.band(a, bit), 0);
    for (int k = 0; k < window + bit - 1; ++k)
      if (k + bit < piece_count) w[k] = e.select(on, w[k + bit], w[k]);
  }

  Pair p[window];
  for (int k = 0; k < 4; ++k) {
    m = e.mul(m, 0x1p-53);
    p[k] = two_product(e, m, w[k]);
  }
  Value last = e.mul(e.mul(m, 0x1p-53), w[4]);
  auto modulo_4 = [&](Value v) { return e.fma(e.round_even(e.mul(v, 0.25)), -4.0, v); };
  Pair s1 = two_sum(e, modulo_4(p[0].high), modulo_4(p[0].low));
  Pair s2 = two_sum(e, s1.high, modulo_4(p[1].high));
  Pair s3 = two_sum(e, s2.high, p[1].low);
  Pair s4 = two_sum(e, s3.high, p[2].high);
  Value t = e.add(s4.high, 0x1.8p52);
  Value f = e.sub(s4.high, e.sub(t, 0x1.8p52));
  Value tail = e.add(p[3].low, last);
  for (Value v : {p[2].low, p[3].high, s4.low, s3.low, s2.low, s1.low}) {
    Pair s = two_sum(e, f, v);
    f = s.high;
    tail = e.add(tail, s.low);
  }
  Pair q = fast_two_sum(e, f, tail);
  Pair r = multiply(e, q, {e.f(m, half_pi), e.f(m, half_pi_low)});
  return {e.bits(t), r};
}

Reduced reduce(Emit& e, Value x) {
  if (e.options.fast_math) return reduce_near(e, x);
  return Emit::width(x) == 64 ? reduce_f64(e, e.abs(x)) : reduce_f32(e, x);
}

Value sine(Emit& e, Pair r) {
  Value z = e.mul(r.high, r.high);
  if (!r.low) return e.fma(e.mul(r.high, z), e.poly(z, sin_f32), r.high);
  Value correction = e.mul(r.low, e.fma(z, -0.5, 1.0));
  return e.add(r.high, e.fma(e.mul(r.high, z), e.poly(z, sin_f64), correction));
}
Value cosine(Emit& e, Pair r) {
  Value z = e.mul(r.high, r.high);
  if (!r.low) return e.fma(z, e.fma(z, e.poly(z, cos_f32), -0.5), 1.0);
  // 1 - z/2 rounds; what it lost is added to the small terms.
  Value h = rounded_product(e, z, e.f(z, 0.5));
  Value w = e.sub(e.f(z, 1), h);
  Value lost = e.sub(e.sub(e.f(z, 1), w), h);
  Value small = e.fma(e.mul(z, z), e.poly(z, cos_f64), e.neg(e.mul(r.high, r.low)));
  return e.add(w, e.add(lost, small));
}

/// The sign bit, where bit 1 of q is set.
Value flip(Emit& e, Value y, Value q) {
  const int bits = int(Emit::width(y));
  Value sign = e.shl(e.band(q, 2), bits - 2);
  return e.as_float(e.bxor(e.bits(y), sign), mlir::getElementTypeOrSelf(y.getType()));
}
Value is_odd(Emit& e, Value q) { return e.cmp(IPred::ne, e.band(q, 1), 0); }

/// Times the sign of x, where `reduce` worked on |x|; small x as they are (and -0).
Value restore_odd(Emit& e, Value x, Value y) {
  const bool wide = Emit::width(x) == 64;
  if (!e.options.fast_math) {
    Value sign = e.band(e.bits(x), wide ? INT64_MIN : INT32_MIN);
    y = e.as_float(e.bxor(e.bits(y), sign), mlir::getElementTypeOrSelf(y.getType()));
  }
  return e.select(e.cmp(FPred::OLT, e.abs(x), wide ? 0x1p-27 : 0x1p-13), x, y);
}
}  // namespace

Value sin(Emit& e, Value x) {
  Reduced d = reduce(e, x);
  Value y = e.select(is_odd(e, d.quadrant), cosine(e, d.r), sine(e, d.r));
  return restore_odd(e, x, flip(e, y, d.quadrant));
}

Value cos(Emit& e, Value x) {
  Reduced d = reduce(e, x);
  Value y = e.select(is_odd(e, d.quadrant), sine(e, d.r), cosine(e, d.r));
  return flip(e, y, e.iadd(d.quadrant, 1));
}

Value tan(Emit& e, Value x) {
  Reduced d = reduce(e, x);
  Value s = sine(e, d.r), c = cosine(e, d.r), odd = is_odd(e, d.quadrant);
  Value y = e.div(e.select(odd, e.neg(c), s), e.select(odd, s, c));
  return restore_odd(e, x, y);
}

}  // namespace tine::math
