#include <algorithm>
#include <bit>

#include "runtime/jit/compile.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

void check_choices(const EmitOptions& o) {
  const std::vector<std::string> stages = {"graph", "tine", "loops", "llvm", "asm"}, targets = {"cpu"};
  if (std::find(stages.begin(), stages.end(), o.stage) == stages.end())
    throw Usage("stage " + ticked(o.stage) + " does not exist; there are " + list_of(nearest_first(o.stage, stages)));
  if (o.target.substr(0, o.target.find(':')) != "cpu")
    throw Usage("target " + ticked(o.target) + " does not exist; there is " + list_of(targets) +
                " (this machine), also for a named processor, as in `cpu:x86-64-v3`");
  if (o.alignment < 1 || o.alignment > 64 || !std::has_single_bit(static_cast<unsigned>(o.alignment)))
    throw Usage("`--align` takes 1, 2, 4, 8, 16, 32 or 64, not " + ticked(std::to_string(o.alignment)));
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

std::string text_of(const EmitOptions& o) {
  const Config wanted = parse_config(o.choice.set);
  const tine::jit::Request request{o.target, joined(o.options), o.stage};
  const Kernel kernel = open_kernel(o.choice.header, o.choice.kernel, o.choice.cxx);
  tine::graph::Graph graph = tine::core::trace(kernel.definition(), config_for(kernel, wanted));
  if (o.stage == "graph") return tine::graph::text(graph, o.locations);
  tine::graph::Specialization facts = tine::jit::general_specialization(graph, !o.strided);
  for (std::size_t s = 0; s < facts.sources.size(); ++s)
    if (graph.sources[s].rank > 0) facts.sources[s].alignment = static_cast<uint32_t>(o.alignment);
  const Progress progress("compiling " + printable(graph.kernel));
  return tine::jit::compile(tine::launch::TracedKernel(std::move(graph)), facts, request);
}

}  // namespace

void emit(const EmitOptions& o) {
  check_choices(o);
  if (!o.output.empty()) check_writable(o.output);
  std::string text = text_of(o);
  if (text.empty() || text.back() != '\n') text += '\n';
  if (o.output.empty())
    write_stdout(text);
  else
    write_file(o.output, text);
}

}  // namespace tinec
