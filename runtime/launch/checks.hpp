// What must hold of the arguments of a call before any program runs.
#pragma once
#include <span>

#include "runtime/launch/traced_kernel.hpp"

namespace tine::launch {

/// Number, element types and ranks of the arguments. Callers whose C++ types say so already need not ask.
void check_kinds(const TracedKernel&, std::span<const Argument>);
/// Sizes that are not negative, and everything that the graph's arrangement and application demand of sizes
/// (`Graph::checks`). Throws a UserError at the user's operation, with the shapes and the way out.
void check_sizes(const TracedKernel&, std::span<const Argument>);
/// Value of an expression for these arguments; a UserError if it does not fit in 64 bits.
int64_t value_of(const TracedKernel&, graph::Ex, std::span<const Argument>, graph::Loc = {});

/// Size of the grid; 0 if any of its dims is. A UserError if it does not fit in 64 bits.
int64_t count_programs(const TracedKernel&, std::span<const Argument>);

}  // namespace tine::launch
