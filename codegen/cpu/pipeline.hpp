// The CPU pipeline: from a tine.kernel to a module of the LLVM dialect, and on to an object, an ELF file, or text.
#pragma once
#include <string>
#include "codegen/cpu/frame.hpp"
#include "mlir/IR/OwningOpRef.h"

namespace tine::cpu {

/// A processor, as LLVM names it.
struct Target {
  std::string triple, cpu, features;
  VectorTarget vectors;
};
/// "cpu", "cpu:native": this machine; "cpu:x86-64-v3", "cpu:aarch64" and so on: that level. Returns false for unknown names, with a reason.
bool parse_target(llvm::StringRef text, Target& target, std::string& why);

enum class Stage { tine, loops, llvm, assembly, artefact };
/// "tine", "loops", "llvm", "asm", "artefact". Returns false for unknown names, with a reason.
bool parse_stage(llvm::StringRef name, Stage& stage, std::string& why);

/// Runs the pipeline on a module with one tine.kernel, up to `stage`, and appends the stage's text or the artefact's bytes
/// to `out`. Failure means that a diagnostic was emitted. `log`: a line for each step with its time, and "(unchanged)".
mlir::LogicalResult run_pipeline(mlir::ModuleOp module, const Target& target, Stage stage, std::string& out, bool log);

/// The last MLIR step: scf, arith, vector and func become the LLVM dialect, in one conversion. Numerics preserved: yes.
mlir::LogicalResult convert_to_llvm(mlir::ModuleOp module);

/// LLVM IR of a module of the LLVM dialect, optimised for the target; then text, or an ELF shared object without imports.
mlir::LogicalResult emit_code(mlir::ModuleOp module, const Target& target, Stage stage, std::string& out, bool log);

void load_dialects(mlir::MLIRContext& context);

}  // namespace tine::cpu
