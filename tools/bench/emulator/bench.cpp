// Measures the PTX machine: thread-instructions per second and core on scalar code, checked and unchecked; a 256^3 f16 product by mma.sync.
// Usage: emulator_bench        prints a Markdown table
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tine/emulator/emulator.hpp"

namespace emu = tine::emulator;

namespace {

struct Row {
  const char* what;
  double million_per_second, seconds;
};

std::string fixture(const char* name) { return std::string(TINE_EMULATOR_FIXTURES) + "/" + name; }

template <class T> emu::DevicePtr upload(emu::Machine& m, const std::vector<T>& v) {
  const emu::DevicePtr p = m.memory().allocate(v.size() * sizeof(T));
  m.memory().write(p, v.data(), v.size() * sizeof(T));
  return p;
}

// Best of five: the machine is shared with others.
template <class F> Row measure(const char* what, unsigned threads, F&& launch) {
  Row r{what, 0, 1e9};
  for (int i = 0; i < 5; ++i) {
    const emu::Report report = launch();
    if (!report.clean()) std::fprintf(stderr, "%s: %s", what, report.summary().c_str());
    r.million_per_second = std::max(r.million_per_second, static_cast<double>(report.thread_instructions()) / report.seconds / 1e6 / threads);
    r.seconds = std::min(r.seconds, report.seconds);
  }
  return r;
}

}  // namespace

int main() {
  std::vector<Row> rows;
  for (const bool checked : {true, false}) {
    emu::Options o = checked ? emu::Options() : emu::Options::unchecked();
    o.threads = 1;
    {
      emu::Machine m;
      m.load_file(fixture("vector.sm_80.ptx"));
      const int n = 1 << 20;
      const emu::DevicePtr x = upload(m, std::vector<float>(n, 1.0f)), y = upload(m, std::vector<float>(n, 2.0f));
      const emu::LaunchConfig c{{256, 1, 1}, {256, 1, 1}, 0};
      rows.push_back(measure(checked ? "saxpy, everything checked" : "saxpy, checks off", 1, [&] { return m.launch("saxpy", c, {emu::Argument::of(n), emu::Argument::of(2.0f), emu::Argument::of(x), emu::Argument::of(y)}, o); }));
    }
    {
      emu::Machine m;
      m.load_file(fixture("matmul.sm_80.ptx"));
      const int n = 192;
      const emu::DevicePtr a = upload(m, std::vector<float>(n * n, 1.0f)), b = upload(m, std::vector<float>(n * n, 2.0f)), d = m.memory().allocate(n * n * 4);
      const emu::LaunchConfig c{{12, 12, 1}, {16, 16, 1}, 0};
      rows.push_back(measure(checked ? "f32 matmul in shared memory, everything checked" : "f32 matmul in shared memory, checks off", 1, [&] { return m.launch("matmul", c, {emu::Argument::of(a), emu::Argument::of(b), emu::Argument::of(d), emu::Argument::of(n), emu::Argument::of(n), emu::Argument::of(n)}, o); }));
    }
    {
      emu::Machine m;
      m.load_file(fixture("warp.sm_80.ptx"));
      const int n = 1 << 14;
      const emu::DevicePtr d = m.memory().allocate(8 * n);
      const emu::LaunchConfig c{{64, 1, 1}, {256, 1, 1}, 0};
      rows.push_back(measure(checked ? "divergent integer loops, everything checked" : "divergent integer loops, checks off", 1, [&] { return m.launch("divergent", c, {emu::Argument::of(d), emu::Argument::of(n)}, o); }));
    }
    {
      emu::Machine m;
      m.load_file(fixture("mma.sm_80.ptx"));
      const int n = 256;
      const emu::DevicePtr a = upload(m, std::vector<std::uint16_t>(n * n, 0x3C00)), b = upload(m, std::vector<std::uint16_t>(n * n, 0x3800)), d = m.memory().allocate(n * n * 4);
      const emu::LaunchConfig c{{4, 4, 1}, {128, 1, 1}, 0};
      rows.push_back(measure(checked ? "256x256x256 f16 by mma.sync, everything checked" : "256x256x256 f16 by mma.sync, checks off", 1, [&] { return m.launch("gemm_f16", c, {emu::Argument::of(a), emu::Argument::of(b), emu::Argument::of(d), emu::Argument::of(n), emu::Argument::of(n), emu::Argument::of(n)}, o); }));
    }
  }
  std::printf("| what | million thread-instructions per second and core | seconds |\n|---|---|---|\n");
  for (const Row& r : rows) std::printf("| %s | %.0f | %.3f |\n", r.what, r.million_per_second, r.seconds);
}
