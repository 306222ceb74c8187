#include "codegen/nvptx/pipeline.hpp"
#include "codegen/common/steps.hpp"
#include "compiler/passes/accumulate.hpp"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tine::nvptx {

LogicalResult run_pipeline(ModuleOp module, const Target& target, const codegen::Options& options, Stage stage, std::string& out) {
  codegen::Steps step{module, options.log};
  // Equal tiles are computed once; what nobody uses goes.
  if (!step.passes("cse", [](PassManager& pm) { pm.addPass(createCSEPass()); })) return failure();
  // Before layouts are chosen: an accumulator lives in the registers of the product that updates it.
  if (!step("accumulate products", [&] { return compiler::accumulate_products(module), success(); })) return failure();
  if (stage == Stage::tine) return out += codegen::text(module), success();
  return emitError(module.getLoc()) << "tiles do not lower to threads of " << target.cpu() << " yet";
}

}  // namespace tine::nvptx
