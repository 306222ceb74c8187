// Products, and loops that sum them up.
#include "codegen/cpu/lowering.hpp"
#include "codegen/cpu/accumulate_loop.hpp"
#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/product.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tine::cpu {

void Lowering::dot(ir::DotOp op) {
  flush();
  Buffer c;
  Value acc = op.getAcc();
  Type element = ir::elementOf(op.getType());
  if (is_scalar(op.getType())) {
    c = f.allocate(ir::shapeOf(op.getType()), element);
    if (acc) LLVM::StoreOp::create(f.b, f.loc, scalar(acc), c.base);
    emit_dot(f, values_, op.getA(), op.getB(), c, bool(acc));
    values_.scalars[op.getResult()] = LLVM::LoadOp::create(f.b, f.loc, f.register_type(element), c.base);
    return;
  }
  if (std::optional<Buffer> own = carried_by(op)) {
    c = *own;
    if (!values_.buffers.count(acc)) emit_nest(f, values_, c.shape, Output{Output::buffer, nullptr, acc, c});
  } else {
    c = f.allocate(ir::shapeOf(op.getType()), element);
    if (acc) emit_nest(f, values_, c.shape, Output{Output::buffer, nullptr, acc, c});
  }
  auto [rows, columns] = observed(op);
  emit_dot(f, values_, op.getA(), op.getB(), c, bool(acc), rows, columns);
  values_.buffers[op.getResult()] = c;
}

std::pair<Value, Value> Lowering::observed(ir::DotOp op) {
  SmallVector<ir::StoreOp> stores;
  if (!ends_in_stores(op.getResult(), op.getType().getShape(), stores) || stores.empty()) return {};
  unsigned n = unsigned(op.getType().getShape().size());
  Value rows, columns;
  for (ir::StoreOp s : stores) {
    // An index of the store must be known here.
    for (Value i : s.getIndices())
      if (!values_.scalars.count(i)) return {};
    Value r = in_range_extent(f, values_, s, n - 2), c = in_range_extent(f, values_, s, n - 1);
    rows = rows ? max(f, rows, r) : r;
    columns = columns ? max(f, columns, c) : c;
  }
  return {rows, columns};
}

bool Lowering::ends_in_stores(Value v, ArrayRef<int64_t> shape, SmallVectorImpl<ir::StoreOp>& stores, int depth) {
  if (depth > 16) return false;
  for (OpOperand& use : v.getUses()) {
    Operation* user = use.getOwner();
    if (auto s = dyn_cast<ir::StoreOp>(user)) {
      if (s.getValue() != v || ir::shapeOf(v.getType()) != shape) return false;
      if (!llvm::is_contained(stores, s)) stores.push_back(s);
    } else if (isa<ir::ElementwiseOp, ir::CastOp>(user)) {
      if (!ends_in_stores(user->getResult(0), shape, stores, depth + 1)) return false;
    } else if (auto dot = dyn_cast<ir::DotOp>(user)) {
      if (dot.getAcc() != v || dot.getA() == v || dot.getB() == v) return false;
      if (!ends_in_stores(dot.getResult(), shape, stores, depth + 1)) return false;
    } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
      auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
      if (!loop) return false;
      unsigned k = use.getOperandNumber();
      if (depth && v == loop.getRegionIterArgs()[k]) continue;
      if (!ends_in_stores(loop.getResult(k), shape, stores, depth + 1)) return false;
      // The next round's old value: its uses, but for the way back here.
      if (!followed_.insert(loop.getRegionIterArgs()[k]).second) continue;
      bool ok = ends_in_stores(loop.getRegionIterArgs()[k], shape, stores, depth + 1);
      followed_.erase(loop.getRegionIterArgs()[k]);
      if (!ok) return false;
    } else {
      return false;
    }
  }
  return true;
}

std::optional<Buffer> Lowering::carried_by(ir::DotOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getBlock()->getParentOp());
  if (!loop || !op.getAcc() || !op->hasOneUse()) return {};
  auto yield = dyn_cast<scf::YieldOp>(*op->getUsers().begin());
  if (!yield || yield->getParentOp() != loop) return {};
  Value arg = loop.getRegionIterArgs()[op->getUses().begin()->getOperandNumber()];
  Value acc = op.getAcc();
  if (reads(acc, arg) != Reach::lanes || reads(op.getA(), arg) != Reach::none || reads(op.getB(), arg) != Reach::none) return {};
  // Every use of the old value must lie below the accumulator.
  SmallVector<Value> work{arg};
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (v == acc && acc != arg) continue;
    for (Operation* user : v.getUsers()) {
      if (user == op.getOperation()) continue;
      if (v == acc || user->getNumResults() != 1 || user->getDialect() != kernel_->getDialect() || is_scalar(user->getResult(0).getType()) || isa<ir::DotOp, ir::ReduceOp>(user)) return {};
      work.push_back(user->getResult(0));
    }
    if (v == acc) continue;
  }
  if (acc != arg && !acc.hasOneUse()) return {};
  return values_.buffers.lookup(arg);
}

void Lowering::contraction_loop(scf::ForOp op, ArrayRef<ir::DotOp> dots) {
  Location loc = op.getLoc();
  Value lo = scalar(op.getLowerBound()), hi = scalar(op.getUpperBound()), step = scalar(op.getStep());
  flush();
  f.loc = loc;
  Frame::Count count = rounds_at_once(op, dots, f.target);
  Value most = f.at_entry(count), span = max(f, sub(f, hi, lo), f.i64(0));
  Value all = known(step) == 1 ? span : Value(arith::DivUIOp::create(f.b, loc, sub(f, cpu::add(f, span, step), f.i64(1)), step));
  SmallVector<Sum> sums;
  for (auto [i, dot] : llvm::enumerate(dots)) sums.push_back(sum_of(op, unsigned(i), dot));
  {
    auto parts = scf::ForOp::create(f.b, loc, f.i64(0), all, most);
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPoint(parts.getBody()->getTerminator());
    Value first = parts.getInductionVar(), rounds = min(f, sub(f, all, first), most);
    std::vector<Contraction> contractions;
    auto loop = scf::ForOp::create(f.b, loc, f.i64(0), rounds, f.i64(1));
    {
      OpBuilder::InsertionGuard inside(f.b);
      f.b.setInsertionPoint(loop.getBody()->getTerminator());
      Value now = loop.getInductionVar();
      values_.scalars[op.getInductionVar()] = cpu::add(f, lo, mul(f, cpu::add(f, first, now), step));
      for (Operation& x : op.getBody()->without_terminator())
        if (!isa<ir::DotOp>(x)) operation(&x);
      flush();
      for (auto [product, sum] : llvm::zip(dots, sums)) {
        ir::DotOp dot = product;
        f.loc = dot.getLoc();
        contractions.emplace_back(Product(f, values_, dot.getA(), dot.getB(), sum.buffer, sum.rows, sum.columns, Rounds{count, now, op.getBody()}));
      }
    }
    Value fresh = arith::CmpIOp::create(f.b, loc, arith::CmpIPredicate::eq, first, f.i64(0));
    for (auto [contraction, sum] : llvm::zip(contractions, sums)) contraction.multiply(true, rounds, sum.zero ? fresh : Value());
  }
  // Without rounds, nothing was written to what starts from zero.
  auto none = scf::IfOp::create(f.b, loc, arith::CmpIOp::create(f.b, loc, arith::CmpIPredicate::eq, all, f.i64(0)), false);
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPointToStart(none.thenBlock());
  for (auto [i, s] : llvm::enumerate(sums)) {
    if (s.zero) write(op.getInitArgs()[i], s.buffer);
    values_.buffers[op.getResult(unsigned(i))] = s.buffer;
  }
}

Lowering::Sum Lowering::sum_of(scf::ForOp op, unsigned i, ir::DotOp dot) {
  Sum s{f.allocate(ir::shapeOf(dot.getType()), ir::elementOf(dot.getType())), starts_from_zero(op, i), {}, {}};
  if (!s.zero) write(op.getInitArgs()[i], s.buffer);
  std::tie(s.rows, s.columns) = observed(dot);
  return s;
}

}  // namespace tine::cpu
