// Conversions between any two types.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::DType;

namespace {
/// floor(|x|) in [0, 2^52) or so -> its integer, by the bits of x + 2^52.
Value small_to_int(Emit& e, Value x) { return e.bxor(e.bits(e.add(x, 0x1p52)), 0x4330000000000000); }

/// f64 -> 64-bit integer for vectors, without the conversion that AVX2 lacks: two halves, both exact. x is truncated
/// and in range.
Value wide_to_int(Emit& e, Value x) {
  Value high = e.floor(e.mul(x, 0x1p-32));
  Value low = e.fma(high, -0x1p32, x);      // in [0, 2^32)
  Value h = e.bits(e.add(high, 0x1.8p52));  // the bits of a negative `high` come out in two's complement
  return e.iadd(e.shl(h, 32), small_to_int(e, low));
}

/// 64-bit integer -> f64 for vectors, rounded once: both halves exact as floats, one addition rounds.
Value wide_to_float(Emit& e, Value x, bool u) {
  Type f64 = e.b.getF64Type();
  Value low = e.as_float(e.bor(e.band(x, 0xffffffff), 0x4330000000000000), f64);  // 2^52 + low
  Value high = u ? e.lshr(x, 32) : e.lshr(e.bxor(x, INT64_MIN), 32);
  high = e.as_float(e.bxor(high, 0x4530000000000000), f64);  // 2^84 + 2^32 high
  // 2^84 + 2^52, and 2^63 more for the biased sign
  Value shifted = e.sub(high, u ? 0x1.00000001p84 : 0x1.00000001p84 + 0x1p63);
  return e.add(shifted, low);
}

Value convert_scalar_saturating(Emit& e, Value x, unsigned bits, bool u) {
  auto name = e.b.getStringAttr(u ? "llvm.fptoui.sat" : "llvm.fptosi.sat");
  return mlir::LLVM::CallIntrinsicOp::create(e.b, e.loc, Type(e.b.getIntegerType(bits)), name, mlir::ValueRange{x})
      .getResult(0);
}
}  // namespace

Value float_to_int(Emit& e, Value x, unsigned bits, bool u) {
  if (!Emit::is_vector(x)) return convert_scalar_saturating(e, x, bits, u);
  // `llvm.fptosi.sat` scalarises on vectors. Clamping first is exact where the ends are floats; else the top end is set
  // afterwards. NaN becomes 0 by x > 0 ? x : 0 for unsigned results, and by a select of its own for signed ones.
  const unsigned from = Emit::width(x);
  const auto clamp = [&](Value v, double low, double high) {
    if (u) return e.at_most(e.select(e.cmp(FPred::OGT, v, 0.0), v, e.f(v, 0)), high);
    Value c = e.at_most(e.at_least(v, low), high);
    return e.select(e.is_nan(v), e.f(v, 0), c);
  };
  if (bits < 32) {
    const double low = u ? 0 : -__builtin_ldexp(1, bits - 1), high = __builtin_ldexp(1, u ? bits : bits - 1) - 1;
    return e.itrunc(e.f_to_si(clamp(x, low, high), 32), bits);
  }
  if (bits == 32 && from == 64) {
    Value c = clamp(x, -0x1p31, u ? 0x1p32 - 1 : 0x1p31 - 1);
    return u ? e.itrunc(small_to_int(e, e.floor(c)), 32) : e.f_to_si(c, 32);
  }
  if (bits == 32 && !u) {
    Value c = clamp(x, -0x1p31, 0x1.fffffep30);
    return e.select(e.cmp(FPred::OGE, x, 0x1p31), e.i(e.int_like(x, 32), INT32_MAX), e.f_to_si(c, 32));
  }
  if (bits == 32) {
    // Two ranges of the signed conversion: below 2^31, and from there on with 2^31 taken off.
    Value c = clamp(x, 0, 0x1.fffffep31);
    Value big = e.cmp(FPred::OGE, c, 0x1p31);
    Value r = e.f_to_si(e.select(big, e.sub(c, 0x1p31), c), 32);
    r = e.bxor(r, e.select(big, e.i(r, INT32_MIN), e.i(r, 0)));
    return e.select(e.cmp(FPred::OGE, x, 0x1p32), e.i(r, -1), r);
  }
  Value w = from == 64 ? x : e.fext(x, e.b.getF64Type());
  Value c = e.trunc(clamp(w, -0x1p63, u ? 0x1.fffffffffffffp63 : 0x1.fffffffffffffp62));
  Value r = wide_to_int(e, c);
  return e.select(e.cmp(FPred::OGE, w, u ? 0x1p64 : 0x1p63), e.i(r, u ? -1 : INT64_MAX), r);
}

namespace {
/// 64-bit x with its lowest 11 bits squeezed into the last kept one when it has more than 53: f64 holds the result, and
/// rounding that to 42 bits or fewer equals rounding x (round to odd, see narrow.cpp).
Value sticky(Emit& e, Value x, bool u) {
  Value lost = e.cmp(IPred::ne, e.band(x, 0x7ff), 0);
  Value odd = e.bor(e.band(x, ~int64_t{0x7ff}), e.select(lost, e.i(x, 0x800), e.i(x, 0)));
  Value size = u ? x : e.smax(x, e.isub(e.i(x, 0), x));
  Value big = e.cmp(IPred::ne, e.lshr(size, 53), 0);
  return e.select(big, odd, x);
}
Value int_to_f64(Emit& e, Value x, bool u) {
  Type f64 = e.b.getF64Type();
  if (Emit::width(x) < 32) x = u ? e.zext(x, 32) : e.sext(x, 32), u = false;
  if (Emit::width(x) == 64 && Emit::is_vector(x) && !e.options.native_i64_to_float) return wide_to_float(e, x, u);
  return u ? e.ui_to_f(x, f64) : e.si_to_f(x, f64);
}
}  // namespace

Value int_to_float(Emit& e, Value x, bool u, DType to) {
  Type f32 = e.b.getF32Type();
  const unsigned bits = Emit::width(x);
  if (to == DType::f64) return int_to_f64(e, x, u);
  if (bits < 32) {
    x = u ? e.zext(x, 32) : e.sext(x, 32);
    return e.si_to_f(x, f32);  // exact: a later rounding is the only one
  }
  if (to == DType::f32) {
    if (bits == 64 && Emit::is_vector(x)) return e.ftrunc(int_to_f64(e, sticky(e, x, u), u), f32);
    return u ? e.ui_to_f(x, f32) : e.si_to_f(x, f32);
  }
  // To narrower types by way of f32 to odd.
  if (bits == 64) x = sticky(e, x, u);
  return f64_to_f32_odd(e, int_to_f64(e, x, u));
}

namespace {
Value resize(Emit& e, Value x, bool u, unsigned bits) {
  const unsigned from = Emit::width(x);
  if (from == bits) return x;
  if (from > bits) return e.itrunc(x, bits);
  return u ? e.zext(x, bits) : e.sext(x, bits);
}
}  // namespace

Value emit_cast(mlir::OpBuilder& b, mlir::Location loc, Value x, DType from, DType to, CastOptions options) {
  if (from == to) return x;
  Emit e{b, loc, {false, options.native_i64_to_float}};
  const bool from_float = graph::is_float(from), to_float = graph::is_float(to);
  if (from == DType::b1 && to_float) x = e.zext(x, 8), from = DType::u8;
  if (!from_float && !to_float) {
    if (to == DType::b1) return e.cmp(IPred::ne, x, 0);
    return resize(e, x, graph::is_unsigned(from), 8 * graph::bytes(to));
  }

  // Everything but f64 meets in f32; f64 too, unless the target is f64 or wide enough to see the difference.
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  if (!from_float) {
    x = int_to_float(e, x, graph::is_unsigned(from), to);
  } else if (from == DType::bf16) {
    x = bf16_to_f32(e, x);
  } else if (from == DType::f16) {
    x = e.fext(x, f32);
  } else if (is_fp8(from)) {
    x = fp8_to_f32(e, from, x);
  }
  if (to == DType::b1) return e.cmp(FPred::UNE, x, 0.0);
  if (!to_float) return float_to_int(e, x, 8 * graph::bytes(to), graph::is_unsigned(to));
  const bool wide = Emit::width(x) == 64;
  switch (to) {
    case DType::f64:
      return wide ? x : e.fext(x, f64);
    case DType::f32:
      return wide ? e.ftrunc(x, f32) : x;
    default:
      break;
  }
  if (wide) x = f64_to_f32_odd(e, x);
  if (to == DType::f16) return e.ftrunc(x, b.getF16Type());
  if (to == DType::bf16) return f32_to_bf16(e, x);
  return f32_to_fp8(e, to, x, options.overflow);
}

}  // namespace tine::math
