// What differs between GPU vendors: one description for each target. The rest of codegen/gpu asks it and nothing else.
#pragma once
#include <cstdint>
#include <string>
#include "compiler/dialect/tine_dialect.hpp"
#include "compiler/layout/fragments.hpp"
#include "compiler/layout/shared.hpp"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"

namespace tine::gpu {

enum class Space { global = 1, shared = 3 };

/// A matrix unit: the fragments of one instruction, and how it treats elements.
struct MatrixUnit : layout::MatrixUnit {
  bool rounds_to_tf32 = false;  ///< operands are f32 whose lowest 13 bits must be rounded away
};

/// Sizes of the machine, and the instructions that MLIR has no common words for. Instructions work on integers of 8 to 64
/// bits ("words"); what they mean is the caller's concern.
class TargetInfo {
 public:
  std::string name;                    ///< as in messages: "sm_80"
  int64_t warp = 32;                   ///< lanes
  int64_t max_warps = 32;              ///< per block
  int64_t max_shared = 48 << 10;       ///< bytes per block
  layout::Banks banks;                 ///< of shared memory
  int64_t registers = 255;             ///< of 32 bits, per thread
  int64_t registers_per_block = 65536;
  int64_t widest_access = 16;          ///< bytes a thread can load or store at once
  int64_t sector = 32;                 ///< bytes of global memory that are moved together

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

  /// An element-wise operation of f32 for which the machine has an instruction within the language's error bound, else null.
  virtual mlir::Value special(mlir::OpBuilder&, mlir::Location, llvm::StringRef /*kind*/, mlir::ValueRange /*f32*/) const { return {}; }

  // ---- matrix units. Operands are words of 32 bits (of 64 for f64) as the unit's fragments say, lowest elements lowest.

  /// The unit for products of these elements, or null.
  virtual const MatrixUnit* matrix_unit(mlir::Type /*a*/, mlir::Type /*b*/, mlir::Type /*result*/, llvm::StringRef /*precision*/) const { return nullptr; }
  /// a b + c of one warp.
  virtual llvm::SmallVector<mlir::Value> multiply(mlir::OpBuilder&, mlir::Location, mlir::Type a_element, mlir::Type b_element, mlir::ValueRange a,
                                                  mlir::ValueRange b, mlir::ValueRange c) const = 0;
  /// The tf32 number next to an f32, as a word.
  virtual mlir::Value to_tf32(mlir::OpBuilder&, mlir::Location, mlir::Value f32) const = 0;
  /// Whether a warp loads 8 x 8 matrices of 16-bit elements at once (layout/shared.hpp, MatrixLoad).
  virtual bool loads_matrices() const { return false; }
  /// `count` (1, 2, 4) such matrices from shared memory: a word each. Lanes point at rows of 16 bytes.
  virtual llvm::SmallVector<mlir::Value> load_matrices(mlir::OpBuilder&, mlir::Location, mlir::Value pointer, int64_t offset, int64_t count, bool trans) const = 0;

  // ---- asynchronous copies from global to shared memory

  /// Whether a thread can copy so many bytes, aligned to them.
  virtual bool copies_async(int64_t /*bytes*/) const { return false; }
  /// Copies, or writes zeros where `in_range` is false (null: true).
  virtual void copy_async(mlir::OpBuilder&, mlir::Location, mlir::Value to, int64_t to_offset, mlir::Value from, int64_t from_offset, int64_t bytes,
                          mlir::Value in_range) const = 0;
  /// The copies since the last commit are a group; waits until at most `pending` groups of this thread are under way.
  virtual void commit_copies(mlir::OpBuilder&, mlir::Location) const = 0;
  virtual void wait_copies(mlir::OpBuilder&, mlir::Location, int64_t pending) const = 0;
};

}  // namespace tine::gpu
