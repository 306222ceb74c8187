// Operands of products whose elements are not strided memory, as the windows of a convolution are not: each coordinate is
// a part that depends on one dim of the tile alone (and on everything outside the tile), plus a part that depends on the
// other dim alone.
//
// The copy takes vectors along the first of the two, the lanes, step by step along the other. The parts are tabled, one entry
// a lane and one a step; those of the steps for all programs at once. Where neighbouring lanes are neighbours in memory, or two
// such runs, vectors are loaded whole, else gathered. Bounds are checked for all lanes of a vector together, by the
// least and the greatest of their parts; only where they fail is a mask computed.
#pragma once
#include <array>
#include "codegen/cpu/nest.hpp"

namespace tine::cpu {

/// Copies the elements of the tile that `load` names below `ends` (of rows and of columns) into panels along dim `lane_dim`
/// (0: rows, 1: columns): with `panel` = into.panel and `height` the padded size of the other dim, the element at lane l and
/// step s lies at ((l / panel) * height + s) * panel + l % panel. Lanes past the end hold anything. Vectors have `lanes`
/// elements, which divides the panel. Elements are cast to into's.
/// Returns false, with nothing emitted, if the tile has not two dims or its maps are not sums as above.
bool copy_separable(Frame& frame, Values& values, ir::LoadOp load, const Buffer& into, std::array<mlir::Value, 2> ends, unsigned lane_dim,
                    int64_t lanes);

}  // namespace tine::cpu
