// Running a kernel's arrangement and application, and recording the graph that comes of it. For the run time and the
// tools; user headers see none of it.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dsl/core/definition.hpp"
#include "dsl/graph/graph.hpp"

namespace tine::core {

/// Values of meta-parameters by name; those not named take their first candidate.
struct Config {
  std::vector<std::pair<std::string, int64_t>> values;
  std::string root;  ///< files below this folder are recorded relative to it
};

/// Records the graph. Throws UserError for what the language refuses; the same definition and config give the same
/// graph. In debug builds the kernel is run twice and the graphs are compared. Thread-safe.
graph::Graph trace(const Definition&, const Config& = {});
/// The same without running the application: sources, params, metas, grid and checks.
graph::Graph trace_arrangement(const Definition&, const Config& = {});
/// The meta-parameters that the kernel uses, with their candidates; `value` is the default.
std::vector<graph::Meta> metas(const Definition&);

}  // namespace tine::core
