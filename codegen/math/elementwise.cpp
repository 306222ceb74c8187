// The way from an operation and its type to the formula.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::DType;
using graph::Op;

bool is_elementwise(Op op) {
  return op >= Op::add && op <= Op::clamp;
}

namespace {
/// Results that are one of the operands, or have no bits that the narrow type lacks: no rounding on the way back.
bool is_exact(Op op) {
  switch (op) {
    case Op::min:
    case Op::max:
    case Op::fmin:
    case Op::fmax:
    case Op::clamp:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc: return true;
    default: return false;
  }
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
  if (options.fast_math)
    e.flags = mlir::arith::FastMathFlags::reassoc | mlir::arith::FastMathFlags::contract |
              mlir::arith::FastMathFlags::arcp | mlir::arith::FastMathFlags::nsz;

  // What needs no arithmetic in the type.
  switch (op) {
    case Op::where: return e.select(args[0], args[1], args[2]);
    case Op::bitcast: {
      Type to = element_type(b.getContext(), result), from = mlir::getElementTypeOrSelf(args[0].getType());
      if (to == from) return args[0];
      return mlir::arith::BitcastOp::create(b, loc, type_like(args[0].getType(), to), args[0]);
    }
    case Op::land: return e.band(truth(e, args[0], t), truth(e, args[1], t));
    case Op::lor: return e.bor(truth(e, args[0], t), truth(e, args[1], t));
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
    case Op::neg:
    case Op::abs:
    case Op::copysign:
      if (narrow) return sign_bits(e, op, args[0], args.size() > 1 ? args[1] : Value());
      break;
    default: break;
  }

  llvm::SmallVector<Value, 3> x(args.begin(), args.end());
  if (narrow)
    for (Value& v : x) v = t == DType::f16 ? e.fext(v, b.getF32Type()) : bf16_to_f32(e, v);

  if (op >= Op::eq && op <= Op::ge) return compare(e, op, real, u, x[0], x[1]);

  Value y;
  switch (op) {
    case Op::fma:
      y = real ? e.fma(x[0], x[1], x[2]) : e.iadd(e.imul(x[0], x[1]), x[2]);
      break;
    case Op::clamp: {
      auto pick = [&](Op o, Value p, Value q) { return real ? float_minmax(e, o, p, q) : integer_binary(e, o, u, p, q); };
      y = pick(Op::min, pick(Op::max, x[0], x[1]), x[2]);
      break;
    }
    default:
      if (x.size() == 2) y = real ? float_binary(e, op, x[0], x[1]) : integer_binary(e, op, u, x[0], x[1]);
      else y = real ? float_unary(e, op, x[0]) : integer_unary(e, op, u, x[0]);
  }
  if (!y || !narrow) return y;
  if (t == DType::f16) return e.ftrunc(y, b.getF16Type());
  return is_exact(op) ? f32_to_bf16_exact(e, y) : f32_to_bf16(e, y);
}

}  // namespace tine::math
