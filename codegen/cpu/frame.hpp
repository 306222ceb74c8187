// The frame of a CPU kernel: the function that is being written, what it reads from its slots, and its scratch memory.
#pragma once
#include <functional>
#include "compiler/dialect/tine_dialect.hpp"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tine::cpu {

/// The tile unit of AMX, with BF16 and INT8.
enum class TileUnit { none, amx };

/// What the machine offers to vector code.
struct VectorTarget {
  int64_t vector_bytes = 32;  ///< width of one vector register: 16, 32 or 64
  bool bf16_dot = false;      ///< AVX512-BF16: products of bf16 pairs, summed in f32
  bool int8_dot = false;      ///< AVX512-VNNI: products of four u8 and i8, summed in i32
  TileUnit tiles = TileUnit::none;
  bool fast_math = false;
  int64_t second_cache = 1 << 20;  ///< bytes of a core's
  bool x86 = true;            ///< else AArch64
};

/// Memory of a tile value: row-major, without gaps, elements as in memory (bool one byte).
/// With `panel`, the last dim is cut into panels of so many columns, which follow each other: element (..., r, c) of
/// (..., R, C) lies at ((... * (C / panel) + c / panel) * R + r) * panel + c % panel, where R and C are the padded sizes.
struct Buffer {
  mlir::Value base;                    // !llvm.ptr
  mlir::Type element;                  // tine element type
  llvm::SmallVector<int64_t> shape;    // dims as in !tine.tile
  mlir::Value rows, columns;           // sizes in memory of the last two dims, if padded; null: as in `shape`
  int64_t panel = 0;
  bool turned = false;                 // the last two dims lie the other way round: `rows` and `columns` are of the memory
};

/// One function `tine_entry(slots, begin, end, scratch)`, and its twin `tine_scratch(slots)`.
class Frame {
 public:
  /// `order`: the dims of the grid, that which neighbouring programs differ in first.
  Frame(mlir::ModuleOp module, ir::KernelOp kernel, VectorTarget target, llvm::ArrayRef<unsigned> order);

  mlir::OpBuilder b;
  ir::KernelOp kernel;
  VectorTarget target;

  // ---- types
  mlir::Type ptr_type();
  /// How an element sits in a register: signless integers, i1 for bool, i8 patterns for fp8.
  mlir::Type register_type(mlir::Type element);
  /// How it sits in memory: bool is i8, f16 and bf16 are i16.
  mlir::Type storage_type(mlir::Type element);

  // ---- constants, made once at the start of the function
  mlir::Value i64(int64_t v);
  mlir::Value i1(bool v);

  // ---- slots, read once at the start of the function
  mlir::Value symbol(int64_t number);
  mlir::Value extent(int64_t dim) { return ir::TileType::isSymbol(dim) ? symbol(ir::TileType::symbol(dim)) : i64(dim); }
  mlir::Value stride(int64_t source, int64_t dim);
  bool unit_stride(int64_t source, int64_t dim);
  mlir::Value base(int64_t source);
  mlir::Value scalar(int64_t source);   ///< value of a rank-0 source, as in a register

  // ---- programs
  llvm::SmallVector<mlir::Value> program;  ///< index along each dim of the grid, inside the loop over programs
  llvm::SmallVector<unsigned> order;       ///< dims of the grid, fastest first

  // ---- buffers
  Buffer allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element) { return allocate_padded(shape, element, 1, 1); }
  /// With the last two dims rounded up to multiples.
  Buffer allocate_padded(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t round_rows, int64_t round_columns);
  /// A number that the sizes of the call determine, computed by the given builder from extents of dims.
  using Extent = llvm::function_ref<mlir::Value(int64_t)>;
  using Count = std::function<mlir::Value(mlir::OpBuilder&, Extent)>;
  /// `count` + 1 buffers that follow each other; the one with number `slot`.
  Buffer allocate_slots(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t round_rows, int64_t round_columns, const Count& count, mlir::Value slot);
  /// A count, before the loop over programs.
  mlir::Value at_entry(const Count& count);
  /// `count` + 1 groups of `size` words of 8 bytes, each at a multiple of 64 bytes.
  mlir::Value allocate_records(const Count& count, int64_t size);
  /// The same, of i64, each set to -1 before the first program of a call of the entry.
  mlir::Value allocate_tags(const Count& count, int64_t size);
  mlir::Value rows(const Buffer& x) { return x.rows ? x.rows : extent(x.shape[x.shape.size() - 2]); }
  mlir::Value columns(const Buffer& x) { return x.columns ? x.columns : extent(x.shape.back()); }

  /// Closes both functions.
  void finish(mlir::Location loc);

  mlir::Location loc;  ///< of the operation that is being lowered
  bool streams = false;  ///< some store passes by the caches: a fence ends the function

 private:
  mlir::Value load_slot(int64_t slot, mlir::Type type);
  struct Request { llvm::SmallVector<int64_t> shape; int64_t bytes, round_rows, round_columns; Count count; };
  /// Takes its place in the scratch memory; the address of its first slot.
  mlir::Value reserve(Request request);
  Buffer padded_buffer(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t round_rows, int64_t round_columns);
  mlir::Value padded(int64_t dim, int64_t multiple, llvm::function_ref<mlir::Value(int64_t)> extent, mlir::OpBuilder& b);
  mlir::Value bytes_of(const Request& r, llvm::function_ref<mlir::Value(int64_t)> extent, mlir::OpBuilder& b);

  mlir::ModuleOp module_;
  mlir::Block* entry_block_ = nullptr;
  mlir::Operation* entry_end_ = nullptr;  // code of the entry block goes before this operation
  int64_t first_symbol_ = 0;
  llvm::SmallVector<int64_t> first_stride_;
  llvm::DenseMap<std::pair<int64_t, mlir::Type>, mlir::Value> slots_;
  llvm::DenseMap<int64_t, mlir::Value> constants_;
  llvm::SmallVector<Request> requests_;
  mlir::Value scratch_next_;
  int64_t stack_bytes_ = 0;
};

}  // namespace tine::cpu
