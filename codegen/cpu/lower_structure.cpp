// Loops and branches, and the values that they carry.
#include "codegen/cpu/lowering.hpp"
#include "codegen/cpu/accumulate_loop.hpp"
#include "codegen/cpu/memory.hpp"

using namespace mlir;

namespace tine::cpu {

void Lowering::write(Value v, const Buffer& into) {
  flush();
  Output o{Output::buffer, nullptr, v, into};
  emit_nest(f, values_, into.shape, o);
}

Lowering::Carried Lowering::carry(ValueRange inits) {
  Carried c;
  flush();
  for (Value v : inits) {
    if (is_scalar(v.getType())) { c.inits.push_back(scalar(v)); continue; }
    c.buffers.push_back(f.allocate(ir::shapeOf(v.getType()), ir::elementOf(v.getType())));
    write(v, c.buffers.back());
  }
  return c;
}

void Lowering::bind(ValueRange values, ValueRange scalars, ArrayRef<Buffer> buffers) {
  size_t s = 0, t = 0;
  for (Value v : values) {
    if (is_scalar(v.getType())) values_.scalars[v] = scalars[s++];
    else values_.buffers[v] = buffers[t++];
  }
}

Lowering::Reach Lowering::reads(Value v, Value arg) {
  Seen seen;
  return reads(v, arg, true, seen);
}
Lowering::Reach Lowering::reads(Value v, Value arg, bool identity, Seen& seen) {
  if (!seen.first_time(v, identity)) return Reach::none;
  if (v == arg) return identity ? Reach::lanes : Reach::other;
  if (values_.buffers.count(v) || values_.scalars.count(v)) return Reach::none;
  Operation* op = v.getDefiningOp();
  if (!op || op->getDialect() != kernel_->getDialect()) return Reach::none;
  bool moves = isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
  Reach r = Reach::none;
  for (Value x : op->getOperands()) r = std::max(r, reads(x, arg, identity && !moves, seen));
  return r;
}

SmallVector<Value> Lowering::end_round(ValueRange yields, ValueRange args, ArrayRef<Buffer> buffers) {
  flush();
  SmallVector<Value> scalars;
  struct Tile { Value value, arg; Buffer into; bool direct; };
  SmallVector<Tile> tiles;
  size_t t = 0;
  for (auto [y, a] : llvm::zip(yields, args)) {
    if (is_scalar(y.getType())) scalars.push_back(scalar(y));
    else tiles.push_back({y, a, buffers[t++], true});
  }
  // In place where only the same lane of the same tile is read, and no other tile's new value reads it.
  for (Tile& x : tiles)
    for (Tile& y : tiles) {
      Reach r = reads(y.value, x.arg);
      if (&x == &y ? r == Reach::other : r != Reach::none) x.direct = false;
    }
  SmallVector<std::pair<Buffer, Buffer>> copies;
  for (Tile& x : tiles) {
    if (x.direct || x.value == x.arg || values_.buffers.lookup(x.value).base == x.into.base) continue;
    Buffer copy = f.allocate(x.into.shape, x.into.element);
    emit_nest(f, values_, x.into.shape, Output{Output::buffer, nullptr, x.value, copy});
    copies.push_back({copy, x.into});
  }
  for (Tile& x : tiles)
    if (x.direct && x.value != x.arg && values_.buffers.lookup(x.value).base != x.into.base) emit_nest(f, values_, x.into.shape, Output{Output::buffer, nullptr, x.value, x.into});
  for (auto& [from, to] : copies) copy_buffer(f, from, to);
  return scalars;
}

void Lowering::for_loop(scf::ForOp op) {
  if (auto dots = accumulated_products(op)) return contraction_loop(op, *dots);
  Location loc = op.getLoc();
  Value lo = scalar(op.getLowerBound()), hi = scalar(op.getUpperBound()), step = scalar(op.getStep());
  Carried c = carry(op.getInitArgs());
  f.loc = loc;
  auto loop = scf::ForOp::create(f.b, loc, lo, hi, step, c.inits);
  {
    OpBuilder::InsertionGuard guard(f.b);
    if (c.inits.empty()) f.b.setInsertionPoint(loop.getBody()->getTerminator());
    else f.b.setInsertionPointToEnd(loop.getBody());
    values_.scalars[op.getInductionVar()] = loop.getInductionVar();
    bind(op.getRegionIterArgs(), loop.getRegionIterArgs(), c.buffers);
    block(*op.getBody());
    SmallVector<Value> next = end_round(op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs(), c.buffers);
    if (!next.empty()) scf::YieldOp::create(f.b, loc, next);
  }
  bind(op.getResults(), loop.getResults(), c.buffers);
}

void Lowering::branch(scf::IfOp op) {
  Location loc = op.getLoc();
  Value condition = scalar(op.getCondition());
  flush();
  SmallVector<Type> types;
  SmallVector<Buffer> buffers;
  for (Type t : op.getResultTypes()) {
    if (is_scalar(t)) types.push_back(f.register_type(ir::elementOf(t)));
    else buffers.push_back(f.allocate(ir::shapeOf(t), ir::elementOf(t)));
  }
  auto made = scf::IfOp::create(f.b, loc, types, condition, true);
  for (Region* r : {&op.getThenRegion(), &op.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(f.b);
    Block* into = r == &op.getThenRegion() ? made.thenBlock() : made.elseBlock();
    if (types.empty() && !into->empty()) f.b.setInsertionPoint(into->getTerminator());
    else f.b.setInsertionPointToEnd(into);
    SmallVector<Value> scalars;
    if (!r->empty()) {
      block(r->front());
      size_t t = 0;
      flush();
      for (Value y : r->front().getTerminator()->getOperands()) {
        if (is_scalar(y.getType())) scalars.push_back(scalar(y));
        else write(y, buffers[t++]);
      }
    }
    if (!types.empty()) scf::YieldOp::create(f.b, loc, scalars);
  }
  bind(op.getResults(), made.getResults(), buffers);
}

void Lowering::while_loop(scf::WhileOp op) {
  Location loc = op.getLoc();
  Carried c = carry(op.getInits());
  SmallVector<Type> types;
  for (Value v : c.inits) types.push_back(v.getType());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(f.b, loc, types, c.inits);
  OpBuilder::InsertionGuard guard(f.b);
  Block* before = f.b.createBlock(&loop.getBefore(), {}, types, locs);
  bind(op.getBeforeArguments(), before->getArguments(), c.buffers);
  block(*op.getBeforeBody());
  flush();
  // What the condition hands on must be what it got: carried tiles live in one buffer on both sides.
  if (op.getConditionOp().getArgs() != op.getBeforeArguments()) {
    emitError(loc) << "a while loop's condition hands on other values than it got";
    failed_ = true;
  }
  scf::ConditionOp::create(f.b, loc, scalar(op.getConditionOp().getCondition()), before->getArguments());
  Block* after = f.b.createBlock(&loop.getAfter(), {}, types, locs);
  bind(op.getAfterArguments(), after->getArguments(), c.buffers);
  block(*op.getAfterBody());
  SmallVector<Value> next = end_round(op.getYieldOp().getOperands(), op.getAfterArguments(), c.buffers);
  scf::YieldOp::create(f.b, loc, next);
  bind(op.getResults(), loop.getResults(), c.buffers);
}

}  // namespace tine::cpu
