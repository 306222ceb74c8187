// Rounding of numbers written in a kernel to element types: once, to nearest even, in the kernel's own type.
#pragma once
#include <cstdint>

#include "dsl/include/tine/dtype.hpp"

namespace tine::core {

/// Rounds v to the float type t. False if v is finite and overflows.
bool round_to(DType t, long double v, double& out);
/// Whether the integer type t holds v; `is_natural`: v is the bits of a uint64_t.
bool holds(DType t, int64_t v, bool is_natural);

}  // namespace tine::core
