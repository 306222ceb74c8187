// The call on a GPU device: what the launch half asks of it, and when it finds code anew. The device is a fake that
// writes down what it is asked.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <new>

#include "environment.hpp"
#include "errors.hpp"
#include "graphs.hpp"
#include "runtime/launch/call.hpp"
#include "runtime/launch/device.hpp"

using namespace tine;
using namespace tine::launch;
using namespace tine::test;

namespace {
thread_local int64_t allocations = 0;
}  // namespace

// Of the whole test program, so that calls can be held to allocate nothing. The address sanitizer has its own, which
// must not be mixed with these.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TINE_ADDRESS_SANITIZER
#endif
#endif
#ifndef TINE_ADDRESS_SANITIZER
void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace {

struct Launched {
  std::vector<int64_t> slots;
  std::vector<TensorRange> tensors;
  int64_t programs = 0;
  void* stream = nullptr;
  bool parameters_are_slots = false;
};

struct FakeFunction final : GpuFunction {
  void launch(const GpuCall& c) override {
    ++launches;
    if (!keep) return;
    Launched l{{c.slots.begin(), c.slots.end()}, {c.tensors.begin(), c.tensors.end()}, c.programs, c.stream, true};
    for (std::size_t i = 0; i < c.slots.size(); ++i)
      l.parameters_are_slots &= *static_cast<int64_t*>(c.parameters[i]) == c.slots[i];
    calls.push_back(l);
  }
  std::vector<Launched> calls;
  int launches = 0;
  bool keep = true;
};

// Memory, streams and events play no part in a call.
struct FakeDevice final : Device {
  const std::string& name() const override { return text; }
  std::string description() override { return text; }
  bool reads_host() const override { return false; }
  uint8_t memory_kind() const override { return on_cuda; }
  bool reads(const void* p) override { return p != unreadable; }
  bool uses_line_tables() const override { return false; }
  uint64_t enter(void*, bool& entered) override { return entered = true, ++inside, place; }
  void leave() noexcept override { --inside; }
  std::string target() override { return "nvptx:sm_80"; }
  GpuFunction& load(const TracedKernel&, const Image&) override { throw std::logic_error("not of a call"); }
  void* allocate(std::size_t) override { return nullptr; }
  void free(void*) noexcept override {}
  void copy(Copy, void*, const void*, std::size_t, void*) override {}
  void fill(void*, uint8_t, std::size_t, void*) override {}
  void synchronize() override {}
  void* create_stream() override { return nullptr; }
  void destroy_stream(void*) noexcept override {}
  void synchronize_stream(void*) override {}
  void* create_event() override { return nullptr; }
  void destroy_event(void*) noexcept override {}
  void record(void*, void*) override {}
  void wait(void*, void*) override {}
  void synchronize_event(void*) override {}
  float milliseconds(void*, void*) override { return 0; }
  std::string text = "cuda:0";
  uint64_t place = 1;
  int inside = 0;
  const void* unreadable = nullptr;
};

struct Source final : CodeSource {
  explicit Source(FakeDevice& d) { device = &d; }
  Code code(const TracedKernel&, const graph::Specialization& f) const override {
    facts.push_back(f);
    Code c;
    c.gpu = &function;
    return c;
  }
  mutable FakeFunction function;
  mutable std::vector<graph::Specialization> facts;
};

alignas(64) float memory[3][256];

std::vector<TestTensor> vectors(int64_t n, int offset = 0) {
  std::vector<TestTensor> out;
  for (auto& m : memory) out.emplace_back(m + offset, graph::DType::f32, std::vector<int64_t>{n});
  return out;
}

void run(const TracedKernel& k, const Source& s, const std::vector<TestTensor>& tensors, void* stream = nullptr) {
  std::vector<Argument> arguments;
  for (const TestTensor& t : tensors) arguments.push_back(t.argument());
  call(k, arguments, {1, stream}, s);
}

}  // namespace

TEST_CASE("a device is given slots, ranges, programs and the stream", "[device]") {
  const TracedKernel k(add_graph());
  FakeDevice device;
  const Source s(device);
  int stream = 0;
  run(k, s, vectors(17), &stream);
  REQUIRE(s.function.calls.size() == 1);
  const Launched& l = s.function.calls[0];
  CHECK(l.programs == 5);
  CHECK(l.stream == &stream);
  CHECK(l.parameters_are_slots);
  CHECK(l.slots.size() == static_cast<std::size_t>(k.plan.slots));
  CHECK(l.slots[1] == static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory[1])));
  CHECK(l.slots[static_cast<std::size_t>(k.plan.first_symbol)] == 5);
  REQUIRE(l.tensors.size() == 3);
  CHECK(l.tensors[2].source == 2);
  CHECK(l.tensors[2].lo == 0);
  CHECK(l.tensors[2].hi == 68);
  CHECK((l.tensors[2].stored && !l.tensors[2].loaded));
  CHECK((!l.tensors[0].stored && l.tensors[0].loaded));
  CHECK(device.inside == 0);
  CHECK(s.facts[0].narrow_index);
  CHECK(s.facts[0].sources[0].unit_stride == 1);
  CHECK_FALSE(s.facts[0].sources[2].streamed);

  run(k, s, vectors(0));  // no program
  CHECK(s.function.calls.size() == 1);
}

TEST_CASE("code is asked for once for sizes, strides, alignment and place", "[device]") {
  const TracedKernel k(add_graph());
  FakeDevice device;
  const Source s(device);
  const auto asked = [&](int64_t n, int offset = 0) {
    const std::size_t before = s.facts.size();
    run(k, s, vectors(n, offset));
    return s.facts.size() - before;
  };
  CHECK(asked(17) == 1);
  CHECK(asked(17) == 0);
  CHECK(asked(17, 4) == 1);  // 16-byte aligned only
  CHECK(asked(17) == 0);
  CHECK(asked(18) == 1);
  device.place = 2;  // another context is current
  CHECK(asked(17) == 1);
  CHECK(asked(17) == 0);
  device.place = 1;
  CHECK(asked(17) == 0);
  CHECK(s.function.calls.size() == 8);
}

TEST_CASE("a call that was seen before allocates nothing", "[device]") {
  const TracedKernel k(add_graph());
  FakeDevice device;
  const Source gpu(device);
  gpu.function.keep = false;
  struct Cpu final : CodeSource {
    Code code(const TracedKernel&, const graph::Specialization&) const override {
      Code c;
      c.entry = [](const int64_t*, int64_t, int64_t, void*) {};
      c.scratch = [](const int64_t*) -> int64_t { return 0; };
      return c;
    }
  } cpu;
  const TracedKernel same(add_graph());
  const std::vector<TestTensor> tensors = vectors(17), shorter = vectors(9);
  std::vector<Argument> arguments, other;
  for (const TestTensor& t : tensors) arguments.push_back(t.argument());
  for (const TestTensor& t : shorter) other.push_back(t.argument());
  const auto both = [&] {
    for (const auto& list : {std::cref(arguments), std::cref(other)}) {
      call(k, list.get(), {1, nullptr}, gpu);
      call(same, list.get(), {1, nullptr}, cpu);
    }
  };
  both();
  const int64_t before = allocations;
  for (int round = 0; round < 100; ++round) both();
  const int64_t after = allocations;
#ifndef TINE_ADDRESS_SANITIZER
  CHECK(before > 0);
#endif
  CHECK(after == before);
  CHECK(gpu.function.launches == 202);
}

TEST_CASE("data that a device cannot read is refused", "[device]") {
  const TracedKernel k(add_graph());
  FakeDevice device;
  const Source s(device);
  std::vector<TestTensor> t = vectors(5);
  t[1].data = reinterpret_cast<char*>(memory[1]) + 2;
  Caught e = caught([&] { run(k, s, t); });
  CHECK(e.kind == "user");
  CHECK(e.message ==
        "kernel `Add`: the data of parameter `b` begins at an address that is no multiple of its elements' 4 bytes, "
        "which `cuda:0` cannot read");
  CHECK(e.line == 11);
  CHECK(device.inside == 0);

  Source other(device);  // outlives the calls: they are remembered with its function
  const auto with_memory = [&](int memory_kind, Device* on) {
    std::vector<Argument> arguments;
    t = vectors(5);
    for (const TestTensor& x : t) arguments.push_back(x.argument());
    arguments[2].memory = static_cast<uint8_t>(memory_kind);
    other.device = on;
    return caught([&] { call(k, arguments, {}, other); }).message;
  };
  CHECK(with_memory(2, &device) == "");
  CHECK(with_memory(3, &device) == "");
  CHECK(with_memory(13, &device) == "");
  CHECK(with_memory(1, &device) ==
        "kernel `Add`: the data of parameter `c` lies on the host, but the kernel runs on `cuda:0`; copy it there, or "
        "run the kernel where it lies (`device`)");
  device.unreadable = memory[2];  // asked for when sizes are new
  const TracedKernel fresh(add_graph());
  CHECK(caught([&] { run(fresh, s, vectors(5)); }).message == with_memory(1, &device));
  CHECK(with_memory(2, nullptr) ==
        "kernel `Add`: the data of parameter `c` lies on a CUDA device, but the kernel runs on `cpu`; copy it there, "
        "or run the kernel where it lies (`device`)");
}

TEST_CASE("grids: one block for each program, two dims where one is too small, few for persistent kernels", "[device]") {
  const auto of = [](int64_t programs, uint32_t flags = 0) {
    tine_gpu_artefact a{};
    a.flags = flags;
    const Grid g = grid_of(a, programs, 264);
    CHECK(int64_t{g.x} * g.y >= std::min<int64_t>(programs, flags ? 264 : INT64_MAX));
    return std::pair(g.x, g.y);
  };
  using P = std::pair<uint32_t, uint32_t>;
  CHECK(of(1) == P{1, 1});
  CHECK(of(4096) == P{4096, 1});
  CHECK(of(INT32_MAX) == P{INT32_MAX, 1});
  CHECK(of(int64_t{INT32_MAX} + 1) == P{INT32_MAX, 2});
  CHECK(of(int64_t{5} * INT32_MAX) == P{INT32_MAX, 5});
  CHECK(of(100, TINE_GPU_PERSISTENT) == P{100, 1});
  CHECK(of(1 << 20, TINE_GPU_PERSISTENT) == P{264, 1});
}
