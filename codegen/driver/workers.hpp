// The compiler's own threads: 64 MiB of stack and one MLIRContext each, kept for the next compile.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/MLIRContext.h"

namespace tine {

/// Runs `job` on a worker and waits. As many run at once as there are callers.
void run_on_worker(llvm::function_ref<void(mlir::MLIRContext&)> job);

}  // namespace tine
