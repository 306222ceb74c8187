// The calls of the typed headers that concern sizes and arrangements; see dsl/include/tine/detail/api.hpp.
#include <cmath>

#include "dsl/core/literal.hpp"
#include "dsl/core/tracer.hpp"

namespace tine::core {

Size size_binary(SizeOp op, const Size& a, const Size& b, Loc loc) {
  auto compute = [&](Pool& p, Ex x, Ex y) {
    switch (op) {
      case SizeOp::add:
        return p.add(x, y);
      case SizeOp::sub:
        return p.sub(x, y);
      case SizeOp::mul:
        return p.mul(x, y);
      case SizeOp::floordiv:
        return p.div(x, y);
      case SizeOp::floormod:
        return p.mod(x, y);
      case SizeOp::cdiv:
        return p.cdiv(x, y);
      case SizeOp::min:
        return p.min(x, y);
      default:
        return p.max(x, y);
    }
  };
  if (a.kind() == Size::plain && b.kind() == Size::plain) {  // numbers need no trace
    Pool p;
    return Size(p.value(compute(p, p.num(a.number()), p.num(b.number()))));
  }
  Tracer& t = Tracer::get(loc);
  const Ex e = compute(t.pool, t.size(a, loc), t.size(b, loc));
  constexpr int most = 4096, deepest = 64;  // far more than kernels need; index maps are made of sizes, and read by walking them
  if (t.pool.tree(e) > most || t.pool.depth(e) > deepest)
    t.fail(Diagnostic::size_too_large,
           {std::to_string(int64_t(t.pool.tree(e))), std::to_string(t.pool.depth(e)), std::to_string(most), std::to_string(deepest)}, "",
           loc);
  return t.to_size(e);
}
int64_t block(const BlockSize& b, Loc loc) { return Tracer::get(loc).block(b, loc); }
int64_t known(const Size& s, Loc loc) {
  if (s.kind() == Size::plain) return s.number();
  Tracer& t = Tracer::get(loc);
  Ex e = t.size(s, loc);
  if (!t.pool.is_num(e)) t.fail(Diagnostic::size_not_known, {t.arena.text(e)}, "value", loc);
  return t.pool.value(e);
}
void require(const Condition& c, Loc loc) { Tracer::get(loc).require(c, loc); }

int32_t view_source(int source, int rank) {
  Tracer& t = Tracer::get({});
  std::vector<Ex> sizes;
  for (int d = 0; d < rank; ++d) sizes.push_back(t.pool.sym(Sym::size, source, d));
  return t.keep(ArrangedTensor::source(t.arena, source, std::move(sizes)));
}

namespace {
struct Call {
  Tracer& t;
  const ArrangedTensor& view;
  Loc loc;
  Call(int32_t v, Loc l) : t(Tracer::get(l)), view(t.view(v, l)), loc(l) {}
  std::vector<Ex> sizes(const Size* s, std::size_t n) const {
    std::vector<Ex> e;
    for (std::size_t i = 0; i < n; ++i) e.push_back(t.size_or_automatic(s[i], loc));
    return e;
  }
};
}  // namespace

int32_t view_tile(int32_t v, int level, const Size* s, std::size_t n, const TileOptions& o, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.tile(level, c.sizes(s, n), c.sizes(o.strides.begin(), o.strides.size()),
                              c.sizes(o.dilation.begin(), o.dilation.size()), o.mode, loc));
}
int32_t view_expand(int32_t v, int level, const Size* s, std::size_t n, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.expand(level, c.sizes(s, n), loc));
}
int32_t view_squeeze(int32_t v, int level, const int* d, std::size_t n, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.squeeze(level, std::vector<int>(d, d + n), loc));
}
int32_t view_unsqueeze(int32_t v, int level, int dim, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.unsqueeze(level, dim, loc));
}
int32_t view_permute(int32_t v, int level, const int* d, std::size_t n, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.permute(level, std::vector<int>(d, d + n), loc));
}
int32_t view_flatten(int32_t v, int level, int start, int end, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.flatten(level, start, end, loc));
}
int32_t view_ravel(int32_t v, int level, Loc loc) {
  Call c(v, loc);
  return c.t.keep(c.view.ravel(level, loc));
}
int32_t view_pad(int32_t v, int level, const Pad* p, std::size_t n, Loc loc) {
  Call c(v, loc);
  std::vector<std::pair<Ex, Ex>> amounts;
  for (std::size_t i = 0; i < n; ++i) amounts.push_back({c.t.size(p[i].before, loc), c.t.size(p[i].after, loc)});
  return c.t.keep(c.view.pad(level, amounts, loc));
}
int32_t view_slice(int32_t v, int level, const Index* x, std::size_t n, Loc loc) {
  Call c(v, loc);
  std::vector<SliceItem> items;
  for (std::size_t i = 0; i < n; ++i) {
    SliceItem s;
    s.kind = SliceItem::Kind(int(x[i].kind));
    s.step = x[i].step;
    if (x[i].kind == Index::integer || x[i].has_start) s.start = c.t.size(x[i].start, loc);
    if (x[i].has_stop) s.stop = c.t.size(x[i].stop, loc);
    items.push_back(s);
  }
  return c.t.keep(c.view.slice(level, items, loc));
}
int32_t view_other(int32_t v, const Operand& o, Loc loc) {
  Call c(v, loc);
  DType t = o.type;
  bool real = o.kind == Operand::real;
  ArrangedTensor a = c.view;
  bool fits =
      is_float(t)
          ? round_to(t, real ? static_cast<long double>(o.real_value) : static_cast<long double>(o.integer_value),
                     a.other)
          : !real || o.real_value == std::trunc(o.real_value);
  int64_t integer = real && fits && !is_float(t) ? int64_t(o.real_value) : o.integer_value;
  if (!is_float(t)) {
    fits = fits && holds(t, integer, false) && integer >= -(int64_t(1) << 53) && integer <= int64_t(1) << 53;
    a.other = real && integer == 0 ? 0.0 : double(integer);
  }
  if (!fits)
    c.view.fail(Diagnostic::literal_range,
                {real ? std::to_string(o.real_value) : std::to_string(o.integer_value), graph::name(t)}, "other", loc);
  return c.t.keep(std::move(a));
}
Size view_size(int32_t v, int level, int dim, Loc loc) {
  Call c(v, loc);
  int l = c.view.level_index(level, "size", loc);
  const Levels& x = c.view.levels();
  return c.t.to_size(x.size[std::size_t(x.begin(l) + c.view.dim_index(dim, x.rank[std::size_t(l)], "size", loc))]);
}
bool arranged(const int32_t* views, int n) { return Tracer::get({}).arranged(views, n); }

}  // namespace tine::core
