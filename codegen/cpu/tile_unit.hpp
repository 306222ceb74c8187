// The tile unit of AMX: eight tiles of up to 16 rows of 64 bytes, by number. Each operation is one instruction.
#pragma once
#include "codegen/cpu/frame.hpp"

namespace tine::cpu {

class TileOps {
 public:
  explicit TileOps(Frame& frame);
  /// Sets the shapes of all tiles, and zeroes them. Tiles 0 to 3 (sums) have `rows` rows of `columns` elements of 4 bytes, 4 and 5
  /// (rows of a) `rows` rows of 64 bytes, 6 and 7 (groups of b) 16 rows of `columns` units.
  void configure(mlir::Value rows, mlir::Value columns);
  void release();
  void zero(int tile);
  /// Rows are `stride` bytes apart.
  void load(int tile, mlir::Value pointer, mlir::Value stride);
  void store(int tile, mlir::Value pointer, mlir::Value stride);
  /// sums += a * b; of bytes, each signed or not.
  void multiply(int sums, int a, int b, bool bf16, bool a_signed, bool b_signed);

 private:
  void instruction(llvm::StringRef name, mlir::ValueRange operands);
  mlir::Value tile(int number);

  Frame& f;
  mlir::Value shapes_;  // 64 bytes, as the instruction reads them
};

}  // namespace tine::cpu
