// Between which values a specialisation keeps an expression of sizes: the symbols of the code, before there is any.
// `runtime/launch/index_ranges` asks the same of one call's index expressions; `codegen/gpu/integer_ranges` of values of the code.
#pragma once
#include <optional>
#include "dsl/graph/range.hpp"
#include "dsl/graph/specialization.hpp"

namespace tine::compiler {

/// Bounds of the expression's value at every call of this specialisation, from the sizes, which are less than `narrow_limit` where
/// it says `narrow_index`; none where nothing is known or 64 bits may not hold it.
std::optional<graph::Range> known_range(const graph::Pool& pool, graph::Ex e, const graph::Specialization& specialization);

}  // namespace tine::compiler
