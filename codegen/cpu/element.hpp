// Elements between memory and registers.
#pragma once
#include "codegen/math/names.hpp"
#include "mlir/IR/Builders.h"

namespace tine::cpu {

/// What was read as the storage type becomes the register type: bool bytes become i1, 16-bit integers f16 or bf16 (as
/// floats, masked loads and selects of them would go through f32 and a library). Vectors and scalars.
mlir::Value to_register(mlir::OpBuilder& b, mlir::Location loc, mlir::Value v, mlir::Type element);
mlir::Value to_storage(mlir::OpBuilder& b, mlir::Location loc, mlir::Value v, mlir::Type element);

using math::operation_named;
using math::reduction_named;

}  // namespace tine::cpu
