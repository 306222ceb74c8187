#include "compiler/import/known_range.hpp"
#include <algorithm>

namespace tine::compiler {
using graph::Ex;
using graph::ExKind;
using graph::Sym;

namespace {
constexpr int64_t widest = int64_t(1) << 62;

std::optional<KnownRange> held(__int128 least, __int128 most) {
  if (least < -widest || most > widest) return {};
  return KnownRange{int64_t(least), int64_t(most)};
}
std::optional<KnownRange> times(KnownRange a, KnownRange b) {
  __int128 ends[] = {__int128(a.least) * b.least, __int128(a.least) * b.most, __int128(a.most) * b.least, __int128(a.most) * b.most};
  return held(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
}
int64_t floored(int64_t x, int64_t y) { return x / y - (x % y < 0 ? 1 : 0); }
}  // namespace

std::optional<KnownRange> known_range(const graph::Pool& pool, Ex e, const graph::Specialization& s) {
  auto operand = [&](int i) { return known_range(pool, Ex{int32_t(pool.operand(e, i))}, s); };
  switch (pool.kind(e)) {
    case ExKind::num: return KnownRange{pool.value(e), pool.value(e)};
    case ExKind::sym:
      if (!s.narrow_index || pool.sym_kind(e) != Sym::size) return {};
      return KnownRange{0, graph::narrow_limit - 1};
    case ExKind::sum: {
      auto total = held(pool.operand(e, 0), pool.operand(e, 0));
      for (int i = 1; total && i + 1 < pool.operand_count(e); i += 2) {
        auto x = operand(i + 1);
        if (x) x = times(*x, {pool.operand(e, i), pool.operand(e, i)});
        total = x ? held(__int128(total->least) + x->least, __int128(total->most) + x->most) : std::nullopt;
      }
      return total;
    }
    case ExKind::prod: {
      std::optional<KnownRange> product = KnownRange{1, 1};
      for (int i = 0; product && i < pool.operand_count(e); ++i) {
        auto x = operand(i);
        product = x ? times(*product, *x) : std::nullopt;
      }
      return product;
    }
    case ExKind::div: {
      auto a = operand(0), b = operand(1);
      if (!a || !b || b->least <= 0) return {};
      return KnownRange{std::min(floored(a->least, b->least), floored(a->least, b->most)), std::max(floored(a->most, b->least), floored(a->most, b->most))};
    }
    case ExKind::mod: {
      auto b = operand(1);
      if (!b || b->least <= 0) return {};
      return KnownRange{0, b->most - 1};
    }
    case ExKind::min: case ExKind::max: {
      auto a = operand(0), b = operand(1);
      if (!a || !b) return {};
      if (pool.kind(e) == ExKind::min) return KnownRange{std::min(a->least, b->least), std::min(a->most, b->most)};
      return KnownRange{std::max(a->least, b->least), std::max(a->most, b->most)};
    }
  }
  return {};
}

}  // namespace tine::compiler
