// Broken, truncated and hostile PTX: an error with a line, never a crash, a hang or an access outside. Seeded; run it under the sanitizers.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "support.hpp"

namespace {

// TINE_FUZZ_SEED=N gives other mutants, the same ones for the same N.
std::uint64_t seed(std::uint64_t n) {
  const char* e = std::getenv("TINE_FUZZ_SEED");
  return n + (e == nullptr ? 0 : 1000 * std::strtoull(e, nullptr, 0));
}

std::vector<std::string> seeds() {
  std::vector<std::string> v;
  for (const auto& e : std::filesystem::directory_iterator(std::string(TINE_EMULATOR_TESTS) + "/fixtures"))
    if (e.path().extension() == ".ptx" && e.path().stem().string().find("sm_89") != std::string::npos) v.push_back(read_text(e.path().string()));
  std::sort(v.begin(), v.end());
  return v;
}

// Loads, and runs whatever was accepted on a small grid with wild arguments. True when the text was accepted.
bool survive(const std::string& text) {
  emu::Machine m;
  try {
    m.load(text, "fuzz");
  } catch (const emu::Error& e) {
    CHECK(std::string(e.what()).size() > 8);
    if (e.kind() != emu::ErrorKind::usage) CHECK((e.line() > 0 || e.sentence().find("alias") != std::string::npos));
    return false;
  }
  emu::Options o;
  o.threads = 1;
  o.max_warp_instructions = 3000;
  o.local_bytes = 1 << 16;
  for (const std::string& k : m.kernels()) {
    const emu::KernelInfo& info = m.kernel(k);
    std::vector<emu::Argument> args;
    for (const emu::ParameterInfo& p : info.parameters) {
      emu::Argument a;
      a.bytes.assign(p.size, 0);
      if (p.size == 8) {
        const emu::DevicePtr d = m.memory().allocate(256);
        std::memcpy(a.bytes.data(), &d, 8);
      } else
        for (std::size_t i = 0; i < a.bytes.size(); ++i) a.bytes[i] = static_cast<std::uint8_t>(i == 0 ? 17 : 0);
      args.push_back(std::move(a));
    }
    emu::LaunchConfig c;
    c.grid = {2, 1, 1};
    c.block = {40, 1, 1};
    try {
      (void)m.launch(k, c, args, o);
    } catch (const emu::Error& e) {
      CHECK(std::string(e.what()).size() > 8);
    }
  }
  return true;
}

}  // namespace

TEST_CASE("truncated modules", "[fuzz]") {
  Random r(seed(1));
  for (const std::string& s : seeds())
    for (int i = 0; i < 60; ++i) survive(s.substr(0, r.below(static_cast<std::uint32_t>(s.size()))));
}

TEST_CASE("modules with changed bytes and swapped lines", "[fuzz]") {
  Random r(seed(2));
  int accepted = 0;
  const auto all = seeds();
  for (const std::string& s : all)
    for (int i = 0; i < 200; ++i) {
      std::string t = s;
      for (std::uint32_t k = 1 + r.below(4); k > 0; --k) {
        const std::size_t at = r.below(static_cast<std::uint32_t>(t.size()));
        switch (r.below(5)) {
          case 0: t[at] = static_cast<char>(r.next()); break;
          case 1: t.erase(at, 1 + r.below(20)); break;
          case 2: t.insert(at, t.substr(r.below(static_cast<std::uint32_t>(t.size())), r.below(60))); break;
          case 3: t[at] = "{}()[];:,.%|@!-+0123456789xfd"[r.below(29)]; break;
          default: {  // one line in place of another
            const std::size_t b = t.find('\n', at), from = t.find('\n', r.below(static_cast<std::uint32_t>(t.size())));
            if (b == std::string::npos || from == std::string::npos) break;
            const std::size_t e = t.find('\n', b + 1), to = t.find('\n', from + 1);
            if (e == std::string::npos || to == std::string::npos) break;
            t.replace(b, e - b, t.substr(from, to - from));
          }
        }
      }
      accepted += survive(t);
    }
  INFO(accepted);
  CHECK(accepted > 20);
}

TEST_CASE("numbers changed inside instructions", "[fuzz]") {  // these mostly load, and run into everything
  Random r(seed(3));
  const auto all = seeds();
  int accepted = 0;
  for (const std::string& s : all)
    for (int i = 0; i < 250; ++i) {
      std::string t = s;
      for (int k = 0; k < 2; ++k) {
        std::size_t at = t.find_first_of("0123456789", r.below(static_cast<std::uint32_t>(t.size())));
        if (at == std::string::npos) continue;
        t[at] = static_cast<char>('0' + r.below(10));
      }
      accepted += survive(t);
    }
  CHECK(accepted > 50);
}

TEST_CASE("hostile texts", "[fuzz]") {
  const std::string head = ".version 8.4\n.target sm_89\n.address_size 64\n";
  auto refused = [&](const std::string& s) {
    INFO(s.substr(0, 200));
    CHECK(!survive(s));
  };
  refused("");
  refused(std::string(100000, '{'));
  refused(std::string(1000, '\0') + "x");
  refused(head + ".global .b8 a[] = " + std::string(100000, '{'));
  refused(head + ".global .b8 a[99999999999999999999];");
  refused(head + ".global .b8 a[" + std::string(100000, '(') + "1;");
  refused(head + ".global .b8 a[" + std::string(100000, '-') + "1];");
  refused(head + ".global .b8 a[1000000000000];");
  refused(head + ".global .b8 a[1048576][1048576][1048576];");
  refused(head + ".visible .entry k() {" + std::string(100000, '{') + "}");
  refused(head + ".visible .entry k() { .reg .b32 %r<4000000000>; ret; }");
  refused(head + ".visible .entry k() { .local .b8 a[4294967295]; ret; }");
  refused(head + ".visible .entry k() { bra NOWHERE; }");
  refused(head + ".visible .entry k() { add.s32 " + std::string(100000, '[') + "; }");
  refused(head + ".visible .entry k() { add" + [] { std::string m; for (int i = 0; i < 10000; ++i) m += ".x"; return m; }() + "; }");
  refused(head + "/* never closed");
  refused(head + ".file 1 \"never closed");
  refused(head + ".visible .entry k(.param .b8 p[100000]) { ret; }");
  refused(head + ".visible .entry k() { call k2, (); ret; }");
  refused(".version 99.9\n.target sm_89\n.address_size 64\n");
  refused(".version 8.4\n.target sm_999\n.address_size 64\n");
  refused(".version 8.4\n.target sm_89\n.address_size 32\n");
  // accepted, and survived
  CHECK(survive(head + ".visible .entry k() { L: bra L; }"));
  CHECK(survive(head + ".visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, -1; st.global.u32 [%rd1], 5; st.shared.u32 [%rd1+-7], 5; st.local.u8 [%rd1], 5; ret; }"));
  CHECK(survive(head + ".func f() { call f, (); ret; } .visible .entry k() { call f, (); ret; }"));
  CHECK(survive(head + ".visible .entry k() { ret; " + [] { std::string m; for (int i = 0; i < 20000; ++i) m += "{ }"; return m; }() + "}"));
  CHECK(survive(head + ".extern .shared .align 16 .b8 s[];\n.visible .entry k() { .reg .b32 %r<4>; mov.u32 %r1, s; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1]; ret; }"));
}

TEST_CASE("bad usage is an error with a sentence", "[unit][fuzz]") {
  Session s(ptx_module(".visible .entry k(.param .u64 p, .param .u32 n) .maxntid 64, 1, 1 { ret; }"), "usage");
  auto usage = [&](auto&& f) {
    try {
      f();
      FAIL("nothing was thrown");
    } catch (const emu::Error& e) {
      CHECK(e.kind() == emu::ErrorKind::usage);
      CHECK(e.sentence().size() > 15);
    }
  };
  const std::uint64_t p = 0;
  usage([&] { s.run("nope", {1, 1, 1}, {1, 1, 1}, 0, p, 1u); });
  usage([&] { s.run("k", {0, 1, 1}, {1, 1, 1}, 0, p, 1u); });
  usage([&] { s.run("k", {1, 1, 1}, {2048, 1, 1}, 0, p, 1u); });
  usage([&] { s.run("k", {1, 1, 1}, {65, 1, 1}, 0, p, 1u); });
  usage([&] { s.run("k", {1, 70000, 1}, {1, 1, 1}, 0, p, 1u); });
  usage([&] { s.run("k", {1, 1, 1}, {1, 1, 1}, 300000, p, 1u); });
  usage([&] { s.run("k", {1, 1, 1}, {1, 1, 1}, 0, p); });
  usage([&] { s.run("k", {1, 1, 1}, {1, 1, 1}, 0, 1u, 1u); });
  usage([&] { s.machine.memory().release(12); });
  usage([&] { s.machine.memory().allocate(0); });
  usage([&] { s.machine.load_file("no such file"); });
  std::size_t size = 0;
  usage([&] { s.machine.variable("nope", size); });
  s.run("k", {1, 1, 1}, {64, 1, 1}, 0, p, 1u);
  CHECK(s.report.clean());
}

TEST_CASE("modules are linked by name", "[emulated]") {
  emu::Machine m;
  m.load(ptx_module(".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .u32 shared_value;\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r1, [shared_value];\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\ncall (b), twice, (a);\nld.param.b32 %r2, [b];\n}\nst.global.u32 [%rd1], %r2;\nret;\n}\n"), "one");
  const emu::DevicePtr p = m.memory().allocate(4);
  try {
    (void)m.launch("k", {}, {emu::Argument::of(p)});
    FAIL("an undefined name was accepted");
  } catch (const emu::Error& e) {
    CHECK(e.kind() == emu::ErrorKind::semantic);
    CHECK(e.module() == "one");
  }
  m.load(ptx_module(".visible .global .u32 shared_value = 21;\n.visible .func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.b32 %r1, [x];\nadd.s32 %r1, %r1, %r1;\nst.param.b32 [r], %r1;\nret;\n}\n"), "two");
  const emu::Report r = m.launch("k", {}, {emu::Argument::of(p)});
  INFO(r.summary());
  CHECK(r.clean());
  int v = 0;
  m.memory().read(p, &v, 4);
  CHECK(v == 42);
}
