// What a block may use, and what a kernel asks for: refused with both numbers before any code is made.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Before layouts are chosen: every extent of a tile is a number or has a capacity, and no tile is beyond what threads can hold.
mlir::LogicalResult check_tiles(ir::KernelOp kernel, const TargetInfo& target, int64_t warps);

/// After shared memory has been laid out: its bytes, and the registers that single tiles take, which no order of work avoids.
mlir::LogicalResult check_resources(ir::KernelOp kernel, const TargetInfo& target, int64_t warps);

}  // namespace tine::gpu
