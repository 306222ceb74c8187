// Operations' locations become line tables of the code.
// Why: profilers, debuggers and the emulated device then speak of the user's lines.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tine::codegen {

/// Before: llvm.func @tine_kernel(...) { ... loc("/src/mine/kernels/add.hpp":12:0) }
/// After:  the function has a subprogram with line directives alone, and files are named as in `add.hpp`: without the
///         folder that all files of the module lie in, so that the code is the same wherever the sources lie.
/// Numerics preserved: yes. Precondition: a module of the LLVM dialect.
mlir::LogicalResult add_line_tables(mlir::ModuleOp module);

}  // namespace tine::codegen
