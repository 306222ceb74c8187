// GPU devices of a host program: memory, streams, events.
//
//   tine::Device gpu("cuda");                      // or "cuda:1", "emulated:sm_80"; throws a RuntimeError with the way out
//   tine::DeviceArray<float> a(gpu, n), c(gpu, n);
//   a.write(host.data());
//   auto add = tine::make(Add<float>{});
//   add.device(gpu.name());
//   tine::Stream stream(gpu);
//   add.on(stream)(a, a, c);                       // returns at once; `add(a, a, c)` uses the default stream
//   stream.synchronize();
//   c.read(result.data());
//
// What is asked for on one stream happens in that order; the default stream of `cuda` waits for the others and they for it
// (the driver's legacy stream). Errors of kernels show at a later call, `synchronize` at the latest, on `cuda`; on
// `emulated` at the call itself. On `emulated`, where work is done when a call returns, kernels also take the host's memory.
//
// `cuda` uses the calling thread's current context if it has one (that of `cuda:1` if it is on that device), else the
// primary context, which is also that of the CUDA run time and of PyTorch. What was current is current again afterwards.
// All of this may be used from any thread; sizes count elements in `DeviceArray`, else bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tine/error.hpp"

namespace tine {

namespace host {
struct Gpu;  // a device in libtine
TINE_API Gpu* find_gpu(const char* name);
TINE_API const char* gpu_name(const Gpu*);
TINE_API bool reads_host(const Gpu*);
TINE_API int memory_of(const Gpu*);
TINE_API void* allocate(Gpu*, std::size_t bytes);
TINE_API void release(Gpu*, void*) noexcept;
TINE_API void to_device(Gpu*, void* to, const void* from, std::size_t bytes, void* stream);
TINE_API void to_host(Gpu*, void* to, const void* from, std::size_t bytes, void* stream);
TINE_API void on_device(Gpu*, void* to, const void* from, std::size_t bytes, void* stream);
TINE_API void fill(Gpu*, void* to, uint8_t value, std::size_t bytes, void* stream);
TINE_API void synchronize(Gpu*);
TINE_API void* create_stream(Gpu*);
TINE_API void destroy_stream(Gpu*, void*) noexcept;
TINE_API void synchronize_stream(Gpu*, void*);
TINE_API void* create_event(Gpu*);
TINE_API void destroy_event(Gpu*, void*) noexcept;
TINE_API void record_event(Gpu*, void* event, void* stream);
TINE_API void wait_event(Gpu*, void* stream, void* event);
TINE_API void synchronize_event(Gpu*, void*);
TINE_API float milliseconds(Gpu*, void* begin, void* end);
}  // namespace host

class Stream;
class Event;

/// A GPU. A value: copies name the same device.
class Device {
 public:
  explicit Device(const char* name) : gpu_(host::find_gpu(name)) {}
  const char* name() const { return host::gpu_name(gpu_); }
  /// Kernels take pointers to the host's memory too.
  bool reads_host() const { return host::reads_host(gpu_); }

  /// At least 256-byte aligned. A RuntimeError where there is no more.
  void* allocate(std::size_t bytes) const { return host::allocate(gpu_, bytes); }
  void free(void* p) const noexcept { host::release(gpu_, p); }

  // Without a stream: on the default one, and the bytes are there when the function returns. With one: in its order, and
  // the host's memory must live until then.
  void to_device(void* to, const void* from, std::size_t bytes) const { host::to_device(gpu_, to, from, bytes, nullptr); }
  void to_host(void* to, const void* from, std::size_t bytes) const { host::to_host(gpu_, to, from, bytes, nullptr); }
  void on_device(void* to, const void* from, std::size_t bytes) const { host::on_device(gpu_, to, from, bytes, nullptr); }
  void fill(void* to, uint8_t value, std::size_t bytes) const { host::fill(gpu_, to, value, bytes, nullptr); }
  inline void to_device(void* to, const void* from, std::size_t bytes, const Stream&) const;
  inline void to_host(void* to, const void* from, std::size_t bytes, const Stream&) const;
  inline void on_device(void* to, const void* from, std::size_t bytes, const Stream&) const;
  inline void fill(void* to, uint8_t value, std::size_t bytes, const Stream&) const;

  /// Waits for everything that was asked of the device; throws what went wrong.
  void synchronize() const { host::synchronize(gpu_); }

  host::Gpu* handle() const { return gpu_; }

 private:
  host::Gpu* gpu_;
};

/// A queue of work. Destroying it does not wait for what is in it.
class Stream {
 public:
  explicit Stream(const Device& d) : gpu_(d.handle()), stream_(host::create_stream(gpu_)), owned_(true) {}
  /// Another's stream (a cudaStream_t or CUstream), which stays theirs. Null: the default stream.
  static Stream borrow(const Device& d, void* stream) { return Stream(d.handle(), stream); }
  Stream(Stream&& o) noexcept
      : gpu_(o.gpu_), stream_(std::exchange(o.stream_, nullptr)), owned_(std::exchange(o.owned_, false)) {}
  Stream& operator=(Stream o) noexcept {
    std::swap(gpu_, o.gpu_), std::swap(stream_, o.stream_), std::swap(owned_, o.owned_);
    return *this;
  }
  ~Stream() {
    if (owned_) host::destroy_stream(gpu_, stream_);
  }

  void synchronize() const { host::synchronize_stream(gpu_, stream_); }
  /// What is asked for from now on happens after what the event has recorded.
  inline void wait(const Event&) const;
  void* handle() const { return stream_; }
  host::Gpu* gpu() const { return gpu_; }

 private:
  Stream(host::Gpu* g, void* stream) : gpu_(g), stream_(stream), owned_(false) {}
  host::Gpu* gpu_;
  void* stream_;
  bool owned_;
};

/// A point in a stream.
class Event {
 public:
  explicit Event(const Device& d) : gpu_(d.handle()), event_(host::create_event(gpu_)) {}
  Event(Event&& o) noexcept : gpu_(o.gpu_), event_(std::exchange(o.event_, nullptr)) {}
  Event& operator=(Event o) noexcept { return std::swap(gpu_, o.gpu_), std::swap(event_, o.event_), *this; }
  ~Event() {
    if (event_) host::destroy_event(gpu_, event_);
  }

  void record(const Stream& s) const { host::record_event(gpu_, event_, s.handle()); }
  void record() const { host::record_event(gpu_, event_, nullptr); }  ///< in the default stream
  void synchronize() const { host::synchronize_event(gpu_, event_); }
  /// From `begin` to this event. Both have been recorded and reached.
  float milliseconds_since(const Event& begin) const { return host::milliseconds(gpu_, begin.event_, event_); }
  void* handle() const { return event_; }

 private:
  host::Gpu* gpu_;
  void* event_;
};

inline void Stream::wait(const Event& e) const { host::wait_event(gpu_, stream_, e.handle()); }
inline void Device::to_device(void* to, const void* from, std::size_t bytes, const Stream& s) const {
  host::to_device(gpu_, to, from, bytes, s.handle());
}
inline void Device::to_host(void* to, const void* from, std::size_t bytes, const Stream& s) const {
  host::to_host(gpu_, to, from, bytes, s.handle());
}
inline void Device::on_device(void* to, const void* from, std::size_t bytes, const Stream& s) const {
  host::on_device(gpu_, to, from, bytes, s.handle());
}
inline void Device::fill(void* to, uint8_t value, std::size_t bytes, const Stream& s) const {
  host::fill(gpu_, to, value, bytes, s.handle());
}

/// Memory of a device for `size` elements, which nobody has written yet. Serves wherever a container does: as an argument
/// of a call, in `tine::view(array, {m, n})`.
template <class T>
class DeviceArray {
 public:
  DeviceArray(const Device& d, std::size_t size)
      : device_(d), data_(static_cast<T*>(d.allocate(size * sizeof(T)))), size_(size) {}
  DeviceArray(DeviceArray&& o) noexcept
      : device_(o.device_), data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  DeviceArray& operator=(DeviceArray o) noexcept {
    std::swap(device_, o.device_), std::swap(data_, o.data_), std::swap(size_, o.size_);
    return *this;
  }
  ~DeviceArray() {
    if (data_) device_.free(data_);
  }

  T* data() const { return data_; }
  /// Where it lies, for views of it: calls check that the kernel runs there.
  int memory() const { return host::memory_of(device_.handle()); }
  std::size_t size() const { return size_; }
  /// All elements, from and to the host; as `Device::to_device` does.
  void write(const T* from) const { device_.to_device(data_, from, size_ * sizeof(T)); }
  void read(T* to) const { device_.to_host(to, data_, size_ * sizeof(T)); }
  void write(const T* from, const Stream& s) const { device_.to_device(data_, from, size_ * sizeof(T), s); }
  void read(T* to, const Stream& s) const { device_.to_host(to, data_, size_ * sizeof(T), s); }

 private:
  Device device_;
  T* data_;
  std::size_t size_;
};

}  // namespace tine
