// Values of a graph's symbolic sizes for the arguments of a call, in arithmetic that notices overflow.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "dsl/graph/expr.hpp"
#include "tine/argument.hpp"

namespace tine::launch {

/// Value of an expression without `Sym::var`; nothing if a step of it does not fit in 64 bits.
std::optional<int64_t> evaluate(const graph::Pool&, graph::Ex, std::span<const Argument>);

}  // namespace tine::launch
