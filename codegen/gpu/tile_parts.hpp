// A part of a tile, computed from parts of what the tile is computed from.
#pragma once
#include <map>
#include <set>
#include "compiler/dialect/tine_dialect.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tine::gpu {

/// Elements of a tile, padded to powers of two.
int64_t padded_elements(ir::KernelOp kernel, mlir::Type tile);
/// Registers that hold an element of a tile, at least one.
int64_t element_registers(mlir::Type tile);

/// A dim of a tile in pieces of `size`: `count` of them at most, the last of which is cut off at `extent` unless `even`.
struct Pieces {
  int64_t extent;  ///< as in a tile's shape
  int64_t size;
  int64_t count;
  bool even;
};

/// Values of a kernel and what the parts of them along one dim, or all of them, are at another place, the sink's: loads of
/// parts, and operations on parts. Loops whose results are tiles are made again with carried parts.
class TileParts {
 public:
  /// Tiles of more than `most` registers are never made as a whole.
  TileParts(ir::KernelOp kernel, mlir::Operation* sink, Pieces pieces, int64_t most) : kernel_(kernel), sink_(sink), pieces_(pieces), most_(most) {}

  /// Whether the part of `tile` along `axis` can be computed at the sink. Asked before `part`, for all tiles that it will get.
  bool possible(mlir::Value tile, unsigned axis);
  /// The part of a tile along an axis, which has as many elements as there are in a piece; `index` (i64) says which piece. The
  /// builder stands in the loop over pieces.
  mlir::Value part(mlir::OpBuilder& b, mlir::Value index, mlir::Value tile, unsigned axis);
  /// The param with one more level before the last, whose tile is a piece along `axis`; it is added to the kernel once.
  mlir::Value view_of_pieces(mlir::Value view, unsigned axis);
  /// Which elements of a part lie within the extent: i1, of `shape`; null if all do.
  mlir::Value inside(mlir::OpBuilder& b, mlir::Location loc, mlir::Value index, llvm::ArrayRef<int64_t> shape, unsigned axis);

 private:
  static constexpr int whole = -1;  // for an axis: all of the tile
  using Wanted = std::pair<mlir::Value, int>;
  struct Less {
    bool operator()(const Wanted& x, const Wanted& y) const {
      return std::pair(x.first.getAsOpaquePointer(), x.second) < std::pair(y.first.getAsOpaquePointer(), y.second);
    }
  };

  ir::KernelOp kernel_;
  mlir::Operation* sink_;
  Pieces pieces_;
  int64_t most_;
  unsigned sink_axis_ = 0;
  std::set<Wanted, Less> reached_;
  std::map<Wanted, mlir::Value, Less> made_;
  /// Of loops that are made again: which of their results are needed, and what of them.
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<std::pair<unsigned, int>>> carried_;
  llvm::DenseMap<mlir::Value, mlir::Value> rounds_;  // induction variables of such loops

  bool at_sink(mlir::Value v) const;
  bool reach(mlir::Value v, int axis);
  bool reach_load(ir::LoadOp load, int axis);
  bool reach_carried(mlir::scf::ForOp loop, unsigned number, int axis);
  void make_before(mlir::OpBuilder& b, mlir::Value index, mlir::scf::ForOp loop);
  mlir::Value make(mlir::OpBuilder& b, mlir::Value index, mlir::Value v, int axis);
  mlir::Value make_loop(mlir::OpBuilder& b, mlir::Value index, mlir::scf::ForOp loop, unsigned number, int axis);
  llvm::SmallVector<int64_t> part_shape(mlir::Value v, int axis) const;
};

}  // namespace tine::gpu
