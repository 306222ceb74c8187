// In a unit of its own: the NVVM dialect's header is the most expensive of all.
#include "codegen/nvptx/pipeline.hpp"
#include "compiler/dialect/tine_dialect.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::nvptx {

void load_dialects(MLIRContext& context) {
  context.loadDialect<ir::TineDialect, arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, NVVM::NVVMDialect,
                      scf::SCFDialect, vector::VectorDialect>();
}

}  // namespace tine::nvptx
