#include "dsl/core/arrange_eval.hpp"

namespace tine::core {
namespace {

constexpr int64_t most_elements = int64_t(1) << 26;  // that we are willing to list

using Sizes = std::vector<std::vector<int64_t>>;

// Calls f(indices) for every element of the shape, row-major.
template <class F>
void for_each(const std::vector<int64_t>& shape, F&& f) {
  for (int64_t s : shape)
    if (s <= 0) return;
  std::vector<int64_t> i(shape.size());
  for (;;) {
    f(i);
    std::size_t d = shape.size();
    while (d > 0 && ++i[d - 1] == shape[d - 1]) i[--d] = 0;
    if (d == 0) return;
  }
}

// Values of symbols: sizes from a table, variables from the indices of all axes.
struct Values {
  const Sizes* sizes;
  const std::vector<int64_t>* indices;
  int64_t operator()(Sym k, int a, int b) const {
    if (k == Sym::size) return (*sizes)[std::size_t(a)][std::size_t(b)];
    return k == Sym::var ? (*indices)[std::size_t(b)] : 0;
  }
};

struct Mapped {
  const Pool& pool;
  const std::vector<Ex>& coords;
  std::vector<graph::Bound> bounds;
  Element at(const Values& v) const {
    Element e;
    e.in_range = true;
    for (auto& b : bounds) {
      int64_t i = pool.eval(b.index, v);
      if ((b.low && i < 0) || i >= pool.eval(b.size, v)) e.in_range = false;
    }
    for (Ex c : coords) e.source_index.push_back(pool.eval(c, v));
    return e;
  }
};

Evaluated list(const Mapped& m, const std::vector<std::vector<Ex>>& levels, const Sizes& sizes,
               const std::vector<int64_t>& source) {
  Evaluated r;
  std::vector<int64_t> none, all;
  for (auto& l : levels) {
    r.level_shapes.emplace_back();
    for (Ex e : l) {
      r.level_shapes.back().push_back(m.pool.eval(e, Values{&sizes, &none}));
      all.push_back(r.level_shapes.back().back());
    }
  }
  for (int64_t s : r.level_shapes[0]) r.programs *= s;
  int64_t count = 1;
  for (int64_t s : all) {
    if (s > 0 && count > most_elements / s)
      throw UserError("the arrangement has too many elements to be listed; try smaller sizes");
    count *= s;
  }
  for_each(all, [&](const std::vector<int64_t>& i) {
    Element e = m.at({&sizes, &i});
    int64_t at = 0;
    for (std::size_t d = 0; d < source.size(); ++d) at = at * source[d] + e.source_index[d];
    r.indices.push_back(e.in_range ? at : -1);
  });
  return r;
}

std::vector<graph::Bound> plain(const IndexMap& m) {
  std::vector<graph::Bound> b;
  for (auto& x : m.bounds) b.push_back({x.index, x.size, x.low, {}});
  return b;
}

}  // namespace

ArrangedTensor build(Arena& arena, const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>& ops) {
  Pool& p = arena.pool;
  std::vector<Ex> shape;
  for (std::size_t d = 0; d < source_shape.size(); ++d) {
    if (source_shape[d] < 0)
      fail(Diagnostic::negative_size, {std::to_string(source_shape[d]), std::to_string(d)}, {"", "source", "", "", {}});
    shape.push_back(p.num(source_shape[d]));
  }
  ArrangedTensor t = ArrangedTensor::source(arena, 0, std::move(shape));
  auto sizes = [&](const std::vector<int64_t>& v) {
    std::vector<Ex> e;
    for (int64_t s : v) e.push_back(s == -1 ? ArrangedTensor::automatic : p.num(s));
    return e;
  };
  for (const ArrangeOp& o : ops) {
    switch (o.kind) {
      case Step::tile:
        t = t.tile(o.level, sizes(o.sizes), sizes(o.strides), sizes(o.dilation), o.floor ? Mode::floor : Mode::ceil,
                   {});
        break;
      case Step::expand:
        t = t.expand(o.level, sizes(o.sizes), {});
        break;
      case Step::squeeze:
        t = t.squeeze(o.level, o.dims, {});
        break;
      case Step::unsqueeze:
        t = t.unsqueeze(o.level, o.dims.empty() ? 0 : o.dims[0], {});
        break;
      case Step::permute:
        t = t.permute(o.level, o.dims, {});
        break;
      case Step::flatten: {
        int n = t.levels().rank[std::size_t(t.level_index(o.level, "flatten", {}))];
        t = t.flatten(o.level, o.start.value_or(0), o.end.value_or(n), {});
        break;
      }
      case Step::ravel:
        t = t.ravel(o.level, {});
        break;
      case Step::pad: {
        std::vector<std::pair<Ex, Ex>> amounts;
        for (auto& [before, after] : o.pad) amounts.push_back({p.num(before), p.num(after)});
        t = t.pad(o.level, amounts, {});
        break;
      }
      case Step::slice: {
        std::vector<SliceItem> items;
        for (auto& i : o.items) {
          SliceItem s;
          s.kind = i.kind;
          s.step = i.step;
          if (i.start) s.start = p.num(*i.start);
          if (i.stop) s.stop = p.num(*i.stop);
          items.push_back(s);
        }
        t = t.slice(o.level, items, {});
        break;
      }
    }
  }
  return t;
}

namespace {
std::vector<std::vector<Ex>> level_list(const Levels& l) {
  std::vector<std::vector<Ex>> r;
  for (int i = 0; i < l.count(); ++i) {
    auto at = l.size.begin() + l.begin(i);
    r.emplace_back(at, at + l.rank[std::size_t(i)]);
  }
  return r;
}
}  // namespace

Evaluated evaluate(const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>& ops) {
  Pool pool;
  Arena arena(pool);
  ArrangedTensor t = build(arena, source_shape, ops);
  IndexMap m = t.map(t.variables(0));
  return list({pool, m.source, plain(m)}, level_list(t.levels()), {}, source_shape);
}

Element element_at(const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>& ops,
                   const std::vector<int64_t>& indices) {
  Pool pool;
  Arena arena(pool);
  ArrangedTensor t = build(arena, source_shape, ops);
  IndexMap m = t.map(t.variables(0));
  Sizes none;
  Element e = Mapped{pool, m.source, plain(m)}.at({&none, &indices});
  for (std::size_t k = 0; k < indices.size(); ++k) {  // an index outside its own level is out of range as well
    int64_t extent = pool.eval(t.levels().size[k], Values{&none, &indices});
    if (indices[k] < 0 || indices[k] >= extent) e.in_range = false;
  }
  return e;
}

void check_sizes(const graph::Graph& g, const Sizes& sizes) {
  std::vector<int64_t> none;
  Values v{&sizes, &none};
  for (auto& c : g.checks) {
    int64_t a = g.pool.eval(c.a, v), b = g.pool.eval(c.b, v);
    bool ok = false;
    switch (c.kind) {
      case Check::equal:
        ok = a == b;
        break;
      case Check::not_equal:
        ok = a != b;
        break;
      case Check::less:
        ok = a < b;
        break;
      case Check::less_equal:
        ok = a <= b;
        break;
      case Check::one_or_equal:
        ok = a == 1 || a == b;
        break;
      case Check::in_range:
        ok = a >= 0 && a < b;
        break;
      case Check::nonneg:
        ok = a >= 0;
        break;
      case Check::positive:
        ok = a > 0;
        break;
    }
    if (ok) continue;
    static constexpr const char* relation[] = {" == ",  " != ", " < ", " <= ", " is 1 or ", " is an index into ",
                                               " >= 0", " > 0"};
    std::string text;
    auto name = [&](Sym k, int s, int d) {
      return g.sources[std::size_t(s)].name + (k == Sym::size ? ".size(" : ".stride(") + std::to_string(d) + ")";
    };
    g.pool.print(text, c.a, name);
    text += relation[c.kind];
    if (c.kind < Check::nonneg) g.pool.print(text, c.b, name);
    text = "`" + g.kernel + "`: `" + c.what + "`: " + text + " does not hold for " + std::to_string(a);
    if (c.kind < Check::nonneg) text += " and " + std::to_string(b);
    const char* file = c.loc.file >= 0 ? g.files[std::size_t(c.loc.file)].c_str() : "";
    throw UserError(text.c_str(), file, c.loc.line);
  }
}

Evaluated evaluate(const graph::Graph& g, int param, const Sizes& sizes) {
  check_sizes(g, sizes);
  const graph::Param& p = g.params[std::size_t(param)];
  if (p.coords.empty())
    throw UserError(("`" + g.sources[std::size_t(p.source)].name + "` is a scalar; it has no arrangement").c_str());
  return list({g.pool, p.coords, p.bounds}, p.levels, sizes, sizes[std::size_t(p.source)]);
}

}  // namespace tine::core
