// What loads and stores of a kernel touch, read from the params' index maps without emitting anything.
#pragma once
#include <optional>
#include <utility>
#include "compiler/dialect/tine_dialect.hpp"
#include "mlir/IR/AffineExpr.h"

namespace tine::compiler {

/// `expr == coefficient * dim + rest`, neither of which contains the dim; none if the dim stands inside a division.
struct Linear { mlir::AffineExpr coefficient, rest; };
std::optional<Linear> linear_in(mlir::AffineExpr expr, unsigned dim);
bool uses_dim(mlir::AffineExpr expr, unsigned dim);

/// Expressions whose sum, each times the stride of a source dim (-1: times 1), is the address of an element of a param; by
/// the shorter way of contiguous sources where there is one.
llvm::SmallVector<std::pair<mlir::AffineExpr, int64_t>> address_map(ir::KernelOp kernel, ir::ParamAttr param);

/// Indices of middle levels that may lie outside their level at run time, where the whole tile is out of range: the axis
/// must lie in [0, limit). Left out are those that provably do not, as the index of a loop over the level.
struct OpenIndex { mlir::AffineExpr axis, limit; };
llvm::SmallVector<OpenIndex> open_indices(ir::KernelOp kernel, int64_t param_number, mlir::ValueRange indices);

/// The dim of a param's tile along which neighbouring lanes are neighbours in memory, if one is known.
std::optional<unsigned> unit_dim(ir::KernelOp kernel, int64_t param_number);

/// Whether storing through `store` can change what `load` reads, given the call's overlaps. The same element of the same
/// place does not count: a nest reads it before it writes it.
bool conflicts(ir::KernelOp kernel, ir::StoreOp store, ir::LoadOp load);
/// The same parameter at the same indices, and no two lanes of it share memory.
bool same_place(ir::KernelOp kernel, ir::StoreOp store, ir::LoadOp load);
/// Whether two sources' memory may overlap at this call (of a source with itself: whether elements of it share memory).
bool may_overlap(ir::KernelOp kernel, int64_t source, int64_t other);
/// Whether tiles of a param at different values of its one index that changes (the others stay) provably share no element.
bool rounds_are_disjoint(ir::KernelOp kernel, int64_t param_number, mlir::ValueRange indices);

}  // namespace tine::compiler
