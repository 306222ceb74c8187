// Where in the block's shared memory each tile lies.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Bytes of a memory.
int64_t size_of(ir::KernelOp kernel, ir::MemoryType type);

/// Gives every `tine.shared_alloc` its `offset`: memories whose lives do not meet share bytes. A life is from the first to the
/// last use in program order; what a loop uses and something before it defined lives to the loop's end. Sets `shared_bytes`.
/// Before: %m = tine.shared_alloc : !tine.memory<[64], f32, ...>
/// After:  %m = tine.shared_alloc at 0 : !tine.memory<[64], f32, ...>
void allocate_shared(ir::KernelOp kernel);

}  // namespace tine::gpu
