// Layouts of matrix products.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Of a product's accumulator and result, for a block of so many warps.
ir::LayoutAttr dot_layout(ir::KernelOp kernel, ir::DotOp dot, const TargetInfo& target, int64_t warps);

}  // namespace tine::gpu
