// Between which values an integer of the kernel lies, as far as sizes, loops and tiles tell.
#pragma once
#include <optional>
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Of sizes, the program's index, loop counters, `arange`, constants, and sums, products, minima and maxima of these.
class IntegerRanges {
 public:
  explicit IntegerRanges(ir::KernelOp kernel) : kernel_(kernel) {}
  /// Whether 32 bits hold each element of a 64-bit integer, and of what it is computed from: it may be computed in 32 bits.
  bool fits32(mlir::Value v) { return of(v).has_value(); }

 private:
  struct Range { int64_t least, most; };
  ir::KernelOp kernel_;
  llvm::DenseMap<mlir::Value, std::optional<Range>> ranges_;
  std::optional<Range> of(mlir::Value v);
  std::optional<Range> compute(mlir::Value v);
  std::optional<Range> symbol(int64_t number);
};

}  // namespace tine::gpu
