// A kernel traced under one config, with what every call of it needs to know beforehand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dsl/graph/graph.hpp"
#include "dsl/graph/launch_plan.hpp"
#include "runtime/diagnostics.hpp"
#include "tine/argument.hpp"

namespace tine::launch {

struct TracedKernel {
  explicit TracedKernel(graph::Graph traced);
  TracedKernel(const TracedKernel&) = delete;
  TracedKernel& operator=(const TracedKernel&) = delete;

  graph::Graph graph;
  graph::LaunchPlan plan;
  std::vector<int> tile_extents;  ///< graph::tile_extents
  uint64_t id;       ///< of this object, never given again in this process
  std::string hash;  ///< graph::hash
  int words = 0;     ///< sizes and strides of all sources
  /// (stored tensor, other tensor): whose memory a call must compare.
  std::vector<std::pair<int, int>> pairs;

  // ---- for messages
  std::string name() const { return ticked(graph.kernel); }
  std::string source_name(int source) const;                 ///< in backticks
  std::string text(graph::Ex e) const;                       ///< `a.size(1) + 1`
  Where where(graph::Loc) const;
  Where where_param(int source) const;                       ///< where the source is arranged
};

/// "3x5", "scalar" for rank 0.
std::string shape_text(std::span<const int64_t> shape);
/// "`a` 3x5, `b` 5x7 and `eps`": shapes of all arguments.
std::string arguments_text(const TracedKernel&, std::span<const Argument>);

}  // namespace tine::launch
