#include "compiler/import/known_divisor.hpp"
#include "dsl/graph/divisor.hpp"

namespace tine::compiler {
using graph::Ex;
using graph::ExKind;
using graph::Sym;

int64_t known_divisor(const graph::Pool& pool, Ex e, const graph::Specialization& s) {
  auto sub = [&](int i) { return known_divisor(pool, Ex{int32_t(pool.operand(e, i))}, s); };
  switch (pool.kind(e)) {
    case ExKind::num: return graph::divisor_of(pool.value(e));
    case ExKind::sym: {
      auto source = size_t(pool.operand(e, 0));
      int64_t dim = pool.operand(e, 1);
      if (pool.sym_kind(e) == Sym::var || source >= s.sources.size() || dim >= 32) return 1;
      uint32_t facts = pool.sym_kind(e) == Sym::size ? s.sources[source].size16 : s.sources[source].stride16;
      return facts >> dim & 1 ? 16 : 1;
    }
    case ExKind::sum: {
      int64_t d = pool.operand(e, 0) == 0 ? 0 : graph::divisor_of(pool.operand(e, 0));  // 0 leaves the terms' as they are
      for (int i = 1; i < pool.operand_count(e); i += 2)
        d = graph::divisor_of_sum(d, graph::divisor_of_product(graph::divisor_of(pool.operand(e, i)), sub(i + 1)));
      return d;
    }
    case ExKind::prod: {
      int64_t d = 1;
      for (int i = 0; i < pool.operand_count(e); ++i) d = graph::divisor_of_product(d, sub(i));
      return d;
    }
    case ExKind::mod: case ExKind::min: case ExKind::max: return graph::divisor_of_sum(sub(0), sub(1));
    case ExKind::div: {
      Ex by{int32_t(pool.operand(e, 1))};
      return pool.is_num(by) ? graph::divisor_of_quotient(sub(0), pool.value(by)) : 1;
    }
  }
  return 1;
}

}  // namespace tine::compiler
