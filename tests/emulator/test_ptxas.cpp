// What we accept, ptxas accepts: every spelling of every form, every fixture, and thousands of mutants of them.
// What only ptxas accepts is refused with an entry of the list below, or of isa/refused.cpp.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "support.hpp"

namespace {

bool have_ptxas() { return std::string(TINE_PTXAS).size() > 1 && std::filesystem::exists(TINE_PTXAS); }
#define NEED_PTXAS()                                                                   \
  if (!have_ptxas()) {                                                                 \
    WARN("skipped: ptxas is not there (CUDA toolkit 13, found by CUDA_HOME or PATH)"); \
    return;                                                                            \
  }

std::filesystem::path scratch() {
  static const std::filesystem::path p = [] {
    auto d = std::filesystem::temp_directory_path() / ("tine-ptxas-" + std::to_string(static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch().count())));
    std::filesystem::create_directories(d);
    return d;
  }();
  return p;
}
// Runs ptxas; what it complains about, empty when it is content.
std::string ptxas(const std::string& ptx, const std::string& arch) {
  const auto file = scratch() / "t.ptx", log = scratch() / "t.log";
  {
    std::ofstream out(file);
    out << ptx;
  }
  const std::string command = std::string(TINE_PTXAS) + " -O0 -c -arch=" + arch + " " + file.string() + " -o /dev/null > " + log.string() + " 2>&1";
  if (std::system(command.c_str()) == 0) return "";
  const std::string text = read_text(log.string());
  return text.empty() ? "failed without a word" : text;
}
std::string emulator(const std::string& ptx) {
  try {
    emu::check(ptx, "t");
    return "";
  } catch (const emu::Error& e) {
    return e.what();
  }
}

// Registers that fit a type name.
std::string reg(const std::string& type, int i, bool dest) {
  static const std::map<std::string, std::string> prefix = {{"pred", "%p"}, {"f32", "%f"}, {"f64", "%fd"}, {"b128", "%q"}};
  const auto it = prefix.find(type);
  std::string p;
  if (it != prefix.end())
    p = it->second;
  else if (type == "b8" || type == "u8" || type == "s8" || type == "b16" || type == "u16" || type == "s16" || type == "f16" || type == "bf16" || type == "e4m3x2" || type == "e5m2x2")
    p = "%h";
  else if (type == "b64" || type == "u64" || type == "s64")
    p = "%rd";
  else
    p = "%r";
  return p + std::to_string(i + (dest ? 0 : 1));
}

const char kHead[] = ".global .align 16 .b8 gv[1024];\n.const .align 16 .b8 cv[1024];\n.shared .align 16 .b8 sv[1024];\n";
const char kRegisters[] = ".reg .pred %p<8>;\n.reg .b16 %h<16>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<32>;\n.reg .f64 %fd<32>;\n.local .align 16 .b8 lv[64];\n";

// An instruction of this spelling with operands as the form asks; empty when the operands are the builder's own affair and no rule below knows them.
std::string instruction(const emu::Spelling& s, const emu::FormInfo& f) {
  auto has = [&](const char* m) { return (s.text + ".").find(std::string(".") + m + ".") != std::string::npos; };
  std::vector<std::string> ops;
  int n = 0;
  const std::string space = has("const") ? "cv" : has("shared") || has("shared::cta") ? "sv" : has("local") ? "lv" : has("param") ? "pp" : has("param::entry") ? "pp" : "gv";
  auto wide = [](const std::string& t) { return t == "u16" ? "u32" : t == "s16" ? "s32" : t == "u32" ? "u64" : "s64"; };
  std::istringstream spec(f.operands);
  std::string w;
  while (spec >> w) {
    if (w == "*") break;
    const bool dest = w[0] == '=';
    if (dest) w.erase(0, 1);
    const bool pair = w.size() > 3 && w.substr(w.size() - 3) == "|p?";
    if (pair) w.erase(w.size() - 3);
    const bool optional = w.back() == '?';
    if (optional) w.pop_back();
    if (optional && w == "b64" && !has("L2::cache_hint")) continue;
    std::string type = w;
    if (w == "0" || w == "1" || w == "2") type = s.types.at(static_cast<std::size_t>(w[0] - '0'));
    if (w == "w") type = wide(s.types.at(0));
    if (w == "m")
      ops.push_back("[" + space + "]");
    else if (w == "i")
      ops.push_back("1");
    else if (w == "p" || type == "pred")
      ops.push_back("%p" + std::to_string(n + 1));
    else if (w == "V") {
      const std::string t = s.types.at(0);
      const int count = has("v4") ? 4 : has("v2") ? 2 : 1;
      std::string v;
      for (int i = 0; i < count; ++i) v += (i ? ", " : "") + reg(t, i, dest);
      ops.push_back(count == 1 ? v : "{" + v + "}");
    } else
      ops.push_back(reg(type, n, dest));
    if (pair && (s.text.substr(0, 5) == "elect" || (s.text.substr(0, 4) == "lop3" && (has("or") || has("and"))) || (s.text.substr(0, 4) == "setp" && s.text.find("16x2") != std::string::npos))) ops.back() += "|%p7";
    ++n;
  }
  if (f.operands == "*") {
    const std::string& name = f.name;
    auto regs = [&](const std::string& t, int count) {
      std::string v = "{";
      for (int i = 0; i < count; ++i) v += (i ? ", " : "") + reg(t, i, true);
      return v + "}";
    };
    if (name == "mov") ops = {reg(s.types.at(0), 0, true), reg(s.types.at(0), 0, false)};
    else if (name == "cvt") ops = {reg(s.types.at(0), 0, true), reg(s.types.at(1), 1, false)};
    else if (name == "cvta") ops = {"%rd1", "%rd2"};
    else if (name == "atom" || name == "red") {
      const std::string t = s.types.at(0);
      if (name == "atom") ops.push_back(reg(t, 0, true));
      ops.push_back(has("shared") || has("shared::cta") ? "[sv]" : "[gv]");
      ops.push_back(reg(t, 1, false));
      if (has("cas")) ops.push_back(reg(t, 2, false));
      if (has("L2::cache_hint")) ops.push_back("%rd9");
    } else if (name == "cp") {
      ops = {"[sv]", "[gv]", "16"};
      if (has("L2::cache_hint")) ops.push_back("%rd9");
    } else if (name == "bra") return s.text + " L; L:";
    else if (name == "bar" || name == "barrier") {
      if (has("red")) ops = has("popc") ? std::vector<std::string>{"%r1", "0", "%p1"} : std::vector<std::string>{"%p2", "0", "%p1"};
      else if (has("arrive")) ops = {"1", "64"};
      else ops = {"0"};
    } else if (name == "ldmatrix" || name == "stmatrix") {
      const std::string v = regs("b32", has("x1") ? 1 : has("x2") ? 2 : 4), a = has("shared") || has("shared::cta") ? "[sv]" : "[%rd1]";
      if (name == "ldmatrix") ops = {v, a}; else ops = {a, v};
    } else if (name == "mma" || name == "wmma") {
      int m = 0, nn = 0, k = 0;
      const std::size_t at = s.text.find(".m") != std::string::npos ? s.text.find(".m8n") != std::string::npos ? s.text.find(".m8n") : s.text.find(".m16n") != std::string::npos ? s.text.find(".m16n") : s.text.find(".m32n") : 0;
      std::sscanf(s.text.c_str() + at, ".m%dn%dk%d", &m, &nn, &k);
      auto per = [](const std::string& t) { return t == "f64" ? 1 : t == "f16" || t == "bf16" ? 2 : t == "u8" || t == "s8" || t == "e4m3" || t == "e5m2" ? 4 : t == "u4" || t == "s4" ? 8 : t == "b1" ? 32 : 1; };
      auto rt = [](const std::string& t) { return t == "f64" || t == "f32" ? t : std::string("b32"); };
      auto frag = [&](int elements, const std::string& t) { return regs(rt(t), elements / 32 / per(t)); };
      std::vector<std::string> t = s.types;
      if (name == "wmma" && (has("load") || has("store"))) {
        const bool a = has("a"), b = has("b");
        const std::string v = (a || b) && t[0] == "f16" ? regs("b32", 8) : frag(a ? m * k : b ? k * nn : m * nn, t[0] == "tf32" ? "b32" : t[0]);
        const std::string p = has("shared") ? "[sv]" : has("global") ? "[gv]" : "[%rd1]";
        if (has("load")) ops = {v, p}; else ops = {p, v};
      } else if (name == "wmma" && t.size() == 2)
        ops = {frag(256, t[0]), regs("b32", 8), regs("b32", 8), frag(256, t[1])};
      else if (k == 4 && nn == 8 && t.size() == 4 && t[1] == "f16")
        ops = {t[0] == "f32" ? regs("f32", 8) : regs("b32", 4), regs("b32", 2), regs("b32", 2), t[3] == "f32" ? regs("f32", 8) : regs("b32", 4)};
      else
        ops = {frag(m * nn, t[0]), frag(m * k, t[1] == "tf32" ? "b32" : t[1]), frag(k * nn, t[2] == "tf32" ? "b32" : t[2]), frag(m * nn, t[3])};
    } else if (name != "ret" && name != "exit")
      return "";
  }
  std::string line = s.text;
  for (std::size_t i = 0; i < ops.size(); ++i) line += (i ? ", " : " ") + ops[i];
  return line + ";";
}

std::string wrap(const std::string& body, bool b128) { return ptx_module(std::string(kHead) + ".visible .entry k(.param .align 16 .b8 pp[64])\n{\n" + kRegisters + (b128 ? ".reg .b128 %q<8>;\n" : "") + body + "ret;\n}\n", "sm_90", "9.0"); }

}  // namespace

TEST_CASE("every spelling of the table is accepted by both", "[ptxas]") {
  NEED_PTXAS();
  const auto forms = emu::supported_forms();
  std::vector<std::string> good;
  std::set<std::size_t> covered;
  int refused_by_us = 0;
  for (const emu::Spelling& s : emu::all_spellings()) {
    const std::string line = instruction(s, forms[s.form]);
    if (line.empty()) continue;
    // Spellings that the form's pattern allows but the builder refuses (16-byte limit, hint without policy ...) are no claim of ours.
    if (!emulator(wrap("{\n" + line + "\n}\n", line.find("%q") != std::string::npos)).empty()) {
      ++refused_by_us;
      continue;
    }
    covered.insert(s.form);
    good.push_back(line);
  }
  INFO(good.size() << " spellings, " << refused_by_us << " refused by the builder");
  CHECK(good.size() > 3000);
  // All of them through ptxas, many to a file; the complaints name lines.
  std::vector<std::string> rejected;
  for (std::size_t at = 0; at < good.size(); at += 1500) {
    std::string body;
    for (std::size_t i = at; i < std::min(at + 1500, good.size()); ++i) body += "{\n" + good[i] + "\n}\n";
    const std::string log = ptxas(wrap(body, true), "sm_90");
    // "..., line 4233; error   : Illegal modifier ...": three lines each, behind the head
    std::istringstream complaints(log);
    const std::string before = wrap("", true);
    const auto first = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) - 1;
    std::size_t named = 0;
    for (std::string c; std::getline(complaints, c);) {
      const std::size_t k = c.find("line ");
      if (k == std::string::npos) continue;
      const std::size_t number = std::stoul(c.substr(k + 5));
      const std::size_t i = at + (number - first) / 3;
      rejected.push_back((i < good.size() ? good[i] : std::string("?")) + "  <- " + c.substr(c.find(';') + 2));
      ++named;
    }
    if (!log.empty() && named == 0) rejected.push_back(log.substr(0, 1000));
  }
  for (const std::string& r : rejected) UNSCOPED_INFO(r);
  CHECK(rejected.empty());
  // The forms that the generator above can write must not silently drop out of this test.
  std::string missing;
  for (std::size_t i = 0; i < forms.size(); ++i)
    if (covered.count(i) == 0 && forms[i].name != "brx" && forms[i].name != "call" && forms[i].modifiers.substr(0, 11) != "param::func") missing += forms[i].name + " " + forms[i].modifiers + "\n";
  INFO(missing);
  CHECK(missing.empty());
}

TEST_CASE("fixtures are accepted by both", "[ptxas]") {
  NEED_PTXAS();
  for (const auto& e : std::filesystem::directory_iterator(std::string(TINE_EMULATOR_TESTS) + "/fixtures")) {
    if (e.path().extension() != ".ptx") continue;
    const std::string name = e.path().stem().string(), text = read_text(e.path().string());
    INFO(name);
    CHECK(emulator(text).empty());
    if (name.find("sm_90") != std::string::npos) CHECK(ptxas(text, "sm_90").empty());
  }
}

TEST_CASE("mutants that we accept, ptxas accepts", "[ptxas][fuzz]") {
  NEED_PTXAS();
  // Small kernels, so that ptxas is quick; a mutation changes one token.
  const std::string seeds[] = {"add.s32 %r1, %r2, %r3;", "fma.rn.f32 %f1, %f2, %f3, %f4;", "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [gv+16];", "st.shared.u32 [sv+4], %r1;", "setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3;", "cvt.rn.f16.f32 %h1, %f2;",
                               "mul.wide.u32 %rd1, %r2, 4;", "selp.f32 %f1, %f2, %f3, %p1;", "mov.b64 %rd1, {%r1, %r2};", "shfl.sync.bfly.b32 %r1|%p1, %r2, 4, 31, -1;", "atom.global.add.f32 %f1, [gv], %f2;", "lop3.b32 %r1, %r2, %r3, %r4, 0x96;",
                               "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [sv];", "cp.async.ca.shared.global [sv], [gv], 8;",
                               "bar.sync 0, 64;", "vote.sync.ballot.b32 %r1, %p1, -1;", "min.NaN.f16x2 %r1, %r2, %r3;", "@%p1 bra L;\nL:", "bfe.s32 %r1, %r2, %r3, %r4;", "prmt.b32 %r1, %r2, %r3, 0x5410;", "red.global.add.u64 [gv+8], %rd1;"};
  const char* const tokens[] = {"f32", "f64", "s32", "u64", "b32", "u16", "f16", "f16x2", "rn", "rz", "ftz", "sat", "global", "shared", "%r1", "%f1", "%rd1", "%fd1", "%h1", "%p1", "0f3F800000", "7", "-1", "1.5", "_", "gv", "sv", "lt", "v2", "wide", "lo", "!%p1", "x1", "row", "relu", "volatile", "cta"};
  Random r(20261130);
  int accepted = 0;
  std::vector<std::string> batch, culprits;
  auto judge = [&] {
    if (batch.empty()) return;
    std::string body;
    for (const std::string& b : batch) body += "{\n" + b + "\n}\n";
    if (!ptxas(wrap(body, false), "sm_90").empty())
      for (const std::string& b : batch)
        if (const std::string why = ptxas(wrap("{\n" + b + "\n}\n", false), "sm_90"); !why.empty()) culprits.push_back(b + "  <- " + why.substr(0, 200));
    batch.clear();
  };
  for (int i = 0; i < 20000; ++i) {
    std::string m = seeds[r.below(sizeof seeds / sizeof *seeds)];
    // replace, insert or drop one dotted modifier or operand
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (std::size_t b = 0; b < m.size();) {
      if (std::isalnum(static_cast<unsigned char>(m[b])) || m[b] == '%' || m[b] == '_') {
        std::size_t e = b + 1;
        while (e < m.size() && (std::isalnum(static_cast<unsigned char>(m[e])) || m[e] == '_')) ++e;
        spans.emplace_back(b, e - b);
        b = e;
      } else
        ++b;
    }
    const auto [at, length] = spans[r.below(static_cast<std::uint32_t>(spans.size()))];
    const std::string t = tokens[r.below(sizeof tokens / sizeof *tokens)];
    switch (r.below(4)) {
      case 0: m.insert(at + length, "." + t); break;
      case 1: m.erase(at > 0 ? at - 1 : at, length + (at > 0)); break;
      default: m.replace(at, length, t);
    }
    if (!emulator(wrap("{\n" + m + "\n}\n", false)).empty()) continue;
    ++accepted;
    batch.push_back(m);
    if (batch.size() == 200) judge();
  }
  judge();
  CHECK(accepted > 500);
  for (const std::string& c : culprits) UNSCOPED_INFO(c);
  CHECK(culprits.empty());
}

TEST_CASE("what only ptxas accepts is refused with a reason", "[ptxas]") {
  NEED_PTXAS();
  // line -> a part of our message
  const std::pair<const char*, const char*> only[] = {
      {"add.sat.ftz.f32 %f1, %f2, %f3;", "no form of `add` has the modifiers"},  // modifiers out of the documented order
      {"ld.global.f32 %rd1, [gv];", "cannot take a .f32"},                        // a float into a wider integer register
      {"ld.u32 %r1, [sv];", "another state space"},                               // a generic access by the name of a shared variable
      {"vadd.s32.s32.s32 %r1, %r2, %r3;", "video instructions"},
      {"mapa.shared::cluster.u32 %r1, %r2, 0;", "not executed yet"},
      {"discard.global.L2 [gv], 128;", "undefined"},
      {"mbarrier.init.shared.b64 [sv], 1;", "not executed yet"},
      {"getctarank.shared::cluster.u32 %r1, %r2;", "not executed yet"},
      {"griddepcontrol.wait;", "not executed yet"},
      {"barrier.cluster.arrive;", "not executed yet"},
      {"fence.proxy.async;", "not executed yet"},
  };
  for (const auto& [line, reason] : only) {
    INFO(line);
    CHECK(ptxas(wrap(std::string("{\n") + line + "\n}\n", false), "sm_90").empty());
    const std::string why = emulator(wrap(std::string("{\n") + line + "\n}\n", false));
    INFO(why);
    CHECK(why.find(reason) != std::string::npos);
  }
}
