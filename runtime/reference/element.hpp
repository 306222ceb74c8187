// Elements: how each type holds values, conversions, and the operations on one element, by section 6 of the language.
#pragma once
#include "runtime/reference/tile.hpp"

namespace tine::reference {

int width(DType);  ///< bits

/// The value of an integer type with these low bits.
int64_t wrap(DType, uint64_t bits);
/// The nearest value of a float type, ties to even. fp8: too large values saturate, or not.
double round_to(DType, double, bool saturate = true);

/// Conversion between any two types. `ieee`: too large values for fp8 become NaN or infinity.
Element convert(DType from, DType to, Element, bool ieee = false);

Element load_element(DType, const void*);
void store_element(DType, void*, Element);

/// Element-wise operations on operands of type `t`; the result has the type `result`.
Element unary(graph::Op, DType t, DType result, Element);
Element binary(graph::Op, DType t, Element, Element);
Element ternary(graph::Op, DType t, Element, Element, Element);
bool is_unary(graph::Op);
bool is_binary(graph::Op);

}  // namespace tine::reference
