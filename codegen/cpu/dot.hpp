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
#include "codegen/cpu/operands.hpp"

namespace tine::cpu {

/// A product in two steps: its operands are laid out where it is constructed, of `product.rounds` the present round's; then
/// they are multiplied.
class Contraction {
 public:
  explicit Contraction(Product product) : product_(std::move(product)), operands_(product_) {}
  /// c += a . b (or c = a . b, if not `accumulate`), of the first `rounds` slots if the product has rounds. `fresh`, if not
  /// null: whether, at run time, c holds nothing yet.
  void multiply(bool accumulate, mlir::Value rounds = {}, mlir::Value fresh = {});

 private:
  Product product_;
  Operands operands_;
};

/// Emits c += a . b (or c = a . b) at the frame's insertion point; the accumulator's element type is that of `c`. `rows` and
/// `columns`, if not null, are how many rows and columns of c anyone reads; the others may be left as they are.
void emit_dot(Frame& frame, Values& values, mlir::Value a, mlir::Value b, const Buffer& c, bool accumulate,
              mlir::Value rows = {}, mlir::Value columns = {});

/// Multiplies operands that are laid out, by the tile unit.
void multiply_by_tiles(Product& product, const Operands& operands, bool accumulate, mlir::Value rounds, mlir::Value fresh);

}  // namespace tine::cpu
