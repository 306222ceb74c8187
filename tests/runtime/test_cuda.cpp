// The `cuda` devices on the stand-in for NVIDIA's driver (runtime/emulator/driver): contexts, loading, streams, capture, and
// what happens when each of the driver's functions fails. The code is PTX written by hand (standin/gpu).
#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "environment.hpp"
#include "errors.hpp"
#include "graphs.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/device/cuda.hpp"
#include "runtime/device/devices.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/kernel.hpp"
#include "tine/stand_in/cuda.h"
#include "tine/tine.hpp"

using namespace tine;
using namespace tine::test;
using graph::DType;

namespace cuda_test {

struct Target {  // the stand-in compiler's code for it says what it was compiled for
  static constexpr auto names = tine::names("x");
  auto arrangement(Tensor<int32_t, 2> x) const { return std::tuple{x.tile({whole, whole})}; }
  void application(auto x) const { x = 0; }
};

}  // namespace cuda_test

using cuda_test::Target;

namespace {

// The driver of a fresh process with two devices of sm_89, seen from the side.
class StandIn {
 public:
  StandIn() {
    library_ = dlopen(TINE_STAND_IN_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    call<void>("tineStandInReset");
    set("devices", 2);
    jit::forget_code();
    CHECK(call("cuInit", 0u) == 0);
  }
  template <class R = int, class... A>
  R call(const char* name, A... a) {
    return reinterpret_cast<R (*)(A...)>(dlsym(library_, name))(a...);
  }
  void set(const char* what, unsigned long long value) { CHECK(call("tineStandInSet", what, value) == 0); }
  void fail(const char* function, int code, unsigned nth = 1) { call("tineStandInFail", function, nth, code); }
  void heal() { call("tineStandInFail", static_cast<const char*>(nullptr), 0u, 0); }

  CUcontext current() {
    CUcontext c = nullptr;
    call("cuCtxGetCurrent", &c);
    return c;
  }
  CUcontext primary(int device) {  // keeps a reference of its own, as the CUDA run time does
    CUcontext c = nullptr;
    CHECK(call("cuDevicePrimaryCtxRetain", &c, device) == 0);
    return c;
  }
  CUcontext owner(const void* p) {
    CUcontext c = nullptr;
    call("cuPointerGetAttribute", static_cast<void*>(&c), 1, reinterpret_cast<CUdeviceptr>(p));
    return c;
  }

 private:
  const Environment environment_{{{"TINE_CUDA_LIBRARY", TINE_STAND_IN_DRIVER}, {"TINE_CACHE", "off"}}};
  void* library_;
};

jit::Kernel on(const char* device, graph::Graph g) {
  jit::Kernel k([g = std::move(g)](const jit::Config&) { return g; });
  k.set_device(device);
  return k;
}
jit::Kernel plain(const char* name, const char* device = "cuda") { return on(device, plain_graph(name, 1, DType::i32)); }

void call(const jit::Kernel& k, const std::vector<TestTensor>& tensors, void* stream = nullptr) {
  std::vector<Argument> arguments;
  for (const TestTensor& t : tensors) arguments.push_back(t.argument());
  k.checked_call(arguments, stream);
}

// Three vectors on a device, and c = a + b.
struct Vectors {
  explicit Vectors(const Device& d, std::size_t n = 10) : a(d, n), b(d, n), c(d, n), host(n) {
    std::iota(host.begin(), host.end(), 1.0f);
    a.write(host.data());
    b.write(host.data());
  }
  void add(const jit::Kernel& k, void* stream = nullptr) const {
    const auto n = static_cast<int64_t>(host.size());
    call(k, {{a.data(), DType::f32, {n}}, {b.data(), DType::f32, {n}}, {c.data(), DType::f32, {n}}}, stream);
  }
  bool right() const {
    std::vector<float> back(host.size());
    c.read(back.data());
    for (std::size_t i = 0; i < host.size(); ++i)
      if (back[i] != 2 * host[i]) return false;
    return true;
  }
  DeviceArray<float> a, b, c;
  std::vector<float> host;
};

int32_t target_of(const char* device) {
  const DeviceArray<int32_t> out(Device{device}, 4);
  call(plain("Target", device), {{out.data(), DType::i32, {2, 2}}});
  int32_t back[4];
  out.read(back);
  return back[0];
}

}  // namespace

TEST_CASE("a kernel on a CUDA device", "[cuda]") {
  StandIn driver;
  const Device device("cuda");
  CHECK_FALSE(device.reads_host());
  const jit::Kernel k = on("cuda", add_graph());
  CHECK(k.request().options == "");
  const Vectors v(device, 1000);
  v.add(k);
  CHECK(v.right());
  const Stream stream(device);
  const Vectors w(device, 17);
  const Event begin(device), end(device);
  begin.record(stream);
  w.a.write(w.host.data(), stream);
  w.add(k, stream.handle());
  end.record(stream);
  Stream other(device);
  other.wait(end);
  other = Stream(device);
  end.synchronize();
  CHECK(end.milliseconds_since(begin) >= 0);
  std::vector<float> back(17);
  w.c.read(back.data(), stream);
  stream.synchronize();
  CHECK(back[16] == 34);
  CHECK(w.right());
  device.fill(w.c.data(), 0, 8);
  device.fill(w.c.data() + 2, 0, 4, stream);
  device.on_device(w.c.data() + 3, w.a.data(), 4);
  device.on_device(w.c.data() + 4, w.a.data() + 1, 4, stream);
  device.synchronize();
  w.c.read(back.data());
  CHECK((back[0] == 0 && back[2] == 0 && back[3] == 1 && back[4] == 2 && back[5] == 12));
}

TEST_CASE("the context: the caller's, else the primary one; what was current is so again", "[cuda]") {
  StandIn driver;
  const jit::Kernel any = on("cuda", add_graph()), first = on("cuda:0", add_graph()), second = on("cuda:1", add_graph());
  // None is current.
  {
    const Vectors v{Device("cuda")};
    CHECK(driver.owner(v.a.data()) == driver.primary(0));
    v.add(any);
    CHECK(driver.current() == nullptr);
    CHECK(v.right());
  }
  CUcontext own = nullptr;
  CHECK(driver.call("cuCtxCreate_v2", &own, 0u, 1) == 0);
  {  // The caller's own, on the second device.
    const Vectors v{Device("cuda")}, w{Device("cuda:1")};
    CHECK(driver.owner(v.a.data()) == own);
    CHECK(driver.owner(w.a.data()) == own);
    v.add(any);
    w.add(second);
    CHECK((v.right() && w.right()));
    CHECK(driver.current() == own);
    // A device that the current context is not of.
    const Vectors x{Device("cuda:0")};
    CHECK(driver.owner(x.a.data()) == driver.primary(0));
    x.add(first);
    CHECK(x.right());
    CHECK(driver.current() == own);
    // A stream brings its context with it.
    const Stream stream(Device("cuda:0"));
    x.add(any, stream.handle());
    CHECK(driver.current() == own);
    Caught e = caught([&] { w.add(second, stream.handle()); });
    CHECK(e.message == "the stream belongs to another GPU than `cuda:1`");
    CHECK(driver.current() == own);
  }  // and all of it is freed in its own context
  std::size_t left = 0, all = 0;
  CHECK(driver.call("cuMemGetInfo_v2", &left, &all) == 0);
  CHECK(left == all);
  CHECK(driver.call("cuCtxDestroy_v2", own) == 0);
}

TEST_CASE("memory of the CUDA run time's context is ours too", "[cuda]") {
  StandIn driver;
  const CUcontext primary = driver.primary(0);
  CHECK(driver.call("cuCtxSetCurrent", primary) == 0);
  CUdeviceptr p = 0;
  CHECK(driver.call("cuMemAlloc_v2", &p, std::size_t{16}) == 0);
  const jit::Kernel k = plain("Target");
  call(k, {{reinterpret_cast<void*>(p), DType::i32, {2, 2}}});
  int32_t back[2] = {};
  CHECK(driver.call("cuMemcpyDtoH_v2", static_cast<void*>(back), p, std::size_t{8}) == 0);
  CHECK(back[0] == 89);
  CHECK(driver.current() == primary);
  driver.call("cuCtxSetCurrent", CUcontext{});
}

TEST_CASE("code is loaded once for each context, when it is first needed there", "[cuda]") {
  StandIn driver;
  const jit::Kernel k = on("cuda", add_graph());
  const Vectors v{Device("cuda")};
  v.add(k);
  driver.fail("cuModuleLoadDataEx", CUDA_ERROR_UNKNOWN);
  v.add(k);
  const jit::Kernel same = k, again = on("cuda", add_graph());
  v.add(same);
  v.add(again);
  CUcontext own = nullptr;
  CHECK(driver.call("cuCtxCreate_v2", &own, 0u, 0) == 0);
  {
    const Vectors w{Device("cuda")};
    CHECK(caught([&] { w.add(k); }).message == "`cuda`: cuModuleLoadDataEx failed (CUDA_ERROR_UNKNOWN: unknown error)");
    w.add(k);  // tries anew
    CHECK(w.right());
  }
  CHECK(driver.call("cuCtxDestroy_v2", own) == 0);
  v.add(k);
  CHECK(v.right());
}

TEST_CASE("after the device was reset, code is loaded anew", "[cuda]") {
  StandIn driver;
  const jit::Kernel k = on("cuda", add_graph());
  for (int round = 0; round < 3; ++round) {
    const Vectors v{Device("cuda")};
    v.add(k);
    CHECK(v.right());
    CHECK(driver.call("cuDevicePrimaryCtxReset_v2", 0) == 0);
  }
}

TEST_CASE("a stream may be captured while code is loaded; the graph runs it", "[cuda]") {
  StandIn driver;
  const Device device("cuda");
  const Vectors v(device);
  const jit::Kernel k = on("cuda", add_graph());
  const Stream stream(device);
  const CUcontext primary = driver.primary(0);
  driver.call("cuCtxPushCurrent_v2", primary);
  const auto s = static_cast<CUstream>(stream.handle());
  CHECK(driver.call("cuStreamBeginCapture_v2", s, int{CU_STREAM_CAPTURE_MODE_GLOBAL}) == 0);
  v.add(k, s);  // the first call: compiles and loads
  v.add(k, s);
  CUgraph graph = nullptr;
  CHECK(driver.call("cuStreamEndCapture", s, &graph) == 0);
  std::size_t nodes = 0;
  CHECK(driver.call("cuGraphGetNodes", graph, static_cast<void**>(nullptr), &nodes) == 0);
  CHECK(nodes == 2);
  CHECK_FALSE(v.right());
  CUgraphExec exec = nullptr;
  CHECK(driver.call("cuGraphInstantiateWithFlags", &exec, graph, 0ull) == 0);
  CHECK(driver.call("cuGraphLaunch", exec, s) == 0);
  CHECK(v.right());
  CUcontext popped = nullptr;
  driver.call("cuCtxPopCurrent_v2", &popped);
}

TEST_CASE("blocks with more shared memory than functions have by themselves; kernels that loop over programs", "[cuda]") {
  StandIn driver;
  const Device device("cuda");
  const DeviceArray<int32_t> out(device, 10000);
  std::vector<int32_t> back(10000);
  device.fill(out.data(), 0, 40000);
  call(plain("Shared"), {{out.data(), DType::i32, {2, 2}}});
  out.read(back.data());
  CHECK(back[0] == 65536);
  device.fill(out.data(), 0, 40000);
  call(on("cuda", count_graph()), {{out.data(), DType::i32, {10000}}});  // more programs than blocks at once
  out.read(back.data());
  CHECK(back == std::vector<int32_t>(10000, 1));
}

TEST_CASE("what a device is compiled for", "[cuda]") {
  StandIn driver;
  const std::pair<int, int> expected[] = {{80, 80}, {86, 86}, {87, 86}, {89, 89}, {90, 90}, {100, 100}, {103, 100}, {120, 120}, {121, 120}};
  for (const auto& [capability, target] : expected) {
    driver.set("capability", static_cast<unsigned long long>(capability));
    CHECK(plain("Target").request().target == "nvptx:sm_" + std::to_string(target));
  }
  driver.set("capability", 89);
  CHECK(target_of("cuda:1") == 89);
  CHECK(device::find("cuda:1")->description() == "Tine PTX machine, sm_89, 132 multiprocessors, 8 GiB");
  CHECK(device::find("cuda")->description() == "Tine PTX machine, sm_89, 132 multiprocessors, 8 GiB");
  CHECK(device::count_cuda_devices() == 2);
  CHECK(device::cuda_driver_text() == "NVIDIA driver for CUDA 13.0");
  CHECK(cuda::runs_machine_code(80, 86));
  CHECK(cuda::runs_machine_code(86, 86));
  CHECK_FALSE(cuda::runs_machine_code(86, 80));
  CHECK_FALSE(cuda::runs_machine_code(80, 90));
}

TEST_CASE("callables on streams of the same GPU, whatever it is called", "[cuda]") {
  StandIn driver;
  auto k = make(Target{});
  const DeviceArray<int32_t> out(Device("cuda:0"), 4);
  int32_t back[4] = {};
  for (const char* device : {"cuda", "cuda:0"})
    for (const char* stream_of : {"cuda", "cuda:0"}) {
      k.device(device);
      Stream first(Device{stream_of});
      const Stream stream(std::move(first));
      Device("cuda:0").fill(out.data(), 0, 16);
      k.on(stream)(view(out, {2, 2}));
      out.read(back);
      CHECK(back[0] == 89);
    }
  Event begin(Device("cuda")), end(Device("cuda"));
  Event moved(std::move(begin));
  begin = std::move(moved);
  begin.record();
  end.record();
  CHECK(end.milliseconds_since(begin) >= 0);
  k.device("cuda:1");
  CHECK(caught([&] { k.on(Stream(Device("cuda:0")))(view(out, {2, 2})); }).message ==
        "kernel `cuda_test::Target` runs on `cuda:1`, but the stream belongs to `cuda:0`; choose the kernel's device with "
        "`device`");
  k.device("emulated:sm_80");
  CHECK(caught([&] { k.on(Stream(Device("cuda:0")))(view(out, {2, 2})); }).kind == "user");
  k.device("cuda");
  CHECK(caught([&] { k.on(Stream(Device("emulated:sm_80")))(view(out, {2, 2})); }).kind == "user");
}

TEST_CASE("no driver, no device, a wrong one", "[cuda][errors]") {
  const auto opening = [](const std::string& file) {
    const Environment env({{"TINE_CUDA_LIBRARY", file}});
    return caught([] { device::count_cuda_devices(); });
  };
  Caught e = opening("/nowhere/libcuda.so.1");
  CHECK(e.kind == "runtime");
  CHECK(e.message.find("the library of NVIDIA's driver could not be opened (/nowhere/libcuda.so.1: ") == 0);
  CHECK(e.message.find("); install the driver (then `nvidia-smi` lists the GPU) or set `TINE_CUDA_LIBRARY` to the "
                       "library's file; without a GPU, `emulated:sm_80` runs the same code") != std::string::npos);
  const std::string none = std::string(STANDIN_ARTEFACTS) + "/Add.so";
  CHECK(opening(none).message == "`" + none + "` has no function `cuInit`: it is no library of NVIDIA's driver, or one "
                                 "from before CUDA 11; install a newer driver");
  StandIn driver;
  const TemporaryFolder folder;  // a name of its own for each try
  int tries = 0;
  const auto starting = [&] {
    const std::string file = folder.path() + "/libcuda" + std::to_string(tries++) + ".so";
    std::filesystem::create_symlink(TINE_STAND_IN_DRIVER, file);
    return opening(file).message;
  };
  driver.fail("cuInit", CUDA_ERROR_UNKNOWN);
  CHECK(starting() == "NVIDIA's driver does not start (CUDA_ERROR_UNKNOWN); `nvidia-smi` may say more");
  driver.set("devices", 0);
  const std::string no_gpu = starting();
  CHECK(no_gpu.find("NVIDIA's driver finds no GPU (CUDA_ERROR_NO_DEVICE); `nvidia-smi` should list one") == 0);
  CHECK(caught([] { device::count_cuda_devices(); }).message.find("NVIDIA's driver finds no GPU (it counts 0)") == 0);
  driver.set("devices", 2);
  CHECK(starting() == "");
  CHECK(caught([] { Device("cuda:2"); }).message ==
        "there is no device `cuda:2`: NVIDIA's driver has 2, of which the last is `cuda:1`");
  for (const char* name : {"cuda:", "cuda:x", "cuda:-1", "cuda:99999", "cudax", "hip"})
    CHECK(caught([&] { Device{name}; }).message.find("device `" + std::string(name) + "` is unknown; there are `cpu`, "
                                                     "`cuda`, `cuda:0`, `emulated:sm_80`") == 0);
  driver.set("capability", 75);
  CHECK(caught([] { plain("Target").request(); }).message ==
        "`cuda` is of sm_75, but kernels are compiled for sm_80 and later");
}

TEST_CASE("code that a device does not take", "[cuda][errors]") {
  StandIn driver;
  const DeviceArray<int32_t> out(Device("cuda"), 4);
  const auto failure = [&](const char* name) {
    const jit::Kernel k = plain(name);
    return caught([&] { call(k, {{out.data(), DType::i32, {2, 2}}}); }).message;
  };
  CHECK(failure("TooNew") == "kernel `TooNew` was compiled for sm_120, which `cuda` does not run");
  CHECK(failure("MachineCode").find("the code of kernel `MachineCode` could not be loaded (CUDA_ERROR_NO_BINARY_FOR_GPU") == 0);
  const std::string refused = failure("Refused");
  CHECK(refused.find("the code of kernel `Refused` could not be loaded (CUDA_ERROR_INVALID_PTX: a PTX JIT compilation "
                     "failed; module:13: ") == 0);
  CHECK(failure("TooMuchShared") ==
        "kernel `TooMuchShared` needs 1048576 bytes of shared memory for each block, but `cuda` has 232448");
  driver.fail("cuModuleLoadDataEx", CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(failure("Target").find("the driver of `cuda` does not know the version of PTX that kernel `Target` is in "
                               "(CUDA_ERROR_UNSUPPORTED_PTX_VERSION: ") == 0);
  CHECK(failure("Target") == "");
}

TEST_CASE("memory: none left, and the host's", "[cuda][errors]") {
  StandIn driver;
  driver.set("memory", 1000);
  const Device device("cuda");
  const DeviceArray<int32_t> some(device, 100);
  CHECK(caught([&] { device.allocate(700); }).message ==
        "`cuda` has no 700 bytes of memory left (600 of 1000 bytes are free)");
  int32_t host[4] = {};
  const jit::Kernel k = plain("Target");
  CHECK(caught([&] { call(k, {{host, DType::i32, {2, 2}}}); }).message ==
        "kernel `Target`: the data of parameter `a` lies on the host, but the kernel runs on `cuda`; copy it there, or "
        "run the kernel where it lies (`device`)");
  driver.set("reads_host", 1);  // as devices that share their tables of pages with the processor
  CHECK(caught([&] { call(k, {{host, DType::i32, {2, 2}}}); }).kind == "");  // (the machine finds fault later)
}

TEST_CASE("a kernel that fails spoils its context, and every later call says so", "[cuda][errors]") {
  StandIn driver;
  const Device device("cuda");
  const DeviceArray<int32_t> out(device, 4);
  call(plain("Overrun"), {{out.data(), DType::i32, {2, 2}}});  // launches are asynchronous: nothing shows yet
  const std::string sick =
      "an earlier kernel on `cuda` has failed (CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered), "
      "and nothing runs in its context any more: start the process anew; `synchronize` after each call shows which "
      "kernel it was, and on `emulated:sm_80` it is told what it did";
  Caught e = caught([&] { device.synchronize(); });
  CHECK(e.kind == "runtime");
  CHECK(e.message == sick);
  CHECK(caught([&] { call(plain("Target"), {{out.data(), DType::i32, {2, 2}}}); }).message == sick);
  CHECK(caught([&] { device.allocate(4); }).message == sick);
  CHECK(driver.call("cuDevicePrimaryCtxReset_v2", 0) == 0);
  CHECK(target_of("cuda") == 89);
}

TEST_CASE("which of the driver's errors spoil a context", "[cuda][errors]") {
  StandIn driver;
  const Device device("cuda");
  const auto message = [&](int code) {
    driver.fail("cuCtxSynchronize", code);
    return caught([&] { device.synchronize(); }).message;
  };
  for (int code : {214, 220, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721})  // as CUDA's manual says of each
    CHECK(message(code).find("an earlier kernel on `cuda` has failed (") == 0);
  for (int code : {1, 2, 101, 201, 400, 600, 701, 720, 999}) CHECK(message(code).find("an earlier kernel") == std::string::npos);
  CHECK(message(12345).find("error 12345") != std::string::npos);  // a number that the driver has no name for
  CHECK(message(CUDA_SUCCESS) == "");
}

TEST_CASE("each of the driver's functions fails once: the error names it, and then all is well", "[cuda][errors]") {
  StandIn driver;
  CUcontext other = nullptr;  // so that contexts are pushed
  CHECK(driver.call("cuCtxCreate_v2", &other, 0u, 1) == 0);
  const auto everything = [&] {
    jit::forget_code();
    device::count_cuda_devices();
    device::cuda_driver_text();
    device::find("cuda:0")->description();
    const Device device("cuda:0");
    const Vectors v(device);
    const Stream stream(device);
    const Event begin(device), end(device);
    begin.record();
    v.add(on("cuda:0", add_graph()));
    v.a.write(v.host.data(), stream);
    v.add(on("cuda:0", add_graph()), stream.handle());
    end.record(stream);
    stream.wait(begin);
    end.synchronize();
    end.milliseconds_since(begin);
    device.on_device(v.a.data(), v.b.data(), 4);
    device.on_device(v.a.data(), v.b.data(), 4, stream);
    device.fill(v.c.data(), 1, 4);
    device.fill(v.c.data(), 1, 4, stream);
    std::vector<float> back(v.host.size());
    v.c.read(back.data(), stream);
    stream.synchronize();
    v.c.read(back.data());
    const DeviceArray<int32_t> out(device, 10000);
    device.fill(out.data(), 0, 40000);
    call(plain("Shared", "cuda:0"), {{out.data(), DType::i32, {2, 2}}});
    call(on("cuda:0", count_graph()), {{out.data(), DType::i32, {10000}}});
    device.synchronize();
  };
  CHECK(caught(everything).message == "");
  // In functions that cannot throw, or where the failure is an answer.
  const auto silent = [](const std::string& symbol) {
    for (const char* s : {"cuInit", "cuGetErrorName", "cuGetErrorString", "cuCtxPopCurrent_v2", "cuMemFree_v2", "cuStreamDestroy_v2",
                          "cuEventDestroy_v2", "cuMemGetInfo_v2", "cuPointerGetAttribute", "cuDevicePrimaryCtxRetain"})
      if (symbol == s) return true;
    return false;
  };
  const char* symbols[] = {
#define X(function, symbol, parameters) symbol,
      TINE_CUDA_FUNCTIONS(X)
#undef X
      "cuCtxGetId"};
  for (const std::string symbol : symbols) {
    if (silent(symbol)) continue;
    INFO(symbol);
    // A primary context that does not know its number is taken anew: that one fails whenever it is called.
    driver.fail(symbol.c_str(), CUDA_ERROR_UNKNOWN, symbol == "cuCtxGetId" ? 0 : 1);
    const Caught e = caught(everything);
    std::string named = symbol;
    if (named.ends_with("_v2")) named.resize(named.size() - 3);
    CHECK(e.kind == "runtime");
    CHECK((e.message == "`cuda:0`: " + named + " failed (CUDA_ERROR_UNKNOWN: unknown error)" ||
           e.message == "`cuda:0`: " + named.substr(0, named.find("Async")) + " failed (CUDA_ERROR_UNKNOWN: unknown error)" ||
           e.message == "`cuda`: " + named + " failed (CUDA_ERROR_UNKNOWN: unknown error)"));
    driver.heal();
    CHECK(driver.current() == other);
    CHECK(caught(everything).message == "");
  }
  driver.fail("cuDevicePrimaryCtxRetain", CUDA_ERROR_UNKNOWN);
  CHECK(driver.call("cuDevicePrimaryCtxReset_v2", 0) == 0);
  CHECK(caught(everything).message == "`cuda:0`: cuDevicePrimaryCtxRetain failed (CUDA_ERROR_UNKNOWN: unknown error)");
  CHECK(caught(everything).message == "");
  driver.set("memory", 1000);
  driver.fail("cuMemGetInfo_v2", CUDA_ERROR_UNKNOWN);
  CHECK(caught([] { Device("cuda:0").allocate(2000); }).message ==
        "`cuda:0`: cuMemGetInfo failed (CUDA_ERROR_UNKNOWN: unknown error)");
  CHECK(driver.call("cuCtxDestroy_v2", other) == 0);
}
