// Index arithmetic of accesses: affine expressions over loop indices, split into what one vector lane adds and the rest.
#pragma once
#include <optional>
#include "codegen/cpu/frame.hpp"
#include "compiler/access/access.hpp"
#include "mlir/IR/AffineExpr.h"

namespace tine::cpu {

using compiler::Linear;
using compiler::OpenIndex;
using compiler::linear_in;
using compiler::open_indices;
using compiler::unit_dim;
using compiler::uses_dim;

/// Emits an expression over i64 values at the builder's place. Divisions round to minus infinity; by 0 they give garbage,
/// never a trap (no element is in range then).
mlir::Value emit_affine(Frame& frame, mlir::AffineExpr expr, llvm::ArrayRef<mlir::Value> dims);
/// The same for each of `lanes` lanes, where `dims[vector_dim]` is the first lane's and the next lanes count up.
/// `small`: all numbers are below 2^52, so that divisions may run in f64, which vectors have.
mlir::Value emit_affine_lanes(Frame& frame, mlir::AffineExpr expr, llvm::ArrayRef<mlir::Value> dims, unsigned vector_dim, int64_t lanes,
                              bool small = false);

/// The address of an element of a param as the sum of expressions times strides (in elements); by the shorter way of
/// contiguous sources where there is one.
struct AddressTerm { mlir::AffineExpr index; mlir::Value stride; };
llvm::SmallVector<AddressTerm> address_terms(Frame& frame, ir::ParamAttr param);

// i64 arithmetic that folds constants, so that the common cases leave little behind.
mlir::Value add(Frame&, mlir::Value a, mlir::Value b);
mlir::Value sub(Frame&, mlir::Value a, mlir::Value b);
mlir::Value mul(Frame&, mlir::Value a, mlir::Value b);
mlir::Value min(Frame&, mlir::Value a, mlir::Value b);
mlir::Value max(Frame&, mlir::Value a, mlir::Value b);
/// Rounding to minus or plus infinity by a positive number.
mlir::Value floordiv(Frame&, mlir::Value a, int64_t b);
mlir::Value ceildiv(Frame&, mlir::Value a, int64_t b);
std::optional<int64_t> known(mlir::Value v);

}  // namespace tine::cpu
