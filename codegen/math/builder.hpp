// A small vocabulary for writing formulas: each call emits one operation, on scalars and vectors alike.
#pragma once
#include <initializer_list>
#include <span>

#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tine::math {

using mlir::Type;
using mlir::Value;
using FPred = mlir::arith::CmpFPredicate;
using IPred = mlir::arith::CmpIPredicate;

/// The element of a constant splat, seen through broadcasts; null if v is not one.
mlir::Attribute constant_of(Value v);

struct Emit {
  mlir::OpBuilder& b;
  mlir::Location loc;
  MathOptions options;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none;  ///< of float operators

  // types
  static unsigned width(Value v) { return mlir::getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth(); }
  static bool is_vector(Value v) { return mlir::isa<mlir::VectorType>(v.getType()); }
  Type int_like(Value v, unsigned bits) { return type_like(v.getType(), b.getIntegerType(bits)); }

  // constants of v's type
  Value f(Value like, double x);
  Value i(Value like, int64_t x);
  Value f(Type type, double x);
  Value i(Type type, int64_t x);

  // floats
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value add(Value x, double y) { return add(x, f(x, y)); }
  Value sub(Value x, double y) { return sub(x, f(x, y)); }
  Value mul(Value x, double y) { return mul(x, f(x, y)); }
  Value neg(Value x);
  Value fma(Value x, Value y, Value z);
  Value fma(Value x, double y, Value z) { return fma(x, f(x, y), z); }
  Value fma(Value x, double y, double z) { return fma(x, f(x, y), f(x, z)); }
  Value fma(Value x, Value y, double z) { return fma(x, y, f(x, z)); }
  Value abs(Value x);
  Value copysign(Value magnitude, Value sign);
  Value sqrt(Value x);
  Value floor(Value x);
  Value ceil(Value x);
  Value trunc(Value x);
  Value round_even(Value x);
  Value maxnum(Value x, Value y);
  Value minnum(Value x, Value y);
  /// x < low ? low : x, and the like: NaN stays, one instruction on x86.
  Value at_least(Value x, double low);
  Value at_most(Value x, double high);
  /// sum c[k] x^k by Horner's rule.
  Value poly(Value x, std::span<const double> c);

  // integers
  Value iadd(Value x, Value y);
  Value isub(Value x, Value y);
  Value imul(Value x, Value y);
  Value iadd(Value x, int64_t y) { return iadd(x, i(x, y)); }
  Value isub(Value x, int64_t y) { return isub(x, i(x, y)); }
  Value band(Value x, Value y);
  Value bor(Value x, Value y);
  Value bxor(Value x, Value y);
  Value band(Value x, int64_t y) { return band(x, i(x, y)); }
  Value bor(Value x, int64_t y) { return bor(x, i(x, y)); }
  Value bxor(Value x, int64_t y) { return bxor(x, i(x, y)); }
  Value shl(Value x, Value n);
  Value lshr(Value x, Value n);
  Value ashr(Value x, Value n);
  Value shl(Value x, int64_t n) { return shl(x, i(x, n)); }
  Value lshr(Value x, int64_t n) { return lshr(x, i(x, n)); }
  Value ashr(Value x, int64_t n) { return ashr(x, i(x, n)); }
  Value smin(Value x, Value y);
  Value smax(Value x, Value y);
  Value umin(Value x, Value y);
  Value umax(Value x, Value y);

  // choices
  Value cmp(FPred, Value x, Value y);
  Value cmp(FPred p, Value x, double y) { return cmp(p, x, f(x, y)); }
  Value cmp(IPred, Value x, Value y);
  Value cmp(IPred p, Value x, int64_t y) { return cmp(p, x, i(x, y)); }
  Value select(Value condition, Value x, Value y);
  Value is_nan(Value x) { return cmp(FPred::UNO, x, x); }

  // conversions (raw: what does not fit is the caller's concern)
  Value bits(Value x);                    ///< float -> int of its width
  Value as_float(Value x, Type element);  ///< int -> float of its width
  Value sext(Value x, unsigned bits);
  Value zext(Value x, unsigned bits);
  Value itrunc(Value x, unsigned bits);
  Value fext(Value x, Type element);
  Value ftrunc(Value x, Type element);
  Value si_to_f(Value x, Type element);
  Value ui_to_f(Value x, Type element);
  Value f_to_si(Value x, unsigned bits);
  Value f_to_ui(Value x, unsigned bits);
};

}  // namespace tine::math
