#include "compiler/import/known_divisor.hpp"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace tine::compiler {
using graph::Ex;
using graph::ExKind;
using graph::Sym;

int64_t known_divisor(const graph::Pool& pool, Ex e, const graph::Specialization& s) {
  constexpr int64_t most = int64_t(1) << 20;  // also of 0, which everything divides
  auto sub = [&](int i) { return known_divisor(pool, Ex{int32_t(pool.operand(e, i))}, s); };
  auto bounded = [&](int64_t n) { return n == 0 || std::abs(n) > most ? std::gcd(n, most) : std::abs(n); };
  switch (pool.kind(e)) {
    case ExKind::num: return bounded(pool.value(e));
    case ExKind::sym: {
      auto source = size_t(pool.operand(e, 0));
      int64_t dim = pool.operand(e, 1);
      if (pool.sym_kind(e) == Sym::var || source >= s.sources.size() || dim >= 32) return 1;
      uint32_t facts = pool.sym_kind(e) == Sym::size ? s.sources[source].size16 : s.sources[source].stride16;
      return facts >> dim & 1 ? 16 : 1;
    }
    case ExKind::sum: {
      int64_t d = bounded(pool.operand(e, 0));
      if (pool.operand(e, 0) == 0) d = 0;
      for (int i = 1; i < pool.operand_count(e); i += 2) d = std::gcd(d, bounded(bounded(pool.operand(e, i)) * sub(i + 1)));
      return d;
    }
    case ExKind::prod: {
      int64_t d = 1;
      for (int i = 0; i < pool.operand_count(e); ++i) d = bounded(d * sub(i));
      return d;
    }
    case ExKind::mod: case ExKind::min: case ExKind::max: return std::gcd(sub(0), sub(1));
    case ExKind::div: {  // of 16 * n by 2: 8 * n, rounded nowhere
      Ex by{int32_t(pool.operand(e, 1))};
      int64_t d = sub(0), c = pool.is_num(by) ? pool.value(by) : 0;
      return c > 0 && d % c == 0 ? d / c : 1;
    }
    default: return 1;
  }
}

}  // namespace tine::compiler
