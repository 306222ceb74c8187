// One load, store, `valid` or `offsets` of a tile by one thread: addresses and ranges of the elements in its registers.
#pragma once
#include <map>
#include "codegen/gpu/thread.hpp"
#include "codegen/gpu/vector_width.hpp"

namespace tine::gpu {

/// Emits at the thread's place, and keeps what it emitted: use it only where the first use dominates (copy it for branches).
class Access {
 public:
  /// `indices`: of the middle levels, i64 values of the thread. `layout` null: a scalar access. `in_level`: they lie in their
  /// levels, whether that can be seen here or not.
  Access(Thread& f, int64_t number, mlir::ValueRange kernel_indices, mlir::ValueRange indices, llvm::ArrayRef<int64_t> tile, ir::LayoutAttr layout,
         bool in_level = false);

  struct Address { mlir::Value pointer; int64_t offset; };  // bytes
  /// Of the element in register r.
  Address address(int64_t r);
  /// A condition for all elements, the same for the block. Before any other use.
  void only(mlir::Value condition) { only_ = condition; }
  /// Whether that element is in range and no padding; null: always.
  mlir::Value in_range(int64_t r);
  /// Whether all elements of all threads are: a condition that is the same for the block; none if it cannot be told at once.
  std::optional<mlir::Value> covered();
  /// Coordinate along a source dim, in index_type() or, where the middle levels' indices may lie outside, i64.
  mlir::Value coordinate(int64_t r, unsigned source_dim);

  VectorWidth width;

 private:
  struct Condition {
    mlir::AffineExpr index, limit;
    bool low;
    bool linear;                           // in all dims of the tile, with constant coefficients, and the limit without them
    llvm::SmallVector<int64_t> step;
    int64_t whole;                         // a power of two, which divides the limit: aligned groups of so many indices compare alike
    mlir::Value wide_index, wide_limit;    // of an index that may not fit: compared as i64
    mlir::Value start, end;                // index at this thread's first element, limit
    bool in_limit = false;                 // another condition's limit says this one, too
  };
  struct Term {
    mlir::AffineExpr index;
    mlir::Value stride;
    bool linear;
  };
  Thread* f_;
  ir::ParamAttr param_;
  unsigned grid_ = 0, first_ = 0;          // flat axes of the first middle level, and of the tile's first dim
  llvm::SmallVector<int64_t> tile_;
  ir::LayoutAttr layout_;
  llvm::SmallVector<mlir::Value> at_;      // values of all axes; the tile's: this thread's part
  llvm::SmallVector<mlir::Value> outside_; // the middle levels' indices as they are, if one may lie outside its level
  std::vector<Condition> conditions_;
  std::vector<Term> terms_;
  bool started_ = false;
  mlir::Value base_;                       // address of this thread's first element by the linear terms
  bool ranges_started_ = false;
  mlir::Value only_;                       // what no limit says
  llvm::SmallVector<mlir::Value> step_;    // elements that one step along each dim of the tile adds, linear terms
  std::map<std::pair<size_t, std::vector<int64_t>>, mlir::Value> memo_;
  llvm::ArrayRef<int64_t> registers(int64_t r);
  llvm::SmallVector<mlir::Value> axes(int64_t r);
  void start_addresses();
  mlir::Value holds(size_t condition, int64_t r);
  void start_ranges();
};

}  // namespace tine::gpu
