// Operands of products whose elements are not strided memory, as the windows of a convolution are not: each coordinate is
// a part that depends on the row alone plus a part that depends on the column alone.
//
// The parts are tabled, one entry a row and one a column. The copy then takes a vector of rows at a time, column by
// column: where neighbouring rows are neighbours in memory, or two such runs, vectors are loaded whole; else gathered.
#pragma once
#include "codegen/cpu/nest.hpp"

namespace tine::cpu {

/// Copies rows [0, rows) and columns [0, columns) of the tile that `load` names into `into`, whose element (r, c) lies at
/// ((r / lanes) * height + c) * lanes + r % lanes, with `lanes` = into.panel and height = frame.columns(into). Elements are cast to into's.
/// Returns false, with nothing emitted, if the tile has not two dims or its maps are not sums as above.
bool copy_separable(Frame& frame, Values& values, ir::LoadOp load, const Buffer& into, mlir::Value rows, mlir::Value columns);

}  // namespace tine::cpu
