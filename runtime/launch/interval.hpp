// Whether the indices of a call fit in 32 bits, by interval arithmetic over the graph's index expressions.
#pragma once
#include <span>

#include "runtime/launch/traced_kernel.hpp"

namespace tine::launch {

/// What `Specialization::narrow_index` states. Never wrong when it says yes.
bool indices_are_narrow(const TracedKernel&, std::span<const Argument>);

}  // namespace tine::launch
