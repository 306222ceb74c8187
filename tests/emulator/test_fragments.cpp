// The maps of ops/fragments.hpp against the cross-checked tables, entry by entry; then whole products with every element distinct.
#include <bit>
#include <functional>
#include <nlohmann/json.hpp>

#include "ops/fragments.hpp"
#include "ops/numbers.hpp"
#include "support.hpp"

namespace d = tine::emulator::detail;

namespace {
const nlohmann::json& tables() {
  static const nlohmann::json j = nlohmann::json::parse(read_text(std::string(TINE_EMULATOR_TESTS) + "/../data/fragments/fragments_nvidia.json"));
  return j;
}
}  // namespace

TEST_CASE("fragment maps agree with the tables", "[unit][emulated]") {
  int checked = 0;
  for (const auto& e : tables()["entries"]) {
    const std::string id = e["id"];
    const std::string family = id.substr(0, id.find('.'));
    if (family == "wgmma") continue;  // not executed yet
    const std::string operand = e["operand"];
    const auto& shape = e["shape"];
    const int per = e["registers"]["elements_each"];
    const bool trans = id.find(".trans.") != std::string::npos;
    for (int l = 0; l < 32; ++l)
      for (std::size_t i = 0; i < e["map"]["table"][l].size(); ++i) {
        const int flat = e["map"]["table"][l][i], n = static_cast<int>(i);
        int got = -1;
        if (family == "mma") {
          const int cols = shape[1];
          const d::Coord c = operand == "A" ? d::mma_a(l, n, per, shape[0]) : operand == "B" ? d::mma_b(l, n, per) : d::mma_d(l, n);
          got = c.row * cols + c.col;
        } else {
          const d::Coord c = d::ldmatrix_element(l, n % 2, trans);
          got = (n / 2 * 8 + c.row) * 8 + c.col;
        }
        if (got != flat) FAIL(id << " lane " << l << " element " << n << ": " << got << ", the table says " << flat);
      }
    ++checked;
  }
  CHECK(checked == 58);
}

namespace {

// One product over raw registers: lane l's operand registers are read from memory, its results written back, 64 bits a register.
struct Product {
  std::string shape, types, tail;  // "m16n8k16.row.col", ".f32.f16.f16.f32", "" or ".xor.popc"
  int m, n, k, na, nb, nc;
  const char* file;                // register type of D and C: "f32", "f64", "b32", "s32"
  const char* operand;             // of A and B: "b32", "f64"
};
std::vector<std::uint64_t> execute(const Product& p, const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, const std::vector<std::uint64_t>& c) {
  auto list = [](const char* name, int count) {
    std::string s = "{";
    for (int i = 0; i < count; ++i) s += (i ? ", %" : "%") + std::string(name) + std::to_string(i);
    return s + "}";
  };
  auto bits = [](const char* t) { return std::string(t).substr(1); };
  std::string body = ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<16>;\n.reg ." + std::string(p.operand) + " %a<16>;\n.reg ." + p.operand + " %b<16>;\n.reg ." + p.file + " %c<16>;\nmov.u32 %r0, %tid.x;\n";
  auto base = [&](const char* param, int reg, int count) { body += std::string("ld.param.u64 %rd") + std::to_string(reg) + ", [" + param + "];\nmad.wide.u32 %rd" + std::to_string(reg) + ", %r0, " + std::to_string(8 * count) + ", %rd" + std::to_string(reg) + ";\n"; };
  base("pa", 1, p.na);
  base("pb", 2, p.nb);
  base("pc", 3, p.nc);
  for (int i = 0; i < p.na; ++i) body += "ld.global." + std::string(p.operand) + " %a" + std::to_string(i) + ", [%rd1+" + std::to_string(8 * i) + "];\n";
  for (int i = 0; i < p.nb; ++i) body += "ld.global." + std::string(p.operand) + " %b" + std::to_string(i) + ", [%rd2+" + std::to_string(8 * i) + "];\n";
  for (int i = 0; i < p.nc; ++i) body += "ld.global." + std::string(p.file) + " %c" + std::to_string(i) + ", [%rd3+" + std::to_string(8 * i) + "];\n";
  body += "mma.sync.aligned." + p.shape + p.types + p.tail + " " + list("c", p.nc) + ", " + list("a", p.na) + ", " + list("b", p.nb) + ", " + list("c", p.nc) + ";\n";
  for (int i = 0; i < p.nc; ++i) body += "st.global." + std::string(p.file) + " [%rd3+" + std::to_string(8 * i) + "], %c" + std::to_string(i) + ";\n";
  (void)bits;
  Session s(ptx_module(body + "ret;\n}\n", "sm_90", "8.7"), "mma");
  const auto da = s.upload(a), db = s.upload(b), dc = s.upload(c);
  s.run("k", {1, 1, 1}, {32, 1, 1}, 0, da, db, dc);
  INFO(s.report.summary());
  CHECK(s.report.clean());
  return s.download<std::uint64_t>(dc, c.size());
}

// Packs a matrix into lanes by a table of coordinates from the JSON (not from our own maps).
std::vector<std::uint64_t> pack(const nlohmann::json& e, const std::function<std::uint64_t(int)>& code) {  // code: flat coordinate -> element bits
  const int per = e["registers"]["elements_each"], count = e["registers"]["count"], width = e["element_bits"];
  std::vector<std::uint64_t> v(static_cast<std::size_t>(32 * count), 0);
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < count * per; ++i) v[l * count + i / per] |= code(e["map"]["table"][l][i]) << (i % per * width);
  return v;
}
const nlohmann::json& entry(const std::string& id) {
  for (const auto& e : tables()["entries"])
    if (e["id"] == id) return e;
  throw std::runtime_error("no table " + id);
}

}  // namespace

TEST_CASE("products of every shape and type, operands placed by the tables", "[emulated]") {
  struct Case {
    const char *table, *shape, *types, *tail;
    const char *a, *b, *d;         // element kinds
    const char *dtable, *file, *operand;
  };
  const Case cases[] = {
      {"m16n8k8.f16", "m16n8k8", ".f32.f16.f16.f32", "", "f16", "f16", "f32", "D_f32", "f32", "b32"}, {"m16n8k8.f16", "m16n8k8", ".f16.f16.f16.f16", "", "f16", "f16", "f16", "D_f16", "b32", "b32"},
      {"m16n8k16.f16", "m16n8k16", ".f32.f16.f16.f32", "", "f16", "f16", "f32", "D_f32", "f32", "b32"}, {"m16n8k16.f16", "m16n8k16", ".f16.f16.f16.f16", "", "f16", "f16", "f16", "D_f16", "b32", "b32"},
      {"m16n8k8.f16", "m16n8k8", ".f32.bf16.bf16.f32", "", "bf16", "bf16", "f32", "D_f32", "f32", "b32"}, {"m16n8k16.f16", "m16n8k16", ".f32.bf16.bf16.f32", "", "bf16", "bf16", "f32", "D_f32", "f32", "b32"},
      {"m16n8k4.tf32", "m16n8k4", ".f32.tf32.tf32.f32", "", "f32", "f32", "f32", "D_f32", "f32", "b32"}, {"m16n8k8.tf32", "m16n8k8", ".f32.tf32.tf32.f32", "", "f32", "f32", "f32", "D_f32", "f32", "b32"},
      {"m8n8k4.f64", "m8n8k4", ".f64.f64.f64.f64", "", "f64", "f64", "f64", "D_f64", "f64", "f64"}, {"m16n8k4.f64", "m16n8k4", ".f64.f64.f64.f64", "", "f64", "f64", "f64", "D_f64", "f64", "f64"},
      {"m16n8k8.f64", "m16n8k8", ".f64.f64.f64.f64", "", "f64", "f64", "f64", "D_f64", "f64", "f64"}, {"m16n8k16.f64", "m16n8k16", ".f64.f64.f64.f64", "", "f64", "f64", "f64", "D_f64", "f64", "f64"},
      {"m16n8k16.e4m3", "m16n8k16", ".f32.e4m3.e5m2.f32", "", "e4m3", "e5m2", "f32", "D_f32", "f32", "b32"}, {"m16n8k16.e4m3", "m16n8k16", ".f16.e4m3.e4m3.f16", "", "e4m3", "e4m3", "f16", "D_f16", "b32", "b32"},
      {"m16n8k32.e4m3", "m16n8k32", ".f32.e5m2.e4m3.f32", "", "e5m2", "e4m3", "f32", "D_f32", "f32", "b32"}, {"m16n8k32.e4m3", "m16n8k32", ".f16.e5m2.e5m2.f16", "", "e5m2", "e5m2", "f16", "D_f16", "b32", "b32"},
      {"m16n8k16.s8", "m16n8k16", ".s32.s8.u8.s32", "", "s8", "u8", "s32", "D_s32", "s32", "b32"}, {"m16n8k32.s8", "m16n8k32", ".s32.u8.s8.s32", "", "u8", "s8", "s32", "D_s32", "s32", "b32"}, {"m16n8k32.s8", "m16n8k32", ".s32.s8.s8.s32", "", "s8", "s8", "s32", "D_s32", "s32", "b32"},
      {"m16n8k32.s4", "m16n8k32", ".s32.s4.s4.s32", "", "s4", "s4", "s32", "D_s32", "s32", "b32"}, {"m16n8k64.s4", "m16n8k64", ".s32.u4.s4.s32", "", "u4", "s4", "s32", "D_s32", "s32", "b32"},
  };
  auto encode = [](const std::string& kind, int v) -> std::uint64_t {
    if (kind == "f16") return d::from_double(d::kF16, v);
    if (kind == "bf16") return d::from_double(d::kBf16, v);
    if (kind == "e4m3") return d::from_double(d::kE4m3, v);
    if (kind == "e5m2") return d::from_double(d::kE5m2, v);
    if (kind == "f32") return d::from_double(d::kF32, v);
    if (kind == "f64") return d::from_double(d::kF64, v);
    if (kind == "s4" || kind == "u4") return static_cast<std::uint64_t>(v) & 15;
    if (kind == "s8" || kind == "u8") return static_cast<std::uint64_t>(v) & 255;
    return static_cast<std::uint32_t>(v);
  };
  for (const Case& c : cases) {
    INFO(c.shape << c.types);
    const auto &ea = entry(std::string("mma.") + c.table + ".A"), &eb = entry(std::string("mma.") + c.table + ".B"), &ed = entry(std::string("mma.") + c.table + "." + c.dtable);
    const int m = ea["shape"][0], k = ea["shape"][1], n = eb["shape"][1];
    // Small integers every type holds; fp8 with two mantissa bits holds up to 4 in steps of one.
    const std::string ka = c.a, kb = c.b;
    auto low = [](const std::string& t) { return t[0] == 'u' ? 0 : -3; };
    Random r(m * 100 + k);
    std::vector<int> a(m * k), b(k * n), s(m * n);
    for (int& v : a) v = low(ka) + static_cast<int>(r.below(7));
    for (int& v : b) v = low(kb) + static_cast<int>(r.below(7));
    for (int i = 0; i < m * n; ++i) s[i] = i - 30;
    const Product p{std::string(c.shape) + ".row.col", c.types, c.tail, m, n, k, ea["registers"]["count"], eb["registers"]["count"], ed["registers"]["count"], c.file, c.operand};
    const auto got = execute(p, pack(ea, [&](int i) { return encode(ka, a[i]); }), pack(eb, [&](int i) { return encode(kb, b[i]); }), pack(ed, [&](int i) { return encode(c.d, s[i]); }));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int q = 0; q < k; ++q) s[i * n + j] += a[i * k + q] * b[q * n + j];
    const auto want = pack(ed, [&](int i) { return encode(c.d, s[i]); });
    CHECK(got == want);
  }
}

TEST_CASE("an identity times a matrix of distinct elements", "[emulated]") {  // shows each element's place
  const auto &ea = entry("mma.m16n8k16.f16.A"), &eb = entry("mma.m16n8k16.f16.B"), &ed = entry("mma.m16n8k16.f16.D_f32");
  const Product p{"m16n8k16.row.col", ".f32.f16.f16.f32", "", 16, 8, 16, 4, 2, 4, "f32", "b32"};
  const auto got = execute(p, pack(ea, [](int i) { return d::from_double(d::kF16, i / 16 == i % 16 ? 1 : 0); }), pack(eb, [](int i) { return d::from_double(d::kF16, i + 1); }), pack(ed, [](int) { return 0ull; }));
  CHECK(got == pack(ed, [](int i) { return d::from_double(d::kF32, i + 1); }));
}

TEST_CASE("integer products saturate when asked", "[emulated]") {
  const auto &ea = entry("mma.m16n8k32.s8.A"), &eb = entry("mma.m16n8k32.s8.B"), &ed = entry("mma.m16n8k32.s8.D_s32");
  auto result = [&](const char* shape) {
    const Product p{shape, ".s32.s8.s8.s32", "", 16, 8, 32, 4, 2, 4, "s32", "b32"};
    return execute(p, pack(ea, [](int) { return 127ull; }), pack(eb, [](int) { return 127ull; }), pack(ed, [](int) { return 0x7FFFFFF0ull; }))[0] & 0xFFFFFFFF;
  };
  CHECK(result("m16n8k32.row.col.satfinite") == 0x7FFFFFFF);
  CHECK(result("m16n8k32.row.col") == 0x7FFFFFF0u + 32u * 127u * 127u);
}

TEST_CASE("one-bit products count", "[emulated]") {
  for (const bool x : {false, true}) {
    Random r(5);
    std::vector<std::uint64_t> a(32 * 4), b(32 * 2), c(32 * 4);
    for (auto& v : a) v = static_cast<std::uint32_t>(r.next());
    for (auto& v : b) v = static_cast<std::uint32_t>(r.next());
    for (auto& v : c) v = r.below(100);
    const Product p{"m16n8k256.row.col", ".s32.b1.b1.s32", x ? ".xor.popc" : ".and.popc", 16, 8, 256, 4, 2, 4, "s32", "b32"};
    const auto got = execute(p, a, b, c);
    for (int l = 0; l < 32; ++l)
      for (int e = 0; e < 4; ++e) {
        const int row = l / 4 + 8 * (e / 2), col = 2 * (l % 4) + e % 2;
        // A: registers walk rows first, then k by 128 bits; a register holds 32 consecutive k of its quad
        std::uint32_t want = static_cast<std::uint32_t>(c[l * 4 + e]);
        for (int t = 0; t < 4; ++t)
          for (int half = 0; half < 2; ++half) {
            const auto ra = static_cast<std::uint32_t>(a[(row % 8 * 4 + t) * 4 + (row / 8) + 2 * half]), rb = static_cast<std::uint32_t>(b[(col * 4 + t) * 2 + half]);
            want += static_cast<std::uint32_t>(std::popcount(x ? ra ^ rb : ra & rb));
          }
        if ((got[l * 4 + e] & 0xFFFFFFFF) != want) FAIL("lane " << l << " element " << e);
      }
  }
}

TEST_CASE("Volta's quad products", "[emulated]") {
  for (const bool a_row : {false, true})
    for (const bool b_row : {false, true}) {
      std::vector<std::uint64_t> a(64), b(64), c(256);
      auto value = [](int q, int i, int j, int s) { return (q * 7 + i * 5 + j * 3 + s) % 9 - 4; };
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < 4; ++i) {
          const int q = d::volta_quad(l);
          const d::Coord ca = d::volta_a(l, i, a_row), cb = d::volta_b(l, i, b_row);
          a[l * 2 + i / 2] |= d::from_double(d::kF16, value(q, ca.row, ca.col, 0)) << (16 * (i % 2));
          b[l * 2 + i / 2] |= d::from_double(d::kF16, value(q, cb.row, cb.col, 1)) << (16 * (i % 2));
        }
      const Product p{std::string("m8n8k4.") + (a_row ? "row." : "col.") + (b_row ? "row" : "col"), ".f32.f16.f16.f32", "", 8, 8, 4, 2, 2, 8, "f32", "b32"};
      const auto got = execute(p, a, b, c);
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < 8; ++i) {
          const d::Coord cd = d::volta_d(l, i, true);
          int want = 0;
          for (int k = 0; k < 4; ++k) want += value(d::volta_quad(l), cd.row, k, 0) * value(d::volta_quad(l), k, cd.col, 1);
          CHECK((got[l * 8 + i] & 0xFFFFFFFF) == d::from_double(d::kF32, want));
        }
    }
}

TEST_CASE("ldmatrix and stmatrix move what the tables say", "[emulated]") {
  for (const int n : {1, 2, 4})
    for (const bool trans : {false, true}) {
      const std::string id = "m8n8.x" + std::to_string(n) + (trans ? ".trans" : "");
      std::string regs = "{";
      for (int i = 0; i < n; ++i) regs += (i ? ", %r1" : "%r1") + std::to_string(i);
      regs += "}";
      // matrix elements are their flat numbers; rows lie 32 bytes apart. Then stmatrix to a second place, and both go back.
      std::string body = ".shared .align 16 .b8 s[2048];\n.visible .entry k(.param .u64 p, .param .u64 o)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\nmov.u32 %r0, %tid.x;\nld.param.u64 %rd1, [p];\nld.param.u64 %rd5, [o];\n";
      body += "mad.wide.u32 %rd2, %r0, 16, %rd1;\nld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd2];\nmov.u32 %r5, s;\nmad.lo.u32 %r6, %r0, 32, %r5;\nst.shared.v4.b32 [%r6], {%r1, %r2, %r3, %r4};\nbar.sync 0;\n";
      body += "ldmatrix.sync.aligned." + id + ".shared.b16 " + regs + ", [%r6];\nmad.wide.u32 %rd3, %r0, " + std::to_string(4 * n) + ", %rd5;\n";
      for (int i = 0; i < n; ++i) body += "st.global.b32 [%rd3+" + std::to_string(4 * i) + "], %r1" + std::to_string(i) + ";\n";
      body += "stmatrix.sync.aligned." + id + ".shared.b16 [%r6+1024], " + regs + ";\nbar.sync 0;\nsetp.lt.u32 %p1, %r0, " + std::to_string(8 * n) + ";\n@%p1 ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%r6+1024];\n@%p1 st.global.v4.b32 [%rd2+512], {%r1, %r2, %r3, %r4};\nret;\n}\n";
      Session s(ptx_module(body, "sm_90", "8.0"), "ldmatrix");
      std::vector<std::uint16_t> in(512, 0xFFFF);
      for (int i = 0; i < 256; ++i) in[i] = static_cast<std::uint16_t>(i);
      const auto p = s.upload(in), o = s.fresh<std::uint32_t>(32 * n);
      s.run("k", {1, 1, 1}, {32, 1, 1}, 0, p, o);
      INFO(id << "\n" << s.report.summary());
      CHECK(s.report.clean());
      const auto got = s.download<std::uint16_t>(o, 64 * n);
      const auto& e = entry("ldmatrix." + id + ".b16");
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < 2 * n; ++i) CHECK(got[l * 2 * n + i] == e["map"]["table"][l][i].get<int>());
      const auto back = s.download<std::uint16_t>(p, 512);
      for (int i = 0; i < 64 * n; ++i) CHECK(back[256 + i] == i);
    }
}
