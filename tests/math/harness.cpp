#include "tests/math/harness.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "codegen/common/emit.hpp"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tine::math::test {
using graph::DType;
using graph::Op;

mlir::MLIRContext& context() {
  static mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry r;
    r.insert<mlir::arith::ArithDialect, mlir::LLVM::LLVMDialect>();
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return r;
  }();
  static mlir::MLIRContext c(registry, mlir::MLIRContext::Threading::DISABLED);
  static bool loaded = (c.loadAllAvailableDialects(), true);
  (void)loaded;
  return c;
}

namespace {

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "harness: %s\n", what.c_str());
  std::abort();
}
template <class T>
T ok(llvm::Expected<T> x) {
  if (!x) die(llvm::toString(x.takeError()));
  return std::move(*x);
}
void ok(llvm::Error e) {
  if (e) die(llvm::toString(std::move(e)));
}

/// void k(ptr out, ptr a, ptr b, ptr c): one vector.
std::unique_ptr<llvm::Module> build(const Spec& s, llvm::LLVMContext& llvm_context) {
  mlir::MLIRContext& c = context();
  mlir::OpBuilder b(&c);
  mlir::Location loc = b.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  auto pointer = mlir::LLVM::LLVMPointerType::get(&c);
  auto type =
      mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(&c), {pointer, pointer, pointer, pointer});
  auto f = mlir::LLVM::LLVMFuncOp::create(b, loc, "k", type);
  b.setInsertionPointToStart(f.addEntryBlock(b));
  auto shaped = [&](mlir::Type t) -> mlir::Type { return s.width == 1 ? t : mlir::VectorType::get({s.width}, t); };
  auto load = [&](unsigned arg, DType t) -> mlir::Value {
    mlir::Type e = t == DType::b1 ? b.getI8Type() : element_type(&c, t);
    mlir::Value v = mlir::LLVM::LoadOp::create(b, loc, shaped(e), f.getArgument(arg), unsigned(graph::bytes(t)));
    if (t == DType::b1) v = mlir::arith::TruncIOp::create(b, loc, shaped(b.getI1Type()), v);
    return v;
  };
  mlir::SmallVector<mlir::Value> args;
  for (int k = 0; k < s.operands; ++k) args.push_back(load(k + 1, s.op == Op::where && k == 0 ? DType::b1 : s.in));
  if (s.constant_divisor) args[1] = emit_constant(b, loc, s.in, args[0].getType(), s.divisor);
  mlir::Value r = s.op == Op::cast        ? emit_cast(b, loc, args[0], s.in, s.out, s.cast)
                  : !is_elementwise(s.op) ? emit_combine(b, loc, s.op, s.in, args[0], args[1], s.options)
                                          : emit_elementwise(b, loc, s.op, s.in, s.out, args, s.options);
  if (!r) die(std::string("not implemented: ") + std::to_string(int(s.op)));
  if (r.getType() != shaped(element_type(&c, s.out))) die("result type of op " + std::to_string(int(s.op)));
  if (s.out == DType::b1) r = mlir::arith::ExtUIOp::create(b, loc, shaped(b.getI8Type()), r);
  mlir::LLVM::StoreOp::create(b, loc, r, f.getArgument(0), unsigned(graph::bytes(s.out)));
  mlir::LLVM::ReturnOp::create(b, loc, mlir::ValueRange{});
  if (mlir::failed(mlir::verify(*module))) die("verifier");
  mlir::PassManager pm(&c, mlir::ModuleOp::getOperationName());
  pm.addPass(mlir::createArithToLLVMConversionPass());
  if (mlir::failed(pm.run(*module))) die("arith-to-llvm");
  auto m = codegen::translate(*module, llvm_context);
  if (!m) die("translation");
  return m;
}

/// As targets do, but that contraction is the test's choice, and vectors are as wide as it says.
void optimize(llvm::Module& m, llvm::TargetMachine& tm) {
  codegen::set_target(m, tm);
  for (auto& f : m)
    if (!f.isDeclaration() && tm.getTargetTriple().isX86()) f.addFnAttr("prefer-vector-width", "512");
  codegen::optimize(m, tm, "default<O2>");
}
llvm::FPOpFusion::FPOpFusionMode fusion(const Spec& s) {
  return s.fuse ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Standard;
}
}  // namespace

struct Function::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*f)(void*, const void*, const void*, const void*) = nullptr;
  int width = 1, out_bytes = 1, in_bytes[3] = {1, 1, 1};
};

Function::Function() : impl_(std::make_unique<Impl>()) {}
Function::~Function() = default;
Function::Function(Function&&) noexcept = default;

Function compile(const Spec& s) {
  context();
  Function r;
  auto lc = std::make_unique<llvm::LLVMContext>();
  auto m = build(s, *lc);
  auto jtmb = ok(llvm::orc::JITTargetMachineBuilder::detectHost());
  if (!s.cpu.empty()) {
    jtmb.setCPU(s.cpu);
    jtmb.getFeatures() = llvm::SubtargetFeatures();
  }
  jtmb.getOptions().AllowFPOpFusion = fusion(s);
  auto tm = ok(jtmb.createTargetMachine());
  optimize(*m, *tm);
  // An empty symbol table: a call of any library fails the look-up.
  r.impl_->jit = ok(llvm::orc::LLJITBuilder()
                        .setJITTargetMachineBuilder(jtmb)
                        .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                        .setLinkProcessSymbolsByDefault(false)
                        .create());
  ok(r.impl_->jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(m), std::move(lc))));
  r.impl_->f = ok(r.impl_->jit->lookup("k")).toPtr<void (*)(void*, const void*, const void*, const void*)>();
  r.impl_->width = s.width;
  r.impl_->out_bytes = graph::bytes(s.out);
  for (int k = 0; k < 3; ++k) r.impl_->in_bytes[k] = graph::bytes(s.op == Op::where && k == 0 ? DType::b1 : s.in);
  return r;
}

void Function::run(size_t n, void* out, const void* a, const void* b, const void* c) const {
  const Impl& p = *impl_;
  const void* in[3] = {a, b, c};
  const size_t w = size_t(p.width);
  size_t k = 0;
  auto at = [&](int which, size_t i) -> const void* {
    return in[which] ? static_cast<const char*>(in[which]) + i * size_t(p.in_bytes[which]) : nullptr;
  };
  for (; k + w <= n; k += w) p.f(static_cast<char*>(out) + k * size_t(p.out_bytes), at(0, k), at(1, k), at(2, k));
  if (k == n) return;
  alignas(64) char tail[4][16 * 8] = {};
  for (int i = 0; i < 3; ++i)
    if (in[i]) std::memcpy(tail[i], at(i, k), (n - k) * size_t(p.in_bytes[i]));
  p.f(tail[3], tail[0], tail[1], tail[2]);
  std::memcpy(static_cast<char*>(out) + k * size_t(p.out_bytes), tail[3], (n - k) * size_t(p.out_bytes));
}

std::string assembly(const Spec& s, const std::string& triple, const std::string& cpu, const std::string& features) {
  context();
  llvm::LLVMContext lc;
  auto m = build(s, lc);
  mlir::OwningOpRef<mlir::ModuleOp> none = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context()));
  auto tm = codegen::target_machine(*none, triple, cpu, features);
  if (!tm) die("no target " + triple);
  tm->Options.AllowFPOpFusion = fusion(s);
  optimize(*m, *tm);
  llvm::SmallString<0> text;
  if (!codegen::emit_file(*m, *tm, llvm::CodeGenFileType::AssemblyFile, text)) die("no assembly");
  return std::string(text);
}

}  // namespace tine::math::test
