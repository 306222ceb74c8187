// Comparisons, minima and maxima, classes.
#include <limits>

#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::Op;

Value compare(Emit& e, Op op, bool is_float, bool u, Value x, Value y) {
  if (is_float) {
    switch (op) {
      case Op::eq:
        return e.cmp(FPred::OEQ, x, y);
      case Op::ne:
        return e.cmp(FPred::UNE, x, y);
      case Op::lt:
        return e.cmp(FPred::OLT, x, y);
      case Op::le:
        return e.cmp(FPred::OLE, x, y);
      case Op::gt:
        return e.cmp(FPred::OGT, x, y);
      case Op::ge:
        return e.cmp(FPred::OGE, x, y);
      default:
        return {};
    }
  }
  switch (op) {
    case Op::eq:
      return e.cmp(IPred::eq, x, y);
    case Op::ne:
      return e.cmp(IPred::ne, x, y);
    case Op::lt:
      return e.cmp(u ? IPred::ult : IPred::slt, x, y);
    case Op::le:
      return e.cmp(u ? IPred::ule : IPred::sle, x, y);
    case Op::gt:
      return e.cmp(u ? IPred::ugt : IPred::sgt, x, y);
    case Op::ge:
      return e.cmp(u ? IPred::uge : IPred::sge, x, y);
    default:
      return {};
  }
}

Value float_minmax(Emit& e, Op op, Value x, Value y) {
  switch (op) {
    case Op::fmin:
      return e.minnum(x, y);
    case Op::fmax:
      return e.maxnum(x, y);
    case Op::min:
    case Op::max: {
      // `llvm.maximum` orders the zeros, which costs x86 three more instructions; here x > y ? x : y is one, and gives
      // y if either is NaN, so only x is left to test. Scalars: one instruction on GPUs as it is.
      if (!Emit::is_vector(x)) {
        if (op == Op::min) return mlir::LLVM::MinimumOp::create(e.b, e.loc, x.getType(), x, y);
        return mlir::LLVM::MaximumOp::create(e.b, e.loc, x.getType(), x, y);
      }
      // A constant goes first: its test folds away, and one instruction is left.
      if (constant_of(y)) std::swap(x, y);
      Value chosen = e.select(e.cmp(op == Op::min ? FPred::OLT : FPred::OGT, x, y), x, y);
      // A constant NaN: with x here, LLVM would merge the two selects and lose x86's one-instruction form.
      return e.select(e.is_nan(x), e.f(x, std::numeric_limits<double>::quiet_NaN()), chosen);
    }
    default:
      return {};
  }
}

Value float_class(Emit& e, Op op, Value x) {
  auto element = mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(x.getType()));
  const unsigned bits = element.getWidth(), mantissa = element.getFPMantissaWidth() - 1;
  Value b = e.bits(x);
  if (op == Op::signbit) return e.cmp(IPred::slt, b, 0);
  const int64_t infinity = int64_t(((uint64_t{1} << (bits - 1 - mantissa)) - 1) << mantissa);
  Value magnitude = e.band(b, int64_t((uint64_t{1} << (bits - 1)) - 1));
  switch (op) {
    case Op::isnan:
      return e.cmp(IPred::sgt, magnitude, infinity);
    case Op::isinf:
      return e.cmp(IPred::eq, magnitude, infinity);
    case Op::isfinite:
      return e.cmp(IPred::slt, magnitude, infinity);
    default:
      return {};
  }
}

}  // namespace tine::math
