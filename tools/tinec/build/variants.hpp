// The variants of a program: what its code may count on, for each kind of call and target.
#pragma once
#include <string>
#include <vector>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// The graph with these sizes known. Throws a Failure where a parameter lacks the dim, or where the kernel's demands
/// contradict them.
tine::graph::Graph with_constant_sizes(const tine::graph::Graph&, const std::vector<Size>&);

/// Gives a program the variants that the request asks for, or those of usual calls, on the chosen ones of the plan's
/// targets. Notes which calls will find none.
void add_variants(Program&, const KernelRequest&, const Plan&, const std::vector<bool>& for_targets,
                  std::vector<std::string>& notes);

}  // namespace tinec::builder
