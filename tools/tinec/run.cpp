#include <algorithm>

#include "runtime/device/devices.hpp"
#include "runtime/jit/kernel.hpp"
#include "runtime/knobs.hpp"
#include "runtime/launch/footprint.hpp"
#include "tine/device.hpp"
#include "tools/tinec/call_arguments.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/kernel_module.hpp"
#include "tools/tinec/progress.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

// The tensors of a call on a device of their own memory, copied there and back.
class OnDevice {
 public:
  OnDevice(const tine::Device& device, const tine::graph::Graph& graph, std::vector<tine::Argument> arguments)
      : arguments(std::move(arguments)), device_(device) {
    for (std::size_t s = 0; s < this->arguments.size(); ++s) {
      tine::Argument& a = this->arguments[s];
      const auto f = tine::launch::footprint(a, tine::graph::bytes(graph.sources[s].type));
      if (a.rank == 0 || !f || f->empty) continue;
      auto* const low = static_cast<std::byte*>(a.data) + f->lo;
      copies_.push_back({low, tine::DeviceArray<std::byte>(device, static_cast<std::size_t>(f->hi - f->lo)),
                         graph.sources[s].stored});
      copies_.back().there.write(low);
      a.data = copies_.back().there.data() - f->lo;
    }
  }
  void bring_back() const {
    device_.synchronize();
    for (const Copy& c : copies_)
      if (c.stored) c.there.read(c.here);
  }
  std::vector<tine::Argument> arguments;

 private:
  struct Copy {
    std::byte* here;
    tine::DeviceArray<std::byte> there;
    bool stored;
  };
  tine::Device device_;
  std::vector<Copy> copies_;
};

void call(const tine::jit::Kernel& k, const std::string& device, const std::vector<tine::Argument>& arguments) {
  if (!k.device() || k.device()->reads_host()) return k.checked_call(arguments);
  const OnDevice there(tine::Device(device.c_str()), k.traced().graph, arguments);
  k.checked_call(there.arguments);
  there.bring_back();
}

}  // namespace

void run(const RunOptions& o) {
  if (o.threads < 0) throw Usage("`--threads` takes a number that is not negative");
  const Config wanted = parse_config(o.choice.set);
  const std::vector<InputText> inputs = parse_inputs(o.arguments);
  const std::vector<OutputText> outputs = parse_outputs(o.outputs);
  for (const std::string& item : o.options)
    if (!parse_assignment(item)) throw Usage("`--option` takes `KEY=VALUE`, not " + ticked(item));
  const std::string device = o.device.empty() ? tine::knobs::get().device : o.device;
  tine::device::find(device);  // complains before the header is compiled
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
  callable.set_device(device);
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
    call(callable, device, arguments.arguments());
  }
  arguments.write_outputs();
}

}  // namespace tinec
