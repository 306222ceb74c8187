// What programs share that follow each other: copies of memory that the kernel does not store to.
//
// A tile that is loaded for a product is the same tile for all programs that agree in the dims of the grid that its maps
// use. So a copy of it has one buffer for each index of the param's middle levels, a slot, and each slot a tag: the
// coordinates of the program for which it was filled. A program fills a slot only if the tag is another's.
// Tags are void when the entry is called, so that no copy outlives a launch, or sees what another thread made.
#pragma once
#include "codegen/cpu/nest.hpp"

namespace tine::cpu {

struct Kept {
  Frame::Count count;  ///< slots; 0 where they would not fit, or where no two programs share: then one is filled each time
  mlir::Value slot;    ///< the one that is used now
  mlir::Value stale;   ///< i1: it does not hold what is wanted
};

/// The slot for copies of what `load` names, of `shape`. `also`: numbers that the copy depends on beyond the place of the load.
/// None if stores of the kernel may change what is loaded. The tag is taken over at once: all copies must be made now.
std::optional<Kept> keep(Frame& frame, Values& values, ir::LoadOp load, llvm::ArrayRef<int64_t> shape, mlir::Type element,
                         llvm::ArrayRef<mlir::Value> also);
/// The same where a loop lays out several rounds at once, each in the slot that it says: the tag holds the load's indices too.
std::optional<Kept> keep_round(Frame& frame, Values& values, ir::LoadOp load, const Frame::Count& count, mlir::Value slot, llvm::ArrayRef<mlir::Value> also);
/// The same for what is computed from the indices of `load` and those dims of the grid that `expressions` use.
Kept keep_computed(Frame& frame, Values& values, ir::LoadOp load, llvm::ArrayRef<mlir::AffineExpr> expressions, llvm::ArrayRef<int64_t> shape,
                   mlir::Type element);

/// Emits `fill`, to be run if the slot is stale; always, without one.
void if_stale(Frame& frame, const std::optional<Kept>& kept, llvm::function_ref<void()> fill);

/// In which order programs run, for a frame: those that share the second operand of a product follow each other.
llvm::SmallVector<unsigned> program_order(ir::KernelOp kernel);

}  // namespace tine::cpu
