#include "codegen/common/steps.hpp"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tine::codegen {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string text(ModuleOp module) {
  std::string s;
  llvm::raw_string_ostream os(s);
  module.print(os);
  return s;
}

bool Steps::operator()(const char* name, llvm::function_ref<LogicalResult()> step) {
  std::string before = log ? text(module) : "";
  auto start = std::chrono::steady_clock::now();
  bool ok = succeeded(step());
  if (log) {
    double ms = milliseconds_since(start);
    llvm::errs() << llvm::format("%8.2f ms  %s%s\n", ms, name, ok && text(module) == before ? " (unchanged)" : "");
  }
  return ok;
}

bool Steps::passes(const char* name, llvm::function_ref<void(PassManager&)> add) {
  return (*this)(name, [&] {
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    pm.enableVerifier(false);
    add(pm);
    return pm.run(module);
  });
}

void Clock::operator()(const char* name) {
  if (log_) llvm::errs() << llvm::format("%8.2f ms  %s\n", milliseconds_since(start_), name);
  start_ = std::chrono::steady_clock::now();
}

}  // namespace tine::codegen
