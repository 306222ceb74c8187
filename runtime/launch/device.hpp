// GPU devices, as the call sees them; runtime/device has those there are. Work on a device may end after the function
// that asked for it has returned: in the order of its stream, and of nothing else.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codegen/abi/gpu_artefact.h"
#include "runtime/launch/traced_kernel.hpp"

namespace tine::launch {

/// One kernel's code for one specialisation, as the compiler made it. Stays until the process ends.
struct Image {
  std::string bytes;
  tine_gpu_artefact header;
  const char* code() const { return bytes.data() + header.code_offset; }
};

/// The memory that a tensor argument covers, in bytes from its base pointer.
struct TensorRange {
  int source = 0;  ///< its slot holds the base pointer
  int64_t lo = 0, hi = 0;
  bool stored = false, loaded = false;
};

/// A call whose slots are filled.
struct GpuCall {
  const TracedKernel& kernel;
  std::span<const int64_t> slots;
  void* const* parameters;  ///< the address of each slot, as drivers take them
  int64_t programs;         ///< at least 1
  std::span<const TensorRange> tensors;
  void* stream;             ///< null: the device's default stream
  int threads;              ///< of the host, where it does the device's work; 0: as many as it has
};

/// Code that is loaded where it shall run. Stays until the process ends.
class GpuFunction {
 public:
  virtual void launch(const GpuCall&) = 0;

 protected:
  ~GpuFunction() = default;
};

/// Blocks of a launch, along x and y.
struct Grid {
  uint32_t x, y;
};
/// One block for each program; for a kernel that loops over programs, no more than can be `resident` at once.
inline Grid grid_of(const tine_gpu_artefact& artefact, int64_t programs, int64_t resident) {
  if (artefact.flags & TINE_GPU_PERSISTENT) programs = std::min(programs, std::max<int64_t>(resident, 1));
  const int64_t x = std::min<int64_t>(programs, INT32_MAX);
  return {static_cast<uint32_t>(x), static_cast<uint32_t>((programs - 1) / x + 1)};
}

/// DLPack's numbers of where memory lies; 0: the caller did not say. The emulated devices, of which DLPack knows nothing, each
/// have a memory of their own: this and the architecture.
inline constexpr uint8_t on_host = 1, on_cuda = 2, on_cuda_host = 3, on_cuda_managed = 13, on_emulated = 128;

class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;
  /// For people: "NVIDIA H200, sm_90".
  virtual std::string description() = 0;
  /// Kernels may be given pointers to the host's memory.
  virtual bool reads_host() const = 0;
  /// Where what it allocates lies, as arguments say it (`Argument::memory`).
  virtual uint8_t memory_kind() const = 0;
  virtual bool takes_streams_of(const Device& o) const { return this == &o; }
  /// Errors of running kernels name lines of the source if the code has line tables.
  virtual bool uses_line_tables() const = 0;

  /// Makes current on this thread what the stream's (else the thread's) work on this device needs, and says where that
  /// is: two calls with the same answer may share loaded code. `entered`: `leave` must restore what was current before.
  virtual uint64_t enter(void* stream, bool& entered) = 0;
  virtual void leave() noexcept = 0;

  // What follows is called between `enter` and `leave`.
  /// Whether kernels can read what this points to, as far as that can be told.
  virtual bool reads(const void*) = 0;
  /// What kernels are compiled for: "nvptx:sm_80".
  virtual std::string target() = 0;
  /// The code, loaded once for each place. Thread-safe.
  virtual GpuFunction& load(const TracedKernel&, const Image&) = 0;

  virtual void* allocate(std::size_t bytes) = 0;  ///< at least 256-byte aligned; never null
  virtual void free(void*) noexcept = 0;          ///< also outside of `enter` and `leave`, as the other `noexcept` ones
  enum class Copy : uint8_t { to_device, to_host, on_device };
  /// In the stream's order; for a null stream the function returns when the bytes are there. At least one byte.
  virtual void copy(Copy, void* to, const void* from, std::size_t bytes, void* stream) = 0;
  virtual void fill(void* to, uint8_t value, std::size_t bytes, void* stream) = 0;
  virtual void synchronize() = 0;  ///< with everything

  virtual void* create_stream() = 0;
  virtual void destroy_stream(void*) noexcept = 0;
  virtual void synchronize_stream(void*) = 0;
  virtual void* create_event() = 0;
  virtual void destroy_event(void*) noexcept = 0;
  virtual void record(void* event, void* stream) = 0;
  virtual void wait(void* stream, void* event) = 0;
  virtual void synchronize_event(void*) = 0;
  virtual float milliseconds(void* begin, void* end) = 0;
};

/// `enter` and `leave` of a scope. Does nothing for a null device.
class Visit {
 public:
  Visit(Device* device, void* stream) : device_(device) {
    if (device_) place_ = device_->enter(stream, entered_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() {
    if (entered_) device_->leave();
  }
  uint64_t place() const { return place_; }

 private:
  Device* device_;
  uint64_t place_ = 0;
  bool entered_ = false;
};

}  // namespace tine::launch
