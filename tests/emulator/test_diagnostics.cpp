// Every class of finding: a small wrong kernel that provokes exactly it, and a right one that does not.
#include <set>

#include "support.hpp"

namespace {

using emu::DiagnosticClass;

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::uint32_t shared = 0;
};
// A kernel k(.param .u64 p) over an array of `ints` words, written before the launch.
emu::Report run(const std::string& declarations, const std::string& body, const Launch& l = {}, std::size_t ints = 64, const emu::Options& o = {}, const std::string& target = "sm_89", const std::string& version = "8.4") {
  const std::string ptx = ptx_module(declarations + "\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<32>;\n.reg .f32 %f<16>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd2, %rd0, %rd1;\n" + body + "\nret;\n}\n", target, version);
  Session s(ptx, "test", o);
  const auto p = s.upload(std::vector<int>(ints, 3), "array");
  return s.run("k", l.grid, l.block, l.shared, p);
}
// The number of the line of `text` in the module that run() makes of declarations of one line.
std::set<std::string> classes(const emu::Report& r) {
  std::set<std::string> s;
  for (const auto& d : r.diagnostics) s.insert(emu::name_of(d.cls));
  return s;
}
std::set<DiagnosticClass>& provoked() {
  static std::set<DiagnosticClass> s;
  return s;
}
void only(const emu::Report& r, DiagnosticClass cls) {
  INFO(r.summary());
  CHECK(classes(r) == std::set<std::string>{emu::name_of(cls)});
  for (const auto& d : r.diagnostics) {
    CHECK(d.line > 0);
    CHECK(d.module == "test");
    CHECK(!d.message.empty());
  }
  provoked().insert(cls);
}
void clean(const emu::Report& r) {
  INFO(r.summary());
  CHECK(r.clean());
}
const char kShared[] = ".shared .align 16 .b8 s[512];";
const char kSharedAddress[] = "mov.u32 %r1, s;\nshl.b32 %r2, %r0, 2;\nadd.s32 %r3, %r1, %r2;\n";

}  // namespace

TEST_CASE("out of bounds by one element", "[emulated][diagnostics]") {
  only(run("", "st.global.u32 [%rd2+4], %r0;", {}, 32), DiagnosticClass::out_of_bounds);
  clean(run("", "st.global.u32 [%rd2], %r0;", {}, 32));
  const emu::Report r = run("", "st.global.u32 [%rd2+4], %r0;", {}, 32);
  CHECK(r.diagnostics[0].count == 1);
  CHECK(r.diagnostics[0].thread == std::array<std::uint32_t, 3>{31, 0, 0});
  CHECK(r.diagnostics[0].line == 15);
}
TEST_CASE("out of bounds in shared, local and parameter memory", "[emulated][diagnostics]") {
  only(run(".shared .align 4 .b8 s[128];\n.shared .align 4 .b8 t[128];", std::string(kSharedAddress) + "st.shared.u32 [%r3+4], %r0;\nmov.u32 %r4, t;\nst.shared.u32 [%r4], 7;", {}), DiagnosticClass::out_of_bounds);
  clean(run(".shared .align 4 .b8 s[128];", std::string(kSharedAddress) + "st.shared.u32 [%r3], %r0;"));
  only(run("", ".local .align 4 .b8 q[16];\nmov.u64 %rd3, q;\nst.local.u32 [%rd3+16], %r0;"), DiagnosticClass::out_of_bounds);
  clean(run("", ".local .align 4 .b8 q[16];\nmov.u64 %rd3, q;\nst.local.u32 [%rd3+12], %r0;"));
  only(run("", "mov.u64 %rd3, p;\nld.param.u32 %r4, [%rd3+8];"), DiagnosticClass::out_of_bounds);
  only(run("", "mov.u64 %rd3, 0;\nld.global.u32 %r4, [%rd3];"), DiagnosticClass::out_of_bounds);
  only(run("", "mov.u64 %rd3, 64;\nld.u32 %r4, [%rd3];"), DiagnosticClass::out_of_bounds);
  only(run(".extern .shared .align 16 .b8 d[];", "mov.u32 %r1, d;\nshl.b32 %r2, %r0, 2;\nadd.s32 %r3, %r1, %r2;\nst.shared.u32 [%r3+4], %r0;", {{1, 1, 1}, {32, 1, 1}, 128}), DiagnosticClass::out_of_bounds);
  clean(run(".extern .shared .align 16 .b8 d[];", "mov.u32 %r1, d;\nshl.b32 %r2, %r0, 2;\nadd.s32 %r3, %r1, %r2;\nst.shared.u32 [%r3], %r0;", {{1, 1, 1}, {32, 1, 1}, 128}));
}
TEST_CASE("a misaligned vector access", "[emulated][diagnostics]") {
  only(run("", "and.b32 %r4, %r0, 1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd0, %rd3;\nld.global.v2.u32 {%r5, %r6}, [%rd4];"), DiagnosticClass::misaligned);
  clean(run("", "and.b32 %r4, %r0, 1;\nmul.wide.u32 %rd3, %r4, 8;\nadd.s64 %rd4, %rd0, %rd3;\nld.global.v2.u32 {%r5, %r6}, [%rd4];"));
  only(run(kShared, "mov.u32 %r1, s;\nst.shared.v4.u32 [%r1+8], {%r0, %r0, %r0, %r0};"), DiagnosticClass::misaligned);
  clean(run(kShared, "setp.eq.u32 %p1, %r0, 0;\nmov.u32 %r1, s;\n@%p1 st.shared.v4.u32 [%r1+16], {%r0, %r0, %r0, %r0};"));
}
TEST_CASE("reading what nobody wrote", "[emulated][diagnostics]") {
  only(run(kShared, std::string(kSharedAddress) + "ld.shared.u32 %r4, [%r3];"), DiagnosticClass::unwritten_read);
  clean(run(kShared, std::string(kSharedAddress) + "st.shared.u32 [%r3], %r0;\nld.shared.u32 %r4, [%r3];"));
  only(run("", ".local .align 4 .b8 q[16];\nmov.u64 %rd3, q;\nst.local.u8 [%rd3], %r0;\nld.local.u16 %r4, [%rd3];"), DiagnosticClass::unwritten_read);
  // global memory: fresh allocations are unwritten, bound host memory and variables are not
  const std::string ptx = ptx_module(".global .u32 v;\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [v];\nret;\n}\n");
  Session s(ptx, "test");
  only(s.run("k", {1, 1, 1}, {1, 1, 1}, 0, s.fresh<int>(4)), DiagnosticClass::unwritten_read);
  int host[4] = {1, 2, 3, 4};
  clean(s.run("k", {1, 1, 1}, {1, 1, 1}, 0, s.machine.memory().bind(host, sizeof host)));
}
TEST_CASE("a missing barrier", "[emulated][diagnostics]") {
  const std::string write = std::string(kSharedAddress) + "st.shared.u32 [%r3], -1;\nbar.sync 0;\nst.shared.u32 [%r3], %r0;\n", read = "xor.b32 %r4, %r2, 128;\nadd.s32 %r4, %r4, %r1;\nld.shared.u32 %r5, [%r4];\n";
  only(run(kShared, write + read, {{1, 1, 1}, {64, 1, 1}}), DiagnosticClass::shared_race);
  clean(run(kShared, write + "bar.sync 0;\n" + read, {{1, 1, 1}, {64, 1, 1}}));
  // and after reading, before writing again
  only(run(kShared, write + "bar.sync 0;\n" + read + "st.shared.u32 [%r3], %r5;", {{1, 1, 1}, {64, 1, 1}}), DiagnosticClass::shared_race);
  clean(run(kShared, write + "bar.sync 0;\n" + read + "bar.sync 0;\nst.shared.u32 [%r3], %r5;", {{1, 1, 1}, {64, 1, 1}}));
  // inside a warp bar.warp.sync is enough
  const std::string neighbour = "xor.b32 %r4, %r2, 4;\nadd.s32 %r4, %r4, %r1;\nld.shared.u32 %r5, [%r4];\n";
  only(run(kShared, write + neighbour), DiagnosticClass::shared_race);
  clean(run(kShared, write + "bar.warp.sync -1;\n" + neighbour));
  // a barrier of some warps does not order the others; producers that arrive and consumers that wait are ordered
  const std::string roles = "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra PRODUCE;\nbar.sync 1, 64;\nadd.s32 %r4, %r3, -128;\nld.shared.u32 %r5, [%r4];\nbra DONE;\nPRODUCE:\nst.shared.u32 [%r3], %r0;\nbar.arrive 1, 64;\nDONE:\n";
  clean(run(kShared, std::string(kSharedAddress) + roles, {{1, 1, 1}, {64, 1, 1}}));
  const emu::Report r = run(kShared, write + read, {{1, 1, 1}, {64, 1, 1}});
  CHECK(r.diagnostics[0].other_line != 0);
  // all lanes writing the same value is the usual flag: no finding
  clean(run(kShared, "mov.u32 %r1, s;\nmov.u32 %r4, 1;\nst.shared.u32 [%r1], %r4;", {{1, 1, 1}, {64, 1, 1}}));
  // atomics among themselves are no race
  clean(run(kShared, "mov.u32 %r1, s;\nmov.u32 %r4, 0;\nst.shared.u32 [%r1], %r4;\nbar.sync 0;\natom.shared.add.u32 %r5, [%r1], 1;", {{1, 1, 1}, {64, 1, 1}}));
}
TEST_CASE("a cp.async to what another warp may still read or write", "[emulated][diagnostics]") {
  const Launch two{{1, 1, 1}, {64, 1, 1}};
  const std::string other = "xor.b32 %r4, %r0, 32;\nshl.b32 %r4, %r4, 2;\nadd.s32 %r4, %r1, %r4;\n";  // the place of a thread of the other warp
  const std::string copy = "cp.async.ca.shared.global [%r4], [%rd2], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n", barrier = "bar.sync 0;\n";
  const std::string start = std::string(kSharedAddress) + other, write = "st.shared.u32 [%r3], %r0;\n", read = "ld.shared.u32 %r5, [%r3];\nst.global.u32 [%rd2], %r5;\n";
  only(run(kShared, start + write + copy, two), DiagnosticClass::shared_race);
  clean(run(kShared, start + write + barrier + copy, two));
  only(run(kShared, start + write + barrier + read + copy, two), DiagnosticClass::shared_race);
  clean(run(kShared, start + write + barrier + read + barrier + copy, two));
}
TEST_CASE("threads of a block that touch one word of global memory", "[emulated][diagnostics]") {
  const Launch two{{1, 1, 1}, {64, 1, 1}};
  const std::string other = "xor.b32 %r4, %r0, 32;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd0, %rd3;\n";  // the word of a thread of the other warp
  const std::string write = "st.global.u32 [%rd2], %r0;\n", read = "ld.global.u32 %r5, [%rd4];\nadd.s32 %r5, %r5, 77;\n", barrier = "bar.sync 0;\n";
  only(run("", other + write + read, two), DiagnosticClass::global_race);
  clean(run("", other + write + barrier + read, two));
  only(run("", other + read + write, two), DiagnosticClass::global_race);
  clean(run("", other + read + barrier + write, two));
  only(run("", other + write + "st.global.u32 [%rd4], %r0;\n", two), DiagnosticClass::global_race);
  clean(run("", other + write + barrier + "st.global.u32 [%rd4], %r0;\n", two));
  clean(run("", "mov.u32 %r4, 9;\nst.global.u32 [%rd0], %r4;\n" + barrier + "st.global.u32 [%rd0], %r4;\n", two));  // what is there already
  only(run("", write + barrier + "ld.global.nc.u32 %r5, [%rd2];\n", two), DiagnosticClass::global_race);
}
TEST_CASE("a missing cp.async.wait_group", "[emulated][diagnostics]") {
  const std::string copy = std::string(kSharedAddress) + "cp.async.ca.shared.global [%r3], [%rd2], 4;\ncp.async.commit_group;\n", read = "ld.shared.u32 %r5, [%r3];\nst.global.u32 [%rd2], %r5;\n";
  only(run(kShared, copy + read), DiagnosticClass::async_pending);
  clean(run(kShared, copy + "cp.async.wait_group 0;\n" + read));
  only(run(kShared, copy + "cp.async.wait_group 1;\n" + read), DiagnosticClass::async_pending);
  clean(run(kShared, copy + "cp.async.commit_group;\ncp.async.wait_group 1;\n" + read));
  // wait_group does not count what was not committed; wait_all does
  const std::string open = std::string(kSharedAddress) + "cp.async.ca.shared.global [%r3], [%rd2], 4;\n";
  only(run(kShared, open + "cp.async.wait_group 0;\n" + read), DiagnosticClass::async_pending);
  clean(run(kShared, open + "cp.async.wait_all;\n" + read));
  // the poison shows in the result, too
  const std::string ptx = ptx_module(std::string(kShared) + "\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, s;\ncp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.commit_group;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%rd1+4], %r2;\nret;\n}\n");
  Session s(ptx, "test");
  const auto p = s.upload(std::vector<int>{5, 6});
  s.run("k", {1, 1, 1}, {1, 1, 1}, 0, p);
  CHECK(s.download<int>(p, 2)[1] == -1);
}
TEST_CASE("a barrier under divergence", "[emulated][diagnostics]") {
  only(run("", "setp.lt.u32 %p1, %r0, 16;\n@%p1 bar.sync 0;"), DiagnosticClass::barrier_divergence);
  only(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra SKIP;\nbar.sync 0;\nSKIP:\nadd.s32 %r4, %r0, 1;"), DiagnosticClass::barrier_divergence);
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra SKIP;\nadd.s32 %r4, %r0, 1;\nSKIP:\nbar.sync 0;"));
  // per-thread barriers may diverge
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra OTHER;\nbarrier.sync 0;\nbra DONE;\nOTHER:\nbarrier.sync 0;\nDONE:\n"));
  // lanes that have ended do not count
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@%p1 exit;\nbar.sync 0;"));
  // a matrix product needs the whole warp
  only(run(kShared, "setp.lt.u32 %p1, %r0, 16;\nmov.u32 %r1, s;\n@%p1 bra SKIP;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r4, %r0;\nSKIP:\n"), DiagnosticClass::barrier_divergence);
}
TEST_CASE("barrier misuse", "[emulated][diagnostics]") {
  only(run("", "mov.u32 %r4, 48;\nbar.sync 0, %r4;"), DiagnosticClass::barrier_misuse);
  clean(run("", "mov.u32 %r4, 32;\nbar.sync 0, %r4;"));
  only(run("", "mov.u32 %r4, 16;\nbar.sync %r4;"), DiagnosticClass::barrier_misuse);
  clean(run("", "mov.u32 %r4, 15;\nbar.sync %r4;"));
}
TEST_CASE("a wrong mask", "[emulated][diagnostics]") {
  // the executing lanes are not all named
  only(run("", "shfl.sync.idx.b32 %r4, %r0, 0, 31, 0x0000ffff;"), DiagnosticClass::wrong_mask);
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@%p1 shfl.sync.idx.b32 %r4, %r0, 0, 31, 0x0000ffff;"));
  // named lanes do not come
  only(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra SKIP;\nvote.sync.ballot.b32 %r4, %p1, -1;\nSKIP:\nadd.s32 %r5, %r0, 1;\n"), DiagnosticClass::wrong_mask);
  only(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra SKIP;\nbar.warp.sync -1;\nSKIP:\nbar.sync 0;"), DiagnosticClass::wrong_mask);
  // both sides wait for the other at their own bar.warp.sync: allowed
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra OTHER;\nbar.warp.sync -1;\nbra DONE;\nOTHER:\nbar.warp.sync -1;\nDONE:\n"));
  // lanes that have ended need not come
  clean(run("", "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra END;\nvote.sync.ballot.b32 %r4, %p1, -1;\nEND:\n"));
  // a lane reads one that does not take part
  only(run("", "setp.lt.u32 %p1, %r0, 16;\n@%p1 shfl.sync.idx.b32 %r4, %r0, 20, 31, 0x0000ffff;"), DiagnosticClass::wrong_mask);
  // every lane with its own mask: what match.any gives
  clean(run("", "and.b32 %r4, %r0, 3;\nmatch.any.sync.b32 %r5, %r4, -1;\nredux.sync.add.u32 %r6, %r0, %r5;"));
}
TEST_CASE("a race between blocks", "[emulated][diagnostics]") {
  const Launch two{{2, 1, 1}, {1, 1, 1}};
  emu::Options o;
  o.threads = 1;
  only(run("", "mov.u32 %r4, %ctaid.x;\nst.global.u32 [%rd0], %r4;", two, 64, o), DiagnosticClass::global_race);
  clean(run("", "mov.u32 %r4, %ctaid.x;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd0, %rd3;\nst.global.u32 [%rd4], %r4;", two, 64, o));
  clean(run("", "mov.u32 %r4, %ctaid.x;\natom.global.exch.b32 %r5, [%rd0], %r4;", two, 64, o));
  // block 1 reads what block 0 stored, with nothing between them
  only(run("", "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 st.global.u32 [%rd0], %r4;\n@!%p1 ld.global.u32 %r5, [%rd0];", two, 64, o), DiagnosticClass::global_race);
  clean(run("", "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 st.global.u32 [%rd0], 5;\n@%p1 membar.gl;\n@%p1 red.global.add.u32 [%rd0+4], 1;\n@!%p1 atom.global.add.u32 %r6, [%rd0+4], 0;\n@!%p1 ld.global.u32 %r5, [%rd0];", two, 64, o));
}
TEST_CASE("a deadlock", "[emulated][diagnostics]") {
  // one warp waits for 64 threads, the other never comes: it waits elsewhere
  const Launch l{{1, 1, 1}, {64, 1, 1}};
  const emu::Report r = run("", "setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;", l);
  only(r, DiagnosticClass::deadlock);
  CHECK(r.diagnostics[0].message.find("warp 0: lanes 0xffffffff at a barrier at line") != std::string::npos);
  CHECK(r.diagnostics[0].message.find("warp 1: lanes 0xffffffff at a barrier at line") != std::string::npos);
  clean(run("", "setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 1, 64;", l));
}
TEST_CASE("a generic pointer used as a shared one", "[emulated][diagnostics]") {
  only(run(kShared, "mov.u64 %rd3, s;\ncvta.shared.u64 %rd4, %rd3;\nst.shared.u32 [%rd4], 1;"), DiagnosticClass::wrong_window);
  only(run(kShared, "mov.u64 %rd3, s;\ncvta.shared.u64 %rd4, %rd3;\ncvt.u32.u64 %r4, %rd4;\nst.shared.u32 [%r4], 1;"), DiagnosticClass::wrong_window);
  clean(run(kShared, "mov.u64 %rd3, s;\ncvta.shared.u64 %rd4, %rd3;\nst.u32 [%rd4], 1;\nbar.warp.sync -1;\ncvta.to.shared.u64 %rd5, %rd4;\nld.shared.u32 %r5, [%rd5];"));
  only(run(kShared, "cvta.to.shared.u64 %rd5, %rd0;"), DiagnosticClass::wrong_window);
  only(run(".const .u32 c = 5;", "mov.u64 %rd3, c;\nld.global.u32 %r5, [%rd3];"), DiagnosticClass::wrong_window);
  clean(run(".const .u32 c = 5;", "mov.u64 %rd3, c;\nld.const.u32 %r5, [%rd3];\nld.u32 %r6, [%rd3];"));
  only(run(".const .u32 c = 5;", "mov.u64 %rd3, c;\nst.u32 [%rd3], 1;"), DiagnosticClass::wrong_window);
}
TEST_CASE("the step limit, traps, bad calls, deep stacks", "[emulated][diagnostics]") {
  emu::Options o;
  o.max_warp_instructions = 10000;
  only(run("", "L: bra L;", {}, 64, o), DiagnosticClass::step_limit);
  clean(run("", "mov.u32 %r4, 0;\nL: add.s32 %r4, %r4, 1;\nsetp.lt.s32 %p1, %r4, 1000;\n@%p1 bra L;", {}, 64, o));
  only(run("", "setp.eq.u32 %p1, %r0, 7;\n@%p1 trap;"), DiagnosticClass::trap);
  clean(run("", "setp.eq.u32 %p1, %r0, 70;\n@%p1 trap;"));
  const std::string f = ".func (.param .b32 r) f(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.b32 %r1, [x];\nadd.s32 %r1, %r1, 1;\nst.param.b32 [r], %r1;\nret;\n}\n";
  const std::string call = "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r0;\ncall (b), %rd5, (a), P;\nld.param.b32 %r6, [b];\n}\n";
  only(run(f, "mov.u64 %rd5, 1234;\n" + call), DiagnosticClass::bad_call);
  clean(run(f, "mov.u64 %rd5, f;\n" + call));
  only(run("", "mov.u32 %r4, 2;\nT: .branchtargets A, B;\nbrx.idx %r4, T;\nA: B:\n"), DiagnosticClass::bad_call);
  clean(run("", "mov.u32 %r4, 1;\nT: .branchtargets A, B;\nbrx.idx %r4, T;\nA: B:\n"));
  const std::string g = ".func g()\n{\n.local .align 8 .b8 a[256];\ncall g, ();\nret;\n}\n";
  only(run(g, "call g, ();"), DiagnosticClass::stack_overflow);
  const std::string h = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n.global .align 1 .b8 m[5] = {120, 32, 61, 61, 0};";
  const std::string fail = "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n.param .b64 d;\n.param .b64 e;\nmov.u64 %rd5, m;\nst.param.b64 [a], %rd5;\nst.param.b64 [b], %rd5;\nst.param.b32 [c], 12;\nst.param.b64 [d], %rd5;\nst.param.b64 [e], 1;\n@%p1 call __assertfail, (a, b, c, d, e);\n}\n";
  only(run(h, "setp.eq.u32 %p1, %r0, 9;\n" + fail), DiagnosticClass::assertion);
  clean(run(h, "setp.eq.u32 %p1, %r0, 99;\n" + fail));
}
TEST_CASE("off, report and fatal", "[emulated][diagnostics]") {
  const std::string bad = "st.global.u32 [%rd0+4096], %r0;\nst.global.u32 [%rd0], 9;";
  emu::Options o;
  CHECK(run("", bad, {}, 64, o).diagnostics.size() == 1);
  CHECK(!run("", bad, {}, 64, o).aborted);
  o.set(DiagnosticClass::out_of_bounds, emu::Mode::off);
  CHECK(run("", bad, {}, 64, o).clean());
  o.set(DiagnosticClass::out_of_bounds, emu::Mode::fatal);
  const emu::Report r = run("", bad, {{100, 1, 1}, {32, 1, 1}}, 64, o);
  CHECK(r.aborted);
  CHECK(r.diagnostics.size() == 1);
}
TEST_CASE("findings carry the source line of .loc", "[emulated][diagnostics]") {
  const emu::Report r = run(".file 1 \"kernel.cu\"", ".loc 1 41 3\nadd.s32 %r4, %r0, 1;\n.loc 1 42 7\nst.global.u32 [%rd2+4], %r4;\n.loc 1 43 1\n", {}, 32);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].source_file == "kernel.cu");
  CHECK(r.diagnostics[0].source_line == 42);
  CHECK(r.to_json().find("\"source_line\": 42") != std::string::npos);
}
TEST_CASE("bank conflicts and sectors are counted per line", "[emulated][diagnostics]") {
  auto stats = [&](const std::string& body) { return run(".shared .align 16 .b8 s[8192];", "mov.u32 %r1, s;\n" + body).lines; };
  auto lines = stats("shl.b32 %r2, %r0, 2;\nadd.s32 %r3, %r1, %r2;\nst.shared.u32 [%r3], %r0;");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].shared_wavefronts == 1);
  lines = stats("shl.b32 %r2, %r0, 7;\nadd.s32 %r3, %r1, %r2;\nst.shared.u32 [%r3], %r0;");  // 128 bytes apart: one bank
  CHECK(lines[0].shared_wavefronts == 32);
  lines = stats("shl.b32 %r2, %r0, 3;\nadd.s32 %r3, %r1, %r2;\nst.shared.u32 [%r3], %r0;");
  CHECK(lines[0].shared_wavefronts == 2);
  lines = stats("st.shared.u32 [%r1], 1;");  // one word for all
  CHECK(lines[0].shared_wavefronts == 1);
  lines = stats("shl.b32 %r2, %r0, 4;\nadd.s32 %r3, %r1, %r2;\nst.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};");
  CHECK(lines[0].shared_wavefronts == 4);
  CHECK(lines[0].shared_ideal == 4);
  lines = run("", "ld.global.u32 %r4, [%rd2];").lines;
  CHECK(lines[0].global_sectors == 4);
  CHECK(lines[0].global_bytes == 128);
  lines = run("", "mul.wide.u32 %rd3, %r0, 32;\nadd.s64 %rd4, %rd0, %rd3;\nld.global.u32 %r4, [%rd4];", {}, 1024).lines;
  CHECK(lines[0].global_sectors == 32);
  CHECK(lines[0].global_bytes == 128);
  lines = run("", "add.s64 %rd4, %rd0, 16;\nld.global.u32 %r4, [%rd4];").lines;  // all lanes the same word
  CHECK(lines[0].global_sectors == 1);
  CHECK(lines[0].global_bytes == 4);
  lines = run("", "mul.wide.u32 %rd3, %r0, 2;\nadd.s64 %rd4, %rd0, %rd3;\nadd.s64 %rd4, %rd4, 16;\nld.global.u16 %r4, [%rd4];", {}, 1024).lines;  // off by half a sector
  CHECK(lines[0].global_sectors == 3);
  CHECK(lines[0].global_bytes == 64);
}
TEST_CASE("every class of diagnostic has been provoked", "[emulated][diagnostics]") {  // runs last in this file
  for (std::size_t i = 0; i < emu::kDiagnosticClasses; ++i) {
    INFO(emu::name_of(static_cast<DiagnosticClass>(i)));
    CHECK(provoked().count(static_cast<DiagnosticClass>(i)) == 1);
  }
}
