// A loop nest over one tile shape: the code of all element-wise work between two tiles in memory. Values that were not
// given a buffer are computed inside it, lane by lane, so that chains of element-wise operations fuse.
#pragma once
#include <set>
#include <vector>
#include "codegen/cpu/index.hpp"
#include "llvm/ADT/SmallVector.h"

namespace tine::cpu {

/// Where the lowering has put the values of the kernel: a value is a scalar in a register, a buffer, or neither, then it
/// is computed where it is used.
struct Values {
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;  // rank 0, and tiles of one element
  llvm::DenseMap<mlir::Value, Buffer> buffers;
};

/// True for rank 0 and for tiles of exactly one element: these live in registers.
bool is_scalar(mlir::Type type);

/// What a nest produces at each point, or over all points.
struct Output {
  enum Kind { store, buffer, reduce } kind;
  mlir::Operation* op = nullptr;  ///< ir::StoreOp or ir::ReduceOp
  mlir::Value value;              ///< the kernel's value that is evaluated
  Buffer into;                    ///< kind buffer: receives `value`, cast to the buffer's element; kind reduce of rank > 0: the result
};

/// A dim of a value as a dim of the nest, or `zero`: index 0 (size 1 there).
using Index = llvm::SmallVector<int8_t, 4>;
inline constexpr int8_t zero = -1;

/// What a nest reads: all accesses and buffers below its outputs, each once, as the nest does.
struct Reads {
  struct Place { mlir::Operation* op; Index index; };  // ir::LoadOp, ir::ValidOp, ir::OffsetsOp
  struct Tile { mlir::Value value; Index index; };
  llvm::SmallVector<Place> places;
  llvm::SmallVector<Tile> buffers;
  std::set<std::pair<const void*, std::vector<int8_t>>> seen;  // values at an index, walked over
};
/// Walks the expression of `value` at `index` down to places and buffers.
void collect_reads(const Values& values, mlir::Value value, const Index& index, Reads& reads);
/// The operand's index of an operation that moves elements without computing, or none: broadcast, permute, and reshapes
/// that only insert or drop dims of size 1.
std::optional<Index> operand_index(mlir::Operation* op, const Index& index);

/// Emits one nest over `shape` at the frame's insertion point. Reductions among the outputs must share their axes.
/// Scalar results of reductions are entered into `values.scalars`. `limits`, if not empty, are smaller extents to run over
/// (null: as in `shape`); not with reductions.
void emit_nest(Frame& frame, Values& values, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Output> outputs,
               llvm::ArrayRef<mlir::Value> limits = {});

/// A load or store outside nests: its param, its tile's shape, the flat axis of the tile's first dim, and the values of all
/// axes (0 for the tile's).
struct TileAccess {
  ir::ParamAttr param;
  llvm::ArrayRef<int64_t> tile;
  unsigned first;
  llvm::SmallVector<mlir::Value> at;
  TileAccess(Frame& frame, Values& values, int64_t param_number, mlir::ValueRange indices);
};

/// The elements of a load as strided memory, if its index maps are affine along the tile's dims: `pointer` names element 0,
/// `strides` are in elements, and `covered` tells (at run time) that all lanes below `limits` (null or empty: the tile's
/// extents) are in range. None for other loads.
struct Strided { mlir::Value pointer; llvm::SmallVector<mlir::Value> strides; mlir::Value covered; };
std::optional<Strided> strided_memory(Frame& frame, Values& values, ir::LoadOp load, llvm::ArrayRef<mlir::Value> limits = {});

/// Index along dim `dim` of the tile of a load or store from which on no lane is in range; at most the tile's extent.
mlir::Value in_range_extent(Frame& frame, Values& values, mlir::Operation* access, unsigned dim);

/// Evaluates a scalar value of the kernel (rank 0, or a tile of one element) at the frame's insertion point.
mlir::Value emit_scalar(Frame& frame, Values& values, mlir::Value value);

}  // namespace tine::cpu
