#include "runtime/jit/default_config.hpp"

#include <algorithm>
#include <bit>

namespace tine::jit {
namespace {

// What a block of threads can hold well. A product's operands lie in shared memory, of which blocks have 99 KiB and more:
// two stages of this size fit. Its result lies in registers: 64 for each of 256 threads.
constexpr int64_t operand_bytes = 48 << 10, result_elements = 128 * 128, tile_elements = 1 << 16;

/// Elements of a tile padded to powers of two; `open`: what a dim that only a call knows counts as.
int64_t padded_elements(const graph::Graph& g, const graph::Node& n, int64_t open) {
  int64_t elements = 1;
  for (const graph::Ex e : n.shape) {
    const int64_t extent = std::clamp<int64_t>(g.pool.is_num(e) ? g.pool.value(e) : open, 1, 1 << 20);
    elements = std::min(elements * static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent))), int64_t{1} << 40);
  }
  return elements;
}

bool fits(const graph::Graph& g, int64_t open) {
  for (const graph::Node& n : g.nodes) {
    if (padded_elements(g, n, open) > tile_elements) return false;
    if (n.op != graph::Op::dot) continue;
    int64_t bytes = 0;
    for (const int32_t a : n.args) {
      const graph::Node& operand = g.nodes[static_cast<std::size_t>(a)];
      bytes += padded_elements(g, operand, open) * graph::bytes(operand.type);
    }
    if (bytes > operand_bytes || padded_elements(g, n, open) > result_elements) return false;
  }
  return true;
}

/// One step down: the largest value that has a smaller candidate. False if none has.
bool reduce(const graph::Graph& g, const Config& chosen, Config& config) {
  const graph::Meta* largest = nullptr;
  int64_t next = 0;
  for (const graph::Meta& m : g.metas) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return c.first == m.name; })) continue;
    int64_t below = 0;
    for (const int64_t c : m.candidates)
      if (c < m.value) below = std::max(below, c);
    if (below && (!largest || m.value > largest->value)) largest = &m, next = below;
  }
  if (!largest) return false;
  std::erase_if(config, [&](const auto& item) { return item.first == largest->name; });
  config.emplace_back(largest->name, next);
  std::sort(config.begin(), config.end());
  return true;
}

Config fitting(const Trace& trace, const Config& chosen, int64_t open) {
  Config config = chosen;
  for (graph::Graph g = trace(config); !fits(g, open) && reduce(g, chosen, config); g = trace(config)) {
  }
  return config;
}

}  // namespace

Config default_config(const Trace& trace, const Config& chosen) { return fitting(trace, chosen, 1); }

std::optional<std::string> fitting_config(const Trace& trace, const graph::Specialization& facts) {
  int64_t open = 1;
  for (const graph::Capacity& c : facts.capacities) open = std::max(open, c.capacity);
  const graph::Graph g = trace(fitting(trace, {}, open));
  if (!fits(g, open) || g.metas.empty()) return {};
  return config_text(g);
}

std::string config_text(const graph::Graph& g) {
  std::string text;
  for (const graph::Meta& m : g.metas) text += (text.empty() ? "" : " ") + m.name + "=" + std::to_string(m.value);
  return text;
}

}  // namespace tine::jit
