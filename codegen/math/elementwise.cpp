// The way from an operation and its type to the formula.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::DType;
using graph::Op;

bool is_elementwise(Op op) { return op >= Op::add && op <= Op::clamp; }

namespace {
/// Results that have no bits which the narrow type lacks: no rounding on the way back.
bool is_exact(Op op) {
  switch (op) {
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
      return true;
    default:
      return false;
  }
}
Value widened(Emit& e, DType t, Value x) { return t == DType::f16 ? e.fext(x, e.b.getF32Type()) : bf16_to_f32(e, x); }

/// f16 and bf16: compare in f32, choose among the patterns.
Value narrow_minmax(Emit& e, Op op, DType t, Value x, Value y) {
  Value wx = widened(e, t, x), wy = widened(e, t, y), bx = e.bits(x), by = e.bits(y);
  const bool low = op == Op::min || op == Op::fmin;
  // x unless y is beyond it, where a NaN in x decides: y for fmin and fmax, x itself for min and max. What is left is a
  // NaN in y.
  FPred take = low ? (op == Op::min ? FPred::OLT : FPred::ULT) : (op == Op::max ? FPred::OGT : FPred::UGT);
  Value chosen = e.select(e.cmp(take, wy, wx), by, bx);
  if (op == Op::min || op == Op::max)
    chosen = e.select(e.is_nan(wy), by, chosen);
  else
    chosen = e.select(e.is_nan(wy), bx, chosen);
  return e.as_float(chosen, mlir::getElementTypeOrSelf(x.getType()));
}

/// Whole f16 values by the adder: LLVM narrows `floor` and friends to f16, which x86 then takes apart. |x| < 2^23.
Value narrow_rounding(Emit& e, Op op, Value x) {
  Value a = e.abs(x), zero = e.f(x, 0), one = e.f(x, 1);
  Value r = e.sub(e.add(a, 0x1p23), 0x1p23);
  if (op == Op::trunc) r = e.sub(r, e.select(e.cmp(FPred::OGT, r, a), one, zero));
  r = e.copysign(r, x);
  if (op == Op::floor) return e.sub(r, e.select(e.cmp(FPred::OGT, r, x), one, zero));
  if (op == Op::ceil) return e.copysign(e.add(r, e.select(e.cmp(FPred::OLT, r, x), one, zero)), x);
  return r;
}

Value truth(Emit& e, Value x, DType t) {
  if (t == DType::b1) return x;
  return emit_cast(e.b, e.loc, x, t, DType::b1);
}
/// A sign operation on the bits of any float.
Value sign_bits(Emit& e, Op op, Value x, Value y) {
  const unsigned bits = Emit::width(x);
  const int64_t sign = int64_t(uint64_t{1} << (bits - 1));
  Type element = mlir::getElementTypeOrSelf(x.getType());
  Value v = e.bits(x);
  if (op == Op::neg) return e.as_float(e.bxor(v, sign), element);
  v = e.band(v, ~sign);
  if (op == Op::copysign) v = e.bor(v, e.band(e.bits(y), sign));
  return e.as_float(v, element);
}
}  // namespace

Value emit_elementwise(mlir::OpBuilder& b, mlir::Location loc, Op op, DType t, DType result, mlir::ValueRange args,
                       const MathOptions& options) {
  Emit e{b, loc, options};
  const bool narrow = t == DType::f16 || t == DType::bf16, real = graph::is_float(t), u = graph::is_unsigned(t);
  // Written operators only: inside the formulas the order of operations is the point.
  if (options.fast_math && (op == Op::add || op == Op::sub || op == Op::mul || op == Op::div))
    e.flags = mlir::arith::FastMathFlags::reassoc | mlir::arith::FastMathFlags::contract |
              mlir::arith::FastMathFlags::arcp | mlir::arith::FastMathFlags::nsz;

  // What needs no arithmetic in the type.
  switch (op) {
    case Op::where: {
      if (!narrow) return e.select(args[0], args[1], args[2]);
      Value y = e.select(args[0], e.bits(args[1]), e.bits(args[2]));  // x86 takes a select of bf16 apart
      return e.as_float(y, mlir::getElementTypeOrSelf(args[1].getType()));
    }
    case Op::bitcast: {
      Type to = element_type(b.getContext(), result), from = mlir::getElementTypeOrSelf(args[0].getType());
      if (to == from) return args[0];
      return mlir::arith::BitcastOp::create(b, loc, type_like(args[0].getType(), to), args[0]);
    }
    case Op::land:
      return e.band(truth(e, args[0], t), truth(e, args[1], t));
    case Op::lor:
      return e.bor(truth(e, args[0], t), truth(e, args[1], t));
    case Op::lnot: {
      Value c = truth(e, args[0], t);
      return e.bxor(c, e.i(c, 1));
    }
    case Op::isnan:
    case Op::isinf:
    case Op::isfinite:
    case Op::signbit:
      if (real) return float_class(e, op, args[0]);
      break;
    case Op::min:
    case Op::max:
    case Op::fmin:
    case Op::fmax:
      if (narrow) return narrow_minmax(e, op, t, args[0], args[1]);
      break;
    case Op::clamp:
      if (narrow) return narrow_minmax(e, Op::min, t, narrow_minmax(e, Op::max, t, args[0], args[1]), args[2]);
      break;
    case Op::neg:
    case Op::abs:
    case Op::copysign:
      if (narrow) return sign_bits(e, op, args[0], args.size() > 1 ? args[1] : Value());
      break;
    default:
      break;
  }

  llvm::SmallVector<Value, 3> x(args.begin(), args.end());
  if (narrow)
    for (Value& v : x) v = widened(e, t, v);

  if (op >= Op::eq && op <= Op::ge) return compare(e, op, real, u, x[0], x[1]);

  Value y;
  switch (op) {
    case Op::fma:
      y = real ? e.fma(x[0], x[1], x[2]) : e.iadd(e.imul(x[0], x[1]), x[2]);
      break;
    case Op::clamp: {
      auto pick = [&](Op o, Value p, Value q) {
        return real ? float_minmax(e, o, p, q) : integer_binary(e, o, u, p, q);
      };
      y = pick(Op::min, pick(Op::max, x[0], x[1]), x[2]);
      break;
    }
    default:
      if (t == DType::f16 && is_exact(op))
        y = narrow_rounding(e, op, x[0]);
      else if (x.size() == 2)
        y = real ? float_binary(e, op, x[0], x[1]) : integer_binary(e, op, u, x[0], x[1]);
      else
        y = real ? float_unary(e, op, x[0]) : integer_unary(e, op, u, x[0]);
  }
  if (!y || !narrow) return y;
  if (t == DType::f16) return e.ftrunc(y, b.getF16Type());
  return is_exact(op) ? f32_to_bf16_exact(e, y) : f32_to_bf16(e, y);
}

}  // namespace tine::math
