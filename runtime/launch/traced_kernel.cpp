#include "runtime/launch/traced_kernel.hpp"

#include <atomic>

namespace tine::launch {
namespace {

std::atomic<uint64_t> next_id{1};

// "(a + b)" without the outer pair.
std::string_view without_parentheses(std::string_view text) {
  if (text.empty() || text.front() != '(') return text;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == text.size() ? text.substr(1, i - 1) : text;
  }
  return text;
}

}  // namespace

TracedKernel::TracedKernel(graph::Graph traced)
    : graph(std::move(traced)),
      plan(graph::plan_launch(graph)),
      tile_extents(graph::tile_extents(graph, plan)),
      id(next_id.fetch_add(1, std::memory_order_relaxed)),
      hash(graph::hash(graph)) {
  const int n = static_cast<int>(graph.sources.size());
  for (int s = 0; s < n; ++s) {
    words += 2 * graph.sources[s].rank;
    if (!graph.sources[s].stored || graph.sources[s].rank == 0) continue;
    for (int o = 0; o < n; ++o)
      if (o != s && graph.sources[o].rank > 0) pairs.emplace_back(s, o);
  }
}

std::string TracedKernel::source_name(int source) const { return ticked(graph.sources[source].name); }

std::string TracedKernel::text(graph::Ex e) const {
  std::string out;
  graph.pool.print(out, e, [&](graph::Sym kind, int a, int b) {
    if (kind == graph::Sym::var) return "i" + std::to_string(b);
    return graph.sources[a].name + (kind == graph::Sym::size ? ".size(" : ".stride(") + std::to_string(b) + ")";
  });
  return ticked(without_parentheses(out));
}

Where TracedKernel::where(graph::Loc loc) const {
  if (loc.file < 0 || loc.file >= static_cast<int>(graph.files.size())) return {};
  return {graph.files[loc.file], loc.line};
}

Where TracedKernel::where_param(int source) const {
  for (const graph::Param& p : graph.params)
    if (p.source == source) return where(p.loc);
  return {};
}

std::string shape_text(std::span<const int64_t> shape) {
  if (shape.empty()) return "scalar";
  std::string out;
  for (std::size_t d = 0; d < shape.size(); ++d) out += (d ? "x" : "") + std::to_string(shape[d]);
  return out;
}

std::string arguments_text(const TracedKernel& k, std::span<const Argument> arguments) {
  std::string out;
  for (std::size_t s = 0; s < arguments.size() && s < k.graph.sources.size(); ++s) {
    if (arguments[s].rank == 0) continue;
    out += (out.empty() ? "" : ", ") + k.source_name(static_cast<int>(s)) + " " +
           shape_text({arguments[s].dims, arguments[s].rank});
  }
  return out.empty() ? "scalars only" : out;
}

}  // namespace tine::launch
