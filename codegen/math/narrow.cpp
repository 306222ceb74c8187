// bf16 and fp8 by integer arithmetic: no target's vector unit has all of them, and LLVM would call its run-time
// library.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::DType;

Value bf16_to_f32(Emit& e, Value x) { return e.as_float(e.shl(e.zext(e.bits(x), 32), 16), e.b.getF32Type()); }

Value f32_to_bf16_exact(Emit& e, Value x) { return e.as_float(e.itrunc(e.lshr(e.bits(x), 16), 16), e.b.getBF16Type()); }

Value f32_to_bf16(Emit& e, Value x) {
  // Adding 0x7fff plus the last kept bit carries exactly when the value rounds up; overflow runs into infinity by
  // itself.
  Value b = e.bits(x);
  Value odd = e.band(e.lshr(b, 16), 1);
  Value rounded = e.iadd(e.iadd(b, 0x7fff), odd);
  Value quiet = e.bor(b, 0x400000);  // a constant here would become a select of bf16 in LLVM, which AVX2 takes apart
  Value kept = e.select(e.is_nan(x), quiet, rounded);
  return e.as_float(e.itrunc(e.lshr(kept, 16), 16), e.b.getBF16Type());
}

Value f64_to_f32_odd(Emit& e, Value x) {
  // Round to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding
  // to odd", 2008): truncate, and set the last bit if anything was lost. From round-to-nearest: step back if it went
  // away from zero, then set the bit.
  Value near = e.ftrunc(x, e.b.getF32Type());
  Value back = e.fext(near, e.b.getF64Type());
  Value b = e.bits(near);
  Value inexact = e.cmp(FPred::ONE, back, x);
  Value away = e.cmp(FPred::OGT, e.abs(back), e.abs(x));
  Value zero = e.i(b, 0);
  b = e.isub(b, e.select(away, e.i(b, 1), zero));
  b = e.bor(b, e.select(inexact, e.i(b, 1), zero));
  return e.as_float(b, e.b.getF32Type());
}

namespace {
struct Fp8 {
  int mantissa, bias;
  uint32_t nan, largest, infinity;  ///< bit patterns; f8e4m3fn has no infinity
};
Fp8 layout(DType t) {
  if (t == DType::f8e4m3fn) return {3, 7, 0x7f, 0x7e, 0x7f};
  return {2, 15, 0x7e, 0x7b, 0x7c};
}
}  // namespace

Value fp8_to_f32(Emit& e, DType t, Value x) {
  // The exponent and mantissa, moved to their place in an f32, name the value times 2^(bias - 127): one exact product
  // puts it right, subnormals included (they are normal in f32 after it, and the factor meets f32 subnormals exactly).
  const Fp8 l = layout(t);
  Value w = e.zext(x, 32);
  Value magnitude = e.band(w, 0x7f);
  Value sign = e.shl(e.band(w, 0x80), 24);
  Type f32 = e.b.getF32Type();
  Value v = e.as_float(e.shl(magnitude, 23 - l.mantissa), f32);
  v = e.mul(v, __builtin_ldexp(1.0, 127 - l.bias));
  Value b = e.bits(v);
  if (t == DType::f8e4m3fn) {
    b = e.select(e.cmp(IPred::eq, magnitude, 0x7f), e.i(b, 0x7fc00000), b);
  } else {
    Value special = e.bor(e.shl(magnitude, 21), 0x7f800000);
    b = e.select(e.cmp(IPred::uge, magnitude, 0x7c), special, b);
  }
  return e.as_float(e.bor(b, sign), f32);
}

Value f32_to_fp8(Emit& e, DType t, Value x, Overflow overflow) {
  const Fp8 l = layout(t);
  const int shift = 23 - l.mantissa;
  Type f32 = e.b.getF32Type();
  Value b = e.bits(x);
  Value magnitude = e.band(b, 0x7fffffff);
  // Normal results: round in the integer domain, then rebias.
  Value odd = e.band(e.lshr(magnitude, shift), 1);
  Value r = e.lshr(e.iadd(e.iadd(magnitude, (int64_t{1} << (shift - 1)) - 1), odd), shift);
  Value normal = e.isub(r, int64_t{127 - l.bias} << l.mantissa);
  // Subnormal results: adding a power of two whose last bit is the smallest subnormal makes the adder round.
  const double anchor = __builtin_ldexp(1.0, 1 - l.bias - l.mantissa + 23);
  Value a = e.as_float(magnitude, f32);
  Value sum = e.bits(e.add(a, anchor));
  Value subnormal = e.isub(sum, e.bits(e.f(a, anchor)));
  const int64_t smallest_normal = int64_t{127 + 1 - l.bias} << 23;
  Value q = e.select(e.cmp(IPred::slt, magnitude, smallest_normal), subnormal, normal);
  // Overflow: what rounds past the largest finite value.
  if (overflow == Overflow::saturate) {
    q = e.smin(q, e.i(q, l.largest));
  } else {
    q = e.select(e.cmp(IPred::sgt, q, l.largest), e.i(q, l.infinity), q);
  }
  q = e.select(e.cmp(IPred::sgt, magnitude, 0x7f800000), e.i(q, l.nan), q);
  return e.itrunc(e.bor(q, e.band(e.lshr(b, 24), 0x80)), 8);
}

}  // namespace tine::math
