// tine-compile: one tine.kernel in textual form through the whole pipeline of a target, for tests that start below the front
// end.
//   tine-compile FILE TARGET STAGE [OUTPUT [OPTIONS]]    TARGET: cpu, cpu:x86-64-v3, nvptx:sm_80, ...
//   STAGE: loops, llvm, asm, artefact; of GPU targets tine, layouts, llvm, ptx, ...   OUTPUT: a file, or - for standard output
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include "codegen/cpu/pipeline.hpp"
#include "codegen/nvptx/pipeline.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

int main(int argc, char** argv) {
  if (argc < 4 || argc > 6) {
    std::cerr << "usage: tine-compile FILE TARGET STAGE [OUTPUT [OPTIONS]]\n";
    return 2;
  }
  std::string target_name = argv[2], name = argv[3], output = argc > 4 ? argv[4] : "-", why, out;
  bool gpu = target_name.rfind("nvptx", 0) == 0;
  tine::codegen::Options options;
  tine::cpu::Target cpu;
  tine::nvptx::Target nvptx;
  tine::nvptx::Stage stage;
  if (!(gpu ? tine::nvptx::parse_target(target_name, nvptx, why) && tine::nvptx::parse_stage(name, stage, why) : tine::cpu::parse_target(target_name, cpu, why)) ||
      !tine::codegen::parse_options(argc > 5 ? argv[5] : "", gpu, options, why)) {
    std::cerr << why << '\n';
    return 2;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tine::cpu::load_dialects(context);
  tine::nvptx::load_dialects(context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module) return 1;
  if (gpu) {
    if (mlir::failed(tine::nvptx::run_pipeline(*module, nvptx, options, stage, out))) return 1;
  } else {
    using tine::cpu::Stage;
    Stage s = name == "loops" ? Stage::loops : name == "llvm" ? Stage::llvm : name == "asm" ? Stage::assembly : Stage::artefact;
    if (mlir::failed(tine::cpu::run_pipeline(*module, cpu, s, out, false))) return 1;
  }
  if (output != "-") std::ofstream(output, std::ios::binary) << out;
  else std::cout << out;
}
