// CUDA functions: modules of PTX made one, the types on the way, and what is said of sources that are wrong.
#include <catch2/catch.hpp>
#include <tine/emulator/emulator.hpp>

#include "codegen/nvptx/cuda_functions.hpp"
#include "codegen/nvptx/pipeline.hpp"
#include "codegen/nvptx/ptx_text.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "tests/codegen/skip.hpp"

using namespace tine;
using namespace tine::nvptx;

namespace {

bool has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

bool no_nvrtc() {
  std::string path;
  if (open_library(find_toolkit(), "nvrtc", path)) return false;
  skip("no nvrtc");
  return true;
}

/// A kernel out[t] = bits of (callees... (bits a[t], b[t])), on elements that travel as i32, with tine.foreign in it.
struct Emitted {
  std::string ptx, error, file;
  unsigned line = 0;
};
Emitted emit(const std::string& body, const Toolkit* toolkit = nullptr) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  load_dialects(context);
  Emitted e;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& d) {
    e.error += d.str();
    for (mlir::Diagnostic& n : d.getNotes()) e.error += " [" + n.str() + "]";
    if (auto at = d.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
      e.file = at.getFilename().str();
      e.line = at.getLine();
    }
  });
  const std::string text = "llvm.func @tine_kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) {\n"
                           "  %t = nvvm.read.ptx.sreg.tid.x : i32\n"
                           "  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
                           "  %a = llvm.load %p : !llvm.ptr<1> -> i32\n" + body +
                           "  %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
                           "  llvm.store %r, %q : i32, !llvm.ptr<1>\n  llvm.return\n}\n";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(module);
  std::vector<ir::ForeignOp> calls;
  module->walk([&](ir::ForeignOp op) { calls.push_back(op); });
  for (ir::ForeignOp op : calls) {
    mlir::OpBuilder b(op);
    std::vector<mlir::Value> scalars(op.getOperands().begin(), op.getOperands().end());
    for (mlir::Value& v : scalars)  // an unsigned element: a cast from its signless one
      if (auto cast = v.getDefiningOp<mlir::UnrealizedConversionCastOp>()) v = cast.getOperand(0);
    mlir::Value r = call_cuda_function(b, op, scalars);
    for (mlir::Operation* user : llvm::make_early_inc_range(op->getUsers()))
      if (auto cast = mlir::dyn_cast<mlir::UnrealizedConversionCastOp>(user)) cast.getResult(0).replaceAllUsesWith(r), cast.erase();
    op->replaceAllUsesWith(mlir::ValueRange{r});
    op.erase();
  }
  module->walk([](mlir::UnrealizedConversionCastOp op) { op.erase(); });
  Target target;
  std::string why;
  parse_target("nvptx:sm_80", target, why);
  if (toolkit) {
    if (failed(link_cuda_functions(*module, target, *toolkit, e.ptx))) CHECK(!e.error.empty());
    return e;
  }
  bool ok = succeeded(emit_code(*module, target, {}, {32, 0, false, 0}, Stage::ptx, e.ptx));
  INFO(e.error);
  CHECK(ok == e.error.empty());
  return e;
}

/// The machine's results for inputs 0, 1, ..., 31.
std::vector<uint32_t> run(const std::string& ptx) {
  emulator::Machine machine;
  INFO(ptx);
  machine.load(ptx);
  std::vector<uint32_t> in(32), out(32, 0xdeadbeef);
  for (uint32_t i = 0; i < 32; ++i) in[i] = i;
  const auto report = machine.launch("tine_kernel", {{1, 1, 1}, {32, 1, 1}, 0},
                                     {emulator::Argument::of(machine.memory().bind(in.data(), 128)), emulator::Argument::of(machine.memory().bind(out.data(), 128))});
  INFO(report.summary());
  CHECK(report.clean());
  return out;
}

/// The same function f(x) = x + 3 on one element type; in and out in the low bits of an i32.
std::string plus_three(const std::string& type, const std::string& cuda) {
  const std::string width = type.substr(type.find_first_of("0123456789")), integer = "i" + width;
  const bool is_unsigned = type[0] == 'u';
  std::string s;
  if (width == "64") s += "  %n = llvm.zext %a : i32 to i64\n";
  else if (width == "32") s += "  %zero = llvm.mlir.constant(0 : i32) : i32\n  %n = llvm.or %a, %zero : i32\n";
  else s += "  %n = llvm.trunc %a : i32 to " + integer + "\n";
  if (is_unsigned) s += "  %x = builtin.unrealized_conversion_cast %n : " + integer + " to " + type + "\n";
  else s += "  %zz = llvm.mlir.constant(0 : " + integer + ") : " + integer + "\n  %x = llvm.or %n, %zz : " + integer + "\n";
  s += "  %y = tine.foreign \"f\"(%x) source \"__device__ " + cuda + " f(" + cuda + " x) { return x + 3; }\" at \"k.hpp\" line 5 : (" + type + ") -> " + type + "\n";
  if (is_unsigned) s += "  %m = builtin.unrealized_conversion_cast %y : " + type + " to " + integer + "\n";
  else s += "  %m = llvm.or %y, %zz : " + integer + "\n";
  if (width == "64") s += "  %r = llvm.trunc %m : i64 to i32\n";
  else if (width == "32") s += "  %r = llvm.or %m, %zero : i32\n";
  else s += "  %r = llvm.zext %m : " + integer + " to i32\n";
  return s;
}

constexpr const char* library = R"(//
// .func not_here () {}
.version 9.0
.target sm_80
.address_size 64
.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.global .align 4 .u32 unused;
.extern .func (.param .b32 r) vprintf(.param .b64 a);
.visible .func (.param .b32 func_retval0) helper(.param .b32 helper_param_0) {
  .reg .b32 %r<2>; /* } */
  { ld.param.b32 %r1, [helper_param_0]; }
  st.param.b32 [func_retval0+0], %r1;
  ret;
}
.visible .func  (.param .b32 func_retval0) f(
	.param .b32 f_param_0
)
{
  .reg .b64 %d<2>;
  mov.u64 %d1, table;
  call (r), helper, (p);
  ret;
}
.func g() { ret; }
)";

}  // namespace

TEST_CASE("a module's items have their names, and end where they end") {
  auto items = ptx_items(library);
  std::vector<std::string> names;
  for (auto& i : items) names.push_back(i.name.str());
  CHECK(names == std::vector<std::string>{"table", "unused", "vprintf", "helper", "f", "g"});
  CHECK(items[2].external);
  CHECK_FALSE(items[3].external);
  CHECK(items[0].text.ends_with("};"));
  CHECK(items[3].text.ends_with("ret;\n}"));
  CHECK(items[5].text == ".func g() { ret; }");
}

TEST_CASE("modules are made one: what is needed comes, clashing names change, the later version holds") {
  std::string kernel = ".version 8.0\n.target sm_80\n.address_size 64\n\n.extern .func  (.param .b32 func_retval0) f\n(\n\t.param .b32 f_param_0\n)\n;\n"
                       ".global .u32 helper;\n.visible .entry tine_kernel() { call f; ret; }\n";
  link_ptx(kernel, library);
  INFO(kernel);
  CHECK(has(kernel, ".version 9.0\n.target sm_80\n.address_size 64\n"));
  CHECK(has(kernel, ".visible .func  (.param .b32 func_retval0) f("));
  CHECK_FALSE(has(kernel, ".extern"));
  CHECK(has(kernel, "table[8]"));
  CHECK_FALSE(has(kernel, "unused"));
  CHECK_FALSE(has(kernel, ".func g"));
  CHECK(has(kernel, "helper_m1(.param .b32 helper_param_0)"));
  CHECK(has(kernel, "call (r), helper_m1, (p)"));
  CHECK(has(kernel, ".global .u32 helper;"));
  CHECK(has(kernel, ".visible .entry tine_kernel() { call f; ret; }"));
  CHECK(kernel.find(".func  (.param") < kernel.find(".entry"));
}

TEST_CASE("every element type reaches the function and comes back", "[toolkit]") {
  if (no_nvrtc()) return;
  const std::pair<const char*, const char*> types[] = {
      {"i8", "signed char"}, {"i16", "short"}, {"i32", "int"}, {"i64", "long long"},
      {"ui8", "unsigned char"}, {"ui16", "unsigned short"}, {"ui32", "unsigned int"}, {"ui64", "unsigned long long"}};
  for (auto [type, cuda] : types) {
    INFO(type);
    const Emitted e = emit(plus_three(type, cuda));
    REQUIRE(e.error.empty());
    const auto out = run(e.ptx);
    for (uint32_t i = 0; i < 32; ++i) CHECK(out[i] == i + 3);
  }
  // i1, f16, bf16, f32, f64 in one function: (x > 4 ? h : -h) + b + f + d, exact for these numbers.
  const Emitted e = emit(R"(
  %four = llvm.mlir.constant(4 : i32) : i32
  %flag = llvm.icmp "sgt" %a, %four : i32
  %f = llvm.sitofp %a : i32 to f32
  %h = llvm.fptrunc %f : f32 to f16
  %b = llvm.fptrunc %f : f32 to bf16
  %d = llvm.fpext %f : f32 to f64
  %y = tine.foreign "n::mix<2>"(%flag, %h, %b, %f, %d) source "namespace n { template <int N> __device__ __half mix(bool p, __half h, __nv_bfloat16 b, float f, double d) {\n  return __float2half((p ? __half2float(h) : -__half2float(h)) + N * __bfloat162float(b) + f + (float)d); } }" at "k.hpp" line 5 : (i1, f16, bf16, f32, f64) -> f16
  %w = llvm.fpext %y : f16 to f32
  %r = llvm.fptosi %w : f32 to i32
)");
  REQUIRE(e.error.empty());
  const auto out = run(e.ptx);
  for (int i = 0; i < 32; ++i) CHECK(int(out[size_t(i)]) == (i > 4 ? i : -i) + 2 * i + i + i);
}

TEST_CASE("a negative narrow result keeps its bits", "[toolkit]") {
  if (no_nvrtc()) return;
  const Emitted e = emit(R"(
  %n = llvm.trunc %a : i32 to i8
  %y = tine.foreign "f"(%n) source "__device__ signed char f(signed char x) { return -x; }" at "k.hpp" line 5 : (i8) -> i8
  %r = llvm.sext %y : i8 to i32
)");
  REQUIRE(e.error.empty());
  const auto out = run(e.ptx);
  for (int i = 0; i < 32; ++i) CHECK(int(out[size_t(i)]) == -i);
}

TEST_CASE("two sources with the same helper, and two functions of one source", "[toolkit]") {
  if (no_nvrtc()) return;
  const Emitted e = emit(R"(
  %x = tine.foreign "f"(%a) source "__device__ int state[2] = {10, 20}; __noinline__ __device__ int helper(int x) { return x + state[0]; }\n__device__ int f(int x) { return helper(x); } __device__ int g(int x) { return helper(x) + state[1]; }" at "k.hpp" line 5 : (i32) -> i32
  %y = tine.foreign "g"(%x) source "__device__ int state[2] = {10, 20}; __noinline__ __device__ int helper(int x) { return x + state[0]; }\n__device__ int f(int x) { return helper(x); } __device__ int g(int x) { return helper(x) + state[1]; }" at "k.hpp" line 5 : (i32) -> i32
  %z = tine.foreign "f"(%y) source "__device__ int state[2] = {100, 200};\n__noinline__ __device__ int helper(int x) { return x * state[0]; }\n__device__ int f(int x) { return helper(x); }" at "k.hpp" line 9 : (i32) -> i32
  %r = tine.foreign "f"(%z) source "__noinline__ __device__ int helper(int x) { return 7 - x; }\n__device__ int f(int x) { return helper(x); }" at "k.hpp" line 15 : (i32) -> i32
)");
  REQUIRE(e.error.empty());
  const auto out = run(e.ptx);
  for (int i = 0; i < 32; ++i) CHECK(int(out[size_t(i)]) == 7 - (i + 10 + 30) * 100);
}

TEST_CASE("wrong sources and names are told with the user's line", "[toolkit]") {
  if (no_nvrtc()) return;
  auto of = [](const std::string& callee, const std::string& source) {
    return emit("  %r = tine.foreign \"" + callee + "\"(%a) source \"" + source + "\" at \"dir/k.hpp\" line 40 : (i32) -> i32\n");
  };
  Emitted e = of("f", "\\n__device__ int f(int x) {\\n  return x + undeclared;\\n}");
  CHECK(has(e.error, "the source of `f` does not compile: identifier \"undeclared\" is undefined"));
  CHECK(has(e.error, "[user error]"));
  CHECK(e.file == "dir/k.hpp");
  CHECK(e.line == 42);

  e = of("g", "__device__ int f(int x) { return x; }");
  CHECK(has(e.error, "`g` is not a device function of its source of the type int(int): "));
  CHECK(e.file == "dir/k.hpp");
  CHECK(e.line == 40);

  e = of("f", "__device__ float f(int x) { return x; }");
  CHECK(has(e.error, "`f` is not a device function of its source of the type int(int): "));

  Emitted overloaded = of("f", "__device__ float f(float x) { return 0; } __device__ int f(int x) { return x + 1; }");
  REQUIRE(overloaded.error.empty());
  CHECK(run(overloaded.ptx)[5] == 6);
}

TEST_CASE("without nvrtc the way out is named") {
  Toolkit none;
  none.system_libraries = false;
  Emitted e = emit("  %r = tine.foreign \"f\"(%a) source \"\" at \"k.hpp\" line 40 : (i32) -> i32\n", &none);
  CHECK(has(e.error, "`f` is CUDA C++, and the library nvrtc of a CUDA toolkit, release 12 or 13, that compiles it was not found"));
  CHECK(has(e.error, "set CUDA_HOME"));
  CHECK(has(e.error, "[user error]"));
}
