// Modules and functions. Images are PTX text; cubins cannot be run.
#include <algorithm>
#include <cstring>

#include "state.hpp"

using namespace tine::stand_in;

namespace {
// The options of cuModuleLoadDataEx we know: where the log goes.
constexpr int kErrorLog = 5, kErrorLogBytes = 6;

CUresult load(CUmodule* out, const void* image, unsigned n, const int* options, void** values) {
  TINE_CONTEXT(c);
  if (out == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult r = unsafe_call()) return r;
  const char* text = static_cast<const char*>(image);
  if (std::memcmp(text, "\x7F" "ELF", 4) == 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  auto m = std::make_unique<Module>();
  m->context = c;
  m->machine = std::make_unique<emu::Machine>(c->memory);
  try {
    m->machine->load(text, "module");
  } catch (const emu::Error& e) {
    char* log = nullptr;
    std::size_t size = 0;
    for (unsigned i = 0; i < n && options != nullptr && values != nullptr; ++i) {
      if (options[i] == kErrorLog) log = static_cast<char*>(values[i]);
      if (options[i] == kErrorLogBytes) size = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]));
    }
    if (log != nullptr && size > 0) {
      std::strncpy(log, e.what(), size);
      log[size - 1] = 0;
    }
    return e.sentence().find("PTX version") != std::string::npos ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX;
  }
  *out = reinterpret_cast<CUmodule>(m.get());
  c->modules.insert(std::move(m));
  return CUDA_SUCCESS;
}
Module* module_of(CUmodule m, Context* c) { return find(c->modules, m); }
}  // namespace

namespace tine::stand_in {
// A function of the context, or null.
Function* function_of(CUfunction f, Context* c) {
  for (const auto& m : c->modules)
    for (const auto& [name, p] : m->functions)
      if (static_cast<void*>(p.get()) == static_cast<void*>(f)) return p.get();
  return nullptr;
}
}  // namespace tine::stand_in

TINE_EXPORT CUresult cuModuleLoadData(CUmodule* out, const void* image) {
  TINE_ENTER("cuModuleLoadData");
  return load(out, image, 0, nullptr, nullptr);
}
TINE_EXPORT CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned n, int* options, void** values) {
  TINE_ENTER("cuModuleLoadDataEx");
  return load(out, image, n, options, values);
}
TINE_EXPORT CUresult cuModuleUnload(CUmodule module) {
  TINE_ENTER("cuModuleUnload");
  TINE_CONTEXT(c);
  if (const CUresult r = unsafe_call()) return r;
  return erase(c->modules, module) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
TINE_EXPORT CUresult cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
  TINE_ENTER("cuModuleGetFunction");
  TINE_CONTEXT(c);
  Module* m = module_of(module, c);
  if (m == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (out == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  try {
    (void)m->machine->kernel(name);
  } catch (const emu::Error&) {
    return CUDA_ERROR_NOT_FOUND;
  }
  auto& f = m->functions[name];
  if (!f) {
    f = std::make_unique<Function>();
    f->module = m;
    f->name = name;
  }
  *out = reinterpret_cast<CUfunction>(f.get());
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* p, std::size_t* size, CUmodule module, const char* name) {
  TINE_ENTER("cuModuleGetGlobal_v2");
  TINE_CONTEXT(c);
  Module* m = module_of(module, c);
  if (m == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  try {
    std::size_t n = 0;
    const CUdeviceptr a = m->machine->variable(name, n);
    if (p != nullptr) *p = a;
    if (size != nullptr) *size = n;
  } catch (const emu::Error&) {
    return CUDA_ERROR_NOT_FOUND;
  }
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction function) {
  TINE_ENTER("cuFuncGetAttribute");
  TINE_CONTEXT(c);
  const Function* f = function_of(function, c);
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const emu::KernelInfo& k = f->module->machine->kernel(f->name);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = k.max_threads[0] != 0 ? static_cast<int>(k.max_threads[0] * k.max_threads[1] * k.max_threads[2]) : 1024; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(k.static_shared_bytes); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(k.local_bytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = f->max_dynamic_shared - static_cast<int>(k.static_shared_bytes); break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  TINE_ENTER("cuFuncSetAttribute");
  TINE_CONTEXT(c);
  Function* f = function_of(function, c);
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute == 9) return CUDA_SUCCESS;  // preferred carve-out: a hint
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  const emu::KernelInfo& k = f->module->machine->kernel(f->name);
  if (value < 0 || static_cast<std::uint32_t>(value) + k.static_shared_bytes > emu::kMaxSharedBytes) return CUDA_ERROR_INVALID_VALUE;
  f->max_dynamic_shared = value + static_cast<int>(k.static_shared_bytes);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, std::size_t dynamic) {
  TINE_ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  TINE_CONTEXT(c);
  const Function* f = function_of(function, c);
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (blocks == nullptr || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t shared = dynamic + f->module->machine->kernel(f->name).static_shared_bytes + 1024;
  *blocks = static_cast<int>(std::min<std::size_t>({std::size_t{32}, std::size_t{2048} / static_cast<std::size_t>(threads), std::size_t{228 * 1024} / shared}));
  return CUDA_SUCCESS;
}
