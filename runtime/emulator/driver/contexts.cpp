// Initialisation, devices, contexts, errors, and the stand-in's own controls.
#include <algorithm>
#include <cstring>

#include "state.hpp"

using namespace tine::stand_in;

TINE_EXPORT CUresult cuInit(unsigned flags) {
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (const CUresult f = planned("cuInit")) return f;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (state().devices <= 0) return CUDA_ERROR_NO_DEVICE;
  state().initialized = true;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDriverGetVersion(int* version) {
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (const CUresult f = planned("cuDriverGetVersion")) return f;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceGetCount(int* count) {
  TINE_ENTER("cuDeviceGetCount");
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = state().devices;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  TINE_ENTER("cuDeviceGet");
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal < 0 || ordinal >= state().devices) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
namespace {
bool valid(CUdevice d) { return d >= 0 && d < state().devices; }
}  // namespace
TINE_EXPORT CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  TINE_ENTER("cuDeviceGetName");
  if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::strncpy(name, "Tine PTX machine", static_cast<std::size_t>(length));
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  TINE_ENTER("cuDeviceGetUuid_v2");
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::memcpy(uuid->bytes, "tine-ptx-machine", 16);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  TINE_ENTER("cuDeviceTotalMem_v2");
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = state().memory_limit;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  TINE_ENTER("cuDeviceGetAttribute");
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  switch (attribute) {
    case 1: *value = 1024; break;            // threads per block
    case 2: case 3: *value = 1024; break;    // block dimensions x, y
    case 4: *value = 64; break;              // z
    case 5: *value = 0x7FFFFFFF; break;      // grid x
    case 6: case 7: *value = 65535; break;   // grid y, z
    case 8: *value = 48 * 1024; break;       // shared memory per block
    case 9: *value = 64 * 1024; break;       // constant memory
    case 10: *value = 32; break;             // warp size
    case 12: *value = 65536; break;          // registers per block
    case 13: *value = 1'000'000; break;      // clock, kHz
    case 16: *value = 132; break;            // multiprocessors
    case 39: *value = 2048; break;           // threads per multiprocessor
    case 75: *value = state().capability / 10; break;  // compute capability
    case 76: *value = state().capability % 10; break;
    case 88: *value = state().reads_host; break;  // pageable memory
    case 81: *value = 228 * 1024; break;     // shared memory per multiprocessor
    case 97: *value = static_cast<int>(emu::kMaxSharedBytes); break;  // shared memory per block, opt-in
    default: *value = 0;
  }
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  TINE_ENTER("cuDeviceComputeCapability");
  if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  *major = state().capability / 10;
  *minor = state().capability % 10;
  return CUDA_SUCCESS;
}

// --- contexts

TINE_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  TINE_ENTER("cuDevicePrimaryCtxRetain");
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto& p = state().primary[device];
  if (!p) {
    p = make_context(device);
    p->primary = true;
  }
  ++p->references;
  *out = reinterpret_cast<CUcontext>(p.get());
  return CUDA_SUCCESS;
}
namespace {
void drop_memory(Context& c) {
  for (const auto& [p, size] : c.allocations) state().memory_used -= size;
}
}  // namespace
TINE_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  TINE_ENTER("cuDevicePrimaryCtxRelease_v2");
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto& p = state().primary[device];
  if (!p || p->references == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--p->references == 0) {
    drop_memory(*p);
    p.reset();
  }
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  TINE_ENTER("cuDevicePrimaryCtxReset_v2");
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  if (auto& p = state().primary[device]) {
    drop_memory(*p);
    p.reset();
  }
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  TINE_ENTER("cuDevicePrimaryCtxGetState");
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = 0;
  *active = state().primary[device] ? 1 : 0;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxCreate_v2(CUcontext* out, unsigned, CUdevice device) {
  TINE_ENTER("cuCtxCreate_v2");
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto c = make_context(device);
  context_stack().push_back(c.get());
  *out = reinterpret_cast<CUcontext>(c.get());
  state().contexts.insert(std::move(c));
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxDestroy_v2(CUcontext context) {
  TINE_ENTER("cuCtxDestroy_v2");
  auto* c = reinterpret_cast<Context*>(context);
  if (find(state().contexts, c) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto& stack = context_stack();
  if (!stack.empty() && stack.back() == c) stack.pop_back();
  drop_memory(*c);
  erase(state().contexts, c);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  TINE_ENTER("cuCtxSetCurrent");
  auto* c = reinterpret_cast<Context*>(context);
  if (c != nullptr && !alive(c)) return CUDA_ERROR_INVALID_CONTEXT;
  auto& stack = context_stack();
  if (!stack.empty()) stack.pop_back();
  if (c != nullptr) stack.push_back(c);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxGetCurrent(CUcontext* out) {
  TINE_ENTER("cuCtxGetCurrent");
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto& stack = context_stack();
  *out = stack.empty() ? nullptr : reinterpret_cast<CUcontext>(stack.back());
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  TINE_ENTER("cuCtxPushCurrent_v2");
  auto* c = reinterpret_cast<Context*>(context);
  if (!alive(c)) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(c);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* out) {
  TINE_ENTER("cuCtxPopCurrent_v2");
  auto& stack = context_stack();
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (out != nullptr) *out = reinterpret_cast<CUcontext>(stack.back());
  stack.pop_back();
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  TINE_ENTER("cuCtxGetDevice");
  TINE_CONTEXT(c);
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = c->device;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  TINE_ENTER("cuCtxGetId");
  auto* c = reinterpret_cast<Context*>(context);
  if (c == nullptr) {
    TINE_CONTEXT(now);
    c = now;
  }
  if (!alive(c)) return CUDA_ERROR_INVALID_CONTEXT;
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *id = c->id;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuCtxSynchronize() {
  TINE_ENTER("cuCtxSynchronize");
  TINE_CONTEXT(c);
  return unsafe_call();
}

// --- errors

namespace {
struct Named {
  CUresult code;
  const char *name, *text;
};
constexpr Named kErrors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"}, {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"}, {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"}, {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"}, {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}, {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}, {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"}, {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."}, {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"}, {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"}, {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"}, {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"}, {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}, {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"}, {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not initiated in this stream"},
    {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"}, {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream"},
    {CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "operation would make the legacy stream depend on a capturing blocking stream"}, {CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream"},
    {CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "attempt to terminate a thread-local capture sequence from another thread"}, {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};
const Named* named(CUresult code) {
  for (const Named& n : kErrors)
    if (n.code == code) return &n;
  return nullptr;
}
}  // namespace
TINE_EXPORT CUresult cuGetErrorName(CUresult code, const char** out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Named* n = named(code);
  *out = n == nullptr ? nullptr : n->name;
  return n == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuGetErrorString(CUresult code, const char** out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Named* n = named(code);
  *out = n == nullptr ? nullptr : n->text;
  return n == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

// --- the stand-in's own

TINE_EXPORT CUresult tineStandInFail(const char* function, unsigned nth, CUresult code) {
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (function == nullptr)
    state().failures.clear();
  else
    state().failures.push_back({function, nth, code});
  return CUDA_SUCCESS;
}
TINE_EXPORT const char* tineStandInReport() {
  static thread_local std::string copy;
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  copy = state().report;
  return copy.c_str();
}
TINE_EXPORT void tineStandInReset() {
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  State& s = state();
  s.primary.clear();
  s.contexts.clear();
  s.graphs.clear();
  s.failures.clear();
  s.report.clear();
  s.memory_used = 0;
  s.initialized = false;
  read_limits(s);
  context_stack().clear();
  capture_mode() = CU_STREAM_CAPTURE_MODE_GLOBAL;
}
TINE_EXPORT CUresult tineStandInSet(const char* what, unsigned long long value) {
  const std::lock_guard<std::recursive_mutex> lock(state().mutex);
  const std::string name = what == nullptr ? "" : what;
  if (name == "devices") state().devices = static_cast<int>(value);
  else if (name == "capability") state().capability = static_cast<int>(value);
  else if (name == "memory") state().memory_limit = value;
  else if (name == "reads_host") state().reads_host = value != 0;
  else return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}
