// Which registers of a tile hold the same, so that one is computed for all of them.
#pragma once
#include "codegen/gpu/thread.hpp"

namespace tine::gpu {

/// `column < n` with a multiple of 16 for n: either all of the columns 16 i to 16 i + 15 are less or none. A thread that holds
/// several of them compares once. No number changes.
///   before: setp.lt %p0, c, n; setp.lt %p1, c + 1, n; setp.lt %p2, c + 8, n; ...
///   after:  setp.lt %p0, c, n
/// What is known of integers: what divides them (symbols by `compiler/import/known_divisor`; for indices of loads it is `index_divisor`
/// that works it out), and which bits of a register's number move them only inside an aligned group.
class SameRegisters {
 public:
  explicit SameRegisters(Thread& f) : f_(f) {}
  /// Bits of the number of a tile's register that do not change what it holds.
  int64_t free_bits(mlir::Value tile);

 private:
  Thread& f_;
  /// Of each bit: the least power of two g so that the element divided by g, rounded down, stays when the bit turns; 1: the
  /// element stays.
  using Groups = llvm::SmallVector<int64_t>;
  llvm::DenseMap<mlir::Value, Groups> groups_;
  const Groups& groups(mlir::Value tile);
  Groups compute(mlir::Value tile);
  Groups elementwise(ir::ElementwiseOp op, size_t bits);
  Groups of_operand(mlir::Value operand, llvm::ArrayRef<int64_t> registers, size_t bits);
  llvm::DenseMap<mlir::Value, int64_t> divisors_;
  int64_t divisor(mlir::Value v);
  int64_t compute_divisor(mlir::Value v);
};

}  // namespace tine::gpu
