// Device memory: allocation, copies, fills. Copies that wait are refused while a capture forbids it.
#include <algorithm>
#include <cstdlib>
#include <exception>

#include "state.hpp"

using namespace tine::stand_in;

namespace {
CUresult allocate(const char* name, CUdeviceptr* out, std::size_t size) {
  TINE_ENTER(name);
  TINE_CONTEXT(c);
  if (out == nullptr || size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult r = unsafe_call()) return r;
  State& s = state();
  if (size > s.memory_limit - std::min(s.memory_used, s.memory_limit)) return CUDA_ERROR_OUT_OF_MEMORY;
  try {
    *out = c->memory->allocate(size);
  } catch (const std::exception&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  s.memory_used += size;
  c->allocations.emplace(*out, size);
  return CUDA_SUCCESS;
}
CUresult release(const char* name, CUdeviceptr p) {
  TINE_ENTER(name);
  TINE_CONTEXT(c);
  if (p == 0) return CUDA_SUCCESS;
  if (const CUresult r = unsafe_call()) return r;
  const auto it = c->allocations.find(p);
  if (it == c->allocations.end()) return CUDA_ERROR_INVALID_VALUE;
  state().memory_used -= it->second;
  c->memory->release(p);
  c->allocations.erase(it);
  return CUDA_SUCCESS;
}
// Copies between host and device in any direction; ranges are checked when the work runs.
Work copy(Context* c, void* host_to, CUdeviceptr to, const void* host_from, CUdeviceptr from, std::size_t size) {
  return [=]() -> CUresult {
    if (size == 0) return CUDA_SUCCESS;
    emu::Memory& m = *c->memory;
    if ((host_to == nullptr && !m.contains(to, size)) || (host_from == nullptr && !m.contains(from, size))) return CUDA_ERROR_INVALID_VALUE;
    if (host_from != nullptr)
      m.write(to, host_from, size);
    else if (host_to != nullptr)
      m.read(from, host_to, size);
    else
      m.copy(to, from, size);
    return CUDA_SUCCESS;
  };
}
CUresult waiting(const char* name, const std::function<Work(Context*)>& make) {
  TINE_ENTER(name);
  TINE_CONTEXT(c);
  if (const CUresult r = unsafe_call()) return r;
  return submit(&c->null_stream, make(c));
}
CUresult queued(const char* name, CUstream stream, const std::function<Work(Context*)>& make) {
  TINE_ENTER(name);
  TINE_CONTEXT(c);
  Stream* s = stream_of(stream, c);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return submit(s, make(c));
}
Work fill(Context* c, CUdeviceptr p, std::uint64_t value, std::size_t each, std::size_t n) {
  return [=]() -> CUresult {
    if (n == 0) return CUDA_SUCCESS;
    if (p % each != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!c->memory->contains(p, n * each)) return CUDA_ERROR_INVALID_VALUE;
    if (each == 1)
      c->memory->fill(p, static_cast<std::uint8_t>(value), n);
    else
      for (std::size_t i = 0; i < n; ++i) c->memory->write(p + i * each, &value, each);
    return CUDA_SUCCESS;
  };
}
}  // namespace

TINE_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* p, std::size_t n) { return allocate("cuMemAlloc_v2", p, n); }
TINE_EXPORT CUresult cuMemFree_v2(CUdeviceptr p) { return release("cuMemFree_v2", p); }
TINE_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* p, std::size_t n, CUstream s) {
  {
    TINE_ENTER("cuMemAllocAsync");
    TINE_CONTEXT(c);
    const Stream* st = stream_of(s, c);
    if (st == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (st->capture != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_NOT_SUPPORTED;  // allocation nodes are not modelled
  }
  return allocate("", p, n);
}
TINE_EXPORT CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) {
  {
    TINE_ENTER("cuMemFreeAsync");
    TINE_CONTEXT(c);
    const Stream* st = stream_of(s, c);
    if (st == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (st->capture != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  }
  return release("", p);
}
TINE_EXPORT CUresult cuMemAllocHost_v2(void** p, std::size_t n) {
  TINE_ENTER("cuMemAllocHost_v2");
  TINE_CONTEXT(c);
  if (p == nullptr || n == 0) return CUDA_ERROR_INVALID_VALUE;
  *p = std::malloc(n);
  return *p == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuMemFreeHost(void* p) {
  TINE_ENTER("cuMemFreeHost");
  TINE_CONTEXT(c);
  std::free(p);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuMemGetInfo_v2(std::size_t* left, std::size_t* all) {
  TINE_ENTER("cuMemGetInfo_v2");
  TINE_CONTEXT(c);
  if (left == nullptr || all == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *all = state().memory_limit;
  *left = state().memory_limit - std::min(state().memory_used, state().memory_limit);
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, std::size_t* size, CUdeviceptr p) {
  TINE_ENTER("cuMemGetAddressRange_v2");
  TINE_CONTEXT(c);
  auto it = c->allocations.upper_bound(p);
  if (it == c->allocations.begin() || p - (--it)->first >= it->second) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = it->first;
  if (size != nullptr) *size = it->second;
  return CUDA_SUCCESS;
}
namespace {
// The context that allocated it, whichever is current.
Context* owner_of(CUdeviceptr p) {
  auto owns = [p](Context* c) {
    if (c == nullptr) return false;
    auto it = c->allocations.upper_bound(p);
    return it != c->allocations.begin() && p - std::prev(it)->first < std::prev(it)->second;
  };
  for (const auto& [device, c] : state().primary)
    if (owns(c.get())) return c.get();
  for (const auto& c : state().contexts)
    if (owns(c.get())) return c.get();
  return nullptr;
}
}  // namespace
TINE_EXPORT CUresult cuPointerGetAttribute(void* out, int attribute, CUdeviceptr p) {
  TINE_ENTER("cuPointerGetAttribute");
  Context* c = owner_of(p);
  if (out == nullptr || c == nullptr) return CUDA_ERROR_INVALID_VALUE;  // so the driver says of the host's own memory
  if (attribute == 1)
    *static_cast<CUcontext*>(out) = reinterpret_cast<CUcontext>(c);
  else if (attribute == 2)
    *static_cast<unsigned*>(out) = 2;  // device memory
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}
TINE_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void* h, std::size_t n) {
  if (h == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return waiting("cuMemcpyHtoD_v2", [=](Context* c) { return copy(c, nullptr, d, h, 0, n); });
}
TINE_EXPORT CUresult cuMemcpyDtoH_v2(void* h, CUdeviceptr d, std::size_t n) {
  if (h == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return waiting("cuMemcpyDtoH_v2", [=](Context* c) { return copy(c, h, 0, nullptr, d, n); });
}
TINE_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t n) { return waiting("cuMemcpyDtoD_v2", [=](Context* c) { return copy(c, nullptr, to, nullptr, from, n); }); }
TINE_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void* h, std::size_t n, CUstream s) {
  if (h == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return queued("cuMemcpyHtoDAsync_v2", s, [=](Context* c) { return copy(c, nullptr, d, h, 0, n); });
}
TINE_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* h, CUdeviceptr d, std::size_t n, CUstream s) {
  if (h == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return queued("cuMemcpyDtoHAsync_v2", s, [=](Context* c) { return copy(c, h, 0, nullptr, d, n); });
}
TINE_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t n, CUstream s) { return queued("cuMemcpyDtoDAsync_v2", s, [=](Context* c) { return copy(c, nullptr, to, nullptr, from, n); }); }
TINE_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char v, std::size_t n) { return waiting("cuMemsetD8_v2", [=](Context* c) { return fill(c, p, v, 1, n); }); }
TINE_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr p, unsigned short v, std::size_t n) { return waiting("cuMemsetD16_v2", [=](Context* c) { return fill(c, p, v, 2, n); }); }
TINE_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr p, unsigned v, std::size_t n) { return waiting("cuMemsetD32_v2", [=](Context* c) { return fill(c, p, v, 4, n); }); }
TINE_EXPORT CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, std::size_t n, CUstream s) { return queued("cuMemsetD8Async", s, [=](Context* c) { return fill(c, p, v, 1, n); }); }
TINE_EXPORT CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, std::size_t n, CUstream s) { return queued("cuMemsetD32Async", s, [=](Context* c) { return fill(c, p, v, 4, n); }); }
