// The algebra as a law: the map of a chain is the composition of the maps of its operations, an element is in range exactly
// if it is at every operation on the way, and symbolic sizes give what numbers give.
#include <catch2/catch.hpp>
#include <random>

#include "dsl/core/arrange_eval.hpp"

using namespace tine;
using namespace tine::core;
using Shape64 = std::vector<int64_t>;

namespace {

struct Chains {
  std::mt19937 rng;
  int pick(int n) { return int(rng() % unsigned(n)); }

  Shape64 source() {
    Shape64 s(std::size_t(1 + pick(3)));
    for (auto& d : s) d = pick(12) == 0 ? 0 : 1 + pick(6);
    return s;
  }
  // An operation that may or may not be legal on these levels.
  ArrangeOp op(const Levels& l) {
    ArrangeOp o;
    o.level = pick(l.count());
    std::size_t n = std::size_t(l.rank[std::size_t(o.level)]);
    if (pick(4) == 0) o.level -= l.count();
    auto dim = [&] { return n == 0 ? 0 : pick(int(n)) - (pick(3) == 0 ? int(n) : 0); };
    switch (pick(9)) {
      case 0: case 1:
        o.kind = Step::tile;
        for (std::size_t k = 0; k < n; ++k) o.sizes.push_back(pick(5) == 0 ? -1 : 1 + pick(4));
        if (pick(3) == 0) for (std::size_t k = 0; k < n; ++k) o.strides.push_back(pick(3) == 0 ? -1 : 1 + pick(3));
        if (pick(3) == 0) for (std::size_t k = 0; k < n; ++k) o.dilation.push_back(1 + pick(3));
        o.floor = pick(2);
        break;
      case 2:
        o.kind = Step::expand;
        for (std::size_t k = 0; k < n; ++k) o.sizes.push_back(pick(2) ? -1 : 1 + pick(4));
        break;
      case 3: o.kind = Step::squeeze; o.dims = {dim()}; break;
      case 4: o.kind = Step::unsqueeze; o.dims = {pick(int(n) + 1)}; break;
      case 5: {
        o.kind = Step::permute;
        for (std::size_t k = 0; k < n; ++k) o.dims.push_back(int(k));
        std::shuffle(o.dims.begin(), o.dims.end(), rng);
        break;
      }
      case 6:
        o.kind = Step::flatten;
        o.start = dim();
        if (pick(2)) o.end = pick(int(n) + 1);
        break;
      case 7:
        if (pick(3) == 0) { o.kind = Step::ravel; break; }
        o.kind = Step::pad;
        for (std::size_t k = 0; k < n; ++k) o.pad.push_back({pick(4) - 1, pick(4) - 1});
        break;
      default:
        o.kind = Step::slice;
        for (std::size_t k = 0; k < n; ++k) {
          ArrangeOp::Item i;
          switch (pick(6)) {
            case 0: i.kind = SliceItem::integer; i.start = pick(5) - 2; break;
            case 1: i.kind = SliceItem::newaxis; break;
            default:
              if (pick(2)) i.start = pick(8) - 4;
              if (pick(2)) i.stop = pick(8) - 4;
              i.step = pick(2) ? 1 : pick(2) ? 2 : -1;
          }
          o.items.push_back(i);
        }
        if (pick(4) == 0) {
          ArrangeOp::Item dots;
          dots.kind = SliceItem::ellipsis;
          o.items.insert(o.items.begin() + pick(int(o.items.size()) + 1), dots);
        }
    }
    return o;
  }
};

ArrangedTensor apply(Arena& arena, const ArrangedTensor& t, const ArrangeOp& o) {
  // One operation on top of levels that are given as if they were a source: `build` with one op needs a one-level source,
  // so the operation is replayed here.
  Pool& p = arena.pool;
  auto sizes = [&](const Shape64& v) {
    std::vector<Ex> e;
    for (int64_t s : v) e.push_back(s == -1 ? ArrangedTensor::automatic : p.num(s));
    return e;
  };
  switch (o.kind) {
    case Step::tile: return t.tile(o.level, sizes(o.sizes), sizes(o.strides), sizes(o.dilation), o.floor ? Mode::floor : Mode::ceil, {});
    case Step::expand: return t.expand(o.level, sizes(o.sizes), {});
    case Step::squeeze: return t.squeeze(o.level, o.dims, {});
    case Step::unsqueeze: return t.unsqueeze(o.level, o.dims[0], {});
    case Step::permute: return t.permute(o.level, o.dims, {});
    case Step::flatten: {
      int n = t.levels().rank[std::size_t(t.level_index(o.level, "flatten", {}))];
      return t.flatten(o.level, o.start.value_or(0), o.end.value_or(n), {});
    }
    case Step::ravel: return t.ravel(o.level, {});
    case Step::pad: {
      std::vector<std::pair<Ex, Ex>> a;
      for (auto& [x, y] : o.pad) a.push_back({p.num(x), p.num(y)});
      return t.pad(o.level, a, {});
    }
    default: {
      std::vector<SliceItem> items;
      for (auto& i : o.items) items.push_back({i.kind, i.start ? p.num(*i.start) : Ex{}, i.stop ? p.num(*i.stop) : Ex{}, i.step});
      return t.slice(o.level, items, {});
    }
  }
}

template <class F>
void for_each_index(const Shape64& shape, F&& f) {
  for (int64_t s : shape) if (s <= 0) return;
  Shape64 i(shape.size());
  for (;;) {
    f(i);
    std::size_t d = shape.size();
    while (d > 0 && ++i[d - 1] == shape[d - 1]) i[--d] = 0;
    if (d == 0) return;
  }
}

// Index maps of a chain with numbers for sizes, one operation at a time, by the definitions: an independent implementation.
struct Naive {
  std::vector<Shape64> levels;
  std::function<bool(const Shape64&, Shape64&)> map;  // indices of all axes -> source index; false: out of range
};
int64_t div_to(int64_t a, int64_t b, bool up) { return int64_t(up ? std::ceil(double(a) / double(b)) : std::floor(double(a) / double(b))); }

Naive naive(Naive t, const ArrangeOp& o) {
  std::size_t L = std::size_t(o.level < 0 ? o.level + int(t.levels.size()) : o.level);
  const Shape64 S = t.levels[L];
  std::size_t n = S.size(), at = 0;
  for (std::size_t l = 0; l < L; ++l) at += t.levels[l].size();
  auto inner = t.map;
  auto pulled = [=](std::size_t width, auto pull) {  // pull: this level's new indices -> old ones, false if out of range
    return [=](const Shape64& x, Shape64& out) {
      Shape64 head(x.begin(), x.begin() + long(at)), mine(x.begin() + long(at), x.begin() + long(at + width)), old;
      bool ok = pull(mine, old);
      head.insert(head.end(), old.begin(), old.end());
      head.insert(head.end(), x.begin() + long(at + width), x.end());
      return inner(head, out) && ok;
    };
  };
  auto within = [S](const Shape64& i) {
    for (std::size_t k = 0; k < i.size(); ++k) if (i[k] < 0 || i[k] >= S[k]) return false;
    return true;
  };
  switch (o.kind) {
    case Step::tile: {
      Shape64 O(n), T(n), st(n), d(n);
      for (std::size_t k = 0; k < n; ++k) {
        bool whole = o.sizes[k] == -1, automatic = o.strides.empty() || o.strides[k] == -1;
        T[k] = whole ? S[k] : o.sizes[k];
        d[k] = o.dilation.empty() ? 1 : o.dilation[k];
        st[k] = automatic ? T[k] : o.strides[k];
        O[k] = whole && automatic ? 1 : std::max<int64_t>(0, div_to(S[k] - d[k] * (T[k] - 1) - 1, st[k], !o.floor) + 1);
      }
      t.levels[L] = O;
      t.levels.insert(t.levels.begin() + long(L) + 1, T);
      t.map = pulled(2 * n, [=](const Shape64& x, Shape64& y) {
        for (std::size_t k = 0; k < n; ++k) y.push_back(x[k] * st[k] + x[n + k] * d[k]);
        return within(y);
      });
      return t;
    }
    case Step::expand:
      for (std::size_t k = 0; k < n; ++k) if (o.sizes[k] != -1) t.levels[L][k] = o.sizes[k];
      t.map = pulled(n, [=](const Shape64& x, Shape64& y) {
        for (std::size_t k = 0; k < n; ++k) y.push_back(S[k] == 1 ? 0 : x[k]);
        return within(y);
      });
      return t;
    case Step::squeeze: {
      std::size_t k = std::size_t(o.dims[0] < 0 ? o.dims[0] + int(n) : o.dims[0]);
      t.levels[L].erase(t.levels[L].begin() + long(k));
      t.map = pulled(n - 1, [=](Shape64 x, Shape64& y) { x.insert(x.begin() + long(k), 0); y = x; return within(y); });
      return t;
    }
    case Step::unsqueeze: {
      std::size_t k = std::size_t(o.dims[0]);
      t.levels[L].insert(t.levels[L].begin() + long(k), 1);
      t.map = pulled(n + 1, [=](Shape64 x, Shape64& y) { x.erase(x.begin() + long(k)); y = x; return within(y); });
      return t;
    }
    case Step::permute:
      for (std::size_t k = 0; k < n; ++k) t.levels[L][k] = S[std::size_t(o.dims[k])];
      t.map = pulled(n, [=](const Shape64& x, Shape64& y) {
        y.resize(n);
        for (std::size_t k = 0; k < n; ++k) y[std::size_t(o.dims[k])] = x[k];
        return within(y);
      });
      return t;
    case Step::flatten: {
      auto place = [&](int d) { return std::size_t(d < 0 ? d + int(n) : d); };
      std::size_t a = place(o.start.value_or(0)), b = place(o.end.value_or(int(n)));
      int64_t total = 1;
      for (std::size_t k = a; k < b; ++k) total *= S[k];
      t.levels[L].erase(t.levels[L].begin() + long(a), t.levels[L].begin() + long(b));
      t.levels[L].insert(t.levels[L].begin() + long(a), total);
      t.map = pulled(n - (b - a) + 1, [=](const Shape64& x, Shape64& y) {
        y = x;
        int64_t f = x[a];
        y.erase(y.begin() + long(a));
        Shape64 parts(b - a);
        bool ok = f >= 0 && f < total;
        for (std::size_t k = b; k-- > a;) { parts[k - a] = S[k] > 0 ? ((f % S[k]) + S[k]) % S[k] : 0; f = S[k] > 0 ? f / S[k] : 0; }
        y.insert(y.begin() + long(a), parts.begin(), parts.end());
        return ok && within(y);
      });
      return t;
    }
    case Step::ravel:
      for (std::size_t l = L + 1; l < t.levels.size(); ++l) t.levels[L].insert(t.levels[L].end(), t.levels[l].begin(), t.levels[l].end());
      t.levels.resize(L + 1);
      return t;
    case Step::pad:
      for (std::size_t k = 0; k < n; ++k) t.levels[L][k] += o.pad[k].first + o.pad[k].second;
      t.map = pulled(n, [=](const Shape64& x, Shape64& y) {
        for (std::size_t k = 0; k < n; ++k) y.push_back(x[k] - o.pad[k].first);
        return within(y);
      });
      return t;
    default: {
      // Python: positions 0 .. S-1 are sliced as a list.
      std::vector<Shape64> picks;         // of each old dim: the positions it may take; one for an integer
      std::vector<int> new_dims;          // for each new dim the old dim, or -1 for a new axis
      std::size_t used = 0, k = 0;
      for (auto& i : o.items) used += i.kind == SliceItem::integer || i.kind == SliceItem::slice;
      Shape64 shape;
      auto take = [&](const Shape64& p, bool integer) {
        picks.push_back(p);
        if (!integer) { new_dims.push_back(int(k)); shape.push_back(int64_t(p.size())); }
        ++k;
      };
      auto all = [&] { Shape64 p; for (int64_t v = 0; v < S[k]; ++v) p.push_back(v); return p; };
      for (auto& i : o.items) {
        if (i.kind == SliceItem::newaxis) { new_dims.push_back(-1); shape.push_back(1); continue; }
        if (i.kind == SliceItem::ellipsis) { for (std::size_t j = used; j < n; ++j) take(all(), false); continue; }
        if (i.kind == SliceItem::integer) { take({*i.start < 0 ? *i.start + S[k] : *i.start}, true); continue; }
        Shape64 p;
        int64_t len = S[k], step = i.step, lower = step > 0 ? 0 : -1, upper = step > 0 ? len : len - 1;
        auto clip = [&](int64_t v) { return v < 0 ? std::max(v + len, lower) : std::min(v, upper); };
        int64_t from = i.start ? clip(*i.start) : step > 0 ? lower : upper, to = i.stop ? clip(*i.stop) : step > 0 ? upper : lower;
        for (int64_t v = from; step > 0 ? v < to : v > to; v += step) p.push_back(v);
        take(p, false);
      }
      while (k < n) take(all(), false);
      t.levels[L] = shape;
      t.map = pulled(shape.size(), [=](const Shape64& x, Shape64& y) {
        y.resize(n);
        for (std::size_t d = 0; d < n; ++d) y[d] = picks[d].empty() ? 0 : picks[d][0];
        bool ok = true;
        for (std::size_t j = 0; j < new_dims.size(); ++j)
          if (new_dims[j] >= 0) {
            const Shape64& p = picks[std::size_t(new_dims[j])];
            if (x[j] < 0 || x[j] >= int64_t(p.size())) ok = false;
            else y[std::size_t(new_dims[j])] = p[std::size_t(x[j])];
          }
        return ok && within(y);
      });
      return t;
    }
  }
}

}  // namespace

TEST_CASE("the map of a chain is the composition of its operations") {
  Chains chains{std::mt19937(7)};
  int legal = 0;
  for (int round = 0; round < 4000; ++round) {
    Shape64 source = chains.source();
    Pool pool;
    Arena arena(pool);
    ArrangedTensor t = build(arena, source, {});
    Naive want;
    want.levels = {source};
    want.map = [&](const Shape64& x, Shape64& out) {
      out = x;
      for (std::size_t k = 0; k < x.size(); ++k) if (x[k] < 0 || x[k] >= source[k]) return false;
      return true;
    };
    std::vector<ArrangeOp> ops;
    for (int length = 1 + chains.pick(6); length > 0; --length) {
      ArrangeOp o = chains.op(t.levels());
      try {
        t = apply(arena, t, o);
      } catch (const UserError&) {
        continue;
      }
      ops.push_back(o);
      want = naive(want, o);
    }
    Shape64 axes;
    int64_t count = 1;
    for (auto& l : want.levels) for (int64_t s : l) { axes.push_back(s); count *= s; }
    if (count > 3000) continue;
    ++legal;
    INFO("round " << round);
    Evaluated e = evaluate(source, ops);
    REQUIRE(e.level_shapes == want.levels);
    std::size_t at = 0;
    for_each_index(axes, [&](const Shape64& i) {
      Shape64 s;
      int64_t index = -1;
      if (want.map(i, s)) {
        index = 0;
        for (std::size_t d = 0; d < s.size(); ++d) index = index * source[d] + s[d];
      }
      REQUIRE(e.indices[at++] == index);
    });
    REQUIRE(at == e.indices.size());

    // The same chain on symbolic sizes, evaluated at these.
    std::vector<Ex> symbols;
    for (std::size_t d = 0; d < source.size(); ++d) symbols.push_back(pool.sym(Sym::size, 0, int(d)));
    Arena symbolic(pool);
    ArrangedTensor u = ArrangedTensor::source(symbolic, 0, symbols);
    bool same = true;
    for (auto& o : ops) {
      try {
        u = apply(symbolic, u, o);
      } catch (const UserError&) {  // an integer index into a size not known, say
        same = false;
        break;
      }
    }
    if (!same) continue;
    auto size_of = [&](Sym, int, int b) { return source[std::size_t(b)]; };
    for (auto& c : symbolic.checks) {
      int64_t a = pool.eval(c.a, size_of), b = pool.eval(c.b, size_of);
      bool holds = c.kind == Check::equal ? a == b : c.kind == Check::one_or_equal ? a == 1 || a == b
                   : c.kind == Check::in_range ? a >= 0 && a < b : c.kind == Check::nonneg ? a >= 0 : a > 0;
      REQUIRE(holds);  // the numbers were accepted
    }
    IndexMap m = u.map(u.variables(0));
    at = 0;
    for_each_index(axes, [&](const Shape64& i) {
      auto value = [&](Sym k, int, int b) { return k == Sym::size ? source[std::size_t(b)] : i[std::size_t(b)]; };
      bool in = true;
      for (auto& b : m.bounds) {
        int64_t v = pool.eval(b.index, value);
        in = in && (!b.low || v >= 0) && v < pool.eval(b.size, value);
      }
      int64_t index = 0;
      for (std::size_t d = 0; d < source.size(); ++d) index = index * source[d] + pool.eval(m.source[d], value);
      REQUIRE(e.indices[at++] == (in ? index : -1));
    });
  }
  CHECK(legal > 2500);
}

TEST_CASE("deriving two views leaves the first as it was") {
  Pool pool;
  Arena arena(pool);
  ArrangedTensor x = build(arena, {4, 6}, {});
  ArrangedTensor t = x.tile(0, {pool.num(2), pool.num(3)}, {}, {}, Mode::ceil, {});
  ArrangedTensor rows = t.tile(0, {pool.num(1), ArrangedTensor::automatic}, {}, {}, Mode::ceil, {});
  CHECK(t.shape_text() == "(2, 2) of (2, 3)");
  CHECK(rows.shape_text() == "(2, 1) of (1, 2) of (2, 3)");
  CHECK(x.shape_text() == "(4, 6)");
}

TEST_CASE("exact tilings have no conditions") {
  Pool pool;
  Arena arena(pool);
  Ex n = pool.sym(Sym::size, 0, 0), w = pool.sym(Sym::size, 0, 1);
  ArrangedTensor x = ArrangedTensor::source(arena, 0, {n, w});
  ArrangedTensor rows = x.tile(0, {pool.num(1), ArrangedTensor::automatic}, {}, {}, Mode::ceil, {});
  CHECK(rows.map(rows.variables(0)).bounds.empty());
  ArrangedTensor windows = x.tile(0, {pool.num(3), pool.num(2)}, {pool.num(2), pool.num(1)}, {}, Mode::floor, {});
  CHECK(windows.map(windows.variables(1)).bounds.empty());
  ArrangedTensor blocks = x.tile(0, {pool.num(4), ArrangedTensor::automatic}, {}, {}, Mode::ceil, {});
  CHECK(blocks.map(blocks.variables(2)).bounds.size() == 1);
}
