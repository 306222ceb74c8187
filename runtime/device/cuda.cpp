#include "runtime/device/cuda.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/cuda/driver.hpp"
#include "runtime/knobs.hpp"

namespace tine::device {
namespace {

using namespace launch;
namespace drv = tine::cuda;

constexpr int architectures[] = {80, 86, 89, 90, 100, 120};  // what there is code for

// ---- the driver

[[noreturn]] void no_driver(const std::string& file, const drv::OpenFailure& why) {
  if (why.kind == drv::OpenFailure::no_library) fail(Diag::no_driver, {}, {why.text});
  if (why.kind == drv::OpenFailure::no_function) fail(Diag::old_driver, {}, {file, why.text});
  if (why.code == drv::no_device) fail(Diag::no_gpu, {}, {why.text});
  fail(Diag::driver_failed, {}, {why.text});
}

// One for each file, for the process; more than one only in tests.
const drv::Driver& driver() {
  static std::mutex mutex;
  static auto* opened = new std::map<std::string, drv::Driver>;
  const std::string& knob = knobs::get().cuda_library;
  const std::string file = knob.empty() ? drv::library : knob;
  const std::lock_guard lock(mutex);
  if (const auto found = opened->find(file); found != opened->end()) return found->second;
  drv::Driver d;
  drv::OpenFailure why;
  if (!drv::open(file.c_str(), d, why)) no_driver(file, why);
  return opened->emplace(file, d).first->second;
}

std::string code_text(const drv::Driver& d, drv::Result r) {
  const char *name = nullptr, *text = nullptr;
  d.error_name(r, &name);
  d.error_text(r, &text);
  return (name ? std::string(name) : "error " + std::to_string(r)) + (text ? std::string(": ") + text : "");
}

int count_devices(const drv::Driver& d) {
  int n = 0;
  if (const drv::Result r = d.device_count(&n)) fail(Diag::gpu_failed, {}, {"cuda", "cuDeviceGetCount", code_text(d, r)});
  if (n == 0) fail(Diag::no_gpu, {}, {"it counts 0"});
  return n;
}

// ---- a device

class Cuda;

class CudaFunction final : public GpuFunction {
 public:
  CudaFunction(Cuda& device, const Image& image, drv::Function f, int64_t resident)
      : device_(device), image_(image), function_(f), resident_(resident) {}
  void launch(const GpuCall& c) override;

 private:
  Cuda& device_;
  const Image& image_;
  drv::Function function_;
  int64_t resident_;  // blocks that run at once; for kernels that loop over programs
};

struct CudaEvent {
  drv::Event event;
  drv::Context context;
};

// A context made current for a scope; `good` is false if it is gone.
class Pushed {
 public:
  Pushed(const drv::Driver& d, drv::Context c) : good(d.push_context(c) == drv::success), d_(d) {}
  Pushed(const Pushed&) = delete;
  Pushed& operator=(const Pushed&) = delete;
  ~Pushed() {
    drv::Context ignored;
    if (good) d_.pop_context(&ignored);
  }
  const bool good;

 private:
  const drv::Driver& d_;
};

class Cuda final : public Device {
 public:
  Cuda(std::string name, int ordinal, const drv::Driver& d) : d_(d), name_(std::move(name)), ordinal_(ordinal) {}

  const std::string& name() const override { return name_; }

  std::string description() override {
    const int device = std::max(ordinal_, 0);
    char model[256] = "";
    std::size_t bytes = 0;
    check("cuDeviceGetName", d_.device_name(model, sizeof model, device));
    check("cuDeviceTotalMem", d_.device_memory(&bytes, device));
    return std::string(model) + ", sm_" + std::to_string(capability(device)) + ", " +
           std::to_string(attribute(drv::multiprocessors, device)) + " multiprocessors, " +
           std::to_string((bytes + (std::size_t{1} << 29)) >> 30) + " GiB";
  }
  bool reads_host() const override { return false; }
  uint8_t memory_kind() const override { return launch::on_cuda; }
  bool reads(const void* p) override {
    unsigned kind = 0;
    return d_.pointer_attribute(&kind, drv::pointer_memory, reinterpret_cast<drv::Pointer>(p)) == drv::success ||
           attribute(drv::pageable_memory, current_device()) != 0;
  }
  bool uses_line_tables() const override { return false; }
  bool takes_streams_of(const Device& o) const override {
    const auto* other = dynamic_cast<const Cuda*>(&o);
    return other && (other->ordinal_ == ordinal_ || other->ordinal_ < 0 || ordinal_ < 0);
  }

  // The stream's context; else the thread's current one if it is on this device; else the primary one, which is that of
  // the CUDA run time too.
  uint64_t enter(void* stream, bool& entered) override {
    drv::Context now = nullptr, wanted = nullptr;
    check("cuCtxGetCurrent", d_.current_context(&now));
    const bool named = reinterpret_cast<uintptr_t>(stream) > 2;  // 1 and 2 stand for the default streams of any context
    if (named)
      check("cuStreamGetCtx", d_.stream_context(static_cast<drv::Stream>(stream), &wanted));
    else if (now && (ordinal_ < 0 || current_device() == ordinal_))
      wanted = now;
    else
      wanted = primary();
    const uint64_t place = number_of(wanted);
    if (wanted == now) return place;
    check("cuCtxPushCurrent", d_.push_context(wanted));
    entered = true;
    if (named && ordinal_ >= 0 && current_device() != ordinal_) {
      leave();
      entered = false;
      fail(Diag::stream_of_other_gpu, {}, {name_});
    }
    return place;
  }
  void leave() noexcept override {
    drv::Context ignored;
    d_.pop_context(&ignored);
  }

  std::string target() override {
    const int device = current_device(), has = capability(device);
    const int best = drv::architecture_for(has, architectures, std::size(architectures));
    if (!best) fail(Diag::gpu_too_old, {}, {name_, std::to_string(has), std::to_string(architectures[0])});
    return "nvptx:sm_" + std::to_string(best);
  }

  GpuFunction& load(const TracedKernel& k, const Image& image) override {
    drv::Context now = nullptr;
    check("cuCtxGetCurrent", d_.current_context(&now));
    const std::lock_guard lock(mutex_);
    std::unique_ptr<CudaFunction>& f = functions_[{&image, number_of(now)}];
    if (!f) f = make_function(k, image);
    return *f;
  }

  void* allocate(std::size_t bytes) override {
    drv::Pointer p = 0;
    const drv::Result r = d_.allocate(&p, std::max<std::size_t>(bytes, 1));
    if (r != drv::out_of_memory) check("cuMemAlloc", r);
    if (p) return reinterpret_cast<void*>(p);
    std::size_t left = 0, all = 0;
    check("cuMemGetInfo", d_.free_memory(&left, &all));
    fail(Diag::device_memory, {},
         {name_, std::to_string(bytes), std::to_string(left) + " of " + std::to_string(all) + " bytes are free"});
  }
  void free(void* p) noexcept override {
    drv::Context owner = nullptr;
    if (!p || d_.pointer_attribute(&owner, drv::pointer_context, address(p)) != drv::success) return;
    if (const Pushed in(d_, owner); in.good) d_.free(address(p));
  }
  void copy(Copy way, void* to, const void* from, std::size_t bytes, void* stream) override {
    const auto s = static_cast<drv::Stream>(stream);
    if (way == Copy::to_device)
      check("cuMemcpyHtoD", s ? d_.to_device_async(address(to), from, bytes, s) : d_.to_device(address(to), from, bytes));
    if (way == Copy::to_host)
      check("cuMemcpyDtoH", s ? d_.to_host_async(to, address(from), bytes, s) : d_.to_host(to, address(from), bytes));
    if (way == Copy::on_device)
      check("cuMemcpyDtoD", s ? d_.on_device_async(address(to), address(from), bytes, s)
                              : d_.on_device(address(to), address(from), bytes));
  }
  void fill(void* to, uint8_t value, std::size_t bytes, void* stream) override {
    const auto s = static_cast<drv::Stream>(stream);
    check("cuMemsetD8", s ? d_.fill_async(address(to), value, bytes, s) : d_.fill(address(to), value, bytes));
  }
  void synchronize() override { check("cuCtxSynchronize", d_.synchronize()); }

  void* create_stream() override {
    drv::Stream s = nullptr;
    check("cuStreamCreate", d_.create_stream(&s, 0));
    return s;
  }
  void destroy_stream(void* p) noexcept override {
    const auto s = static_cast<drv::Stream>(p);
    drv::Context owner = nullptr;
    if (d_.stream_context(s, &owner) != drv::success) return;
    if (const Pushed in(d_, owner); in.good) d_.destroy_stream(s);
  }
  void synchronize_stream(void* s) override {
    check("cuStreamSynchronize", d_.synchronize_stream(static_cast<drv::Stream>(s)));
  }
  void* create_event() override {
    auto e = std::make_unique<CudaEvent>();
    check("cuCtxGetCurrent", d_.current_context(&e->context));
    check("cuEventCreate", d_.create_event(&e->event, 0));
    return e.release();
  }
  void destroy_event(void* p) noexcept override {
    const std::unique_ptr<CudaEvent> e(static_cast<CudaEvent*>(p));
    if (const Pushed in(d_, e->context); in.good) d_.destroy_event(e->event);
  }
  void record(void* e, void* s) override {
    check("cuEventRecord", d_.record_event(event(e), static_cast<drv::Stream>(s)));
  }
  void wait(void* s, void* e) override {
    check("cuStreamWaitEvent", d_.wait_event(static_cast<drv::Stream>(s), event(e), 0));
  }
  void synchronize_event(void* e) override {
    const Pushed in(d_, static_cast<CudaEvent*>(e)->context);
    check("cuEventSynchronize", d_.synchronize_event(event(e)));
  }
  float milliseconds(void* begin, void* end) override {
    float ms = 0;
    const Pushed in(d_, static_cast<CudaEvent*>(begin)->context);
    check("cuEventElapsedTime", d_.elapsed(&ms, event(begin), event(end)));
    return ms;
  }

  // Throws what a driver's function has said.
  void check(const char* function, drv::Result r) const {
    if (r == drv::success) [[likely]] return;
    if (drv::is_sticky(r)) fail(Diag::sick_context, {}, {name_, code_text(d_, r)});
    fail(Diag::gpu_failed, {}, {name_, function, code_text(d_, r)});
  }
  const drv::Driver& driver() const { return d_; }

 private:
  static drv::Pointer address(const void* p) { return reinterpret_cast<drv::Pointer>(p); }
  static drv::Event event(void* e) { return static_cast<CudaEvent*>(e)->event; }

  int attribute(int which, int device) const {
    int value = 0;
    check("cuDeviceGetAttribute", d_.device_attribute(&value, which, device));
    return value;
  }
  int capability(int device) const {
    return 10 * attribute(drv::compute_major, device) + attribute(drv::compute_minor, device);
  }
  int current_device() const {
    int device = 0;
    check("cuCtxGetDevice", d_.current_device(&device));
    return device;
  }

  uint64_t number_of(drv::Context c) const {
    unsigned long long id = reinterpret_cast<uintptr_t>(c);  // of old drivers: an address, which may come again
    if (d_.context_id) check("cuCtxGetId", d_.context_id(c, &id));
    return id;
  }

  // Kept until the process ends: loaded code lives in it. When somebody resets the device it is another one.
  drv::Context primary() {
    const Primary* known = primary_.load(std::memory_order_acquire);
    unsigned long long id = 0;
    if (known && (!d_.context_id || (d_.context_id(known->context, &id) == drv::success && id == known->number)))
      return known->context;
    const std::lock_guard lock(mutex_);
    if (const Primary* other = primary_.load(std::memory_order_acquire); other != known) return other->context;
    Primary made;
    check("cuDevicePrimaryCtxRetain", d_.retain_primary(&made.context, std::max(ordinal_, 0)));
    made.number = number_of(made.context);
    primaries_.push_back(made);  // other threads may be reading the one before
    primary_.store(&primaries_.back(), std::memory_order_release);
    return made.context;
  }

  std::unique_ptr<CudaFunction> make_function(const TracedKernel& k, const Image& image) {
    const tine_gpu_artefact& h = image.header;
    const int device = current_device(), has = capability(device), arch = static_cast<int>(h.arch);
    if (h.code == TINE_GPU_CUBIN ? !drv::runs_machine_code(arch, has) : arch > has)
      fail(Diag::wrong_architecture, {}, {k.name(), std::to_string(arch), name_});
    const int64_t shared = int64_t{h.dynamic_shared} + h.static_shared;
    if (const int most = attribute(drv::shared_per_block, device); shared > most)
      fail(Diag::too_much_shared, {}, {k.name(), std::to_string(shared), name_, std::to_string(most)});

    char log[2048] = "";
    int keys[] = {drv::error_log, drv::error_log_bytes};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    drv::Module module = nullptr;
    // While a stream of this thread is captured, loading code is refused unless the thread says that it knows.
    int mode = drv::capture_relaxed;
    check("cuThreadExchangeStreamCaptureMode", d_.exchange_capture_mode(&mode));
    const drv::Result loaded = d_.load_module(&module, image.code(), 2, keys, values);
    d_.exchange_capture_mode(&mode);
    if (loaded == drv::unsupported_ptx) fail(Diag::driver_too_old_for_ptx, {}, {k.name(), name_, code_text(d_, loaded)});
    if (loaded == drv::invalid_image || loaded == drv::no_binary || loaded == drv::invalid_ptx)
      fail(Diag::load_failed, {}, {k.name(), code_text(d_, loaded) + (*log ? std::string("; ") + log : "")});
    check("cuModuleLoadDataEx", loaded);
    drv::Function f = nullptr;
    check("cuModuleGetFunction", d_.get_function(&f, module, h.entry));
    constexpr int64_t without_asking = 48 << 10;
    if (shared > without_asking)
      check("cuFuncSetAttribute",
            d_.set_function_attribute(f, drv::max_dynamic_shared, static_cast<int>(h.dynamic_shared)));
    int64_t resident = 0;
    if (h.flags & TINE_GPU_PERSISTENT) {
      int blocks = 0;
      check("cuOccupancyMaxActiveBlocksPerMultiprocessor",
            d_.blocks_per_multiprocessor(&blocks, f, static_cast<int>(h.threads), h.dynamic_shared));
      resident = int64_t{blocks} * attribute(drv::multiprocessors, device);
    }
    return std::make_unique<CudaFunction>(*this, image, f, resident);
  }

  const drv::Driver& d_;
  const std::string name_;
  const int ordinal_;
  struct Primary {
    drv::Context context = nullptr;
    uint64_t number = 0;
  };
  std::deque<Primary> primaries_;
  std::atomic<const Primary*> primary_{nullptr};  // the last of them
  std::mutex mutex_;
  std::map<std::pair<const Image*, uint64_t>, std::unique_ptr<CudaFunction>> functions_;
};

void CudaFunction::launch(const GpuCall& c) {
  const Grid grid = grid_of(image_.header, c.programs, resident_);
  device_.check("cuLaunchKernel", device_.driver().launch(function_, grid.x, grid.y, 1, image_.header.threads, 1, 1,
                                                          image_.header.dynamic_shared, static_cast<drv::Stream>(c.stream),
                                                          const_cast<void**>(c.parameters), nullptr));
}

}  // namespace

std::unique_ptr<launch::Device> make_cuda(const std::string& name, int ordinal) {
  const drv::Driver& d = driver();
  const int count = count_devices(d);
  if (ordinal >= count) fail(Diag::no_such_gpu, {}, {name, std::to_string(count), std::to_string(count - 1)});
  return std::make_unique<Cuda>(name, ordinal, d);
}

int count_cuda_devices() { return count_devices(driver()); }

std::string cuda_driver_text() {
  const drv::Driver& d = driver();
  int version = 0;
  if (const drv::Result r = d.driver_version(&version))
    fail(Diag::gpu_failed, {}, {"cuda", "cuDriverGetVersion", code_text(d, r)});
  return "NVIDIA driver for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace tine::device
