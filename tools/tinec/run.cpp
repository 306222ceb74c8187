#include <algorithm>

#include "runtime/jit/kernel.hpp"
#include "tools/tinec/call_arguments.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {

void run(const RunOptions& o) {
  if (o.device != "cpu") throw Usage("device " + ticked(o.device) + " does not exist; there is `cpu`");
  if (o.threads < 0) throw Usage("`--threads` takes a number that is not negative");
  const Config wanted = parse_config(o.choice.set);
  const std::vector<InputText> inputs = parse_inputs(o.arguments);
  const std::vector<OutputText> outputs = parse_outputs(o.outputs);
  for (const std::string& item : o.options)
    if (!parse_assignment(item)) throw Usage("`--option` takes `KEY=VALUE`, not " + ticked(item));
  const Kernel kernel = open_kernel(o.choice.header, o.choice.kernel, o.choice.cxx);
  const tine::core::Config config = config_for(kernel, wanted);
  tine::jit::Kernel callable([&](const tine::jit::Config& values) {
    return tine::core::trace(kernel.definition(), {values, "."});
  });
  for (const auto& [name, value] : config.values) callable.set_meta(name, value);
  for (const std::string& item : o.options) {
    const auto pair = parse_assignment(item);
    callable.set_option(pair->first, pair->second);
  }
  callable.set_device(o.device);
  callable.set_threads(o.threads);
  const CallArguments arguments(kernel.definition(), inputs, outputs);
  const auto& sources = callable.traced().graph.sources;
  for (const int parameter : arguments.outputs()) {
    if (sources[static_cast<std::size_t>(parameter)].stored) continue;
    std::vector<std::string> stored;
    for (const auto& s : sources)
      if (s.stored) stored.push_back(s.name);
    throw Failure("the kernel does not store to parameter " +
                  ticked(sources[static_cast<std::size_t>(parameter)].name) + "; it stores to " + list_of(stored));
  }
  // A result that no file takes would be lost without a word.
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& taken = arguments.outputs();
    if (!sources[i].stored || std::find(taken.begin(), taken.end(), static_cast<int>(i)) != taken.end()) continue;
    throw Failure("the kernel stores to parameter " + ticked(sources[i].name) + ", which no `--out` takes; write `--out " +
                  sources[i].name + "=FILE`");
  }
  {
    const Progress progress("running " + printable(kernel.definition().name));
    callable.checked_call(arguments.arguments());
  }
  arguments.write_outputs();
}

}  // namespace tinec
