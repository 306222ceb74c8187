// tine-compile: one tine.kernel in textual form through the whole CPU pipeline, for tests that start below the front end.
//   tine-compile FILE TARGET STAGE [OUTPUT]    TARGET: cpu, cpu:x86-64-v3, ...   STAGE: loops, llvm, asm, artefact
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include "codegen/cpu/pipeline.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

int main(int argc, char** argv) {
  using tine::cpu::Stage;
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: tine-compile FILE TARGET STAGE [OUTPUT]\n";
    return 2;
  }
  std::string name = argv[3], why, out;
  Stage stage = name == "loops" ? Stage::loops : name == "llvm" ? Stage::llvm : name == "asm" ? Stage::assembly : Stage::artefact;
  tine::cpu::Target target;
  if (!tine::cpu::parse_target(argv[2], target, why)) {
    std::cerr << why << '\n';
    return 2;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tine::cpu::load_dialects(context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module || mlir::failed(tine::cpu::run_pipeline(*module, target, stage, out, false))) return 1;
  if (argc == 5) std::ofstream(argv[4], std::ios::binary) << out;
  else std::cout << out;
}
