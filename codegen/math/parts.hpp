// The pieces that emit_elementwise and emit_cast are made of, one source each.
#pragma once
#include "codegen/math/builder.hpp"

namespace tine::math {

bool is_fp8(graph::DType);

// integers.cpp: two operands of one integer type; `u`: it is unsigned.
Value integer_binary(Emit&, graph::Op, bool u, Value x, Value y);
Value integer_unary(Emit&, graph::Op, bool u, Value x);

// compare.cpp: any type that computes (f16 and bf16 have become f32).
Value compare(Emit&, graph::Op, bool is_float, bool u, Value x, Value y);
Value float_minmax(Emit&, graph::Op, Value x, Value y);
Value float_class(Emit&, graph::Op, Value x);  ///< from the bits, any width

// floats.cpp: f32 and f64.
Value float_binary(Emit&, graph::Op, Value x, Value y);
Value float_unary(Emit&, graph::Op, Value x);

// The functions, f32 and f64.
Value exp(Emit&, Value x);
Value exp2(Emit&, Value x);
Value expm1(Emit&, Value x);
Value sigmoid(Emit&, Value x);
Value log(Emit&, Value x);
Value log2(Emit&, Value x);
Value log10(Emit&, Value x);
Value log1p(Emit&, Value x);
Value tanh(Emit&, Value x);
Value sinh(Emit&, Value x);
Value cosh(Emit&, Value x);
Value asinh(Emit&, Value x);
Value acosh(Emit&, Value x);
Value atanh(Emit&, Value x);
Value erf(Emit&, Value x);
Value sin(Emit&, Value x);
Value cos(Emit&, Value x);
Value tan(Emit&, Value x);
Value asin(Emit&, Value x);
Value acos(Emit&, Value x);
Value atan(Emit&, Value x);
Value atan2(Emit&, Value y, Value x);
Value pow(Emit&, Value x, Value y);

/// e^x - 1 for x in [-40, 44] or so, the core of expm1, tanh, sinh and erf. Callers clamp; NaN stays. -0 gives +0.
Value expm1_core(Emit&, Value x);

/// (e^x - 1) / 4, without overflow where the result is finite. -0 gives +0, and subnormals lose bits.
Value expm1_quarter(Emit&, Value x);
/// e^(x + low), `low` below x's last bit or so.
Value exp_of_pair(Emit&, Value x, Value low);
/// 2^(n + r) for whole n in [-1080, 1025] ([-160, 160] in f32) and |r| <= 1/2.
Value exp2_of_parts(Emit&, Value r, Value n);
/// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x; others give anything. `normal`: x is not
/// subnormal.
struct LogParts {
  Value k, f;
};
LogParts log_parts(Emit&, Value x, bool normal);

// remainder.cpp
Value remainder(Emit&, Value x, Value y);        ///< C's fmod
Value remainder_floor(Emit&, Value x, Value y);  ///< with y's sign, as Python's
Value quotient_floor(Emit&, Value x, Value y);

// narrow.cpp
Value bf16_to_f32(Emit&, Value x);
Value f32_to_bf16(Emit&, Value x);        ///< nearest even
Value f32_to_bf16_exact(Emit&, Value x);  ///< of a value that is a bf16
Value f64_to_f32_odd(Emit&, Value x);     ///< to odd: rounding the result to 22 bits or fewer equals rounding x
Value fp8_to_f32(Emit&, graph::DType, Value x);
Value f32_to_fp8(Emit&, graph::DType, Value x, Overflow);

// casts.cpp
Value float_to_int(Emit&, Value x, unsigned bits, bool u);
Value int_to_float(Emit&, Value x, bool u, graph::DType to);

}  // namespace tine::math
