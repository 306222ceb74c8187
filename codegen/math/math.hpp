// The meaning of every element-wise operation, emitted as MLIR; the same on all targets.
//
// Types. Operands are scalars or 1-D vectors of any fixed width, and the code for both is the same: bool is i1; i8..i64
// and u8..u64 are signless i8..i64, with the sign in the DType; f16, bf16, f32, f64 are themselves; f8e4m3fn and f8e5m2
// are i8 bit patterns. All operands of an operation have the type `operand_type`, but for the condition of `where`
// (bool). The result has `result_type` (bool for comparisons and classes, the target type for `bitcast`).
//
// What is emitted. Straight-line operations of `arith` and `LLVM` (`llvm.intr.fma`, `floor`, `sqrt`, `ctpop`, ...; on
// scalars also `llvm.call_intrinsic` for saturating conversions; on i64 vectors a shuffle for `umulhi`), no `math` and
// no calls: the patterns of `arith-to-llvm` lower them, and nothing needs a library on x86-64-v3 and up, NVPTX or
// AMDGPU. A conversion that marks `llvm.intr.floor` and friends illegal (`convert-gpu-to-rocdl` does) must be told that
// they are legal. Nothing traps and nothing branches, so dead lanes may hold anything. `fma` is `llvm.intr.fma`: fused
// everywhere.
//
// Numerics. Section 6 of the language; what that leaves open is settled in `docs/math.md`. f16 and bf16 compute in f32
// and round once per operation. Contraction of the emitted multiplies and adds to fma is harmless, reassociation is
// not: do not put fast-math flags on what comes back. Errors, as tests/math measures them, in units in the last place:
// f32 within 2 for exp exp2 log log2 rsqrt, 8 for pow, 0.5 for sqrt + - * / fma, 4 for the others; f64 within 4, pow 8.
// f32 sin, cos, tan, pow and % compute in f64 (slow on GPUs that have few such units; `fast_math` has sin, cos and tan
// in f32).
//
// Speed. Vectors stay vectors on AVX2 and AVX-512, but for division and remainder of 64-bit integers by a divisor that
// is not a constant: x86 has no vector form, and they become one scalar division a lane. A constant operand should
// reach us as one (`arith.constant`, or a broadcast of it): division, minima and maxima use it.
#pragma once
#include <cstdint>

#include "dsl/graph/graph.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace tine::math {

struct MathOptions {
  /// Written + - * / may be reassociated, contracted and done by reciprocals; exp and sigmoid may flush subnormal
  /// results to 0, and overflow half a binade early; sin, cos and tan need be right for |x| < 1e5 only. NaN and
  /// infinities keep their meaning.
  bool fast_math = false;
  /// The target converts vectors between i64 and f64 in one instruction (AVX-512DQ).
  bool native_i64_to_float = false;
};

enum class Overflow : uint8_t {
  saturate,  ///< too large a finite value and infinities become the largest finite value
  ieee,      ///< they become NaN (f8e4m3fn) or infinity (f8e5m2)
};
/// `overflow` concerns fp8 results only.
struct CastOptions {
  Overflow overflow = Overflow::saturate;
  bool native_i64_to_float = false;
};

/// The MLIR type of one element.
mlir::Type element_type(mlir::MLIRContext*, graph::DType);
/// `like` (a scalar or vector type) with another element.
mlir::Type type_like(mlir::Type like, mlir::Type element);

/// True for the operations that `emit_elementwise` knows (all but `cast`, which is `emit_cast`).
bool is_elementwise(graph::Op);

/// One element-wise operation. The operands' number and types are the caller's duty (the graph was verified).
mlir::Value emit_elementwise(mlir::OpBuilder&, mlir::Location, graph::Op, graph::DType operand_type,
                             graph::DType result_type, mlir::ValueRange operands, const MathOptions& = {});

/// Any type to any type. Float to int truncates, saturates, and gives 0 for NaN; narrow floats round once, to nearest
/// even, from the value's own type; int to int wraps; anything to bool is "!= 0"; fp8 see `Overflow`.
mlir::Value emit_cast(mlir::OpBuilder&, mlir::Location, mlir::Value, graph::DType from, graph::DType to,
                      CastOptions = {});

/// A constant, splat to the shape of `like`. Reals are rounded once to the type; integers wrap.
mlir::Value emit_constant(mlir::OpBuilder&, mlir::Location, graph::DType, mlir::Type like, double);
mlir::Value emit_constant(mlir::OpBuilder&, mlir::Location, graph::DType, mlir::Type like, int64_t);

/// The type's lowest and highest value: for floats the infinities (f8e4m3fn: the largest finite values).
mlir::Value emit_lowest(mlir::OpBuilder&, mlir::Location, graph::DType, mlir::Type like);
mlir::Value emit_highest(mlir::OpBuilder&, mlir::Location, graph::DType, mlir::Type like);

/// The identity of a reduction: sum 0, prod 1, rmax lowest, rmin highest, any false, all true, rxor 0.
mlir::Value emit_identity(mlir::OpBuilder&, mlir::Location, graph::Op reduction, graph::DType, mlir::Type like);

/// One step of a reduction (sum prod rmax rmin any all rxor) on two partial results.
mlir::Value emit_combine(mlir::OpBuilder&, mlir::Location, graph::Op reduction, graph::DType, mlir::Value, mlir::Value,
                         const MathOptions& = {});

}  // namespace tine::math
