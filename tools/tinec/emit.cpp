#include <algorithm>
#include <bit>

#include "runtime/jit/compile.hpp"
#include "runtime/jit/default_config.hpp"
#include "runtime/jit/nearest_config.hpp"
#include "runtime/launch/checks.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/gpu_facts.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/shapes.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

// Stages of each family of targets, in the order of a kernel's way.
const std::vector<std::string> cpu_stages = {"graph", "tine", "loops", "llvm", "asm"};
const std::vector<std::string> nvptx_stages = {"graph", "tine", "layouts", "llvm", "ptx", "cubin", "resources"};

void check_choices(const EmitOptions& o) {
  const std::string family = o.target.substr(0, o.target.find(':'));
  if (family != "cpu" && family != "nvptx")
    throw Usage("target " + ticked(o.target) + " does not exist; there are `cpu` (this machine), `cpu:x86-64-v3` and " +
                "such, and `nvptx:sm_80` and later");
  const auto& stages = family == "cpu" ? cpu_stages : nvptx_stages;
  if (std::find(stages.begin(), stages.end(), o.stage) == stages.end())
    throw Usage("stage " + ticked(o.stage) + " does not exist for " + ticked(family) + "; there are " +
                list_of(nearest_first(o.stage, stages)));
  if (o.alignment < 1 || o.alignment > 64 || !std::has_single_bit(static_cast<unsigned>(o.alignment)))
    throw Usage("`--align` takes 1, 2, 4, 8, 16, 32 or 64, not " + ticked(std::to_string(o.alignment)));
  if (o.strided && !o.shapes.empty()) throw Usage("`--strided` and `--shape` contradict each other");
}

std::string joined(std::vector<std::string> options) {
  std::string out;
  std::sort(options.begin(), options.end());
  for (const std::string& item : options) {
    if (!parse_assignment(item) || item.find(';') != item.npos)
      throw Usage("`--option` takes `KEY=VALUE`, not " + ticked(item));
    out += (out.empty() ? "" : ";") + item;
  }
  return out;
}

// What a call with new arrays would ask for: of the shapes, if they are given.
tine::graph::Specialization facts_for(const EmitOptions& o, const Kernel& kernel, const tine::launch::TracedKernel& k) {
  using namespace tine::launch;
  const bool gpu = !o.target.starts_with("cpu");
  tine::graph::Specialization facts;
  if (!o.shapes.empty()) {
    const Shapes shapes = shapes_for(kernel.definition(), parse_shapes(o.shapes));
    check_sizes(k, shapes.arguments);
    for (const tine::Argument& a : shapes.arguments) facts.sources.push_back(stride_facts(a));
    if (gpu) add_gpu_facts(k, shapes.arguments, facts);
  } else {
    facts = tine::jit::general_specialization(k.graph, !o.strided);
    if (gpu && !k.tile_extents.empty())
      throw Failure("a tile's size is known only at the call; give the shapes of all tensors, as in `--shape " +
                    kernel.definition().parameters[0] + "=5x7`");
    facts.narrow_index = gpu && !o.strided;
  }
  for (std::size_t s = 0; s < facts.sources.size(); ++s)
    if (k.graph.sources[s].rank > 0) facts.sources[s].alignment = static_cast<uint32_t>(o.alignment);
  return facts;
}

std::string text_of(const EmitOptions& o) {
  const Config wanted = parse_config(o.choice.set);
  tine::jit::Request request{o.target, joined(o.options), o.stage};
  parse_shapes(o.shapes);
  const Kernel kernel = open_kernel(o.choice.header, o.choice.kernel, o.choice.cxx);
  const tine::core::Config set = config_for(kernel, wanted);
  const tine::jit::Trace trace = [&](const tine::jit::Config& values) { return tine::core::trace(kernel.definition(), {values, set.root}); };
  // The block sizes that a call would have where nobody chose them.
  const tine::jit::Config config = request.gpu() ? tine::jit::default_config(trace, set.values) : set.values;
  const tine::launch::TracedKernel k(trace(config));
  if (o.stage == "graph") return tine::graph::text(k.graph, o.locations);
  const tine::graph::Specialization facts = facts_for(o, kernel, k);
  request.fitting_config = [&]() -> std::optional<std::string> {
    const auto nearest = tine::jit::nearest_config(k.graph, request.options, [&](const tine::jit::FullConfig& smaller) {
      const tine::launch::TracedKernel other(trace(smaller.metas));
      tine::jit::compile(other, facts_for(o, kernel, other), {o.target, smaller.options, "layouts"});
      return true;
    });
    return nearest ? std::optional(tine::jit::config_text(*nearest)) : std::nullopt;
  };
  const Progress progress("compiling " + printable(k.graph.kernel));
  return tine::jit::compile(k, facts, request);
}

}  // namespace

void emit(const EmitOptions& o) {
  check_choices(o);
  if (!o.output.empty()) check_writable(o.output);
  std::string text = text_of(o);
  if (o.stage != "cubin" && (text.empty() || text.back() != '\n')) text += '\n';
  if (o.output.empty())
    write_stdout(text);
  else
    write_file(o.output, text);
}

}  // namespace tinec
