// A graph for tensors of which some sizes are numbers: less to compute at the call, fewer masks, tiles of known extent.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dsl/graph/graph.hpp"

namespace tine::graph {

struct ConstantSize {
  int source = 0, dim = 0;
  int64_t value = 0;
};

/// The graph with those sizes in the place of their symbols: what follows from them is folded, checks and bounds that they
/// prove are gone. It may run on tensors of these sizes alone. Results are those of the graph itself. If the sizes
/// contradict a check, `why` gets the check's words ("tile", "require", ...) and the graph is of no use; else it stays "".
Graph with_sizes(const Graph&, const std::vector<ConstantSize>&, std::string& why);

}  // namespace tine::graph
