#include "tools/tinec/build/variants.hpp"

#include <algorithm>
#include <map>

#include "codegen/abi/compiler_abi.h"
#include "dsl/graph/constant_sizes.hpp"
#include "dsl/graph/launch_plan.hpp"
#include "runtime/aot/pack.hpp"
#include "runtime/cache/hash.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec::builder {
namespace {

namespace aot = tine::aot;
using tine::graph::Graph;
using tine::graph::Specialization;

int source_named(const Graph& g, const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < g.sources.size(); ++s) {
    if (g.sources[s].name == name) return static_cast<int>(s);
    names.push_back(g.sources[s].name);
  }
  throw Failure(where + " names the parameter " + ticked(name) + ", but kernel " + ticked(g.kernel) + " has " +
                list_of(nearest_first(name, names)));
}

uint32_t bits(const std::vector<int>& dims, int rank, const std::string& where) {
  uint32_t out = 0;
  for (const int d : dims) {
    const int dim = d < 0 ? d + rank : d;
    if (dim < 0 || dim >= rank)
      throw Failure(where + " names dim " + std::to_string(d) + " of a tensor of rank " + std::to_string(rank));
    out |= 1u << dim;
  }
  return out;
}

Specialization facts_of(const Graph& g, const VariantRequest& v) {
  const std::string where = "variant " + ticked(v.name);
  std::vector<TensorFacts> wanted(g.sources.size(), v.all);
  for (const auto& [name, facts] : v.tensors) wanted[static_cast<std::size_t>(source_named(g, name, where))] = facts;
  Specialization out;
  for (std::size_t s = 0; s < g.sources.size(); ++s) {
    tine::graph::SourceFacts f;
    const int rank = g.sources[s].rank;
    const TensorFacts& w = wanted[s];
    if (rank > 0) {
      f.alignment = w.alignment > 0   ? static_cast<uint32_t>(w.alignment)
                    : w.alignment < 0 ? 1
                                      : static_cast<uint32_t>(tine::graph::bytes(g.sources[s].type));
      f.contiguous = w.contiguous;
      f.unit_stride = w.contiguous ? 1u << (rank - 1) : 0;
      // Presets speak of the last dim of tensors of any rank; of named tensors every dim must exist.
      f.unit_stride |= bits(w.unit_stride, rank, where);
      f.size16 = bits(w.size16, rank, where);
      f.stride16 = bits(w.stride16, rank, where);
      if (w.all16) {
        f.size16 |= 1u << (rank - 1);
        f.stride16 |= (1u << (rank - 1)) - 1;
      }
    }
    out.sources.push_back(f);
  }
  const int n = static_cast<int>(g.sources.size());
  for (int s = 0; s < n; ++s) {
    if (!g.sources[static_cast<std::size_t>(s)].stored || g.sources[static_cast<std::size_t>(s)].rank == 0) continue;
    if (v.overlaps == VariantRequest::Overlaps::all)
      for (int o = 0; o < n; ++o)
        if (g.sources[static_cast<std::size_t>(o)].rank > 0) out.overlaps.emplace_back(s, o);
  }
  for (const auto& [a, b] : v.pairs) {
    int first = source_named(g, a, where), second = source_named(g, b, where);
    if (!g.sources[static_cast<std::size_t>(first)].stored) std::swap(first, second);
    if (!g.sources[static_cast<std::size_t>(first)].stored)
      throw Failure(where + " lets " + ticked(a) + " and " + ticked(b) + " overlap, but the kernel stores to neither");
    out.overlaps.emplace_back(first, second);
  }
  std::sort(out.overlaps.begin(), out.overlaps.end());
  out.overlaps.erase(std::unique(out.overlaps.begin(), out.overlaps.end()), out.overlaps.end());
  out.narrow_index = v.narrow_index;
  return out;
}

// What calls are like: fresh arrays; parts of them; rows of something larger; anything.
std::vector<VariantRequest> default_variants(uint32_t device) {
  using O = VariantRequest::Overlaps;
  TensorFacts fresh{true, 64, {}, {}, {}, false}, part{true, 0, {}, {}, {}, false}, rows{false, 0, {-1}, {}, {}, false},
      any{false, -1, {}, {}, {}, false}, vectors{false, 16, {-1}, {}, {}, true};
  if (device == aot::device_cpu)
    return {{"contiguous", fresh, {}, O::none, {}, false},
            {"unaligned", part, {}, O::none, {}, false},
            {"rows", rows, {}, O::none, {}, false},
            {"generic", any, {}, O::all, {}, false}};
  any.alignment = 0;  // GPUs fault at elements that are not aligned, whatever the code does
  return {{"vectors", vectors, {}, O::none, {}, true},
          {"rows", rows, {}, O::none, {}, true},
          {"generic", any, {}, O::all, {}, false}};
}

bool is_generic(const Specialization& s, const Graph& g) {
  std::size_t pairs = 0, tensors = 0;
  for (const auto& source : g.sources) tensors += source.rank > 0;
  for (const auto& source : g.sources) pairs += source.stored && source.rank > 0 ? tensors : 0;
  return !s.narrow_index && s.overlaps.size() == pairs &&
         std::all_of(s.sources.begin(), s.sources.end(), [](const auto& f) {
           return f.unit_stride == 0 && !f.contiguous && f.size16 == 0 && f.stride16 == 0;
         });
}

std::string key_of(const Program& p, const Specialization& facts, const Target& t, const std::string& compiler) {
  const std::vector<std::byte> bytes = tine::graph::serialize(facts);
  std::string text = "code of a library\n" + p.graph_hash + "\n" + t.name + "\n" + t.resolved + "\n" + p.options +
                     "\n" + compiler + "\n" + std::to_string(TINE_COMPILER_ABI_VERSION) + "\n";
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return tine::cache::hex(tine::cache::hash(text));
}

}  // namespace

void add_variants(Program& p, const KernelRequest& k, const Plan& plan, const std::vector<bool>& for_targets,
                  std::vector<std::string>& notes) {
  const std::vector<int> extents = tine::graph::tile_extents(p.graph, tine::graph::plan_launch(p.graph));
  for (std::size_t t = 0; t < plan.targets.size(); ++t) {
    if (!for_targets[t]) continue;
    const Target& target = plan.targets[t];
    const bool gpu = target.device != aot::device_cpu;
    bool generic = false;
    for (const VariantRequest& v : k.variants.empty() ? default_variants(target.device) : k.variants) {
      Specialization facts = facts_of(p.graph, v);
      if (!gpu) {
        facts.narrow_index = false;
        for (auto& f : facts.sources) f.size16 = f.stride16 = 0;
      }
      generic |= is_generic(facts, p.graph);
      std::vector<int64_t> capacities =
          k.capacities.empty() ? std::vector<int64_t>{64, 256, 1024, 4096, 16384, 1 << 20} : k.capacities;
      if (!gpu || extents.empty()) capacities = {0};
      for (const int64_t capacity : capacities) {
        Variant made;
        made.name = v.name + (capacity > 0 ? "/" + std::to_string(capacity) : "");
        made.target = static_cast<int>(t);
        made.facts = facts;
        if (capacity > 0)
          for (const int symbol : extents) made.facts.capacities.push_back({symbol, capacity, false});
        made.key = key_of(p, made.facts, target, plan.compiler);
        p.variants.push_back(std::move(made));
      }
    }
    if (!generic)
      notes.push_back(ticked(p.graph.kernel) + " on " + ticked(target.name) +
                      " has no generic variant: calls that none of its variants accepts are refused");
  }
  // Of one name and capacity the targets stand together; the run time takes the first name that fits, of its targets
  // the best.
  std::map<std::string, std::size_t> order;
  for (const Variant& v : p.variants) order.emplace(v.name, order.size());
  std::sort(p.variants.begin(), p.variants.end(), [&](const Variant& a, const Variant& b) {
    return std::pair(order[a.name], a.target) < std::pair(order[b.name], b.target);
  });
}

Graph with_constant_sizes(const Graph& g, const std::vector<Size>& sizes) {
  if (sizes.empty()) return g;
  std::vector<tine::graph::ConstantSize> constants;
  for (const Size& s : sizes) {
    const int source = source_named(g, s.parameter, "`sizes`");
    const int rank = g.sources[static_cast<std::size_t>(source)].rank;
    if (s.dim >= rank)
      throw Failure("`sizes` gives " + ticked(s.parameter) + " more than its " + std::to_string(rank) + " dims");
    constants.push_back({source, s.dim, s.value});
  }
  std::string why;
  Graph out = tine::graph::with_sizes(g, constants, why);
  if (!why.empty())
    throw Failure("`sizes` of kernel " + ticked(g.kernel) + " contradict what it demands by `" + why + "`");
  return out;
}

}  // namespace tinec::builder
