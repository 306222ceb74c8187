// tine-opt: runs passes on textual IR, for tests and for people who want to see what a pass does.
#include "codegen/cpu/lower_tiles.hpp"
#include "compiler/dialect/tine_dialect.hpp"
#include "compiler/passes/accumulate.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  registry.insert<tine::ir::TineDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  mlir::registerPass([] { return tine::compiler::create_accumulate_products_pass(); });
  mlir::registerPass([] { return tine::cpu::create_lower_tiles_pass({}); });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tine-opt: passes of the Tine compiler\n", registry));
}
