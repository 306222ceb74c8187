// The stand-in driver, opened as a launcher opens the real one: results, rules, injected failures.
#include <dlfcn.h>

#include <functional>
#include <map>

#include "support.hpp"
#include "tine/stand_in/cuda.h"

namespace {

struct Driver {
  void* library = nullptr;
  Driver() {
    library = dlopen(TINE_STAND_IN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    get<void()>("tineStandInReset")();
  }
  template <class F> F* get(const char* name) {
    void* p = dlsym(library, name);
    if (p == nullptr) throw std::runtime_error(std::string("no entry point ") + name);
    return reinterpret_cast<F*>(p);
  }
  template <class... A> CUresult call(const char* name, A... a) { return get<CUresult(A...)>(name)(a...); }
};
#define OK(...) CHECK(d.call(__VA_ARGS__) == CUDA_SUCCESS)

// A driver with the primary context current and saxpy loaded.
struct Ready : Driver {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction saxpy = nullptr;
  std::string text = read_text(fixture_path("vector.sm_80.ptx"));
  Ready() {
    Driver& d = *this;
    int count = 0;
    CUdevice device = 7;
    OK("cuInit", 0u);
    OK("cuDeviceGetCount", &count);
    CHECK(count == 1);
    OK("cuDeviceGet", &device, 0);
    OK("cuDevicePrimaryCtxRetain", &context, device);
    OK("cuCtxSetCurrent", context);
    OK("cuModuleLoadData", &module, static_cast<const void*>(text.c_str()));
    OK("cuModuleGetFunction", &saxpy, module, "saxpy");
  }
  CUresult launch(CUdeviceptr x, CUdeviceptr y, int n, CUstream s, unsigned block = 64) {
    float a = 2.0f;
    void* params[] = {&n, &a, &x, &y};
    return call("cuLaunchKernel", saxpy, 2u, 1u, 1u, block, 1u, 1u, 0u, s, static_cast<void**>(params), static_cast<void**>(nullptr));
  }
  CUdeviceptr upload(const std::vector<float>& v) {
    Driver& d = *this;
    CUdeviceptr p = 0;
    OK("cuMemAlloc_v2", &p, v.size() * 4);
    OK("cuMemcpyHtoD_v2", p, static_cast<const void*>(v.data()), v.size() * 4);
    return p;
  }
  float first(CUdeviceptr p) {
    Driver& d = *this;
    float v = 0;
    OK("cuMemcpyDtoH_v2", static_cast<void*>(&v), p, std::size_t{4});
    return v;
  }
};

}  // namespace

TEST_CASE("a launch through the driver API", "[emulated][driver]") {
  Ready d;
  const CUdeviceptr x = d.upload(std::vector<float>(100, 3.0f)), y = d.upload(std::vector<float>(100, 1.0f));
  CHECK(d.launch(x, y, 100, nullptr) == CUDA_SUCCESS);
  OK("cuCtxSynchronize");
  CHECK(d.first(y) == 7.0f);
  CHECK(std::string(d.get<const char*()>("tineStandInReport")()).find("\"clean\": true") != std::string::npos);
  CUlaunchConfig c{};
  c.gridDimX = 2;
  c.gridDimY = c.gridDimZ = c.blockDimY = c.blockDimZ = 1;
  c.blockDimX = 64;
  int n = 100;
  float a = 1.0f;
  CUdeviceptr px = x, py = y;
  void* params[] = {&n, &a, &px, &py};
  CHECK(d.call("cuLaunchKernelEx", static_cast<const CUlaunchConfig*>(&c), d.saxpy, static_cast<void**>(params), static_cast<void**>(nullptr)) == CUDA_SUCCESS);
  CHECK(d.first(y) == 10.0f);
  CUdeviceptr g = 0;
  std::size_t size = 0;
  OK("cuModuleGetGlobal_v2", &g, &size, d.module, "counter");
  CHECK(size == 4);
  OK("cuMemsetD8_v2", y, static_cast<unsigned char>(0), std::size_t{400});
  CHECK(d.first(y) == 0.0f);
  int v = 0;
  OK("cuFuncGetAttribute", &v, 0, d.saxpy);
  CHECK(v == 1024);
  OK("cuFuncSetAttribute", d.saxpy, 8, 100000);
  CHECK(d.call("cuFuncSetAttribute", d.saxpy, 8, 300000) == CUDA_ERROR_INVALID_VALUE);
  OK("cuMemFree_v2", x);
  OK("cuMemFree_v2", y);
  OK("cuModuleUnload", d.module);
  OK("cuDevicePrimaryCtxRelease_v2", 0);
}

TEST_CASE("handles, contexts and arguments are checked", "[emulated][driver]") {
  {
    Driver d;
    int count = 0;
    CHECK(d.call("cuDeviceGetCount", &count) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(d.call("cuInit", 1u) == CUDA_ERROR_INVALID_VALUE);
    OK("cuInit", 0u);
    CUdeviceptr p = 0;
    CHECK(d.call("cuMemAlloc_v2", &p, std::size_t{4}) == CUDA_ERROR_INVALID_CONTEXT);
    CUdevice device = 0;
    CHECK(d.call("cuDeviceGet", &device, 1) == CUDA_ERROR_INVALID_DEVICE);
  }
  Ready d;
  CUdeviceptr p = 0;
  CUfunction f = nullptr;
  CUmodule m = nullptr;
  CHECK(d.call("cuModuleGetFunction", &f, d.module, "nope") == CUDA_ERROR_NOT_FOUND);
  CHECK(d.call("cuModuleGetFunction", &f, reinterpret_cast<CUmodule>(&d), "saxpy") == CUDA_ERROR_INVALID_HANDLE);
  CHECK(d.call("cuMemAlloc_v2", &p, std::size_t{0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(d.call("cuMemAlloc_v2", &p, std::size_t{1} << 50) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(d.call("cuMemFree_v2", CUdeviceptr{123}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(d.call("cuStreamSynchronize", reinterpret_cast<CUstream>(&d)) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(d.call("cuModuleLoadData", &m, static_cast<const void*>("not PTX")) == CUDA_ERROR_INVALID_PTX);
  CHECK(d.call("cuModuleLoadData", &m, static_cast<const void*>(".version 99.0\n.target sm_80\n.address_size 64\n")) == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(d.call("cuModuleLoadData", &m, static_cast<const void*>("\x7F" "ELF...")) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  char log[256] = "";
  int options[] = {5, 6};
  void* values[] = {log, reinterpret_cast<void*>(std::uintptr_t{sizeof log})};
  CHECK(d.call("cuModuleLoadDataEx", &m, static_cast<const void*>(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { frob; }"), 2u, static_cast<int*>(options), static_cast<void**>(values)) == CUDA_ERROR_INVALID_PTX);
  CHECK(std::string(log).find(":4: unknown instruction `frob`") != std::string::npos);
  CHECK(d.launch(0, 0, 0, nullptr, 2048) == CUDA_ERROR_INVALID_VALUE);
  CHECK(d.launch(0, 0, 0, reinterpret_cast<CUstream>(&d)) == CUDA_ERROR_INVALID_HANDLE);
  // another context's stream is none of ours
  CUcontext other = nullptr;
  CUstream s = nullptr;
  OK("cuCtxCreate_v2", &other, 0u, 0);
  OK("cuStreamCreate", &s, 1u);
  OK("cuCtxPopCurrent_v2", &other);
  CHECK(d.launch(0, 0, 0, s) == CUDA_ERROR_INVALID_HANDLE);
  CUcontext owner = nullptr;
  OK("cuStreamGetCtx", s, &owner);
  CHECK(owner == other);
  OK("cuCtxDestroy_v2", other);
  CHECK(d.call("cuCtxSetCurrent", other) == CUDA_ERROR_INVALID_CONTEXT);
  const char* name = nullptr;
  OK("cuGetErrorName", 700, &name);
  CHECK(std::string(name) == "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(d.call("cuGetErrorString", 12345, &name) == CUDA_ERROR_INVALID_VALUE);
  void* entry = nullptr;
  CHECK(d.call("cuGetProcAddress_v2", "cuMemAlloc", &entry, 12000, std::uint64_t{0}, static_cast<int*>(nullptr)) == CUDA_SUCCESS);
  CHECK(entry == reinterpret_cast<void*>(d.get<CUresult(CUdeviceptr*, std::size_t)>("cuMemAlloc_v2")));
  CHECK(d.call("cuGetProcAddress_v2", "cuNope", &entry, 12000, std::uint64_t{0}, static_cast<int*>(nullptr)) == CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("a faulty kernel makes the context sick", "[emulated][driver]") {
  Ready d;
  const CUdeviceptr y = d.upload(std::vector<float>(10, 1.0f));
  CHECK(d.launch(y, y, 100, nullptr) == CUDA_SUCCESS);  // seen at the next call, as launches are asynchronous
  CHECK(d.call("cuCtxSynchronize") == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(d.launch(y, y, 10, nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(std::string(d.get<const char*()>("tineStandInReport")()).find("out_of_bounds") != std::string::npos);
}

TEST_CASE("captures record, graphs run, rules hold", "[emulated][driver]") {
  Ready d;
  const CUdeviceptr x = d.upload(std::vector<float>(100, 1.0f)), y = d.upload(std::vector<float>(100, 0.0f));
  CUstream s = nullptr, t = nullptr;
  OK("cuStreamCreate", &s, 1u);
  OK("cuStreamCreate", &t, 1u);
  CHECK(d.call("cuStreamBeginCapture_v2", static_cast<CUstream>(nullptr), 0) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  OK("cuStreamBeginCapture_v2", s, 0);
  int status = 0;
  OK("cuStreamIsCapturing", s, &status);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK(d.launch(x, y, 100, s) == CUDA_SUCCESS);
  // fork to t and join again
  CUevent fork = nullptr, join = nullptr;
  OK("cuEventCreate", &fork, 2u);
  OK("cuEventCreate", &join, 2u);
  OK("cuEventRecord", fork, s);
  OK("cuStreamWaitEvent", t, fork, 0u);
  CHECK(d.launch(x, y, 100, t) == CUDA_SUCCESS);
  OK("cuEventRecord", join, t);
  CHECK(d.call("cuEventQuery", join) == CUDA_ERROR_CAPTURED_EVENT);
  OK("cuStreamWaitEvent", s, join, 0u);
  CUgraph graph = nullptr;
  CHECK(d.call("cuStreamEndCapture", t, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  OK("cuStreamEndCapture", s, &graph);
  std::size_t nodes = 0;
  OK("cuGraphGetNodes", graph, static_cast<void**>(nullptr), &nodes);
  CHECK(nodes == 2);
  CHECK(d.first(y) == 0.0f);  // nothing ran yet
  CUgraphExec exec = nullptr;
  OK("cuGraphInstantiateWithFlags", &exec, graph, 0ull);
  OK("cuGraphLaunch", exec, s);
  OK("cuGraphLaunch", exec, s);
  CHECK(d.first(y) == 8.0f);
  OK("cuGraphExecDestroy", exec);
  OK("cuGraphDestroy", graph);

  // waiting or allocating inside a global capture breaks it
  OK("cuStreamBeginCapture_v2", s, 0);
  CUdeviceptr p = 0;
  CHECK(d.call("cuMemAlloc_v2", &p, std::size_t{16}) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(d.launch(x, y, 100, s) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(d.call("cuStreamEndCapture", s, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  OK("cuStreamBeginCapture_v2", s, 0);
  CHECK(d.call("cuStreamSynchronize", s) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(d.call("cuStreamEndCapture", s, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  // in relaxed mode allocation is allowed
  OK("cuStreamBeginCapture_v2", s, 2);
  OK("cuMemAlloc_v2", &p, std::size_t{16});
  OK("cuStreamEndCapture", s, &graph);
  // a forked stream that never comes back
  OK("cuStreamBeginCapture_v2", s, 2);
  OK("cuEventRecord", fork, s);
  OK("cuStreamWaitEvent", t, fork, 0u);
  CHECK(d.launch(x, y, 100, t) == CUDA_SUCCESS);
  CHECK(d.call("cuStreamEndCapture", s, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  // the legacy stream would have to wait for the capturing one
  OK("cuStreamBeginCapture_v2", s, 2);
  CHECK(d.launch(x, y, 100, nullptr) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK(d.call("cuStreamEndCapture", s, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE("every entry point of a launcher fails when told to", "[emulated][driver]") {
  Ready d;
  const CUdeviceptr y = d.upload(std::vector<float>(10, 1.0f));
  CUstream s = nullptr;
  OK("cuStreamCreate", &s, 0u);
  CUevent e = nullptr;
  OK("cuEventCreate", &e, 0u);
  CUdeviceptr p = 0;
  CUmodule m = nullptr;
  CUfunction f = nullptr;
  CUcontext c = nullptr;
  int n = 0;
  float v = 0;
  const void* text = d.text.c_str();
  const std::map<std::string, std::function<CUresult()>> calls = {
      {"cuInit", [&] { return d.call("cuInit", 0u); }},
      {"cuDeviceGetCount", [&] { return d.call("cuDeviceGetCount", &n); }},
      {"cuDeviceGetAttribute", [&] { return d.call("cuDeviceGetAttribute", &n, 75, 0); }},
      {"cuDevicePrimaryCtxRetain", [&] { return d.call("cuDevicePrimaryCtxRetain", &c, 0); }},
      {"cuCtxSetCurrent", [&] { return d.call("cuCtxSetCurrent", d.context); }},
      {"cuModuleLoadData", [&] { return d.call("cuModuleLoadData", &m, text); }},
      {"cuModuleGetFunction", [&] { return d.call("cuModuleGetFunction", &f, d.module, "saxpy"); }},
      {"cuFuncSetAttribute", [&] { return d.call("cuFuncSetAttribute", d.saxpy, 8, 1000); }},
      {"cuMemAlloc_v2", [&] { return d.call("cuMemAlloc_v2", &p, std::size_t{16}); }},
      {"cuMemcpyHtoD_v2", [&] { return d.call("cuMemcpyHtoD_v2", y, static_cast<const void*>(&v), std::size_t{4}); }},
      {"cuMemcpyDtoH_v2", [&] { return d.call("cuMemcpyDtoH_v2", static_cast<void*>(&v), y, std::size_t{4}); }},
      {"cuMemcpyHtoDAsync_v2", [&] { return d.call("cuMemcpyHtoDAsync_v2", y, static_cast<const void*>(&v), std::size_t{4}, s); }},
      {"cuMemcpyDtoHAsync_v2", [&] { return d.call("cuMemcpyDtoHAsync_v2", static_cast<void*>(&v), y, std::size_t{4}, s); }},
      {"cuMemsetD8_v2", [&] { return d.call("cuMemsetD8_v2", y, static_cast<unsigned char>(1), std::size_t{4}); }},
      {"cuLaunchKernel", [&] { return d.launch(y, y, 0, s); }},
      {"cuStreamSynchronize", [&] { return d.call("cuStreamSynchronize", s); }},
      {"cuEventRecord", [&] { return d.call("cuEventRecord", e, s); }},
      {"cuEventSynchronize", [&] { return d.call("cuEventSynchronize", e); }},
      {"cuCtxSynchronize", [&] { return d.call("cuCtxSynchronize"); }},
      {"cuStreamBeginCapture_v2", [&] { const CUresult r = d.call("cuStreamBeginCapture_v2", s, 2); CUgraph g = nullptr; if (r == 0) d.call("cuStreamEndCapture", s, &g); return r; }},
      {"cuCtxGetId", [&] { unsigned long long id = 0; return d.call("cuCtxGetId", d.context, &id); }},
      {"cuThreadExchangeStreamCaptureMode", [&] { int mode = 0; return d.call("cuThreadExchangeStreamCaptureMode", &mode); }},
      {"cuPointerGetAttribute", [&] { return d.call("cuPointerGetAttribute", static_cast<void*>(&n), 2, y); }},
      {"cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] { return d.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", &n, d.saxpy, 64, std::size_t{0}); }},
      {"cuMemFree_v2", [&] { CUdeviceptr q = 0; d.call("cuMemAlloc_v2", &q, std::size_t{8}); return d.call("cuMemFree_v2", q); }},
  };
  for (const auto& [name, call] : calls) {
    INFO(name);
    CHECK(call() == CUDA_SUCCESS);
    OK("tineStandInFail", static_cast<const char*>(name.c_str()), 2u, static_cast<CUresult>(CUDA_ERROR_UNKNOWN));
    CHECK(call() == CUDA_SUCCESS);
    CHECK(call() == CUDA_ERROR_UNKNOWN);
    CHECK(call() == CUDA_SUCCESS);
  }
}

TEST_CASE("several devices, contexts with numbers, owners of memory", "[emulated][driver]") {
  Driver d;
  OK("tineStandInSet", "devices", 2ull);
  OK("tineStandInSet", "capability", 75ull);
  CHECK(d.call("tineStandInSet", "size", 1ull) == CUDA_ERROR_INVALID_VALUE);
  OK("cuInit", 0u);
  CUcontext c[2] = {}, now = nullptr;
  unsigned long long id[2] = {};
  CUdeviceptr p = 0;
  for (int i = 0; i < 2; ++i) {
    int on = -1, major = 0;
    OK("cuDevicePrimaryCtxRetain", &c[i], i);
    OK("cuCtxPushCurrent_v2", c[i]);
    OK("cuCtxGetDevice", &on);
    CHECK(on == i);
    OK("cuDeviceGetAttribute", &major, 75, i);
    CHECK(major == 7);
    OK("cuCtxGetId", c[i], &id[i]);
    if (i == 0) OK("cuMemAlloc_v2", &p, std::size_t{16});
    OK("cuCtxPopCurrent_v2", &now);
  }
  CHECK(id[0] != id[1]);
  OK("cuPointerGetAttribute", static_cast<void*>(&now), 1, p + 15);
  CHECK(now == c[0]);
  CHECK(d.call("cuPointerGetAttribute", static_cast<void*>(&now), 1, p + 16) == CUDA_ERROR_INVALID_VALUE);
  OK("cuDevicePrimaryCtxReset_v2", 0);
  OK("cuDevicePrimaryCtxRetain", &c[0], 0);
  unsigned long long again = 0;
  OK("cuCtxGetId", c[0], &again);
  CHECK(again != id[0]);
}

TEST_CASE("a thread that relaxes its mode may load modules beside a capture", "[emulated][driver]") {
  Ready d;
  CUstream s = nullptr;
  OK("cuStreamCreate", &s, 0u);
  OK("cuStreamBeginCapture_v2", s, static_cast<int>(CU_STREAM_CAPTURE_MODE_GLOBAL));
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  OK("cuThreadExchangeStreamCaptureMode", &mode);
  CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
  CUmodule m = nullptr;
  OK("cuModuleLoadData", &m, static_cast<const void*>(d.text.c_str()));
  OK("cuThreadExchangeStreamCaptureMode", &mode);
  CUgraph g = nullptr;
  OK("cuStreamEndCapture", s, &g);
  OK("cuStreamBeginCapture_v2", s, static_cast<int>(CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(d.call("cuModuleLoadData", &m, static_cast<const void*>(d.text.c_str())) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}
