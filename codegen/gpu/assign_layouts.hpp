// Gives every tile a layout.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Warps of a program from the sizes of its tiles: enough that a thread holds a few elements, not hundreds.
int64_t choose_warps(ir::KernelOp kernel, const TargetInfo& target);

/// Types get layouts, and `tine.convert_layout` stands where an operand has another layout than its user needs.
///
/// Tiles that are computed from each other element by element, or carried round a loop, share one layout. It is that of a
/// matrix product's result, else what makes the class's loads and stores wide and coalesced, else what a larger tile that it
/// is broadcast to or reduced from asks for; the largest tiles choose first.
/// Before: %a = tine.load %x[] : !tine.tile<[64], f32>
/// After:  %a = tine.load %x[] : !tine.tile<[64], f32, #tine.layout<[64], register = [[1]], lane = [[2], [4], ...], warp = []>>
/// Sets the kernel's `warps`. Numbers are not changed.
void assign_layouts(ir::KernelOp kernel, const TargetInfo& target, int64_t warps);

}  // namespace tine::gpu
