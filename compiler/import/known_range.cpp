#include "compiler/import/known_range.hpp"

namespace tine::compiler {
using graph::Ex;
using graph::ExKind;
using graph::Range;

std::optional<Range> known_range(const graph::Pool& pool, Ex e, const graph::Specialization& s) {
  switch (pool.kind(e)) {
    case ExKind::num: return graph::within({pool.value(e), pool.value(e)}, graph::widest_bound);
    case ExKind::sym:
      if (!s.narrow_index || pool.sym_kind(e) != graph::Sym::size) return {};
      return Range{0, graph::narrow_limit - 1};
    default: return graph::range_of_operation(pool, e, graph::widest_bound, [&](Ex x) { return known_range(pool, x, s); });
  }
}

}  // namespace tine::compiler
