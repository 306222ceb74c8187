// The tine dialect (TineDialect.td, TineOps.td): serial programs on tiles.
#pragma once
#include "compiler/layout/layout.hpp"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "dsl/graph/graph.hpp"

namespace tine::ir {
/// bool, integers (signless is signed), f16 to f64, and the two fp8 types.
bool isElementType(mlir::Type type);
/// The shape of a tile or, for a scalar, the empty shape.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// The element type of a tile, or the scalar type itself.
mlir::Type elementOf(mlir::Type type);
/// A tile of this shape, or the element type itself for the empty shape.
mlir::Type valueType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// The language's element types and MLIR's: u8 is ui8, i8 the signless i8, bool i1.
mlir::Type elementType(mlir::MLIRContext* context, graph::DType type);
graph::DType dtypeOf(mlir::Type element);
int64_t bytesOf(mlir::Type element);  ///< in memory: bool has one
}  // namespace tine::ir

#include "TineDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TineAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TineTypes.h.inc"
#define GET_OP_CLASSES
#include "TineOps.h.inc"
