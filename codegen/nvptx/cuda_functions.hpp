// CUDA C++ functions of the user's: calls of them in kernels, and their code from nvrtc.
#pragma once
#include <string>
#include "codegen/nvptx/target.hpp"
#include "codegen/nvptx/toolkit.hpp"
#include "compiler/dialect/tine_dialect.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tine::nvptx {

/// A call for one element: arguments and result are scalars of the operation's element types, integers signless. Declares the
/// function in the module on its first call.
/// Before: %y = tine.foreign "gelu"(%x) source "..." at "k.hpp" line 12 : (f32) -> f32
/// After:  llvm.func @tine_cuda_0(f32) -> f32 attributes {tine.cuda = ...};  %y = llvm.call @tine_cuda_0(%x)
/// Numerics preserved: yes. Narrow types travel in 32 bits.
mlir::Value call_cuda_function(mlir::OpBuilder& b, ir::ForeignOp op, mlir::ValueRange arguments);

/// Compiles the functions that the module declares and puts their code into the kernel's PTX. Emits a diagnostic where nvrtc
/// is missing or refuses the source. Does nothing where there are none.
mlir::LogicalResult link_cuda_functions(mlir::ModuleOp module, const Target& target, const Toolkit& toolkit, std::string& ptx);

}  // namespace tine::nvptx
