// The functions behind <tine/make.hpp>.
#include "tine/host.hpp"

#include <cstdio>
#include <memory>

#include "dsl/core/trace.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/kernel.hpp"
#include "runtime/launch/device.hpp"
#include "tine/detail/api.hpp"

namespace tine::host {

struct KernelState {
  jit::Kernel kernel;
  mutable std::string config;
};

namespace {

jit::Trace trace_of(core::Definition* definition) {
  const std::shared_ptr<core::Definition> owner(definition, core::release);
  return [owner](const jit::Config& config) {
    core::Config wanted;
    wanted.values = config;
    return core::trace(*owner, wanted);
  };
}

// `k.device(std::getenv("DEVICE"))`: a variable that is not set is an empty text.
const char* text_of(const char* text) { return text ? text : ""; }

}  // namespace

KernelState* create(core::Definition* definition) { return new KernelState{jit::Kernel(trace_of(definition)), {}}; }
KernelState* copy(const KernelState* k) { return new KernelState{k->kernel, {}}; }
void destroy(KernelState* k) noexcept { delete k; }
void set_meta(KernelState* k, const char* name, int64_t value) { k->kernel.set_meta(text_of(name), value); }
void set_option(KernelState* k, const char* key, const char* value) { k->kernel.set_option(text_of(key), text_of(value)); }
void set_threads(KernelState* k, int threads) { k->kernel.set_threads(threads); }
void set_device(KernelState* k, const char* device) { k->kernel.set_device(text_of(device)); }
void call(const KernelState* k, const Argument* arguments, std::size_t count) { k->kernel.call({arguments, count}); }
void call_on(const KernelState* k, const Argument* arguments, std::size_t count, Gpu* gpu, void* stream) {
  const auto* device = reinterpret_cast<const launch::Device*>(gpu);
  if (const launch::Device* own = k->kernel.device(); !own || !own->takes_streams_of(*device))
    fail(Diag::wrong_stream, {}, {k->kernel.traced().name(), own ? own->name() : "cpu", device->name()});
  k->kernel.call({arguments, count}, stream);
}
void checked_call(const KernelState* k, const Argument* arguments, std::size_t count) {
  k->kernel.checked_call({arguments, count});
}
int64_t programs(const KernelState* k, const Argument* arguments, std::size_t count) {
  return k->kernel.programs({arguments, count});
}
const char* config(const KernelState* k) { return (k->config = k->kernel.config_text()).c_str(); }

void fail_scalar_range(const KernelState* k, int source, long double value) {
  const launch::TracedKernel& traced = k->kernel.traced();
  char text[64];
  std::snprintf(text, sizeof text, "%.0Lf", value);
  fail(Diag::scalar_range, traced.where_param(source),
       {traced.name(), traced.source_name(source), text,
        ticked(graph::name(traced.graph.sources[static_cast<std::size_t>(source)].type))});
}

}  // namespace tine::host

namespace tine {

JitStatistics jit_statistics() {
  const jit::Statistics s = jit::statistics();
  return {s.compiled, s.from_disk, s.compile_ns, s.load_ns};
}

}  // namespace tine
