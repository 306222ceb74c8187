// Transposes between buffers, in squares of vectors that are turned in registers.
// Why: an access that is contiguous along one dim and stored along another would else be a gather for each vector.
#pragma once
#include "codegen/cpu/frame.hpp"

namespace tine::cpu {

/// into[..., c, r] = from[..., r, c]. `from` is row-major; `into` row-major or in panels. Rows of `from` (in memory) are a
/// multiple of `lanes`, columns one of `lanes * group`; `into` has as many columns (in memory) as `from` rows, and at least
/// so many rows as `from` has columns, over `group`. An element of `into` is `group` neighbours of a row of `from`.
void turn_buffer(Frame& frame, const Buffer& from, const Buffer& into, int64_t lanes, int64_t group = 1);

}  // namespace tine::cpu
