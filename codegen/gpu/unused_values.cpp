#include "codegen/gpu/unused_values.hpp"
#include "llvm/ADT/BitVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tine::gpu {
namespace {

Value yielded(scf::ForOp loop, unsigned number) { return loop.getBody()->getTerminator()->getOperand(number); }

/// What stores, conditions and bounds of loops depend on.
llvm::DenseSet<Value> needed_values(ir::KernelOp kernel) {
  llvm::DenseSet<Value> needed;
  SmallVector<Value> open;
  auto need = [&](ValueRange values) {
    for (Value v : values)
      if (needed.insert(v).second) open.push_back(v);
  };
  kernel.walk([&](Operation* op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) return need({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp())) return;  // as far as results are needed
    if (op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>() || (!isMemoryEffectFree(op) && !isa<ir::LoadOp>(op))) need(op->getOperands());
  });
  auto need_carried = [&](scf::ForOp loop, unsigned number) { need({loop.getInitArgs()[number], yielded(loop, number)}); };
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument != loop.getInductionVar()) need_carried(loop, argument.getArgNumber() - 1);
      continue;
    }
    unsigned number = cast<OpResult>(v).getResultNumber();
    if (auto loop = v.getDefiningOp<scf::ForOp>()) need_carried(loop, number);
    else if (auto branch = v.getDefiningOp<scf::IfOp>()) need({branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)});
    else need(v.getDefiningOp()->getOperands());
  }
  return needed;
}

/// Carried values of a loop, by number, that have no use behind it, and within it none but for themselves and others like them.
llvm::BitVector unused_carried(scf::ForOp loop, const llvm::DenseSet<Value>& needed) {
  llvm::BitVector unused(loop.getNumResults());
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (loop.getResult(i).use_empty() && !needed.contains(loop.getRegionIterArgs()[i])) unused.set(i);
  return unused;
}

/// The loop without some of its carried values. What used these goes with them.
void carry_less(scf::ForOp loop, const llvm::BitVector& unused) {
  SmallVector<Value> starts, yields;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (!unused[i]) starts.push_back(loop.getInitArgs()[i]);
  OpBuilder b(loop);
  auto lean = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), starts);
  if (!lean.getBody()->empty()) lean.getBody()->getTerminator()->erase();
  loop.getInductionVar().replaceAllUsesWith(lean.getInductionVar());
  for (unsigned i = 0, kept = 0; i < loop.getNumResults(); ++i) {
    Value carried = unused[i] ? loop.getInitArgs()[i] : lean.getRegionIterArgs()[kept];
    loop.getRegionIterArgs()[i].replaceAllUsesWith(carried);
    if (!unused[i]) loop.getResult(i).replaceAllUsesWith(lean.getResult(kept++));
  }
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (!unused[i]) yields.push_back(yielded(loop, i));
  loop.getBody()->getTerminator()->erase();
  lean.getBody()->getOperations().splice(lean.getBody()->end(), loop.getBody()->getOperations());
  b.setInsertionPointToEnd(lean.getBody());
  scf::YieldOp::create(b, loop.getLoc(), yields);
}

}  // namespace

void erase_unused(ir::KernelOp kernel, llvm::DenseSet<Operation*>& gone) {
  for (bool again = true; again;) {
    again = false;
    llvm::DenseSet<Value> needed = needed_values(kernel);
    kernel.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([&](Operation* op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      llvm::BitVector unused = loop ? unused_carried(loop, needed) : llvm::BitVector();
      bool lean = unused.any();
      if (lean) carry_less(loop, unused);
      else if (op == kernel || !isOpTriviallyDead(op)) return;
      op->walk([&](Operation* inner) { gone.insert(inner); });
      op->erase();
      again = true;
      if (lean) needed = needed_values(kernel);  // of another loop's values
    });
  }
}

}  // namespace tine::gpu
