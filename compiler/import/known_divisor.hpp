// What a specialisation says about the value of an expression.
#pragma once
#include "dsl/graph/specialization.hpp"

namespace tine::compiler {

/// A number that divides the expression's value at every call of this specialisation; at most 2^20, 1 if nothing is known.
int64_t known_divisor(const graph::Pool& pool, graph::Ex e, const graph::Specialization& specialization);

}  // namespace tine::compiler
