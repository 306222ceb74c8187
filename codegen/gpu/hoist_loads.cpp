#include "codegen/gpu/hoist_loads.hpp"
#include "compiler/access/access.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::gpu {
namespace {

bool is_tile(Value v) { return isa<ir::TileType>(v.getType()); }

bool may_leave(ir::KernelOp kernel, scf::ForOp loop, Operation* op) {
  if (!llvm::all_of(op->getOperands(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); })) return false;
  if (auto load = dyn_cast<ir::LoadOp>(op)) {
    bool changed = false;
    loop.walk([&](ir::StoreOp s) { changed |= compiler::conflicts(kernel, s, load); });
    return is_tile(load.getResult()) && !changed;
  }
  return isa<ir::PermuteOp, ir::ReshapeOp, ir::CastOp, ir::BroadcastOp>(op) && is_tile(op->getOperand(0));
}

}  // namespace

void hoist_loads(ir::KernelOp kernel) {
  // Inner loops first: what leaves them may leave the outer ones too.
  kernel.walk([&](scf::ForOp loop) {
    for (Operation& op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
      if (may_leave(kernel, loop, &op)) op.moveBefore(loop);
  });
}

}  // namespace tine::gpu
