// Which neighbours in memory a load or store can move at once, read from index maps and layouts without emitting anything.
#pragma once
#include "compiler/access/access.hpp"

namespace tine::gpu {

/// What is known of the vectors that an access can be made of.
struct VectorWidth {
  int64_t elements = 1;              ///< neighbours in memory, aligned together
  llvm::SmallVector<int> bits;       ///< register bits that count them, lowest first
  bool uniform = true;               ///< a vector is in range as a whole or not at all
};

/// The widest vectors of an access of `kernel` to param `number` under `layout`. `indices` are the middle levels' (i64).
VectorWidth vector_width(ir::KernelOp kernel, int64_t number, mlir::ValueRange indices, ir::LayoutAttr layout, int64_t widest_bytes);

/// Neighbours along the tile's contiguous dim that memory keeps together, whatever the layout; and that dim.
struct Contiguity { int64_t elements = 1; unsigned dim = 0; };
Contiguity contiguity(ir::KernelOp kernel, int64_t number, mlir::ValueRange indices, int64_t widest_bytes);

}  // namespace tine::gpu
