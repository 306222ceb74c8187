// Operands of a product, laid out for its inner loop.
#pragma once
#include <optional>
#include "codegen/cpu/keep.hpp"
#include "codegen/cpu/product.hpp"

namespace tine::cpu {

/// Strided memory: strides in elements, one for each dim.
struct Place { mlir::Value base; llvm::SmallVector<mlir::Value> strides; };
Place row_major(Frame& frame, const Buffer& buffer);

/// b in panels as wide as the register block, so that the rows of a block follow each other. An element is a unit. The
/// columns that pad the last panel hold anything: they are never stored.
/// Of several rounds, `panels` is the present one's part. The rows of all rounds follow each other within a panel, from `first`
/// on, `rows` for each.
struct PackedB { Buffer panels; std::optional<Kept> kept; mlir::Value first, rows; };
PackedB pack_b(Product& product);

/// 128 times the sum of each column of a packed b: what a flipped a adds too much. Shape (..., 1, n); of several rounds, slots.
Buffer sum_columns(Product& product, const PackedB& packed);

/// a: rows of neighbours along k, where they lie in memory if possible; or, for operands that are no strided memory,
/// panels of `lanes` rows, whose columns follow each other. Then the block's rows are made to divide a panel.
struct PlacedA { Place rows; std::optional<Buffer> panels; };  // of the present round
PlacedA place_a(Product& product);

}  // namespace tine::cpu
