// Between which values an integer of the kernel's code lies, as far as sizes, loops and tiles tell; what the sizes tell comes from
// `compiler/import/known_range`.
#pragma once
#include <optional>
#include "compiler/dialect/tine_dialect.hpp"
#include "dsl/graph/range.hpp"

namespace tine::gpu {

/// Of sizes, the program's index, loop counters, `arange`, constants, and sums, products, minima and maxima of these.
class IntegerRanges {
 public:
  explicit IntegerRanges(ir::KernelOp kernel) : kernel_(kernel) {}
  /// Whether 32 bits hold each element of a 64-bit integer, and of what it is computed from: it may be computed in 32 bits.
  bool fits32(mlir::Value v) { return of(v).has_value(); }

 private:
  ir::KernelOp kernel_;
  llvm::DenseMap<mlir::Value, std::optional<graph::Range>> ranges_;
  std::optional<graph::Range> of(mlir::Value v);
  std::optional<graph::Range> compute(mlir::Value v);
};

}  // namespace tine::gpu
