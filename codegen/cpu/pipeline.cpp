#include "codegen/cpu/pipeline.hpp"
#include "codegen/common/steps.hpp"
#include "codegen/cpu/lower_tiles.hpp"
#include "compiler/passes/accumulate.hpp"
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

void load_dialects(MLIRContext& context) {
  context.loadDialect<ir::TineDialect, arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect>();
}

LogicalResult run_pipeline(ModuleOp module, const Target& target, Stage stage, std::string& out, bool log) {
  codegen::Steps step{module, log};
  // Equal tiles are computed once; what nobody uses goes. After this, every use of a value is a real one, which the
  // choice of buffers counts on.
  if (!step.passes("cse", [](PassManager& pm) { pm.addPass(createCSEPass()); })) return failure();
  // Before buffers are chosen: an accumulator inside a product needs none of its own.
  if (!step("accumulate products", [&] { return compiler::accumulate_products(module), success(); })) return failure();
  if (stage == Stage::tine) return out += codegen::text(module), success();

  // From here on there are no tiles.
  if (!step("lower tiles", [&] { return lower_tiles(module, target.vectors); })) return failure();
  if (!step("verify", [&] { return verify(module); })) return failure();
  if (stage == Stage::loops) return out += codegen::text(module), success();

  // The rest is LLVM's: it hoists, folds and schedules well what the nests leave.
  if (!step("convert to llvm", [&] { return convert_to_llvm(module); })) return failure();
  return emit_code(module, target, stage, out, log);
}

}  // namespace tine::cpu
