#include "runtime/launch/evaluate.hpp"

#include "runtime/launch/evaluator.hpp"

namespace tine::launch {

std::optional<int64_t> evaluate(const graph::Pool& pool, graph::Ex e, std::span<const Argument> arguments) {
  Evaluator<graph::Pool> evaluator(pool, arguments);
  const int64_t value = evaluator.value(e);
  if (evaluator.overflow) return std::nullopt;
  return value;
}

}  // namespace tine::launch
