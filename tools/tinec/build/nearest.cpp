#include "tools/tinec/build/nearest.hpp"

#include <memory>
#include <mutex>

#include "dsl/graph/launch_plan.hpp"
#include "runtime/jit/compile.hpp"
#include "runtime/jit/nearest_config.hpp"
#include "tools/tinec/build/variants.hpp"

namespace tinec::builder {
namespace {

const Instance* instance_of(const Plan& plan, const Program& p) {
  for (const KernelPlan& k : plan.kernels)
    for (const Instance& i : k.instances)
      if (!i.programs.empty() && &p >= i.programs.data() && &p < i.programs.data() + i.programs.size()) return &i;
  return nullptr;
}

}  // namespace

Nearest nearest_by_trial(const Plan& plan, Tracer& tracer) {
  return [&plan, &tracer, tracing = std::make_shared<std::mutex>()](const Program& p, const Variant& v) -> std::optional<std::string> {
    const Instance* i = instance_of(plan, p);
    if (!i) return {};
    const auto nearest = tine::jit::nearest_config(p.graph, p.options, [&](const tine::jit::FullConfig& smaller) {
      const tine::launch::TracedKernel kernel([&] {
        const std::lock_guard lock(*tracing);
        return with_constant_sizes(tracer.trace(i->header, i->expression, i->exported, smaller.metas), p.sizes);
      }());
      tine::graph::Specialization facts = v.facts;
      if (!facts.capacities.empty()) {
        const int64_t capacity = facts.capacities[0].capacity;
        facts.capacities.clear();
        for (const int symbol : kernel.tile_extents) facts.capacities.push_back({symbol, capacity, false});
      }
      const std::string& target = plan.targets[static_cast<std::size_t>(v.target)].name;
      tine::jit::compile(kernel, facts, {target, smaller.options, "layouts"});
      return true;
    });
    return nearest ? std::optional(tine::jit::config_text(*nearest)) : std::nullopt;
  };
}

}  // namespace tinec::builder
