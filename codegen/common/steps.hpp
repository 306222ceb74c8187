// The log of a pipeline: what each step took, and whether it changed anything.
#pragma once
#include <chrono>
#include <string>
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir { class PassManager; }

namespace tine::codegen {

std::string text(mlir::ModuleOp module);

/// Runs steps on a module one after the other and, on request, says of each what it took, and "(unchanged)".
struct Steps {
  mlir::ModuleOp module;
  bool log;
  /// False where the step failed; the step has emitted a diagnostic.
  bool operator()(const char* name, llvm::function_ref<mlir::LogicalResult()> step);
  /// A step made of MLIR's own passes on the module.
  bool passes(const char* name, llvm::function_ref<void(mlir::PassManager&)> add);
};

/// The same for steps on LLVM IR: each call names the step that has just ended.
class Clock {
 public:
  explicit Clock(bool log) : log_(log), start_(std::chrono::steady_clock::now()) {}
  void operator()(const char* name);

 private:
  bool log_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tine::codegen
