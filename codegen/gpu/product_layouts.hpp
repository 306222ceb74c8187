// Layouts of matrix products on matrix units.
#pragma once
#include <optional>
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// What a product's operands and result must have so that each warp multiplies with a matrix unit: its fragments repeated
/// over the warp's part of the result.
struct ProductLayouts {
  const MatrixUnit* unit;
  ir::LayoutAttr a, b, result;
};
/// None where the target has no unit for the types, or a tile is smaller than the unit. Where a product's result is the left
/// operand of another, all warps lie below each other: each then has whole rows, and nothing crosses warps between the two.
std::optional<ProductLayouts> product_layouts(ir::KernelOp kernel, ir::DotOp dot, const TargetInfo& target, int64_t warps);

/// Warps for a kernel's products on matrix units: a thread holds 64 elements of a result (of results that follow each other,
/// together) and brings at most 32 of an operand, and no warp holds a copy; at most 8, which share operands well. 0 without
/// such products.
int64_t product_warps(ir::KernelOp kernel, const TargetInfo& target);

/// Elements that no unit of the target multiplies become wider ones that hold the same numbers.
/// Before: tine.dot %a, %b : !tine.tile<[64, 32], f8E4M3FN>, ...
/// After:  %c = tine.cast %a : ... to !tine.tile<[64, 32], f16>; ...; tine.dot %c, %d : !tine.tile<[64, 32], f16>, ...
/// Numbers are not changed: each fp8 number is an f16 number.
void widen_products(ir::KernelOp kernel);

/// Where an operand lies in shared memory: rows along the dim that is contiguous in its source, swizzled, so that neither
/// copies into it nor the loads of fragments out of it have bank conflicts.
ir::LayoutAttr operand_memory(ir::KernelOp kernel, mlir::Value operand, ir::LayoutAttr fragments, const TargetInfo& target, int64_t warps);

}  // namespace tine::gpu
