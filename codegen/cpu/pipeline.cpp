#include "codegen/cpu/pipeline.hpp"
#include <chrono>
#include "codegen/cpu/lower_tiles.hpp"
#include "compiler/passes/accumulate.hpp"
#include "llvm/Support/Format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tine::cpu {
namespace {

std::string text(ModuleOp module) {
  std::string s;
  llvm::raw_string_ostream os(s);
  module.print(os);
  return s;
}

/// Runs steps one after the other and, on request, says what each took and whether it changed anything.
struct Steps {
  ModuleOp module;
  bool log;
  bool operator()(const char* name, llvm::function_ref<LogicalResult()> step) {
    std::string before = log ? text(module) : "";
    auto start = std::chrono::steady_clock::now();
    bool ok = succeeded(step());
    if (log) {
      double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      llvm::errs() << llvm::format("%8.2f ms  %s%s\n", ms, name, ok && text(module) == before ? " (unchanged)" : "");
    }
    return ok;
  }
};

}  // namespace

void load_dialects(MLIRContext& context) {
  context.loadDialect<ir::TineDialect, arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect>();
}

LogicalResult run_pipeline(ModuleOp module, const Target& target, Stage stage, std::string& out, bool log) {
  Steps step{module, log};
  auto passes = [&](llvm::function_ref<void(PassManager&)> add) {
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    pm.enableVerifier(false);
    add(pm);
    return pm.run(module);
  };
  // Equal tiles are computed once; what nobody uses goes. After this, every use of a value is a real one, which the
  // choice of buffers counts on.
  if (!step("cse", [&] { return passes([](PassManager& pm) { pm.addPass(createCSEPass()); }); })) return failure();
  // Before buffers are chosen: an accumulator inside a product needs none of its own.
  if (!step("accumulate products", [&] { return compiler::accumulate_products(module), success(); })) return failure();
  if (stage == Stage::tine) return out += text(module), success();

  // From here on there are no tiles.
  if (!step("lower tiles", [&] { return lower_tiles(module, target.vectors); })) return failure();
  if (!step("verify", [&] { return verify(module); })) return failure();
  if (stage == Stage::loops) return out += text(module), success();

  // The rest is LLVM's: it hoists, folds and schedules well what the nests leave.
  if (!step("convert to llvm", [&] { return convert_to_llvm(module); })) return failure();
  return emit_code(module, target, stage, out, log);
}

}  // namespace tine::cpu
