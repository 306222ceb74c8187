// Numbers that divide a parameter's indices, read from its index maps without emitting anything. Those of values of the code:
// `same_registers`.
#pragma once
#include "compiler/access/access.hpp"

namespace tine::gpu {

/// The places of a param: its tile's shape, the flat axis of the tile's first dim, and the axes before it.
struct Places {
  ir::ParamAttr param;
  llvm::ArrayRef<int64_t> tile;
  unsigned grid = 0, first = 0;  ///< flat axes of the first middle level, and of the tile's first dim
  Places(ir::KernelOp kernel, int64_t number);
};

/// Numbers that divide an index, given what divides each axis.
struct IndexDivisor {
  ir::KernelOp kernel;
  llvm::SmallVector<int64_t> axes;
  /// What is known of axes of the grid and of the tile is nothing, and of the middle levels their constant `indices` (i64).
  IndexDivisor(ir::KernelOp kernel, const Places& p, mlir::ValueRange indices);
  int64_t operator()(mlir::AffineExpr e) const;
  int64_t extent(int64_t dim) const;  ///< of a dim as in `!tine.tile`
};

}  // namespace tine::gpu
