#include "runtime/launch/gpu_facts.hpp"

#include "runtime/launch/checks.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/index_ranges.hpp"

namespace tine::launch {

void add_gpu_facts(const TracedKernel& k, std::span<const Argument> arguments, graph::Specialization& facts) {
  for (std::size_t s = 0; s < arguments.size(); ++s)
    if (arguments[s].rank > 0) add_divisibility(arguments[s], facts.sources[s]);
  facts.capacities.clear();
  for (const int symbol : k.tile_extents) {
    const int64_t extent = value_of(k, k.plan.symbols[static_cast<std::size_t>(symbol)], arguments);
    const int64_t capacity = capacity_for(extent);
    facts.capacities.push_back({symbol, capacity, capacity == extent});
  }
  const auto element = [&](int source) {
    return static_cast<int64_t>(graph::bytes(k.graph.sources[static_cast<std::size_t>(source)].type));
  };
  facts.narrow_index = indices_are_narrow(k.graph.pool, k.graph.grid, k.graph.params, element, arguments);
}

}  // namespace tine::launch
