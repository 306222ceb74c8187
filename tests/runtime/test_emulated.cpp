// Kernels on the `emulated` devices: results, what is found wrong with them, memory, streams. The PTX is written by hand
// (standin/gpu).
#include <sys/mman.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <thread>

#include "environment.hpp"
#include "errors.hpp"
#include "graphs.hpp"
#include "runtime/device/devices.hpp"
#include "runtime/jit/code_cache.hpp"
#include "runtime/jit/kernel.hpp"
#include "tests/kernels/support/memory.hpp"
#include "tine/device.hpp"
#include "tine/host.hpp"

using namespace tine;
using namespace tine::test;
using graph::DType;

namespace {

jit::Kernel on(const char* device, graph::Graph g) {
  jit::Kernel k([g = std::move(g)](const jit::Config&) { return g; });
  k.set_device(device);
  return k;
}
jit::Kernel plain(const char* name, const char* device = "emulated:sm_80") {
  return on(device, plain_graph(name, 1, DType::i32));
}

void call(const jit::Kernel& k, const std::vector<TestTensor>& tensors) {
  std::vector<Argument> arguments;
  for (const TestTensor& t : tensors) arguments.push_back(t.argument());
  k.checked_call(arguments);
}

int32_t words[4];
Caught failure(const char* name) {
  const jit::Kernel k = plain(name);
  return caught([&] { call(k, {{words, DType::i32, {2, 2}}}); });
}

}  // namespace

TEST_CASE("a kernel on the emulated device, with the host's memory", "[emulated]") {
  const Environment off({{"TINE_CACHE", "off"}});
  for (const char* device : {"emulated:sm_80", "emulated:sm_89", "emulated:sm_90"}) {
    const jit::Kernel k = on(device, add_graph());
    for (const int64_t n : {1, 4, 17, 17, 1000})
      for (const Placement placement : placements) {
        const auto bytes = static_cast<std::size_t>(n) * 4;
        Memory a(bytes, 4, placement), b(bytes, 4, placement), c(bytes, 4, placement);
        const auto at = [](const Memory& m, int64_t i) -> float& { return reinterpret_cast<float*>(m.data())[i]; };
        for (int64_t i = 0; i < n; ++i) at(a, i) = static_cast<float>(i), at(b, i) = 0.5f, at(c, i) = -1;
        call(k, {{a.data(), DType::f32, {n}}, {b.data(), DType::f32, {n}}, {c.data(), DType::f32, {n}}});
        bool right = true;
        for (int64_t i = 0; i < n; ++i) right &= at(c, i) == static_cast<float>(i) + 0.5f;
        CHECK(right);
        CHECK(a.damaged() + b.damaged() + c.damaged() == 0);
      }
  }
}

TEST_CASE("views with strides, of either sign, and that share memory", "[emulated]") {
  const Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = on("emulated:sm_80", add_graph());
  std::vector<float> m(40);
  std::iota(m.begin(), m.end(), 0.0f);
  // c = m[0:20:2] reversed + m[1:20:2], into m[20:40:2]; the operands' bytes interleave.
  call(k, {{&m[18], DType::f32, {10}, {-2}}, {&m[1], DType::f32, {10}, {2}}, {&m[20], DType::f32, {10}, {2}}});
  for (int i = 0; i < 10; ++i) CHECK(m[static_cast<std::size_t>(20 + 2 * i)] == static_cast<float>(18 - 2 * i + 1 + 2 * i));
  CHECK(m[21] == 21);
  // In place.
  call(k, {{&m[0], DType::f32, {8}}, {&m[8], DType::f32, {8}}, {&m[0], DType::f32, {8}}});
  CHECK(m[3] == 3 + 11);
}

TEST_CASE("few elements that are far from each other", "[emulated]") {
  const Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = on("emulated:sm_80", add_graph());
  std::vector<float> a{1, 2}, b{10, 20};
  // 32 GiB, of which two pages are touched: neither they nor what the machine knows about each byte may cost memory.
  const int64_t apart = int64_t{1} << 33;
  const auto bytes = static_cast<std::size_t>(apart + 1) * 4;
  void* m = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (m == MAP_FAILED) return;
  auto* far = static_cast<float*>(m);
  const auto add = [&] {
    call(k, {{a.data(), DType::f32, {2}}, {b.data(), DType::f32, {2}}, {far, DType::f32, {2}, {apart}}});
  };
  add();
  CHECK(far[0] == 11);
  CHECK(far[apart] == 22);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  const rlimit less{std::min<rlim_t>(rlim_t{40} << 30, before.rlim_max), before.rlim_max};
  ::setrlimit(RLIMIT_AS, &less);
  const Caught e = caught(add);
  ::setrlimit(RLIMIT_AS, &before);
  CHECK(e.kind == "runtime");
  CHECK(e.message.find("cannot be launched on `emulated:sm_80`: the host has no 34359738372 bytes for what is known about ") !=
        std::string::npos);
  add();
#endif
  ::munmap(m, bytes);
}

TEST_CASE("launches leave reports where a folder is named", "[emulated]") {
  const TemporaryFolder folder;
  const jit::Kernel k = on("emulated:sm_80", add_graph());
  std::vector<float> x(64, 1.0f), y(64);
  {
    const Environment reports({{"TINE_CACHE", "off"}, {"TINE_EMULATED_REPORTS", folder.path() + "/new"}});
    for (int i = 0; i < 2; ++i) call(k, {{x.data(), DType::f32, {64}}, {x.data(), DType::f32, {64}}, {y.data(), DType::f32, {64}}});
  }
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/new")) {
    std::ifstream in(entry.path());
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  REQUIRE(files.size() == 4);
  for (const auto& [name, text] : files) {
    INFO(name << "\n" << text);
    CHECK(name.find("-Add.") != std::string::npos);
    if (name.ends_with(".ptx")) {
      CHECK(text.find(".entry tine_kernel") != std::string::npos);
      continue;
    }
    CHECK(text.find("\"kernel\": \"Add\", \"target\": \"nvptx:sm_80\", \"grid\": [") != std::string::npos);
    CHECK(text.find("global_sectors") != std::string::npos);
  }
  const Environment unwritable({{"TINE_CACHE", "off"}, {"TINE_EMULATED_REPORTS", "/proc/none"}});
  const Caught e = caught([&] { call(k, {{x.data(), DType::f32, {64}}, {x.data(), DType::f32, {64}}, {y.data(), DType::f32, {64}}}); });
  CHECK(e.kind == "runtime");
  CHECK(e.message.find("the report of a launch cannot be written to `/proc/none/") == 0);
  CHECK(e.message.find("`TINE_EMULATED_REPORTS` names a folder") != std::string::npos);
}

TEST_CASE("kernels that loop over programs run each once", "[emulated]") {
  const Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = on("emulated:sm_90", count_graph());
  for (const int64_t n : {1, 7, 8, 9, 100}) {
    std::vector<int32_t> out(static_cast<std::size_t>(n));
    call(k, {{out.data(), DType::i32, {n}}});
    CHECK(out == std::vector<int32_t>(out.size(), 1));
  }
}

TEST_CASE("what the machine finds is an error that names the kernel and the line", "[emulated][errors]") {
  const Environment off({{"TINE_CACHE", "off"}});
  Caught e = failure("Overrun");
  CHECK(e.kind == "runtime");
  CHECK(e.message.find("kernel `Overrun` on `emulated:sm_80`: out_of_bounds: ") == 0);
  CHECK(e.message.find(" 0 bytes behind `a` of 16 bytes; block (0, 0, 0), thread (0, 0, 0), line 25 of its PTX") !=
        std::string::npos);
  CHECK(e.file == "user/overrun.hpp");
  CHECK(e.line == 43);
  CHECK(failure("Race").message.find("kernel `Race` on `emulated:sm_80`: shared_race: ") == 0);
  words[0] = 3;
  CHECK(failure("Shared").kind == "");
  CHECK(words[0] == 65536);

  // `Unwritten` loads the parameter that it was to store, which its graph does not say.
  graph::Graph g = plain_graph("Unwritten", 1, DType::i32);
  g.sources[0].loaded = false;
  const jit::Kernel k = on("emulated:sm_80", g);
  e = caught([&] { call(k, {{words, DType::i32, {2, 2}}}); });
  CHECK(e.message.find("kernel `Unwritten` on `emulated:sm_80`: unwritten_read: ") == 0);
  CHECK(failure("Unwritten").kind == "");  // here it does
}

TEST_CASE("code that the emulated device does not take", "[emulated][errors]") {
  const TemporaryFolder folder;
  const Environment off({{"TINE_CACHE", "off"}, {"TINE_REPRODUCER_DIR", folder.path()}});
  CHECK(failure("MachineCode").message ==
        "kernel `MachineCode` was compiled to machine code, which `emulated:sm_80` cannot run; leave out the option "
        "`code=cubin`");
  CHECK(failure("TooMuchShared").message.find("kernel `TooMuchShared` cannot be launched on `emulated:sm_80`: ") == 0);
  CHECK(failure("Refused").message.find("the code of kernel `Refused` could not be loaded (ptx:13: ") == 0);
  Caught e = failure("WrongSlots");
  CHECK(e.kind == "internal");
  CHECK(e.message.find("kernel `WrongSlots`: the compiled code is unusable: it has 4 parameters for 5 slots; this is a "
                       "bug in Tine") == 0);
  e = caught([&] { call(plain("NotElf"), {{words, DType::i32, {2, 2}}}); });
  CHECK(e.message.find("kernel `NotElf`: the compiled code is unusable: it is shorter than its header") == 0);
  CHECK(failure("TooNew").message ==
        "kernel `TooNew` was compiled for sm_120, which `emulated:sm_80` does not run");
}

TEST_CASE("target and options are part of the key; line tables are on", "[emulated][cache]") {
  const TemporaryFolder folder;
  const Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
  for (int round = 0; round < 2; ++round) {
    jit::forget_code();
    const jit::Statistics before = jit::statistics();
    for (int again = 0; again < 2; ++again)
      for (const int arch : {80, 90})
        for (const char* fast : {"", "1"}) {
          jit::Kernel k = plain("Target", arch == 80 ? "emulated:sm_80" : "emulated:sm_90");
          k.set_option("fast_math", fast);
          CHECK(k.request().options == (*fast ? "fast_math=1;line_tables=1" : "line_tables=1"));
          call(k, {{words, DType::i32, {2, 2}}});
          CHECK(words[0] == arch);
          CHECK(words[1] == (*fast ? 1 : 0));
        }
    CHECK(jit::statistics().compiled - before.compiled == (round ? 0 : 4));
    CHECK(jit::statistics().from_disk - before.from_disk == (round ? 4 : 0));
  }
  jit::Kernel k = plain("Target");
  k.set_option("line_tables", "0");
  CHECK(k.request().options == "line_tables=0");
}

TEST_CASE("TINE_DEVICE says where kernels run whose device is not set", "[emulated]") {
  const Environment env({{"TINE_CACHE", "off"}, {"TINE_DEVICE", "emulated:sm_89"}});
  jit::Kernel k([](const jit::Config&) { return plain_graph("Target", 1, DType::i32); });
  call(k, {{words, DType::i32, {2, 2}}});
  CHECK(words[0] == 89);
  k.set_device("cpu");
  call(k, {{words, DType::i32, {2, 2}}});
  CHECK(words[0] == 1);
  const jit::Kernel copy = k;
  call(copy, {{words, DType::i32, {2, 2}}});
  CHECK(words[0] == 1);
}

TEST_CASE("memory, streams and events of an emulated device", "[emulated]") {
  const Environment off({{"TINE_CACHE", "off"}});
  const Device device("emulated:sm_80");
  CHECK(std::string(device.name()) == "emulated:sm_80");
  CHECK(device.reads_host());
  CHECK(device::find("emulated:sm_80")->description() == "the PTX machine on this processor");
  const std::size_t n = 100;
  std::vector<float> host(n), back(n, -1.0f);
  std::iota(host.begin(), host.end(), 1.0f);
  DeviceArray<float> a(device, n), c(device, n), moved(std::move(a));
  CHECK(a.size() == 0);
  a = std::move(moved);
  CHECK(a.size() == n);
  const Stream stream(device);
  const Event begin(device), end(device);
  begin.record();
  a.write(host.data(), stream);
  const auto size = static_cast<int64_t>(n);
  const jit::Kernel k = on("emulated:sm_80", add_graph());
  // One operand on the device, one on the host.
  const TestTensor x(a.data(), DType::f32, {size}), y(host.data(), DType::f32, {size}), z(c.data(), DType::f32, {size});
  const Argument arguments[] = {x.argument(), y.argument(), z.argument()};
  k.call(arguments, stream.handle());
  end.record(stream);
  stream.wait(end);
  end.synchronize();
  stream.synchronize();
  c.read(back.data(), stream);
  device.synchronize();
  for (std::size_t i = 0; i < n; ++i) CHECK(back[i] == 2 * host[i]);
  CHECK(end.milliseconds_since(begin) >= 0);

  device.fill(c.data(), 0, n * 4);
  device.on_device(c.data() + 1, a.data(), 8);
  c.read(back.data());
  CHECK((back[0] == 0 && back[1] == 1 && back[2] == 2 && back[3] == 0));
  device.fill(c.data(), 0x3f, 4, stream);
  device.on_device(c.data() + 1, a.data(), 4, stream);
  device.to_host(back.data(), c.data(), 8, stream);
  CHECK((back[1] == 1));
  device.to_device(c.data(), host.data() + 5, 4);
  device.to_host(back.data(), c.data(), 4);
  CHECK(back[0] == 6);
  device.to_device(c.data(), host.data(), 0);
  device.fill(c.data(), 1, 0);
  device.free(nullptr);
  device.free(&back);  // not the device's: nothing happens
}

TEST_CASE("memory, streams and events that are used wrongly", "[emulated][errors]") {
  const Device device("emulated:sm_80");
  Caught e = caught([&] { device.allocate(std::size_t{1} << 50); });
  CHECK(e.kind == "runtime");
  CHECK(e.message.find("`emulated:sm_80` has no 1125899906842624 bytes of memory left (") == 0);
  const DeviceArray<float> a(device, 10);
  float host[20] = {};
  CHECK(caught([&] { device.to_device(a.data(), host, 80); }).message.find("memory of `emulated:sm_80`: ") == 0);
  CHECK(caught([&] { device.fill(host, 0, 4); }).kind == "user");
  const Event begin(device), end(device);
  begin.record();
  CHECK(caught([&] { end.milliseconds_since(begin); }).message ==
        "the time between two events is known only when both have been recorded");
  CHECK(caught([] { Device("cpu"); }).message ==
        "`cpu` has no memory, streams or events of its own: kernels take the host's memory there");
}

TEST_CASE("calls from many threads on one device", "[emulated][threads]") {
  const Environment off({{"TINE_CACHE", "off"}});
  const jit::Kernel k = on("emulated:sm_80", add_graph());
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        const int64_t n = 1 + (round * 7 + t) % 40;
        std::vector<float> a(static_cast<std::size_t>(n), static_cast<float>(t)), b(a.size(), 1), c(a.size());
        call(k, {{a.data(), DType::f32, {n}}, {b.data(), DType::f32, {n}}, {c.data(), DType::f32, {n}}});
        wrong += c != std::vector<float>(a.size(), static_cast<float>(t + 1));
      }
    });
  for (std::thread& t : callers) t.join();
  CHECK(wrong == 0);
}
