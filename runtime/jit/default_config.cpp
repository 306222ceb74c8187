#include "runtime/jit/default_config.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tine::jit {
namespace {

// What a block of threads can hold well. A product's operands lie in shared memory, of which blocks have 99 KiB and more:
// two stages of this size fit. Its result lies in registers: 64 for each of 256 threads.
constexpr int64_t operand_bytes = 48 << 10, result_elements = 128 * 128, tile_elements = 1 << 16;

/// Elements of a tile padded to powers of two; a dim that only a call knows counts as 1.
int64_t padded_elements(const graph::Graph& g, const graph::Node& n) {
  int64_t elements = 1;
  for (const graph::Ex e : n.shape) {
    const int64_t extent = std::clamp<int64_t>(g.pool.is_num(e) ? g.pool.value(e) : 1, 1, 1 << 20);
    elements = std::min(elements * static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent))), int64_t{1} << 40);
  }
  return elements;
}

bool fits(const graph::Graph& g) {
  for (const graph::Node& n : g.nodes) {
    if (padded_elements(g, n) > tile_elements) return false;
    if (n.op != graph::Op::dot) continue;
    int64_t bytes = 0;
    for (const int32_t a : n.args) {
      const graph::Node& operand = g.nodes[static_cast<std::size_t>(a)];
      bytes += padded_elements(g, operand) * graph::bytes(operand.type);
    }
    if (bytes > operand_bytes || padded_elements(g, n) > result_elements) return false;
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

}  // namespace

Config default_config(const Trace& trace, const Config& chosen) {
  Config config = chosen;
  for (graph::Graph g = trace(config); !fits(g) && reduce(g, chosen, config); g = trace(config)) {
  }
  return config;
}

std::vector<Config> smaller_configs(const graph::Graph& g) {
  constexpr std::size_t most = 4096, nearest = 64;  // each is tried by compiling: some milliseconds
  struct Step {
    Config config;
    double ratio = 1;  // of what there is by what this has
    int changed = 0, place = 0;
  };
  std::vector<Step> all(1);
  for (const graph::Meta& m : g.metas) {
    std::vector<Step> next;
    for (const Step& step : all) {
      next.push_back(step);
      next.back().config.emplace_back(m.name, m.value);
      for (const int64_t candidate : m.candidates) {
        if (candidate >= m.value || all.size() * (m.candidates.size() + 1) > most) continue;
        next.push_back(step);
        next.back().config.emplace_back(m.name, candidate);
        next.back().ratio *= static_cast<double>(m.value) / static_cast<double>(candidate);
        ++next.back().changed;
      }
    }
    all = std::move(next);
  }
  all.erase(all.begin());  // what there is
  for (Step& step : all) step.place = static_cast<int>(&step - all.data());
  const auto rank = [](const Step& s) { return std::tuple(s.ratio, s.changed, s.place); };
  std::sort(all.begin(), all.end(), [&](const Step& a, const Step& b) { return rank(a) < rank(b); });
  std::vector<Config> configs;
  all.resize(std::min(all.size(), nearest));
  for (Step& step : all) configs.push_back(std::move(step.config));
  return configs;
}

std::string config_text(const graph::Graph& g) {
  std::string text;
  for (const graph::Meta& m : g.metas) text += (text.empty() ? "" : " ") + m.name + "=" + std::to_string(m.value);
  return text;
}

}  // namespace tine::jit
