#include "runtime/cuda/driver.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace tine::cuda {
namespace {

template <class F> void find(void* handle, const char* symbol, F& out) {
  void* address = ::dlsym(handle, symbol);
  std::memcpy(&out, &address, sizeof out);
}

bool failed(OpenFailure& why, OpenFailure::Kind kind, const char* text) {
  why.kind = kind;
  std::snprintf(why.text, sizeof why.text, "%s", text ? text : "unknown reason");
  return false;
}

}  // namespace

bool open(const char* file, Driver& driver, OpenFailure& why) {
  why = {};
  void* handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);  // stays open: the driver has threads of its own
  if (!handle) return failed(why, OpenFailure::no_library, ::dlerror());
#define X(function, symbol, parameters)      \
  find(handle, symbol, driver.function);     \
  if (!driver.function) return failed(why, OpenFailure::no_function, symbol);
  TINE_CUDA_FUNCTIONS(X)
#undef X
  find(handle, "cuCtxGetId", driver.context_id);
  why.code = driver.init(0);
  if (why.code == success) return true;
  const char* name = nullptr;
  driver.error_name(why.code, &name);
  return failed(why, OpenFailure::init_failed, name);
}

bool is_sticky(Result r) {
  switch (r) {
    case 214:  // uncorrectable memory error
    case 220:  // NVLink error
    case 700:  // illegal address
    case 702:  // timeout
    case 710:  // assertion
    case 714:  // stack error
    case 715:  // illegal instruction
    case 716:  // misaligned address
    case 717:  // invalid address space
    case 718:  // invalid program counter
    case 719:  // launch failure
    case 721:  // tensor memory not freed
      return true;
    default: return false;
  }
}

int architecture_for(int compute_capability, const int* known, std::size_t count) {
  int best = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (known[i] <= compute_capability) best = known[i];
  return best;
}

bool runs_machine_code(int architecture, int compute_capability) {
  return architecture / 10 == compute_capability / 10 && architecture <= compute_capability;
}

}  // namespace tine::cuda
