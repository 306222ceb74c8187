// Tiles to threads: a tine.kernel with layouts becomes the function that each thread of a block runs.
#pragma once
#include "codegen/gpu/thread.hpp"

namespace tine::gpu {

/// Rewrites the module's one `tine.kernel` (layouts assigned, shared memory and barriers explicit) into `tine_kernel`
/// (codegen/abi/gpu_artefact.h): scalar code on the registers of one thread, `scf` loops, words to and from memory.
/// Before: %b = tine.elementwise "neg"(%a) : (!tine.tile<[64], f32, #l>) -> !tine.tile<[64], f32, #l>
/// After:  %b0 = arith.negf %a0; %b1 = arith.negf %a1     (the two registers of one thread)
/// Numbers: float sums run in another order (language.md, 6).
void lower_tiles(mlir::ModuleOp module, const TargetInfo& target, ThreadOptions options);

}  // namespace tine::gpu
