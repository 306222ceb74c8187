#include "runtime/jit/default_config.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tine::jit {
namespace {

// What a block of threads can hold well. A product's operands lie in shared memory, of which blocks have 99 KiB and more:
// two stages of this size fit. Its result lies in registers: 64 for each of 256 threads.
constexpr int64_t operand_bytes = 48 << 10, result_elements = 128 * 128, tile_elements = 1 << 16;
// What is guessed of a dim that only a call knows, where operands pass by in a loop: the usual size of an attention head.
constexpr int64_t usual_extent = 128;

/// Elements of a tile padded to powers of two; a dim that only a call knows counts as `unknown`.
int64_t padded_elements(const graph::Graph& g, const graph::Node& n, int64_t unknown = 1) {
  int64_t elements = 1;
  for (const graph::Ex e : n.shape) {
    const int64_t extent = std::clamp<int64_t>(g.pool.is_num(e) ? g.pool.value(e) : unknown, 1, 1 << 20);
    elements = std::min(elements * static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent))), int64_t{1} << 40);
  }
  return elements;
}

const graph::Node& node(const graph::Graph& g, int32_t n) { return g.nodes[static_cast<std::size_t>(n)]; }

/// The load whose tile, perhaps converted or turned, is an operand; 0 if it is something else.
const graph::Node* loaded(const graph::Graph& g, int32_t operand) {
  const graph::Node* n = &node(g, operand);
  while (n->op == graph::Op::cast || n->op == graph::Op::permute || n->op == graph::Op::reshape) n = &node(g, n->args[0]);
  return n->op == graph::Op::load ? n : nullptr;
}

/// By how much tiles are too large: the sum of all ratios above 1 of what there is to what can be held well.
double excess(const graph::Graph& g) {
  double all = 0;
  const auto add = [&](int64_t there, int64_t held) {
    if (there > held) all += static_cast<double>(there) / static_cast<double>(held);
  };
  std::map<int32_t, std::set<const graph::Node*>> passing;  // by region: operands of which each round has other ones
  for (const graph::Node& n : g.nodes) {
    add(padded_elements(g, n), tile_elements);
    if (n.op != graph::Op::dot) continue;
    int64_t bytes = 0;
    for (const int32_t a : n.args) {
      bytes += padded_elements(g, node(g, a)) * graph::bytes(node(g, a).type);
      if (const graph::Node* load = loaded(g, a); load && !load->args.empty()) passing[n.region].insert(load);
    }
    add(bytes, operand_bytes);
    add(padded_elements(g, n), result_elements);
  }
  for (const auto& [region, loads] : passing) {
    int64_t bytes = 0;
    for (const graph::Node* load : loads) bytes += padded_elements(g, *load, usual_extent) * graph::bytes(load->type);
    add(bytes, operand_bytes);
  }
  return all;
}

Config with(Config config, const std::string& name, int64_t value) {
  std::erase_if(config, [&](const auto& item) { return item.first == name; });
  config.emplace_back(name, value);
  std::sort(config.begin(), config.end());
  return config;
}

}  // namespace

Config default_config(const Trace& trace, const Config& chosen) {
  Config config = chosen;
  graph::Graph g = trace(config);
  double now = excess(g);
  while (now > 0) {
    struct Step {
      Config config;
      graph::Graph graph;
      double left;
      int64_t from;
    };
    std::optional<Step> best;
    for (const graph::Meta& m : g.metas) {
      if (std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return c.first == m.name; })) continue;
      int64_t below = 0;
      for (const int64_t c : m.candidates)
        if (c < m.value) below = std::max(below, c);
      if (below == 0) continue;
      Step step{with(config, m.name, below), {}, 0, m.value};
      try {
        step.graph = trace(step.config);
      } catch (const std::exception&) {  // block sizes that do not go together
        continue;
      }
      step.left = excess(step.graph);
      if (step.left < now && (!best || std::pair(step.left, -step.from) < std::pair(best->left, -best->from))) best = std::move(step);
    }
    if (!best) break;
    config = std::move(best->config);
    g = std::move(best->graph);
    now = best->left;
  }
  return config;
}

std::string config_text(const graph::Graph& g) {
  std::string text;
  for (const graph::Meta& m : g.metas) text += (text.empty() ? "" : " ") + m.name + "=" + std::to_string(m.value);
  return text;
}

}  // namespace tine::jit
