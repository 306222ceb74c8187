// Elements between memory and registers, and operations by name.
#pragma once
#include <optional>
#include "dsl/graph/graph.hpp"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Builders.h"

namespace tine::cpu {

/// What was read as the storage type becomes the register type: bool bytes become i1, 16-bit integers f16 or bf16 (as
/// floats, masked loads and selects of them would go through f32 and a library). Vectors and scalars.
mlir::Value to_register(mlir::OpBuilder& b, mlir::Location loc, mlir::Value v, mlir::Type element);
mlir::Value to_storage(mlir::OpBuilder& b, mlir::Location loc, mlir::Value v, mlir::Type element);

/// The operation of the graph with this name.
std::optional<graph::Op> operation_named(llvm::StringRef name);
/// The reduction of a `tine.reduce` kind: "max" is `rmax`.
std::optional<graph::Op> reduction_named(llvm::StringRef kind);

}  // namespace tine::cpu
