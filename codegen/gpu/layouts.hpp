// How layouts follow operations: which layout an operand must have for a result's, and which a result gets.
#pragma once
#include <optional>
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Sizes of a tile under a layout: each dim rounded up to a power of two, symbols by their capacities; at least 1.
llvm::SmallVector<int64_t> padded_shape(ir::KernelOp kernel, llvm::ArrayRef<int64_t> shape);

ir::LayoutAttr make_attr(mlir::MLIRContext* context, const layout::Layout& l);

/// What the operand of a broadcast, permute or reshape must have so that no element leaves its thread: the registers of the
/// result are the operand's, but for those that a broadcast repeats. None for reshapes that move elements between
/// positions of padded tiles.
std::optional<ir::LayoutAttr> operand_layout(ir::KernelOp kernel, mlir::Operation* op, ir::LayoutAttr result);
/// The other way round, as far as it is determined: permute and reshape.
std::optional<ir::LayoutAttr> result_layout(ir::KernelOp kernel, mlir::Operation* op, ir::LayoutAttr operand);
/// The layout in which a reduction leaves its result: kept dims stay where they are, and all who took part hold it.
/// Null for a scalar.
ir::LayoutAttr reduced_layout(ir::LayoutAttr operand, llvm::ArrayRef<int64_t> axes);
/// Whether shapes differ in dims of size 1 only.
bool differ_in_ones(llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> y);
/// Whether a reshape keeps the order of bits: sizes are powers of two, or only dims of size 1 come and go.
bool keeps_bits(ir::KernelOp kernel, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// For each register of a broadcast's result the operand's.
llvm::SmallVector<int64_t> repeated_registers(ir::LayoutAttr result, llvm::ArrayRef<int64_t> operand_padded);
/// For each register of a reduction's operand that of the result.
llvm::SmallVector<int64_t> reduced_registers(ir::LayoutAttr operand, llvm::ArrayRef<int64_t> axes);
/// Bits of `axis` that move along some of these dims.
int64_t bits_along(const layout::Layout& l, layout::Axis axis, llvm::ArrayRef<int64_t> dims);

}  // namespace tine::gpu
