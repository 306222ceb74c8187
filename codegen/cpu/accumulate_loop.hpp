// Loops that do nothing but sum products up, for k in range(...): acc += dot(a[k], b[k]). All their rounds are one contraction,
// whatever part of k a round takes: first the operands of all rounds are laid out, then the accumulator goes to registers
// once. How many rounds that can be is a matter of memory: a loop of more is several contractions.
#pragma once
#include <optional>
#include "codegen/cpu/frame.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tine::cpu {

/// The products of such a loop, in the order of the tiles that it carries; none if it is another loop: one that stores, has
/// loops or branches inside, carries anything but accumulators, or uses an accumulator for anything else.
std::optional<llvm::SmallVector<ir::DotOp>> accumulated_products(mlir::scf::ForOp loop);

/// Whether a sum starts from zero.
bool starts_from_zero(mlir::scf::ForOp loop, unsigned number);

/// How many rounds of the loop are laid out at once, at least one: all, or as many as fit into the caches.
Frame::Count rounds_at_once(mlir::scf::ForOp loop, llvm::ArrayRef<ir::DotOp> products, const VectorTarget& target);

}  // namespace tine::cpu
