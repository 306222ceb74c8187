// Which values are computed in one nest.
#include "codegen/cpu/lowering.hpp"

using namespace mlir;

namespace tine::cpu {

void Lowering::flush() {
  if (pending_.empty()) return;
  SmallVector<Output> now;
  std::swap(now, pending_);
  emit_nest(f, values_, pending_shape_, now);
  for (const Output& o : now) {
    if (o.kind == Output::buffer) values_.buffers[o.value] = o.into;
    if (o.kind == Output::reduce && !is_scalar(o.op->getResult(0).getType())) values_.buffers[o.op->getResult(0)] = o.into;
  }
}

Lowering::Reach Lowering::reach(Value v) {
  Seen seen;
  return reach(v, true, seen);
}
Lowering::Reach Lowering::reach(Value v, bool identity, Seen& seen) {
  if (!seen.first_time(v, identity)) return Reach::none;  // what it reaches is counted
  for (const Output& o : pending_) {
    if (o.kind == Output::buffer && o.value == v) return identity ? Reach::lanes : Reach::other;
    if (o.kind == Output::reduce && o.op->getResult(0) == v) return Reach::other;
  }
  if (values_.scalars.count(v) || values_.buffers.count(v)) return Reach::none;
  Operation* op = v.getDefiningOp();
  if (!op || op->getDialect() != kernel_->getDialect()) return Reach::none;
  bool moves = isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
  Reach r = Reach::none;
  for (Value x : op->getOperands()) r = std::max(r, reach(x, identity && !moves, seen));
  return r;
}

SmallVector<LoadUse> Lowering::evaluated_loads(const Output& o) {
  SmallVector<LoadUse> loads;
  if (o.kind != Output::buffer) {
    collect_loads(o.value, materialized_, loads);
    return loads;
  }
  Operation* op = o.value.getDefiningOp();
  if (auto load = dyn_cast_or_null<ir::LoadOp>(op)) return {LoadUse{load, true}};
  bool moves = isa_and_nonnull<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
  if (op)
    for (Value x : op->getOperands()) collect_loads(x, materialized_, loads, !moves);
  return loads;
}

bool Lowering::joins(const Output& o, ArrayRef<int64_t> shape) {
  if (pending_.empty() || ArrayRef<int64_t>(pending_shape_) != shape) return false;
  if (reach(o.value) == Reach::other) return false;
  SmallVector<LoadUse> loads = evaluated_loads(o);
  for (const Output& p : pending_) {
    if (p.kind == Output::reduce && o.kind == Output::reduce &&
        cast<ir::ReduceOp>(p.op).getAxes() != cast<ir::ReduceOp>(o.op).getAxes()) return false;
    auto earlier = dyn_cast_or_null<ir::StoreOp>(p.op);
    if (earlier)  // what it stores, a later nest must see
      for (LoadUse& use : loads)
        if (conflicts(kernel_, earlier, use.load)) return false;
    if (auto store = dyn_cast_or_null<ir::StoreOp>(o.op)) {
      // What is stored now, the pending loads must not see, and stores to one memory keep their order.
      if (earlier && (kernel_.getParam(earlier.getParamNumber()).getSource() == kernel_.getParam(store.getParamNumber()).getSource() ||
                      !kernel_.getOverlaps().empty())) return false;
      SmallVector<LoadUse> before = evaluated_loads(p);
      for (LoadUse& use : before)
        if (conflicts(kernel_, store, use.load) && !(use.identity && p.kind != Output::reduce && same_place(kernel_, store, use.load))) return false;
    }
  }
  return true;
}

void Lowering::add(Output o, ArrayRef<int64_t> shape) {
  if (!joins(o, shape)) flush();
  pending_shape_.assign(shape.begin(), shape.end());
  pending_.push_back(o);
}

Value Lowering::scalar(Value v) {
  if (Value s = values_.scalars.lookup(v)) return s;
  flush();
  return values_.scalars.lookup(v);
}

}  // namespace tine::cpu
