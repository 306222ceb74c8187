// Kernel launches. A finding of the machine makes the context sick, as a fault on a device does.
#include <cstdio>
#include <cstring>

#include "state.hpp"

using namespace tine::stand_in;

namespace tine::stand_in {
Function* function_of(CUfunction f, Context* c);
}

namespace {

CUresult code_of(const emu::Report& r) {
  for (const emu::Diagnostic& d : r.diagnostics) switch (d.cls) {
      case emu::DiagnosticClass::misaligned: return CUDA_ERROR_MISALIGNED_ADDRESS;
      case emu::DiagnosticClass::assertion: return CUDA_ERROR_ASSERT;
      case emu::DiagnosticClass::deadlock:
      case emu::DiagnosticClass::step_limit: return CUDA_ERROR_LAUNCH_TIMEOUT;
      case emu::DiagnosticClass::trap:
      case emu::DiagnosticClass::bad_call:
      case emu::DiagnosticClass::stack_overflow:
      case emu::DiagnosticClass::barrier_misuse: return CUDA_ERROR_LAUNCH_FAILED;
      default: return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
  return CUDA_SUCCESS;
}

CUresult launch(const char* name, CUfunction function, emu::LaunchConfig config, CUstream stream, void** params, void** extra) {
  TINE_ENTER(name);
  TINE_CONTEXT(c);
  Function* f = function_of(function, c);
  Stream* s = stream_of(stream, c);
  if (f == nullptr || s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const emu::KernelInfo& k = f->module->machine->kernel(f->name);
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (config.grid[i] == 0 || config.block[i] == 0 || config.grid[i] > (i == 0 ? 0x7FFFFFFFu : 65535u)) return CUDA_ERROR_INVALID_VALUE;
    threads *= config.block[i];
  }
  if (threads > 1024 || config.block[2] > 64) return CUDA_ERROR_INVALID_VALUE;
  if (k.max_threads[0] != 0 && threads > std::uint64_t{k.max_threads[0]} * k.max_threads[1] * k.max_threads[2]) return CUDA_ERROR_INVALID_VALUE;
  if (config.shared_bytes + k.static_shared_bytes > static_cast<std::uint32_t>(f->max_dynamic_shared)) return CUDA_ERROR_INVALID_VALUE;
  // The values are taken now: the caller's array may be gone when the work runs.
  std::vector<emu::Argument> arguments;
  if (params != nullptr) {
    for (std::size_t i = 0; i < k.parameters.size(); ++i) {
      if (params[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      emu::Argument a;
      a.bytes.resize(k.parameters[i].size);
      std::memcpy(a.bytes.data(), params[i], a.bytes.size());
      arguments.push_back(std::move(a));
    }
  } else if (extra != nullptr) {
    const std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0; extra[i] != nullptr; i += 2) {
      if (reinterpret_cast<std::uintptr_t>(extra[i]) == 1) buffer = static_cast<const std::uint8_t*>(extra[i + 1]);
      if (reinterpret_cast<std::uintptr_t>(extra[i]) == 2) size = *static_cast<const std::size_t*>(extra[i + 1]);
    }
    if (buffer == nullptr || size < k.parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    for (const emu::ParameterInfo& p : k.parameters) {
      emu::Argument a;
      a.bytes.assign(buffer + p.offset, buffer + p.offset + p.size);
      arguments.push_back(std::move(a));
    }
  } else if (!k.parameters.empty())
    return CUDA_ERROR_INVALID_VALUE;

  Module* m = f->module;
  return submit(s, [c, m, kernel = f->name, config, arguments]() -> CUresult {
    if (find(c->modules, m) == nullptr) return CUDA_ERROR_INVALID_HANDLE;  // unloaded under a graph
    try {
      const emu::Report r = m->machine->launch(kernel, config, arguments);
      state().report = r.to_json();
      if (!r.output.empty()) std::fwrite(r.output.data(), 1, r.output.size(), stdout);
      // A kernel that failed shows at the next call, as launches are asynchronous.
      c->sick = code_of(r);
      return CUDA_SUCCESS;
    } catch (const emu::Error&) {
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    }
  });
}

}  // namespace

TINE_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s, void** params, void** extra) {
  emu::LaunchConfig c;
  c.grid = {gx, gy, gz};
  c.block = {bx, by, bz};
  c.shared_bytes = shared;
  return launch("cuLaunchKernel", f, c, s, params, extra);
}
TINE_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** params, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs == nullptr || (config->attrs[i].id != 0 && config->attrs[i].id != 1)) return CUDA_ERROR_NOT_SUPPORTED;  // access policy windows are hints; clusters are not there
  emu::LaunchConfig c;
  c.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  c.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  c.shared_bytes = config->sharedMemBytes;
  return launch("cuLaunchKernelEx", f, c, config->hStream, params, extra);
}
