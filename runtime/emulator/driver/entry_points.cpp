// cuGetProcAddress: names without version suffix give the newest version, as the driver does.
#include <dlfcn.h>

#include <string>

#include "state.hpp"

using namespace tine::stand_in;

namespace {
void* look_up(const char* name) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&look_up), &info) == 0) return nullptr;
  void* self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (self == nullptr) return nullptr;
  void* p = nullptr;
  for (const char* suffix : {"_v2", "", "_v3"})
    if (p == nullptr) p = dlsym(self, (std::string(name) + suffix).c_str());
  dlclose(self);
  return p;
}
}  // namespace

TINE_EXPORT CUresult cuGetProcAddress_v2(const char* name, void** out, int, std::uint64_t, int* status) {
  if (name == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  {
    const std::lock_guard<std::recursive_mutex> lock(state().mutex);
    if (const CUresult f = planned("cuGetProcAddress_v2")) return f;
  }
  *out = std::string(name).rfind("cu", 0) == 0 ? look_up(name) : nullptr;
  if (status != nullptr) *status = *out != nullptr ? 0 : 1;
  return *out != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
TINE_EXPORT CUresult cuGetProcAddress(const char* name, void** out, int version, std::uint64_t flags) { return cuGetProcAddress_v2(name, out, version, flags, nullptr); }
