// Products of tiles: c[..., m, n] (+)= sum over k of a[..., m, k] * b[..., k, n], register-blocked.
//
// The kernel in the middle holds a block of c in registers (rows x vectors) over all of k: for each k it loads one row of
// the block's vectors of b, and one element of a for each row, which multiplies the vectors by fma. b is packed into
// panels as wide as the block, so that its rows follow each other; a is read where it lies if its rows are contiguous and
// in range, else from a copy.
//
// A loop that sums products up is one contraction: its rounds lay their operands out first, each in a slot of its own, and
// blocks then stay in registers over the k of all rounds.
//
// Where the machine multiplies groups of narrow elements (bf16 in pairs, int8 in fours) and sums each group into 32 bits,
// a lane of b's panel and an element of a are such a group: `group` neighbours along k, in 32 bits.
#pragma once
#include "codegen/cpu/nest.hpp"
#include "codegen/cpu/pack.hpp"
#include "codegen/cpu/product.hpp"

namespace tine::cpu {

/// Emits c += a . b (or c = a . b, if not `accumulate`) at the frame's insertion point; the accumulator's element type is
/// that of `c`. `rows` and `columns`, if
/// not null, are how many rows and columns of c anyone reads; the others may be left as they are.
void emit_dot(Frame& frame, Values& values, mlir::Value a, mlir::Value b, const Buffer& c, bool accumulate,
              mlir::Value rows = {}, mlir::Value columns = {});

/// The same by the tile unit.
void emit_tile_product(Product& product, bool accumulate);

/// A product by vectors, in two steps: first its operands are laid out, where it is constructed; then they are multiplied.
class Contraction {
 public:
  /// With `product.rounds`: lays the present round out, and what is not the same for all rounds goes to the slot's record.
  explicit Contraction(Product product);
  /// c += a . b (or c = a . b); with rounds, of the first `rounds` slots.
  void multiply(bool accumulate, mlir::Value rounds = {});

 private:
  /// Operands of one round, and of one batch entry.
  struct Round { mlir::Value groups, a, a_pitch, b, sums; };

  Product p;
  Frame& f;
  mlir::OpBuilder& b;
  PackedB packed_;
  PlacedA a_;
  Buffer sums_;
  mlir::Value records_;
  bool accumulate_ = false;
  Place c_;
  mlir::Value rounds_;
  llvm::SmallVector<mlir::Value> entry_;  // the present batch entry
  mlir::Value b_entry_, c_entry_;

  int64_t record_words() const { return 3 + int64_t(p.c.shape.size()); }
  void write_record();
  Round round(mlir::Value number);
  mlir::Value place_entry(const Place& place, mlir::Type element);
  void blocks();
  void panels(mlir::Value i, mlir::Value end);
  void rows(mlir::Value i, mlir::Value end, mlir::Value j, mlir::Value left, int64_t vectors);
  void block(mlir::Value i, int64_t rows, mlir::Value j, mlir::Value left, int64_t vectors);
  llvm::SmallVector<mlir::Value> sum_up(const Round& round, mlir::ValueRange acc, mlir::Value i, int64_t rows, mlir::Value j, int64_t vectors);
  mlir::Value lanes_below(mlir::Value end);
  mlir::Value a_row(const Round& round, mlir::Value i);
};

}  // namespace tine::cpu
