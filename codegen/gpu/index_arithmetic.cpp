// Index arithmetic of a thread: what is known is folded, and what only the program decides is computed once for it.
#include "codegen/gpu/thread.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tine::gpu {

std::optional<int64_t> Thread::known(Value v) {
  APInt c;
  if (v && matchPattern(v, m_ConstantInt(&c))) return c.getSExtValue();
  return {};
}
Value Thread::add(Value x, Value y) {
  if (known(x) == 0) return y;
  if (known(y) == 0) return x;
  if (known(x) && known(y)) return constant(x.getType(), *known(x) + *known(y));
  return arith::AddIOp::create(b, loc, x, y);
}
Value Thread::sub(Value x, Value y) {
  if (known(y) == 0) return x;
  if (known(x) && known(y)) return constant(x.getType(), *known(x) - *known(y));
  return arith::SubIOp::create(b, loc, x, y);
}
Value Thread::mul(Value x, Value y) {
  if (known(x) == 1) return y;
  if (known(y) == 1) return x;
  if (known(x) == 0 || known(y) == 0) return constant(x.getType(), 0);
  if (known(x) && known(y)) return constant(x.getType(), *known(x) * *known(y));
  return arith::MulIOp::create(b, loc, x, y);
}
Value Thread::both(Value x, Value y) {
  if (!x) return y;
  if (!y) return x;
  return arith::AndIOp::create(b, loc, x, y);
}
Value Thread::less(Value x, Value y) { return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y); }
Value Thread::at_least(Value x, Value y) { return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, x, y); }
Value Thread::widen(Value v) {
  if (narrow_ || v.getType() == b.getI64Type()) return v;
  if (auto c = known(v)) return index(*c);
  return arith::ExtUIOp::create(b, loc, b.getI64Type(), v);
}
Value Thread::to_index(Value v) {
  if (v.getType() == index_type()) return v;
  if (auto c = known(v)) return index(*c);
  return arith::TruncIOp::create(b, loc, b.getI32Type(), v);
}

Value Thread::affine(AffineExpr e, ArrayRef<Value> dims, Type type) {
  switch (e.getKind()) {
    case AffineExprKind::Constant: return constant(type, cast<AffineConstantExpr>(e).getValue());
    case AffineExprKind::SymbolId: return slot(first_symbol_ + cast<AffineSymbolExpr>(e).getPosition(), type);
    case AffineExprKind::DimId: return dims[cast<AffineDimExpr>(e).getPosition()];
    default: break;
  }
  auto x = cast<AffineBinaryOpExpr>(e);
  if (e.getKind() == AffineExprKind::Add) return add(affine(x.getLHS(), dims, type), affine(x.getRHS(), dims, type));
  if (e.getKind() == AffineExprKind::Mul) return mul(affine(x.getLHS(), dims, type), affine(x.getRHS(), dims, type));
  if (type != index_type()) return divide(x, dims, type);
  // LLVM moves no division out of a loop that a program may not enter.
  for (size_t k = 0; k < dims.size(); ++k)
    if (compiler::uses_dim(e, unsigned(k)) && (k >= program.size() || dims[k] != program[k])) return divide(x, dims, type);
  if (Value v = of_program_.lookup(e)) return v;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(program_start_);
  Value v = divide(x, dims, type);  // which may add others
  return of_program_[e] = v;
}

Value Thread::wide_affine(AffineExpr e, ArrayRef<Value> dims) {
  SmallVector<Value> at;
  for (Value d : dims) at.push_back(d.getType().isInteger(64) ? d : arith::ExtSIOp::create(b, loc, b.getI64Type(), d).getResult());
  return affine(e, at, b.getI64Type());
}

Value Thread::divide(AffineBinaryOpExpr e, ArrayRef<Value> dims, Type type) {
  Value l = affine(e.getLHS(), dims, type), r = affine(e.getRHS(), dims, type);
  auto number = [&](int64_t n) { return constant(type, n); };
  if (e.getKind() == AffineExprKind::CeilDiv) l = add(l, sub(r, number(1)));  // ceil(l / r) = floor((l + r - 1) / r)
  bool mod = e.getKind() == AffineExprKind::Mod;
  auto c = known(r);
  if (c == 1) return mod ? number(0) : l;
  if (c && *c > 0 && llvm::isPowerOf2_64(uint64_t(*c))) {
    if (mod) return arith::AndIOp::create(b, loc, l, number(*c - 1));
    return arith::ShRSIOp::create(b, loc, l, number(llvm::Log2_64(uint64_t(*c))));
  }
  if (!c) r = arith::MaxSIOp::create(b, loc, r, number(1));  // sizes; 0 only where nothing is in range
  Value m = arith::RemSIOp::create(b, loc, l, r), negative = less(m, number(0));
  if (mod) return arith::SelectOp::create(b, loc, negative, add(m, r), m);
  Value q = arith::DivSIOp::create(b, loc, l, r);
  return arith::SelectOp::create(b, loc, negative, sub(q, number(1)), q);
}

Value Thread::pointer(Value base, Type element, Value index) {
  if (known(index) == 0) return base;
  return LLVM::GEPOp::create(b, loc, base.getType(), storage_type(element), base, ArrayRef<LLVM::GEPArg>{index});
}

}  // namespace tine::gpu
