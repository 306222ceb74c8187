// Constants, identities and element types.
#include <cmath>
#include <limits>

#include "codegen/math/builder.hpp"
#include "codegen/math/parts.hpp"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

namespace tine::math {
using graph::DType;
using graph::Op;

Type element_type(mlir::MLIRContext* c, DType t) {
  switch (t) {
    case DType::b1:
      return mlir::IntegerType::get(c, 1);
    case DType::f16:
      return mlir::Float16Type::get(c);
    case DType::bf16:
      return mlir::BFloat16Type::get(c);
    case DType::f32:
      return mlir::Float32Type::get(c);
    case DType::f64:
      return mlir::Float64Type::get(c);
    default:
      return mlir::IntegerType::get(c, 8 * graph::bytes(t));
  }
}

bool is_fp8(DType t) { return t == DType::f8e4m3fn || t == DType::f8e5m2; }

namespace {
const llvm::fltSemantics& semantics(DType t) {
  switch (t) {
    case DType::f8e4m3fn:
      return llvm::APFloat::Float8E4M3FN();
    case DType::f8e5m2:
      return llvm::APFloat::Float8E5M2();
    case DType::f16:
      return llvm::APFloat::IEEEhalf();
    case DType::bf16:
      return llvm::APFloat::BFloat();
    case DType::f32:
      return llvm::APFloat::IEEEsingle();
    default:
      return llvm::APFloat::IEEEdouble();
  }
}

Value float_constant(Emit& e, DType t, Type like, llvm::APFloat x) {
  if (is_fp8(t)) return e.i(type_like(like, e.b.getI8Type()), int64_t(x.bitcastToAPInt().getZExtValue()));
  Type element = element_type(e.b.getContext(), t);
  mlir::TypedAttr a = mlir::FloatAttr::get(element, x);
  Type type = type_like(like, element);
  if (auto v = mlir::dyn_cast<mlir::VectorType>(type)) a = mlir::DenseElementsAttr::get(v, mlir::Attribute(a));
  return mlir::arith::ConstantOp::create(e.b, e.loc, type, a);
}
}  // namespace

Value emit_constant(mlir::OpBuilder& b, mlir::Location loc, DType t, Type like, double x) {
  Emit e{b, loc, {}};
  if (!graph::is_float(t)) {
    // The same rule as a cast's: truncate, saturate, NaN gives 0.
    if (t == DType::b1) return e.i(type_like(like, b.getI1Type()), x != 0);
    const int bits = 8 * graph::bytes(t);
    const bool u = graph::is_unsigned(t);
    const double low = u ? 0 : -std::ldexp(1, bits - 1), high = std::ldexp(1, u ? bits : bits - 1);
    int64_t v = 0;
    if (x >= high)
      v = u ? -1 : int64_t(~uint64_t{0} >> (65 - bits));
    else if (x < low)
      v = u ? 0 : int64_t(~uint64_t{0} << (bits - 1));
    else if (x == x)
      v = x >= 0x1p63 ? int64_t(uint64_t(x)) : int64_t(x);
    return emit_constant(b, loc, t, like, v);
  }
  llvm::APFloat v(x);
  bool lost;
  v.convert(semantics(t), llvm::APFloat::rmNearestTiesToEven, &lost);
  if (is_fp8(t) && x == x && !v.isFinite()) v = llvm::APFloat::getLargest(semantics(t), std::signbit(x));
  return float_constant(e, t, like, v);
}

Value emit_constant(mlir::OpBuilder& b, mlir::Location loc, DType t, Type like, int64_t x) {
  Emit e{b, loc, {}};
  if (!graph::is_float(t)) return e.i(type_like(like, element_type(b.getContext(), t)), t == DType::b1 ? x != 0 : x);
  llvm::APFloat v(semantics(t));
  v.convertFromAPInt(llvm::APInt(64, uint64_t(x), true), true, llvm::APFloat::rmNearestTiesToEven);
  if (is_fp8(t) && !v.isFinite()) v = llvm::APFloat::getLargest(semantics(t), x < 0);
  return float_constant(e, t, like, v);
}

namespace {
Value extreme(mlir::OpBuilder& b, mlir::Location loc, DType t, Type like, bool high) {
  if (t == DType::b1) return emit_constant(b, loc, t, like, int64_t(high));
  if (graph::is_float(t)) {
    const double inf = std::numeric_limits<double>::infinity();
    if (t == DType::f8e5m2) {
      Emit e{b, loc, {}};
      return float_constant(e, t, like, llvm::APFloat::getInf(semantics(t), !high));
    }
    return emit_constant(b, loc, t, like, high ? inf : -inf);
  }
  const int bits = 8 * graph::bytes(t);
  const uint64_t ones = ~uint64_t{0};
  if (graph::is_unsigned(t)) return emit_constant(b, loc, t, like, int64_t(high ? ones : 0));
  return emit_constant(b, loc, t, like, int64_t(high ? ones >> (65 - bits) : ones << (bits - 1)));
}
}  // namespace

Value emit_lowest(mlir::OpBuilder& b, mlir::Location loc, DType t, Type like) {
  return extreme(b, loc, t, like, false);
}
Value emit_highest(mlir::OpBuilder& b, mlir::Location loc, DType t, Type like) {
  return extreme(b, loc, t, like, true);
}

Value emit_identity(mlir::OpBuilder& b, mlir::Location loc, Op reduction, DType t, Type like) {
  switch (reduction) {
    case Op::prod:
    case Op::all:
      return emit_constant(b, loc, t, like, int64_t{1});
    case Op::rmax:
      return emit_lowest(b, loc, t, like);
    case Op::rmin:
      return emit_highest(b, loc, t, like);
    default:
      return emit_constant(b, loc, t, like, int64_t{0});  // sum, any, rxor
  }
}

Value emit_combine(mlir::OpBuilder& b, mlir::Location loc, Op reduction, DType t, Value x, Value y,
                   const MathOptions& options) {
  Op op;
  switch (reduction) {
    case Op::sum:
      op = Op::add;
      break;
    case Op::prod:
      op = Op::mul;
      break;
    case Op::rmax:
      op = Op::max;
      break;
    case Op::rmin:
      op = Op::min;
      break;
    case Op::any:
      op = Op::bor;
      break;
    case Op::all:
      op = Op::band;
      break;
    case Op::rxor:
      op = Op::bxor;
      break;
    default:
      llvm_unreachable("not a reduction with a fixed combine");
  }
  return emit_elementwise(b, loc, op, t, t, {x, y}, options);
}

}  // namespace tine::math
