// scf and arith to the LLVM dialect.
#include "codegen/nvptx/pipeline.hpp"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tine::nvptx {

LogicalResult convert_to_llvm(ModuleOp module) {
  MLIRContext* context = module.getContext();
  {
    PassManager pm(context, ModuleOp::getOperationName());
    pm.enableVerifier(false);
    pm.addPass(createSCFToControlFlowPass());
    if (failed(pm.run(module))) return failure();
  }
  LowerToLLVMOptions options(context);
  LLVMTypeConverter types(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  ConversionConfig config;
  config.allowPatternRollback = false;  // no pattern fails half way: twice as fast
  return applyFullConversion(module, target, std::move(patterns), config);
}

}  // namespace tine::nvptx
