#include "runtime/device/emulated.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/device/launch_report.hpp"
#include "runtime/knobs.hpp"
#include "tine/emulator/emulator.hpp"

namespace tine::device {
namespace {

using namespace launch;

constexpr int architectures[] = {80, 89, 90};

// Blocks that a kernel which loops over programs gets: few, so that small cases loop too.
constexpr int64_t resident_blocks = 8;

struct Event {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
};

class Emulated;

class EmulatedFunction final : public GpuFunction {
 public:
  EmulatedFunction(Emulated& device, const Image& image, std::shared_ptr<emulator::Memory> memory)
      : device_(device), image_(image), machine_(std::move(memory)) {
    machine_.load({image.code(), image.header.code_size - 1}, "ptx");
  }
  void launch(const GpuCall&) override;

 private:
  void run(const GpuCall&, const std::vector<emulator::Argument>&);
  Emulated& device_;
  const Image& image_;
  emulator::Machine machine_;
};

// Host memory that kernels see for the time of a launch. Tensors that share memory share one piece of it.
class Bound {
 public:
  Bound(emulator::Memory& memory, const GpuCall& call) : memory_(memory) {
    for (const TensorRange& t : call.tensors) {
      const auto base = static_cast<uint64_t>(call.slots[static_cast<std::size_t>(t.source)]);
      if (!memory_.find(base))
        pieces_.push_back({base + static_cast<uint64_t>(t.lo), base + static_cast<uint64_t>(t.hi),
                           t.loaded || !t.stored, call.kernel.graph.sources[static_cast<std::size_t>(t.source)].name});
    }
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
      Piece& last = pieces_[kept];
      if (pieces_[i].begin >= last.end) {
        pieces_[++kept] = pieces_[i];
        continue;
      }
      last.end = std::max(last.end, pieces_[i].end);
      last.written |= pieces_[i].written;
      last.name += ", " + pieces_[i].name;
    }
    if (!pieces_.empty()) pieces_.resize(kept + 1);
    try {
      for (Piece& p : pieces_)
        p.device = memory_.bind(reinterpret_cast<void*>(p.begin), p.end - p.begin,
                                {.written = p.written, .like_host = true}, p.name);
    } catch (...) {
      release();
      throw;
    }
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;
  ~Bound() { release(); }

  // Where a kernel sees the tensor whose base pointer this is.
  int64_t base(int64_t host, const TensorRange& t) const {
    const uint64_t first = static_cast<uint64_t>(host) + static_cast<uint64_t>(t.lo);
    for (const Piece& p : pieces_)
      if (first >= p.begin && first < p.end) return static_cast<int64_t>(p.device + (static_cast<uint64_t>(host) - p.begin));
    return host;  // the device's own
  }

 private:
  struct Piece {
    uint64_t begin, end;
    bool written;  // before the launch
    std::string name;
    emulator::DevicePtr device = 0;
  };
  void release() noexcept {
    for (const Piece& p : pieces_)
      if (p.device) memory_.release(p.device);
  }
  emulator::Memory& memory_;
  std::vector<Piece> pieces_;
};

class Emulated final : public Device {
 public:
  explicit Emulated(int architecture) : name_("emulated:sm_" + std::to_string(architecture)), arch_(architecture) {}

  const std::string& name() const override { return name_; }
  std::string description() override { return "the PTX machine on this processor"; }
  bool reads_host() const override { return true; }
  uint8_t memory_kind() const override { return static_cast<uint8_t>(on_emulated + arch_); }
  bool reads(const void*) override { return true; }
  bool uses_line_tables() const override { return true; }
  uint64_t enter(void*, bool&) override { return 0; }
  void leave() noexcept override {}
  std::string target() override { return "nvptx:sm_" + std::to_string(arch_); }

  GpuFunction& load(const TracedKernel& k, const Image& image) override {
    const std::lock_guard lock(mutex);
    std::unique_ptr<EmulatedFunction>& f = functions_[&image];
    if (f) return *f;
    if (image.header.code != TINE_GPU_PTX) fail(Diag::machine_code, {}, {k.name(), name_});
    if (image.header.arch > static_cast<uint32_t>(arch_))
      fail(Diag::wrong_architecture, {}, {k.name(), std::to_string(image.header.arch), name_});
    try {
      f = std::make_unique<EmulatedFunction>(*this, image, memory);
    } catch (const emulator::Error& e) {
      fail(Diag::load_failed, {}, {k.name(), e.what()});
    }
    return *f;
  }

  void* allocate(std::size_t bytes) override {
    const std::lock_guard lock(mutex);
    try {
      return reinterpret_cast<void*>(memory->allocate(std::max<std::size_t>(bytes, 1)));
    } catch (const std::exception& e) {  // more than the machine addresses, or than the host has
      fail(Diag::device_memory, {}, {name_, std::to_string(bytes), e.what()});
    }
  }
  void free(void* p) noexcept override {
    const std::lock_guard lock(mutex);
    try {
      if (p) memory->release(reinterpret_cast<uint64_t>(p));
    } catch (const emulator::Error&) {  // no allocation starts there
    }
  }
  void copy(Copy way, void* to, const void* from, std::size_t bytes, void*) override {
    access([&] {
      if (way == Copy::to_device) memory->write(reinterpret_cast<uint64_t>(to), from, bytes);
      if (way == Copy::to_host) memory->read(reinterpret_cast<uint64_t>(from), to, bytes);
      if (way == Copy::on_device) memory->copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
    });
  }
  void fill(void* to, uint8_t value, std::size_t bytes, void*) override {
    access([&] { memory->fill(reinterpret_cast<uint64_t>(to), value, bytes); });
  }
  void synchronize() override {}

  // All work is done when a function returns, so streams and events order nothing.
  void* create_stream() override { return new char; }
  void destroy_stream(void* s) noexcept override { delete static_cast<char*>(s); }
  void synchronize_stream(void*) override {}
  void* create_event() override { return new Event; }
  void destroy_event(void* e) noexcept override { delete static_cast<Event*>(e); }
  void record(void* e, void*) override { *static_cast<Event*>(e) = {std::chrono::steady_clock::now(), true}; }
  void wait(void*, void*) override {}
  void synchronize_event(void*) override {}
  float milliseconds(void* begin, void* end) override {
    const Event &b = *static_cast<Event*>(begin), &e = *static_cast<Event*>(end);
    if (!b.recorded || !e.recorded) fail(Diag::event_unrecorded, {}, {});
    return std::chrono::duration<float, std::milli>(e.time - b.time).count();
  }

  std::mutex mutex;  // a machine is used by one thread at a time, and all share one memory
  const std::shared_ptr<emulator::Memory> memory = std::make_shared<emulator::Memory>();

 private:
  template <class F>
  void access(F&& f) {
    const std::lock_guard lock(mutex);
    try {
      f();
    } catch (const emulator::Error& e) {
      fail(Diag::device_range, {}, {name_, e.what()});
    }
  }

  const std::string name_;
  const int arch_;
  std::map<const Image*, std::unique_ptr<EmulatedFunction>> functions_;
};

[[noreturn]] void report(const GpuCall& call, const std::string& device, const emulator::Diagnostic& d) {
  const auto numbers = [](const std::array<uint32_t, 3>& a) {
    return std::to_string(a[0]) + ", " + std::to_string(a[1]) + ", " + std::to_string(a[2]);
  };
  fail(Diag::finding, {d.source_file, static_cast<int>(d.source_line)},
       {call.kernel.name(), device, emulator::name_of(d.cls), d.message, numbers(d.block), numbers(d.thread),
        std::to_string(d.line)});
}

void EmulatedFunction::run(const GpuCall& call, const std::vector<emulator::Argument>& arguments) {
  const Grid grid = grid_of(image_.header, call.programs, resident_blocks);
  emulator::Options options;
  options.modes.fill(emulator::Mode::fatal);
  const std::string& reports = knobs::get().emulated_reports;
  options.counters = !reports.empty();
  options.threads = static_cast<unsigned>(call.threads);
  const emulator::LaunchConfig config{{grid.x, grid.y, 1}, {image_.header.threads, 1, 1}, image_.header.dynamic_shared};
  const emulator::Report result = machine_.launch(image_.header.entry, config, arguments, options);
  if (!reports.empty()) write_launch_report(reports, call.kernel.graph.kernel, device_.target(), image_.code(), config, result);
  if (!result.output.empty()) std::fwrite(result.output.data(), 1, result.output.size(), stdout);
  if (!result.diagnostics.empty()) report(call, device_.name(), result.diagnostics.front());
}

void EmulatedFunction::launch(const GpuCall& call) {
  const std::lock_guard lock(device_.mutex);
  try {
    const Bound bound(*device_.memory, call);
    std::vector<emulator::Argument> arguments;
    for (const int64_t slot : call.slots) arguments.push_back(emulator::Argument::of(slot));
    for (const TensorRange& t : call.tensors) {
      const auto s = static_cast<std::size_t>(t.source);
      arguments[s] = emulator::Argument::of(bound.base(call.slots[s], t));
    }
    run(call, arguments);
  } catch (const emulator::Error& e) {
    fail(Diag::launch_refused, {}, {call.kernel.name(), device_.name(), e.what()});
  }
}

}  // namespace

std::span<const int> emulated_architectures() { return architectures; }
std::unique_ptr<launch::Device> make_emulated(int architecture) { return std::make_unique<Emulated>(architecture); }

}  // namespace tine::device
