#include "runtime/launch/evaluate.hpp"

#include "runtime/launch/evaluator.hpp"

namespace tine::launch {

std::optional<int64_t> evaluate(const graph::Pool& pool, graph::Ex e, std::span<const Argument> arguments) {
  return value_in(pool, e, arguments);
}

}  // namespace tine::launch
