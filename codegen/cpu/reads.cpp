// What nests read, found without emitting anything.
#include "codegen/cpu/nest.hpp"

using namespace mlir;

namespace tine::cpu {

bool is_scalar(Type type) {
  auto tile = dyn_cast<ir::TileType>(type);
  return !tile || tile.getStaticSize() == 1;
}

std::optional<Index> operand_index(Operation* op, const Index& index) {
  if (auto x = dyn_cast<ir::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = ir::shapeOf(x.getOperand().getType());
    Index r;
    for (size_t i = 0; i < from.size(); ++i) r.push_back(from[i] == 1 ? zero : index[index.size() - from.size() + i]);
    return r;
  }
  if (auto x = dyn_cast<ir::PermuteOp>(op)) {
    Index r(index.size(), zero);
    for (auto [k, d] : llvm::enumerate(x.getOrder())) r[d] = index[k];
    return r;
  }
  if (auto x = dyn_cast<ir::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = ir::shapeOf(x.getOperand().getType()), to = ir::shapeOf(x.getType());
    Index r;
    size_t k = 0;
    for (int64_t d : from) {
      if (d == 1) { r.push_back(zero); continue; }
      while (k < to.size() && to[k] == 1) ++k;
      if (k == to.size() || to[k] != d) return {};
      r.push_back(index[k++]);
    }
    while (k < to.size() && to[k] == 1) ++k;
    if (k != to.size()) return {};
    return r;
  }
  return {};
}

void collect_reads(const Values& values, Value v, const Index& index, Reads& reads) {
  if (values.scalars.count(v) || !reads.seen.insert({v.getAsOpaquePointer(), {index.begin(), index.end()}}).second) return;
  if (values.buffers.count(v)) { reads.buffers.push_back({v, index}); return; }
  Operation* op = v.getDefiningOp();
  if (!op) return;
  if (isa<ir::LoadOp, ir::ValidOp, ir::OffsetsOp>(op)) { reads.places.push_back({op, index}); return; }
  if (auto inner = operand_index(op, index)) { collect_reads(values, op->getOperand(0), *inner, reads); return; }
  if (isa<ir::ReshapeOp, ir::ReduceOp, ir::DotOp>(op)) return;  // always a buffer or a scalar when its turn comes
  for (Value x : op->getOperands()) collect_reads(values, x, index, reads);
}

}  // namespace tine::cpu
