#include "runtime/aot/cuda.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include "runtime/aot/message.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/launch/device.hpp"
#include "runtime/launch/mutex.hpp"

namespace tine::aot {

namespace drv = tine::cuda;

struct GpuCode {
  GpuCode* next = nullptr;
  uint32_t code = 0;
  uint64_t place = 0;
  tine_gpu_artefact header{};
  drv::Function function = nullptr;
  int64_t resident = 0;  // blocks that run at once; for kernels that loop over programs
};

namespace {

std::atomic<const drv::Driver*> opened{nullptr};
launch::Mutex opening;

constexpr const char* device_name = "cuda";

// The driver; null with a message. A failure is not kept: what is missing may be there at the next call.
const drv::Driver* driver() {
  if (const drv::Driver* d = opened.load(std::memory_order_acquire)) return d;
  std::lock_guard lock(opening);
  if (const drv::Driver* d = opened.load(std::memory_order_relaxed)) return d;
  const char* named = std::getenv("TINE_CUDA_LIBRARY");  // as in runtime/knobs.hpp
  const char* file = named && *named ? named : drv::library;
  static drv::Driver made;
  drv::OpenFailure why;
  if (drv::open(file, made, why)) {
    opened.store(&made, std::memory_order_release);
    return &made;
  }
  if (why.kind == drv::OpenFailure::no_library)
    refuse(Diag::no_driver, {why.text});
  else if (why.kind == drv::OpenFailure::no_function)
    refuse(Diag::old_driver, {file, why.text});
  else if (why.code == drv::no_device)
    refuse(Diag::no_gpu, {why.text});
  else
    refuse(Diag::driver_failed, {why.text});
  return nullptr;
}

void add_code(const drv::Driver& d, drv::Result r, Words<512>& out) {
  const char *name = nullptr, *text = nullptr;
  d.error_name(r, &name);
  d.error_text(r, &text);
  if (name)
    out.add(name);
  else
    out.add("error ").add(int64_t{r});
  if (text) out.add(": ").add(text);
}

// Status for what a driver's function has said.
int check(const drv::Driver& d, const char* function, drv::Result r) {
  if (r == drv::success) return TINE_OK;
  Words<512> text;
  add_code(d, r, text);
  if (drv::is_sticky(r)) return refuse(Diag::sick_context, {device_name, text.view()});
  return refuse(Diag::gpu_failed, {device_name, function, text.view()});
}

int attribute(const drv::Driver& d, int which, int device, int& value) {
  return check(d, "cuDeviceGetAttribute", d.device_attribute(&value, which, device));
}

int capability(const drv::Driver& d, int& device, int& value) {
  int major = 0, minor = 0;
  if (const int s = check(d, "cuCtxGetDevice", d.current_device(&device))) return s;
  if (const int s = attribute(d, drv::compute_major, device, major)) return s;
  if (const int s = attribute(d, drv::compute_minor, device, minor)) return s;
  value = 10 * major + minor;
  return TINE_OK;
}

int number_of(const drv::Driver& d, drv::Context c, uint64_t& number) {
  unsigned long long id = reinterpret_cast<uintptr_t>(c);  // of old drivers: an address, which may come again
  const int status = d.context_id ? check(d, "cuCtxGetId", d.context_id(c, &id)) : TINE_OK;
  number = id;
  return status;
}

// Status; on TINE_OK `out` holds the function.
int load(const drv::Driver& d, Base base, const PackedKernel& k, const PackedCode& packed, GpuCode& out) {
  Words<128> kernel;
  kernel.tick(base.text(k.name));
  const char* bytes = reinterpret_cast<const char*>(base.bytes) + packed.at;
  tine_gpu_artefact& h = out.header;
  if (const char* wrong = tine_gpu_artefact_read(bytes, packed.size, &h))
    return refuse(Diag::load_failed, {kernel.view(), wrong});
  int device = 0, has = 0, most = 0;
  if (const int s = capability(d, device, has)) return s;
  const int arch = static_cast<int>(h.arch);
  Words<32> number, limit;
  if (h.code == TINE_GPU_CUBIN ? !drv::runs_machine_code(arch, has) : arch > has)
    return refuse(Diag::wrong_architecture, {kernel.view(), number.add(int64_t{arch}).view(), device_name});
  const int64_t shared = int64_t{h.dynamic_shared} + h.static_shared;
  if (const int s = attribute(d, drv::shared_per_block, device, most)) return s;
  if (shared > most)
    return refuse(Diag::too_much_shared,
                  {kernel.view(), number.add(shared).view(), device_name, limit.add(int64_t{most}).view()});

  char log[1024] = "";
  int keys[] = {drv::error_log, drv::error_log_bytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  drv::Module module = nullptr;
  // While a stream of this thread is captured, loading code is refused unless the thread says that it knows.
  int mode = drv::capture_relaxed;
  if (const int s = check(d, "cuThreadExchangeStreamCaptureMode", d.exchange_capture_mode(&mode))) return s;
  const drv::Result loaded = d.load_module(&module, bytes + h.code_offset, 2, keys, values);
  d.exchange_capture_mode(&mode);
  Words<512> text;
  add_code(d, loaded, text);
  if (loaded == drv::unsupported_ptx)
    return refuse(Diag::driver_too_old_for_ptx, {kernel.view(), device_name, text.view()});
  if (loaded == drv::invalid_image || loaded == drv::no_binary || loaded == drv::invalid_ptx) {
    if (*log) text.add("; ").add(log);
    return refuse(Diag::load_failed, {kernel.view(), text.view()});
  }
  if (const int s = check(d, "cuModuleLoadDataEx", loaded)) return s;
  if (const int s = check(d, "cuModuleGetFunction", d.get_function(&out.function, module, h.entry))) return s;
  constexpr int64_t without_asking = 48 << 10;
  if (shared > without_asking) {
    const drv::Result r =
        d.set_function_attribute(out.function, drv::max_dynamic_shared, static_cast<int>(h.dynamic_shared));
    if (const int s = check(d, "cuFuncSetAttribute", r)) return s;
  }
  if (h.flags & TINE_GPU_PERSISTENT) {
    int blocks = 0, processors = 0;
    const drv::Result r =
        d.blocks_per_multiprocessor(&blocks, out.function, static_cast<int>(h.threads), h.dynamic_shared);
    if (const int s = check(d, "cuOccupancyMaxActiveBlocksPerMultiprocessor", r)) return s;
    if (const int s = attribute(d, drv::multiprocessors, device, processors)) return s;
    out.resident = int64_t{blocks} * processors;
  }
  return TINE_OK;
}

}  // namespace

// The stream's context; else the thread's current one; else the primary one of the first device, which is that of the
// CUDA run time too.
CudaScope::CudaScope(Base, const PackedKernel&, tine_stream stream) {
  const drv::Driver* d = driver();
  if (!d) {
    status = TINE_FAILED;
    return;
  }
  drv::Context now = nullptr, wanted = nullptr;
  if ((status = check(*d, "cuCtxGetCurrent", d->current_context(&now)))) return;
  if (reinterpret_cast<uintptr_t>(stream) > 2) {  // 1 and 2 stand for the default streams of any context
    if ((status = check(*d, "cuStreamGetCtx", d->stream_context(static_cast<drv::Stream>(stream), &wanted)))) return;
  } else if (now) {
    wanted = now;
  } else if ((status = check(*d, "cuDevicePrimaryCtxRetain", d->retain_primary(&wanted, 0)))) {
    return;
  }
  if ((status = number_of(*d, wanted, place)) || wanted == now) return;
  status = check(*d, "cuCtxPushCurrent", d->push_context(wanted));
  pushed_ = status == TINE_OK;
}

CudaScope::~CudaScope() {
  drv::Context ignored;
  if (pushed_) driver()->pop_context(&ignored);
}

int gpu_can_run(Base base, const PackedKernel&, std::span<bool> can_run) {
  int device = 0, has = 0;
  if (const int s = capability(*driver(), device, has)) return s;
  const auto targets = base[base.pack().targets];
  for (std::size_t t = 0; t < targets.size(); ++t)
    if (targets[t].device == device_cuda) can_run[t] = static_cast<int>(targets[t].arch) <= has;
  return TINE_OK;
}

const GpuCode* load_gpu_code(Library& library, const PackedKernel& k, uint32_t code, uint64_t place) {
  std::lock_guard lock(library.loading);
  GpuCode*& first = library.gpu_codes;
  for (GpuCode* known = first; known; known = known->next)
    if (known->code == code && known->place == place) return known;
  void* memory = std::malloc(sizeof(GpuCode));
  if (!memory) {
    refuse_memory("kernel", library.base.text(k.name), "its loaded code");
    return nullptr;
  }
  auto* made = new (memory) GpuCode{};
  made->code = code;
  made->place = place;
  if (load(*driver(), library.base, k, library.base[library.base.pack().codes][code], *made)) {
    std::free(made);
    return nullptr;
  }
  made->next = first;
  first = made;
  return made;
}

int launch_gpu(Base, const PackedKernel&, const GpuCode& code, int64_t programs, void** parameters,
               tine_stream stream) {
  const drv::Driver& d = *driver();
  const launch::Grid grid = launch::grid_of(code.header, programs, code.resident);
  return check(d, "cuLaunchKernel",
               d.launch(code.function, grid.x, grid.y, 1, code.header.threads, 1, 1, code.header.dynamic_shared,
                        static_cast<drv::Stream>(stream), parameters, nullptr));
}

}  // namespace tine::aot
