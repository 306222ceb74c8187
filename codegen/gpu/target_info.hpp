// What differs between GPU vendors: one description for each target. The rest of codegen/gpu asks it and nothing else.
#pragma once
#include <cstdint>
#include <string>
#include "compiler/dialect/tine_dialect.hpp"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"

namespace tine::gpu {

enum class Space { global = 1, shared = 3 };

/// Sizes of the machine, and the instructions that MLIR has no common words for. Instructions work on integers of 8 to 64
/// bits ("words"); what they mean is the caller's concern.
class TargetInfo {
 public:
  std::string name;                    ///< as in messages: "sm_80"
  int64_t warp = 32;                   ///< lanes
  int64_t max_warps = 32;              ///< per block
  int64_t max_shared = 48 << 10;       ///< bytes per block
  int64_t registers = 255;             ///< of 32 bits, per thread
  int64_t registers_per_block = 65536;
  int64_t widest_access = 16;          ///< bytes a thread can load or store at once

  virtual ~TargetInfo() = default;
  /// i32: this thread in its block; this block in its row, and its row; blocks in a row, and rows.
  enum class Id { thread, block, block_row, row_blocks, rows };
  virtual mlir::Value id(mlir::OpBuilder&, mlir::Location, Id) const = 0;
  /// The i32 word of the lane whose number differs in the bits of `mask`.
  virtual mlir::Value shuffle_xor(mlir::OpBuilder&, mlir::Location, mlir::Value word, int64_t mask) const = 0;
  /// The i32 word of lane `lane` (i32).
  virtual mlir::Value shuffle_from(mlir::OpBuilder&, mlir::Location, mlir::Value word, mlir::Value lane) const = 0;
  /// All threads of the block wait; what they wrote before, all see after.
  virtual void barrier(mlir::OpBuilder&, mlir::Location) const = 0;
  /// Loads neighbouring words at `pointer` + `offset` bytes if `predicate`, else gives `other`. Aligned to all of them
  /// together, which are at most `widest_access` bytes. `constant`: nobody writes this memory while the kernel runs.
  virtual llvm::SmallVector<mlir::Value> load(mlir::OpBuilder&, mlir::Location, Space, mlir::Value pointer, int64_t offset, unsigned bits,
                                              mlir::ValueRange other, mlir::Value predicate, bool constant) const = 0;
  /// Stores neighbouring words if `predicate`.
  virtual void store(mlir::OpBuilder&, mlir::Location, Space, mlir::Value pointer, int64_t offset, mlir::ValueRange words,
                     mlir::Value predicate) const = 0;
  /// A call of the user's device function on registers of one thread.
  virtual mlir::Value call(mlir::OpBuilder&, ir::ForeignOp, mlir::ValueRange arguments) const = 0;
};

}  // namespace tine::gpu
