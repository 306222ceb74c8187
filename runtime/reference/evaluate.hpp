// A plain evaluator of graphs: what a kernel means, one element at a time, written without a look at the compiler. For
// differential tests. Slow and obvious on purpose.
//
// Integers are held exactly and wrapped to their type after each operation; floats are held as doubles and rounded to
// their type after each operation (f64 is double itself). Sums and products of many elements are added up in double and
// rounded once, so a target's result may differ by its own rounding errors. Programs run one after the other, in order.
#pragma once
#include <span>

#include "dsl/graph/graph.hpp"
#include "tine/argument.hpp"

namespace tine::reference {

/// Runs all programs on the caller's memory. Throws std::runtime_error if the sizes do not satisfy the graph's checks
/// or the graph is malformed.
void evaluate(const graph::Graph&, std::span<const Argument>);

}  // namespace tine::reference
