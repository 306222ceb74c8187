// The state of one kernel while its tiles become the code of a thread. Its parts: lower_tiles.cpp (program order, loops,
// branches), evaluate.cpp (an element of a tile, when it is asked for), memory.cpp (global memory), shared_access.cpp,
// reduce.cpp, dot.cpp.
#pragma once
#include "codegen/gpu/access.hpp"
#include "codegen/gpu/integer_ranges.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/same_registers.hpp"
#include "codegen/gpu/shuffles.hpp"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tine::gpu {

using Registers = llvm::SmallVector<mlir::Value>;

class Lowering {
 public:
  explicit Lowering(Thread& f);
  void run();

 private:
  Thread& f;
  mlir::OpBuilder& b;
  SameRegisters same_;
  IntegerRanges ranges_;

  // ---- values. What a block computed is known in it and in the blocks inside it.
  struct Scope {
    llvm::DenseMap<mlir::Value, Registers> tiles;  // by register; null: not computed yet
    llvm::DenseMap<mlir::Value, mlir::Value> scalars;
    llvm::DenseMap<mlir::Operation*, std::unique_ptr<Access>> accesses;
    llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> low_halves;
  };
  std::vector<std::unique_ptr<Scope>> scopes_;
  struct Inside {  // opens a scope as long as it lives
    Lowering& l;
    explicit Inside(Lowering& lowering) : l(lowering) { l.scopes_.push_back(std::make_unique<Scope>()); }
    ~Inside() { l.scopes_.pop_back(); }
  };
  void set(mlir::Value v, mlir::Value scalar) { scopes_.back()->scalars[v] = scalar; }
  void set(mlir::Value tile, Registers registers) { scopes_.back()->tiles[tile] = std::move(registers); }
  void set(mlir::Value tile, int64_t r, mlir::Value v);
  mlir::Value known(mlir::Value tile, int64_t r);

  // ---- evaluate.cpp
  /// A scalar of the kernel (rank 0); it was computed where it stands.
  mlir::Value scalar(mlir::Value v);
  /// Register r of a tile. Computed now, if it was not: chains of element-wise operations never exist as whole tiles.
  mlir::Value at(mlir::Value tile, int64_t r);
  Registers all(mlir::Value tile);
  /// The low 32 bits of register r of a 64-bit integer that fits in them, or of a scalar.
  mlir::Value low_half(mlir::Value v, int64_t r);
  /// Of 64-bit integers that fit in 32 bits, in half the registers and instructions.
  mlir::Value compare_low_halves(ir::ElementwiseOp op, int64_t r);
  mlir::Value compute(mlir::Value tile, int64_t r);
  /// The result of an operation of one value, given its operands' at this place (element-wise operations, casts, constants, ...).
  mlir::Value apply(mlir::Operation* op, mlir::ValueRange operands);

  // ---- memory.cpp
  llvm::DenseSet<int64_t> written_;  // sources whose memory the kernel may store to
  bool is_written(ir::LoadOp op) { return written_.contains(f.kernel.getParam(op.getParamNumber()).getSource()); }
  /// The access of a load, store, `valid` or `offsets`.
  Access& access(mlir::Operation* op);
  void load(ir::LoadOp op, int64_t r);
  void load_all(ir::LoadOp op);
  void load_vector(ir::LoadOp op, Access& a, llvm::ArrayRef<int64_t> registers, bool checked, llvm::MutableArrayRef<mlir::Value> to);
  void store(ir::StoreOp op);
  void store_vector(ir::StoreOp op, Access& a, llvm::ArrayRef<int64_t> registers, bool checked, llvm::ArrayRef<mlir::Value> values);
  mlir::Value other(ir::LoadOp op);  // in memory's form

  // ---- shared_access.cpp
  void shared_store(ir::SharedStoreOp op);
  void shared_load(ir::SharedLoadOp op);
  mlir::Value dense_index(mlir::Value tile, int64_t r);
  /// Whether register r of a tile is no padding, along these dims; null: always.
  mlir::Value inside(ir::TileType tile, int64_t r, llvm::ArrayRef<int64_t> dims);
  mlir::Value inside(ir::TileType tile, int64_t r);
  mlir::Value memory(mlir::Value alloc);

  // ---- reduce.cpp
  struct Partial { mlir::Value value, position; };  // of one element of the result; position: argmax and argmin
  /// What registers and lanes have of each register of the result.
  std::vector<Partial> reduce(llvm::StringRef kind, mlir::Value operand, llvm::ArrayRef<int64_t> axes, mlir::Value positions, mlir::Type result);
  void reduce(ir::ReduceOp op);
  void partial_reduce(ir::PartialReduceOp op);
  /// A value of another lane, of any type: `word` moves the 32-bit words that it consists of.
  mlir::Value shuffled(mlir::Value v, llvm::function_ref<mlir::Value(mlir::Value)> word);

  // ---- shuffles.cpp
  void convert_by_shuffles(ir::ConvertLayoutOp op, const layout::ShufflePlan& plan);

  // ---- dot.cpp
  void dot(ir::SharedDotOp op);

  // ---- matrix_product.cpp
  void matrix_product(ir::DotOp op, const ProductLayouts& layouts);
  /// Elements of a product's operand, from register `first` on, as the words of the matrix unit. `contracted`: the dim that
  /// is summed over.
  Registers operand_words(mlir::Value tile, int64_t first, int64_t count, int64_t contracted);
  /// Whether a tile was read from memory that has zeros in its padding.
  bool zero_padded(mlir::Value tile);
  /// A load of fragments by the whole warp; false where the layouts do not allow that.
  bool load_matrices(ir::SharedLoadOp op);
  void copy_async(ir::CopyAsyncOp op);

  // ---- lower_tiles.cpp
  void block(mlir::Block& body);
  void operation(mlir::Operation* op);
  void for_loop(mlir::scf::ForOp op);
  void branch(mlir::scf::IfOp op);
  void while_loop(mlir::scf::WhileOp op);
  /// Loads what the operation's regions use of tiles that are not computed yet: inside, it would be loaded in each round.
  void load_before(mlir::Operation* op);
  /// Values of scalars and tiles in one list, and back.
  Registers flatten(mlir::ValueRange values);
  llvm::SmallVector<mlir::Type> flat_types(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange flat);
};

}  // namespace tine::gpu
