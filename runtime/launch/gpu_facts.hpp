// What only GPU targets ask to know of a call.
#pragma once
#include <span>

#include "dsl/graph/specialization.hpp"
#include "runtime/launch/traced_kernel.hpp"

namespace tine::launch {

/// Adds what only GPU targets ask for: divisibility by 16, capacities, whether 32-bit indices do. The sizes are checked
/// (`check_sizes`) and the sources' other facts are there.
void add_gpu_facts(const TracedKernel&, std::span<const Argument>, graph::Specialization&);

}  // namespace tine::launch
