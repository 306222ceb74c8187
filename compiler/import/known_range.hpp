// Between which values a specialisation keeps an expression.
#pragma once
#include <optional>
#include "dsl/graph/specialization.hpp"

namespace tine::compiler {

struct KnownRange { int64_t least, most; };

/// Bounds of the expression's value at every call of this specialisation, from the sizes, which are less than `narrow_limit` where
/// it says `narrow_index`; none where nothing is known or 64 bits may not hold it.
std::optional<KnownRange> known_range(const graph::Pool& pool, graph::Ex e, const graph::Specialization& specialization);

}  // namespace tine::compiler
