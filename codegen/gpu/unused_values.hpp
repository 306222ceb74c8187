// Operations and carried values that nothing needs.
#pragma once
#include "compiler/dialect/tine_dialect.hpp"
#include "llvm/ADT/DenseSet.h"

namespace tine::gpu {

/// Erases what has no use and no effect, loads among it, and values that a loop carries for nobody but themselves, and adds to
/// `gone` what was erased. MLIR's own passes keep such loops: what they read counts as an effect there. Numbers are not changed.
/// Before: %r:2 = scf.for iter_args(%a = %0, %b = %1) { yield %a + load, %b + 1 }    (%r#0 unused)
/// After:  %r = scf.for iter_args(%b = %1) { yield %b + 1 }
void erase_unused(ir::KernelOp kernel, llvm::DenseSet<mlir::Operation*>& gone);

}  // namespace tine::gpu
