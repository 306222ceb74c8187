// A product of tiles: its sizes, the elements that are multiplied, and the register block, chosen from the machine.
#pragma once
#include <optional>
#include "codegen/cpu/nest.hpp"

namespace tine::cpu {

/// Rounds of a loop whose products are one: their operands are laid out in slots, one a round, before any is multiplied.
struct Rounds {
  Frame::Count count;             // slots
  mlir::Value now;                // the slot of the present round
  mlir::Block* body;              // the loop's: what is computed there, another round overwrites
};

/// How many neighbours along k the machine multiplies at once: 2 for bf16 and 4 for bytes where it has instructions for them.
int64_t group_of(const VectorTarget& target, mlir::Type a, mlir::Type b);

/// c[..., m, n] (+)= sum over k of a[..., m, k] * b[..., k, n].
struct Product {
  Frame& f;
  Values& values;
  mlir::Value a, b;
  Buffer c;
  std::optional<Rounds> rounds;
  int64_t m, n, k;                  // dims, as in !tine.tile
  mlir::Value m_end, n_end, k_end;  // what is computed: rows and columns of c that count, and k up to which a or b is in range

  // Elements. Where the machine multiplies groups of narrow elements, a unit is `group` neighbours along k, in 32 bits.
  mlir::Type sum;       // an accumulator's, as in a register
  mlir::Type element;   // of a and b in packed copies (tine's)
  mlir::Type unit;      // what is multiplied at once, as in a register
  int64_t group = 1;
  bool flip_a = false;  // a is i8 where the machine wants u8: 128 is added to it
  bool tiles = false;   // by the tile unit (dot_tiles.cpp)
  /// Packed copies end with zeros after a multiple of so many elements of k.
  int64_t k_unit() const { return tiles ? 16 * group : group; }
  int64_t unit_bytes() const { return ir::bytesOf(c.element); }

  // The block of c in registers: `rows` rows of `vectors` vectors of `lanes` lanes.
  int64_t lanes, rows, vectors;
  int64_t width() const { return lanes * vectors; }

  Product(Frame& frame, Values& values, mlir::Value a, mlir::Value b, const Buffer& c, mlir::Value rows, mlir::Value columns,
          std::optional<Rounds> rounds = {});

  mlir::Value groups();                 // rounds of the loop over k
  mlir::VectorType sums() const { return mlir::VectorType::get({lanes}, sum); }
  mlir::VectorType units() const { return mlir::VectorType::get({lanes}, unit); }
  mlir::Type storage();                 // of an element of a, in memory
  /// acc + x * y, lane by lane; of groups, all their products.
  mlir::Value multiply_add(mlir::Value x, mlir::Value y, mlir::Value acc);
};

/// The operand of a permutation that swaps the last two dims and no others; else null.
mlir::Value transposed(mlir::Value v);

/// Limits of a nest over the tile `v` whose last two dims end at `rows` and `columns`.
llvm::SmallVector<mlir::Value> matrix_limits(mlir::Value v, mlir::Value rows, mlir::Value columns);

}  // namespace tine::cpu
