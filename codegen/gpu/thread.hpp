// The code of one thread: the kernel function that is being written and what it reads from its parameters (thread.cpp), and index
// arithmetic (index_arithmetic.cpp).
#pragma once
#include <optional>
#include "codegen/gpu/target_info.hpp"
#include "compiler/access/access.hpp"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"

namespace tine::gpu {

/// In which order blocks take programs, and what the language leaves to options.
struct ThreadOptions {
  bool fast_math = false;
  bool persistent = false;  ///< blocks loop over programs
  int64_t group = 0;        ///< programs in groups of so many rows, column by column; 0: rows
};

/// A layout as code asks it: which element each register holds.
struct LayoutInfo {
  layout::Layout map;
  int64_t registers = 1;
  llvm::SmallVector<llvm::SmallVector<int64_t>> at;  ///< register -> coordinates, for lane 0 of warp 0
  int64_t free_lanes = 0, free_warps = 0;            ///< bits whose lanes or warps hold copies
};

class Thread {
 public:
  Thread(mlir::ModuleOp module, ir::KernelOp kernel, const TargetInfo& target, ThreadOptions options);

  mlir::OpBuilder b;
  mlir::Location loc;  ///< of the operation that is being lowered
  ir::KernelOp kernel;
  const TargetInfo& target;
  ThreadOptions options;

  // ---- types
  mlir::Type index_type() { return narrow_ ? b.getI32Type() : b.getI64Type(); }
  /// How an element sits in a register: signless integers, i1 for bool, i8 patterns for fp8.
  mlir::Type register_type(mlir::Type element);
  /// The integer that it is in memory: bool is i8.
  mlir::Type storage_type(mlir::Type element);
  mlir::Value to_register(mlir::Value stored, mlir::Type element);
  mlir::Value to_storage(mlir::Value v, mlir::Type element);
  /// Integers of `from` bits packed into wider or unpacked into narrower ones of `to` bits, lowest first.
  llvm::SmallVector<mlir::Value> repack(mlir::ValueRange words, unsigned to);

  // ---- constants
  mlir::Value constant(mlir::Type integer, int64_t v);
  mlir::Value index(int64_t v) { return constant(index_type(), v); }
  mlir::Value i32(int64_t v) { return constant(b.getI32Type(), v); }
  mlir::Value i64(int64_t v) { return constant(b.getI64Type(), v); }
  mlir::Value yes() { return constant(b.getI1Type(), 1); }

  // ---- parameters
  mlir::Value symbol(int64_t number);                ///< i64
  mlir::Value symbol_index(int64_t number);          ///< as an index
  mlir::Value extent(int64_t dim) { return ir::TileType::isSymbol(dim) ? symbol_index(ir::TileType::symbol(dim)) : index(dim); }
  mlir::Value stride(int64_t source, int64_t dim);   ///< index
  mlir::Value base(int64_t source);                  ///< pointer to global memory
  mlir::Value scalar(int64_t source);                ///< value of a rank-0 source, as in a register

  // ---- this thread
  mlir::Value lane, warp;                            ///< i32
  llvm::SmallVector<mlir::Value> program;            ///< index along each dim of the grid
  const LayoutInfo& layout(ir::LayoutAttr attr);
  const LayoutInfo& layout(mlir::Value tile) { return layout(mlir::cast<ir::TileType>(tile.getType()).getLayout()); }
  /// The part of an output of a layout that lane and warp make (i32); registers add theirs. Kept for the whole function.
  /// `flipped`: bits of it to be turned over.
  mlir::Value thread_part(const layout::Layout& map, layout::Axis out, int64_t flipped = 0);
  mlir::Value coordinate(ir::LayoutAttr attr, int64_t d) { return widen(thread_part(layout(attr).map, layout::dim(int(d)))); }
  /// True in the one thread that acts for all that hold copies; null: in all.
  mlir::Value acts(const LayoutInfo& info);
  /// Whether dim d of a tile has padding under a layout.
  bool padded(int64_t dim, int64_t size) const;

  // ---- index arithmetic, folding constants: index_arithmetic.cpp
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);    ///< of conditions; null: true
  mlir::Value less(mlir::Value x, mlir::Value y);    ///< signed
  mlir::Value at_least(mlir::Value x, mlir::Value y);
  mlir::Value widen(mlir::Value i32);                ///< to an index, by zeros
  mlir::Value to_index(mlir::Value i64);
  /// An affine expression over indices. Divisions round to minus infinity; by 0 they give anything, and no trap.
  mlir::Value affine(mlir::AffineExpr e, llvm::ArrayRef<mlir::Value> dims) { return affine(e, dims, index_type()); }
  /// The same in 64 bits, of indices of either width, whatever the kernel's have.
  mlir::Value wide_affine(mlir::AffineExpr e, llvm::ArrayRef<mlir::Value> dims);
  mlir::Value pointer(mlir::Value base, mlir::Type element, mlir::Value index);
  static std::optional<int64_t> known(mlir::Value v);

  // ---- shared memory
  mlir::Value shared_pointer(int64_t byte_offset);

  /// for (i = lo; i < hi; i += step), all i32 or index; `body` gives the next values of what is carried.
  llvm::SmallVector<mlir::Value> loop(mlir::Value lo, mlir::Value hi, mlir::Value step, mlir::ValueRange carried,
                                      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);

  void finish();

 private:
  mlir::ModuleOp module_;
  const bool narrow_;
  mlir::Block* entry_ = nullptr;
  mlir::Operation* entry_end_ = nullptr;  // code of the entry block goes before this operation
  mlir::Operation* program_start_ = nullptr;  // what only depends on the program goes before this one
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> of_program_;
  int64_t first_symbol_ = 0;
  llvm::SmallVector<int64_t> first_stride_;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> constants_;
  llvm::DenseMap<int64_t, mlir::Value> indices_, scalars_;
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<LayoutInfo>> layouts_;
  struct Part { layout::Layout map; layout::Axis out; int64_t flipped; mlir::Value value; };
  std::vector<Part> parts_;
  llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value> acting_;
  mlir::Operation* shared_ = nullptr;
  void unravel(mlir::Value number);
  mlir::Value affine(mlir::AffineExpr e, llvm::ArrayRef<mlir::Value> dims, mlir::Type type);  // dims and the result have it
  mlir::Value divide(mlir::AffineBinaryOpExpr e, llvm::ArrayRef<mlir::Value> dims, mlir::Type type);
  mlir::Value slot(int64_t number, mlir::Type type);  // a size or stride
};

}  // namespace tine::gpu
