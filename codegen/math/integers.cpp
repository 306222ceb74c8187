// Integer arithmetic: wraps, never traps, x/0 = x%0 = 0, INT_MIN / -1 = INT_MIN.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::Op;

namespace {
struct Quotient {
  Value q, r;
};

Value native_div(Emit& e, bool u, Value x, Value y) {
  if (u) return mlir::arith::DivUIOp::create(e.b, e.loc, x, y);
  return mlir::arith::DivSIOp::create(e.b, e.loc, x, y);
}

/// y is not 0, and not -1 if signed.
Value safe_div(Emit& e, bool u, Value x, Value y) {
  const unsigned bits = Emit::width(x);
  if (!Emit::is_vector(x) || bits > 32 || bits < 8) return native_div(e, u, x, y);
  // Vector units divide floats only. With p bits of precision and operands of at most p/2 bits (and some), the rounded
  // quotient never reaches the next integer: it would have to be within q 2^-p of it, but 1/y >= q 2^-bits is nearest.
  Type real = bits == 32 ? Type(e.b.getF64Type()) : Type(e.b.getF32Type());
  auto widen = [&](Value v) {
    if (bits == 32) return u ? e.ui_to_f(v, real) : e.si_to_f(v, real);
    return e.si_to_f(u ? e.zext(v, 32) : e.sext(v, 32), real);
  };
  Value q = e.div(widen(x), widen(y));
  if (bits == 32) return u ? e.f_to_ui(q, 32) : e.f_to_si(q, 32);
  return e.itrunc(e.f_to_si(q, 32), bits);
}

/// Truncating division.
Quotient divide(Emit& e, bool u, Value x, Value y) {
  const unsigned bits = Emit::width(x);
  if (bits == 1) {  // bool: x/1 = x, x/0 = 0
    return {e.band(x, y), e.i(x, 0)};
  }
  if (auto constant = mlir::dyn_cast_or_null<mlir::IntegerAttr>(constant_of(y))) {
    const llvm::APInt c = constant.getValue();
    if (c.isZero()) return {e.i(x, 0), e.i(x, 0)};
    if (!u && c.isAllOnes()) return {e.isub(e.i(x, 0), x), e.i(x, 0)};
    Value q = native_div(e, u, x, y);  // LLVM makes it a multiplication
    return {q, e.isub(x, e.imul(q, y))};
  }
  Value zero = e.i(x, 0), one = e.i(x, 1);
  Value by_zero = e.cmp(IPred::eq, y, 0);
  if (u) {
    Value q = safe_div(e, u, x, e.select(by_zero, one, y));
    Value r = e.isub(x, e.imul(q, y));
    return {e.select(by_zero, zero, q), e.select(by_zero, zero, r)};
  }
  Value by_minus_one = e.cmp(IPred::eq, y, -1);
  Value special = e.cmp(IPred::ule, e.iadd(y, 1), 1);  // y is -1 or 0
  Value q = safe_div(e, u, x, e.select(special, one, y));
  Value r = e.select(special, zero, e.isub(x, e.imul(q, y)));
  q = e.select(special, e.select(by_minus_one, e.isub(zero, x), zero), q);
  return {q, r};
}

Quotient divide_floor(Emit& e, bool u, Value x, Value y) {
  Quotient d = divide(e, u, x, y);
  if (u) return d;
  Value zero = e.i(x, 0);
  Value inexact = e.cmp(IPred::ne, d.r, 0);
  Value opposite = e.cmp(IPred::slt, e.bxor(d.r, y), 0);
  Value down = e.band(inexact, opposite);
  return {e.isub(d.q, e.select(down, e.i(x, 1), zero)), e.iadd(d.r, e.select(down, y, zero))};
}

Value divide_ceil(Emit& e, bool u, Value x, Value y) {
  Quotient d = divide(e, u, x, y);
  Value up = e.cmp(IPred::ne, d.r, 0);
  if (!u) up = e.band(up, e.cmp(IPred::sge, e.bxor(d.r, y), 0));
  return e.iadd(d.q, e.select(up, e.i(x, 1), e.i(x, 0)));
}

Value high_half(Emit& e, Value x, Value y) {
  const unsigned bits = Emit::width(x);
  if (bits < 32) return e.itrunc(e.lshr(e.imul(e.zext(x, 32), e.zext(y, 32)), bits), bits);
  if (bits == 32) return e.itrunc(e.lshr(e.imul(e.zext(x, 64), e.zext(y, 64)), 32), 32);
  if (!Emit::is_vector(x)) return mlir::arith::MulUIExtendedOp::create(e.b, e.loc, x, y).getHigh();
  // Four 32x32 products (Knuth 4.3.1, algorithm M, base 2^32). x's high halves move by a shuffle: LLVM would know the
  // formula by its shifts, make it an i128 product, and take the vector apart for that.
  auto vector = mlir::cast<mlir::VectorType>(x.getType());
  auto halves = mlir::VectorType::get({2 * vector.getNumElements()}, e.b.getI32Type());
  llvm::SmallVector<int32_t> high_lanes;
  for (int32_t k = 0; k < halves.getNumElements(); ++k) high_lanes.push_back(k | 1);
  Value parts = mlir::LLVM::BitcastOp::create(e.b, e.loc, halves, x);
  parts = mlir::LLVM::ShuffleVectorOp::create(e.b, e.loc, parts, parts, high_lanes);
  Value xl = e.band(x, 0xffffffff), xh = e.band(mlir::LLVM::BitcastOp::create(e.b, e.loc, vector, parts), 0xffffffff),
        yl = e.band(y, 0xffffffff), yh = e.lshr(y, 32);
  Value ll = e.imul(xl, yl), lh = e.imul(xl, yh), hl = e.imul(xh, yl), hh = e.imul(xh, yh);
  Value mid = e.iadd(hl, e.lshr(ll, 32));
  Value low = e.iadd(lh, e.band(mid, 0xffffffff));
  return e.iadd(e.iadd(hh, e.lshr(mid, 32)), e.lshr(low, 32));
}

Value shift(Emit& e, Op op, bool u, Value x, Value n) {
  const unsigned bits = Emit::width(x);
  if (bits == 1) {  // a count of 1 is the width already
    return op == Op::shl || u ? e.band(x, e.bxor(n, 1)) : x;
  }
  if (op == Op::shr && !u) return e.ashr(x, e.umin(n, e.i(n, bits - 1)));
  Value in = e.cmp(IPred::ult, n, bits);
  // LLVM 22 takes the comparison away for NVPTX, whose shifts give 0 for large counts, and then cuts the count to 32 bits.
  if (bits == 64) n = e.band(n, bits - 1);
  return e.select(in, op == Op::shl ? e.shl(x, n) : e.lshr(x, n), e.i(x, 0));
}
}  // namespace

Value integer_binary(Emit& e, Op op, bool u, Value x, Value y) {
  switch (op) {
    case Op::add:
      return e.iadd(x, y);
    case Op::sub:
      return e.isub(x, y);
    case Op::mul:
      return e.imul(x, y);
    case Op::div:
      return divide(e, u, x, y).q;
    case Op::mod:
      return divide(e, u, x, y).r;
    case Op::floordiv:
      return divide_floor(e, u, x, y).q;
    case Op::floormod:
      return divide_floor(e, u, x, y).r;
    case Op::cdiv:
      return divide_ceil(e, u, x, y);
    case Op::min:
    case Op::fmin:
      return u ? e.umin(x, y) : e.smin(x, y);
    case Op::max:
    case Op::fmax:
      return u ? e.umax(x, y) : e.smax(x, y);
    case Op::umulhi:
      return high_half(e, x, y);
    case Op::band:
      return e.band(x, y);
    case Op::bor:
      return e.bor(x, y);
    case Op::bxor:
      return e.bxor(x, y);
    case Op::shl:
    case Op::shr:
      return shift(e, op, u, x, y);
    default:
      return {};
  }
}

Value integer_unary(Emit& e, Op op, bool u, Value x) {
  switch (op) {
    case Op::neg:
      return e.isub(e.i(x, 0), x);
    case Op::abs:
      return u ? x : e.smax(x, e.isub(e.i(x, 0), x));
    case Op::bnot:
      return e.bxor(x, -1);
    case Op::popcount:
      return mlir::LLVM::CtPopOp::create(e.b, e.loc, x.getType(), x);
    case Op::clz:
      return mlir::LLVM::CountLeadingZerosOp::create(e.b, e.loc, x.getType(), x, false);
    case Op::isnan:
    case Op::isinf:
      return e.i(e.int_like(x, 1), 0);
    case Op::isfinite:
      return e.i(e.int_like(x, 1), 1);
    case Op::signbit:
      return u ? e.i(e.int_like(x, 1), 0) : e.cmp(IPred::slt, x, 0);
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
      return x;
    default:
      return {};
  }
}

}  // namespace tine::math
