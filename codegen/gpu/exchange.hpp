// What must cross warps goes through shared memory, made explicit.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Steps along k that one round of a product by multiply-add takes.
inline constexpr int64_t product_steps = 8;

/// Writes the trips through shared memory out as `tine.shared_alloc`, `shared_store`, `shared_load`: conversions between layouts
/// that registers cannot do, reshapes of padded tiles, reductions across warps (what each warp has, then the rest),
/// operands of products.
/// Before: %b = tine.convert_layout %a : A to B
/// After:  %m = tine.shared_alloc; tine.shared_store %a, %m; %b = tine.shared_load %m
/// Barriers are not there yet (`barriers.hpp`). Numbers: sums run in another order.
void exchange_through_shared(ir::KernelOp kernel, const TargetInfo& target);

}  // namespace tine::gpu
