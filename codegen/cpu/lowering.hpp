// The state of one kernel while its tiles become loops. Its parts: lower_tiles.cpp (operations, in program order), pending_nest.cpp
// (what is computed in one nest), lower_products.cpp (products, and loops that sum them up), lower_structure.cpp (other loops,
// branches, and what they carry).
#pragma once
#include <optional>
#include "codegen/cpu/frame.hpp"
#include "codegen/cpu/materialize.hpp"
#include "codegen/cpu/nest.hpp"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tine::cpu {

/// Walks the kernel in program order. Nests that have the same shape and do not wait for each other are emitted as one.
class Lowering {
 public:
  Lowering(mlir::ModuleOp module, ir::KernelOp kernel, const VectorTarget& target);
  mlir::LogicalResult run();

 private:
  ir::KernelOp kernel_;
  Frame f;
  Values values_;
  llvm::DenseSet<mlir::Value> materialized_;
  bool failed_ = false;

  // ---- lower_tiles.cpp
  void block(mlir::Block& body);
  void operation(mlir::Operation* op);
  /// The transpose (of the last two dims) of a tile, in a buffer: rows are copied as they lie, then turned in registers.
  Buffer turned(mlir::Value v);
  /// A store whose memory runs along the last dim but one, of a tile that lies in rows: the tile is turned first, so that
  /// both are contiguous. False if it is no such store; then nothing was emitted.
  bool store_turned(ir::StoreOp op);

  // ---- pending_nest.cpp
  llvm::SmallVector<Output> pending_;
  llvm::SmallVector<int64_t> pending_shape_;
  void flush();
  void add(Output o, llvm::ArrayRef<int64_t> shape);
  bool joins(const Output& o, llvm::ArrayRef<int64_t> shape);
  /// A scalar that is needed now.
  mlir::Value scalar(mlir::Value v);
  /// How evaluating a value reads another: not at all, only lane by lane, or otherwise.
  enum class Reach { none, lanes, other };
  /// How `value` reaches results of the pending nest when it is evaluated.
  Reach reach(mlir::Value value);
  Reach reach(mlir::Value value, bool identity, Seen& seen);
  /// The loads that an output's nest performs; of a tile that it keeps, those below the tile.
  llvm::SmallVector<LoadUse> evaluated_loads(const Output& o);

  // ---- lower_products.cpp
  /// c = acc + a . b. An accumulator that a loop carries, and that only this product updates, is updated in place.
  void dot(ir::DotOp op);
  /// How many rows and columns of a product are read: up to where the stores that it ends in are in range. Null: all.
  std::pair<mlir::Value, mlir::Value> observed(ir::DotOp op);
  /// Whether each use of a tile leads, lane by lane, to stores, through loops that carry it too.
  bool ends_in_stores(mlir::Value v, llvm::ArrayRef<int64_t> shape, llvm::SmallVectorImpl<ir::StoreOp>& stores, int depth = 0);
  llvm::DenseSet<mlir::Value> followed_;
  /// The buffer that carries the product's result, if the round's old value is read by this product's accumulator alone,
  /// lane by lane, and the result goes to the next round alone.
  std::optional<Buffer> carried_by(ir::DotOp op);
  /// A loop that only sums products up: as many rounds as fit are laid out, then multiplied as one contraction.
  void contraction_loop(mlir::scf::ForOp op, llvm::ArrayRef<ir::DotOp> dots);
  /// A sum that a loop carries.
  struct Sum {
    Buffer buffer;
    bool zero;                  // it starts from zero, which the buffer does not hold
    mlir::Value rows, columns;  // that count
  };
  Sum sum_of(mlir::scf::ForOp op, unsigned i, ir::DotOp dot);

  // ---- lower_structure.cpp
  void for_loop(mlir::scf::ForOp op);
  void branch(mlir::scf::IfOp op);
  void while_loop(mlir::scf::WhileOp op);
  /// Writes a tile value to a buffer.
  void write(mlir::Value v, const Buffer& into);
  struct Carried {
    llvm::SmallVector<mlir::Value> inits;  // scalars, in registers
    llvm::SmallVector<Buffer> buffers;     // tiles, one for each carried tile
  };
  Carried carry(mlir::ValueRange inits);
  void bind(mlir::ValueRange values, mlir::ValueRange scalars, llvm::ArrayRef<Buffer> buffers);
  /// How evaluating `v` reads the carried tile `arg`.
  Reach reads(mlir::Value v, mlir::Value arg);
  Reach reads(mlir::Value v, mlir::Value arg, bool identity, Seen& seen);
  /// The end of a round: carried tiles take their new values, all computed from the old ones. Gives the scalars.
  llvm::SmallVector<mlir::Value> end_round(mlir::ValueRange yields, mlir::ValueRange args, llvm::ArrayRef<Buffer> buffers);
};

}  // namespace tine::cpu
