// A module of the LLVM dialect to PTX and to an artefact, which the machine runs.
#include <catch2/catch.hpp>
#include <tine/emulator/emulator.hpp>

#include "codegen/abi/gpu_artefact.h"
#include "codegen/nvptx/pipeline.hpp"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace tine;

namespace {

// out[(t + 1) % 64] = a[t] * b[t] + c, with the neighbour's value through shared memory; static and dynamic.
constexpr const char* exchange = R"(
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32> {
  %u = llvm.mlir.undef : !llvm.array<64 x f32>
  llvm.return %u : !llvm.array<64 x f32>
}
llvm.mlir.global external @tine_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @tine_kernel(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %out: !llvm.ptr<1> {llvm.align = 4 : i64}, %c: i64) {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %bits = llvm.trunc %c : i64 to i32
  %cf = llvm.bitcast %bits : i32 to f32
  %m = llvm.fmul %x, %x : f32
  %y = llvm.fadd %m, %cf : f32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %s = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  llvm.store %y, %s : f32, !llvm.ptr<3>
  %dyn = llvm.mlir.addressof @tine_shared : !llvm.ptr<3>
  %d = llvm.getelementptr %dyn[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  llvm.store %x, %d : f32, !llvm.ptr<3>
  nvvm.barrier0
  %one = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(63 : i32) : i32
  %n = llvm.add %t, %one : i32
  %next = llvm.and %n, %mask : i32
  %q = llvm.getelementptr %tile[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %v = llvm.load %q : !llvm.ptr<3> -> f32
  %e = llvm.getelementptr %dyn[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %w = llvm.load %e : !llvm.ptr<3> -> f32
  %sum = llvm.fadd %v, %w : f32
  %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %sum, %o : f32, !llvm.ptr<1>
  llvm.return
}
)";

struct Emitted {
  std::string bytes, error;
};

Emitted emit(const std::string& text, const char* target_name, nvptx::Stage stage, nvptx::Launch launch = {64, 256, false, 0}, codegen::Options options = {}) {
  nvptx::Target target;
  std::string why;
  REQUIRE(nvptx::parse_target(target_name, target, why));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  nvptx::load_dialects(context);
  Emitted e;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& d) { e.error += d.str(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(module);
  bool ok = succeeded(nvptx::emit_code(*module, target, options, launch, stage, e.bytes));
  CHECK(ok == e.error.empty());
  return e;
}

bool has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

}  // namespace

TEST_CASE("PTX has the target's version, the kernel's parameters and the launch's directives") {
  for (const char* target : {"nvptx:sm_80", "nvptx:sm_86", "nvptx:sm_89", "nvptx:sm_90", "nvptx:sm_100", "nvptx:sm_120"}) {
    nvptx::Target t;
    std::string why;
    nvptx::parse_target(target, t, why);
    const std::string ptx = emit(exchange, target, nvptx::Stage::ptx, {64, 256, false, 2}).bytes;
    INFO(ptx);
    CHECK(has(ptx, ".version " + std::to_string(t.ptx / 10) + "." + std::to_string(t.ptx % 10)));
    CHECK(has(ptx, ".target " + t.cpu()));
    CHECK(has(ptx, ".visible .entry tine_kernel("));
    CHECK(has(ptx, ".param .u64 .ptr .global .align 16 tine_kernel_param_0"));
    CHECK(has(ptx, ".param .u64 .ptr .global .align 4 tine_kernel_param_1"));
    CHECK(has(ptx, ".param .u64 tine_kernel_param_2"));
    CHECK(has(ptx, ".reqntid 64"));
    CHECK(has(ptx, ".minnctapersm 2"));
    CHECK(has(ptx, ".extern .shared .align 16 .b8 tine_shared[]"));
    CHECK(has(ptx, "fma.rn.f32"));
    CHECK_FALSE(has(ptx, ".ftz"));
    CHECK_FALSE(has(ptx, ".loc"));
  }
}

TEST_CASE("the machine runs an artefact") {
  const Emitted e = emit(exchange, "nvptx:sm_80", nvptx::Stage::artefact);
  tine_gpu_artefact h;
  REQUIRE(tine_gpu_artefact_read(e.bytes.data(), e.bytes.size(), &h) == nullptr);
  CHECK(h.code == TINE_GPU_PTX);
  CHECK(h.arch == 80);
  CHECK(h.threads == 64);
  CHECK(h.dynamic_shared == 256);
  CHECK(h.static_shared == 256);
  CHECK(h.slots == 3);
  CHECK(h.flags == 0);

  emulator::Machine machine;
  machine.load(e.bytes.data() + h.code_offset);
  std::vector<float> a(64), out(64, -1.0f);
  for (int i = 0; i < 64; ++i) a[size_t(i)] = 0.25f * float(i * 7 % 64) - 3;
  const auto pa = machine.memory().bind(a.data(), 256), po = machine.memory().bind(out.data(), 256);
  const float c = 0.5f;
  uint64_t bits = 0;
  std::memcpy(&bits, &c, 4);
  const auto report = machine.launch(h.entry, {{1, 1, 1}, {h.threads, 1, 1}, h.dynamic_shared},
                                     {emulator::Argument::of(pa), emulator::Argument::of(po), emulator::Argument::of(bits)});
  INFO(report.summary());
  CHECK(report.clean());
  for (int i = 0; i < 64; ++i) {
    const float x = a[size_t((i + 1) % 64)];  // multiples of 1/16 below 2^8: exact
    CHECK(out[size_t(i)] == x * x + 0.5f + x);
  }
}

TEST_CASE("line tables name the user's lines, relative to the folder of the sources") {
  const std::string text = R"(
llvm.func @tine_kernel(%a: !llvm.ptr<1>) {
  %x = llvm.load %a : !llvm.ptr<1> -> f32 loc("/somewhere/k/add.hpp":12:0)
  %y = llvm.fadd %x, %x : f32 loc("/somewhere/k/detail/sum.hpp":34:0)
  llvm.store %y, %a : f32, !llvm.ptr<1> loc(fused["/somewhere/k/add.hpp":14:0, "/somewhere/k/add.hpp":15:0])
  llvm.return loc(unknown)
} loc(unknown))";
  codegen::Options options;
  options.line_tables = true;
  const std::string ptx = emit(text, "nvptx:sm_80", nvptx::Stage::ptx, {32, 0, false, 0}, options).bytes;
  INFO(ptx);
  CHECK_FALSE(has(ptx, "/somewhere"));
  CHECK(has(ptx, "\"add.hpp\""));
  CHECK(has(ptx, "\"detail/sum.hpp\""));
  CHECK_FALSE(has(ptx, ".debug_info"));
  CHECK_FALSE(has(ptx, ", debug"));

  emulator::Machine machine;
  machine.load(ptx);
  const auto report = machine.launch("tine_kernel", {{1, 1, 1}, {32, 1, 1}, 0}, {emulator::Argument::of(uint64_t(64))});
  REQUIRE(report.diagnostics.size() == 2);  // a load and a store at an address that is nobody's
  CHECK(report.diagnostics[0].source_file == "add.hpp");
  CHECK(report.diagnostics[0].source_line == 12);
  CHECK(report.diagnostics[1].source_file == "add.hpp");
  CHECK(report.diagnostics[1].source_line == 14);
  CHECK_FALSE(has(emit(text, "nvptx:sm_80", nvptx::Stage::ptx, {32, 0, false, 0}).bytes, ".loc"));
}

TEST_CASE("what cannot be emitted is refused") {
  CHECK(has(emit("llvm.func @other() { llvm.return }", "nvptx:sm_80", nvptx::Stage::ptx).error, "the module has no `tine_kernel`"));
  std::string many = "llvm.func @tine_kernel(%a0: i64";
  for (int i = 1; i <= 512; ++i) many += ", %a" + std::to_string(i) + ": i64";
  CHECK(has(emit(many + ") { llvm.return }", "nvptx:sm_80", nvptx::Stage::ptx).error,
            "the kernel takes 513 numbers and pointers, and sm_80 takes 512; use fewer tensors or fewer dims"));
}
