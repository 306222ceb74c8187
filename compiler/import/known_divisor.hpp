// What divides an expression of sizes and strides by a specialisation: the symbols of the code, before there is any. From these
// `codegen/gpu/index_divisor` works out what divides an index, and `codegen/gpu/same_registers` what divides a value of the code.
#pragma once
#include "dsl/graph/specialization.hpp"

namespace tine::compiler {

/// A number that divides the expression's value at every call of this specialisation; at most `graph::most_divisor`, 1 if nothing
/// is known.
int64_t known_divisor(const graph::Pool& pool, graph::Ex e, const graph::Specialization& specialization);

}  // namespace tine::compiler
