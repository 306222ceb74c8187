#include "dsl/core/arrange.hpp"

#include <algorithm>

namespace tine::core {
namespace {
std::string str(int64_t v) { return std::to_string(v); }
}  // namespace

int Levels::begin(int level) const {
  int b = 0;
  for (int i = 0; i < level; ++i) b += rank[i];
  return b;
}

void Arena::check(PendingCheck c) {
  for (auto& x : checks)
    if (x.kind == c.kind && x.a == c.a && x.b == c.b && x.what == c.what) return;
  checks.push_back(std::move(c));
}
std::string Arena::text(Ex e) const {
  std::string s;
  pool.print(s, e, [&](Sym k, int a, int b) {
    if (k == Sym::var) return "i" + str(b);
    std::string n = a < int(names.size()) ? names[std::size_t(a)] : "p" + str(a);
    return n + (k == Sym::size ? ".size(" : ".stride(") + str(b) + ")";
  });
  return s;
}
std::string Arena::text(const Ex* first, std::size_t n) const {
  std::string s = "(";
  for (std::size_t i = 0; i < n; ++i) s += (i ? ", " : "") + text(first[i]);
  return s + ")";
}

ArrangedTensor ArrangedTensor::source(Arena& arena, int source, std::vector<Ex> sizes) {
  ArrangedTensor r;
  r.arena_ = &arena;
  r.source_ = source;
  r.levels_.rank = {int(sizes.size())};
  r.levels_.size = std::move(sizes);
  return r;
}
std::string ArrangedTensor::shape_text() const {
  std::string s;
  for (int l = 0; l < levels_.count(); ++l)
    s += (l ? " of " : "") + arena_->text(levels_.size.data() + levels_.begin(l), std::size_t(levels_.rank[l]));
  return s;
}
void ArrangedTensor::fail(Diagnostic d, std::initializer_list<std::string> arguments, const char* op, Loc loc) const {
  std::string name = source_ < int(arena_->names.size()) ? arena_->names[std::size_t(source_)] : "";
  core::fail(d, arguments, {arena_->kernel, op, name, shape_text(), loc});
}
int ArrangedTensor::level_index(int level, const char* op, Loc loc) const {
  int n = levels_.count();
  if (level < -n || level >= n) fail(Diagnostic::level_missing, {str(level), str(n)}, op, loc);
  return level < 0 ? level + n : level;
}
int ArrangedTensor::dim_index(int d, int n, const char* op, Loc loc) const {
  if (d < -n || d >= n) fail(Diagnostic::dim_missing, {str(d), str(n)}, op, loc);
  return d < 0 ? d + n : d;
}
Step ArrangedTensor::step(Step::Kind kind, int level, const char* op, Loc loc) const {
  return {kind, level_index(level, op, loc), loc, last_, levels_, {}, {}, {}};
}
ArrangedTensor ArrangedTensor::next(Step s, Levels l) const {
  arena_->steps.push_back(std::move(s));
  ArrangedTensor r = *this;
  r.last_ = &arena_->steps.back();
  r.levels_ = std::move(l);
  return r;
}
void ArrangedTensor::positive(Ex e, const char* what, int dim, Loc loc) const {
  Pool& p = arena_->pool;
  int64_t lo, hi;
  p.bounds(e, lo, hi);
  if (hi <= 0) fail(Diagnostic::not_positive, {what, str(dim), arena_->text(e)}, "tile", loc);
  if (lo <= 0) arena_->check({Check::positive, e, p.num(0), "tile", source_, dim, loc});
}

ArrangedTensor ArrangedTensor::tile(int level, std::vector<Ex> sizes, std::vector<Ex> strides, std::vector<Ex> dilation,
                                    Mode mode, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::tile, level, "tile", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  if (levels_.count() >= max_levels) fail(Diagnostic::too_many_levels, {str(max_levels)}, "tile", loc);
  if (int(sizes.size()) != n) fail(Diagnostic::sizes_count, {str(int64_t(sizes.size())), str(n)}, "tile", loc);
  if (strides.empty()) strides.assign(std::size_t(n), automatic);
  if (dilation.empty()) dilation.assign(std::size_t(n), p.num(1));
  if (int(strides.size()) != n)
    fail(Diagnostic::options_count, {str(int64_t(strides.size())), "strides", str(n)}, "tile", loc);
  if (int(dilation.size()) != n)
    fail(Diagnostic::options_count, {str(int64_t(dilation.size())), "dilations", str(n)}, "tile", loc);
  std::vector<Ex> outer(std::size_t(n), Ex{});
  for (int k = 0; k < n; ++k) {
    Ex S = levels_.size[at + k];
    bool whole = sizes[k] == automatic;
    Ex T = whole ? S : sizes[k], d = dilation[k] == automatic ? p.num(1) : dilation[k];
    positive(d, "the dilation", k, loc);
    dilation[k] = d;
    sizes[k] = T;
    if (whole && strides[k] == automatic) {  // exactly one tile, also when the dim is empty
      strides[k] = p.num(0);
      outer[k] = p.num(1);
      continue;
    }
    Ex stride = strides[k] == automatic ? T : strides[k];
    if (!whole) positive(T, "the size", k, loc);
    positive(stride, "the stride", k, loc);
    strides[k] = stride;
    Ex span = p.sub(p.sub(S, p.mul(d, p.sub(T, p.num(1)))), p.num(1));
    outer[k] = p.max(p.num(0), p.add(mode == Mode::floor ? p.div(span, stride) : p.cdiv(span, stride), p.num(1)));
  }
  Levels l = levels_;
  l.rank.insert(l.rank.begin() + L, n);
  l.size.erase(l.size.begin() + at, l.size.begin() + at + n);
  l.size.insert(l.size.begin() + at, sizes.begin(), sizes.end());
  l.size.insert(l.size.begin() + at, outer.begin(), outer.end());
  s.a = std::move(strides);
  s.b = std::move(dilation);
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::expand(int level, const std::vector<Ex>& shape, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::expand, level, "expand", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  if (int(shape.size()) != n) fail(Diagnostic::sizes_count, {str(int64_t(shape.size())), str(n)}, "expand", loc);
  Levels l = levels_;
  s.a.assign(std::size_t(n), Ex{});
  for (int k = 0; k < n; ++k) {
    Ex S = levels_.size[at + k], W = shape[k];
    if (W == automatic || W == S) continue;
    int64_t lo, hi;
    p.bounds(W, lo, hi);
    if (hi < 0) fail(Diagnostic::negative_size, {arena_->text(W), str(k)}, "expand", loc);
    p.bounds(S, lo, hi);
    if (lo > 1 || hi < 1) fail(Diagnostic::expand_not_one, {str(k), arena_->text(S), arena_->text(W)}, "expand", loc);
    if (p.is(S, 1)) {
      s.a[k] = p.num(0);
    } else {  // at the call 1 or W: the index is multiplied by 0 or 1
      arena_->check({Check::one_or_equal, S, W, "expand", source_, k, loc});
      s.a[k] = p.min(p.num(1), p.max(p.num(0), p.sub(S, p.num(1))));
    }
    if (!p.nonneg(W)) arena_->check({Check::nonneg, W, p.num(0), "expand", source_, k, loc});
    l.size[at + k] = W;
  }
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::squeeze(int level, const std::vector<int>& dims, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::squeeze, level, "squeeze", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  std::vector<char> drop(std::size_t(n), 0);
  for (int d : dims) {
    d = dim_index(d, n, "squeeze", loc);
    if (drop[d]) fail(Diagnostic::dim_twice, {str(d)}, "squeeze", loc);
    drop[d] = 1;
    Ex S = levels_.size[at + d];
    int64_t lo, hi;
    p.bounds(S, lo, hi);
    if (lo > 1 || hi < 1) fail(Diagnostic::squeeze_not_one, {str(d), arena_->text(S)}, "squeeze", loc);
    if (!p.is_num(S)) arena_->check({Check::equal, S, p.num(1), "squeeze", source_, d, loc});
  }
  Levels l = levels_;
  for (int k = n - 1; k >= 0; --k) {
    if (!drop[k]) continue;
    s.dims.insert(s.dims.begin(), k);
    l.size.erase(l.size.begin() + at + k);
    --l.rank[L];
  }
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::unsqueeze(int level, int d, Loc loc) const {
  Step s = step(Step::unsqueeze, level, "unsqueeze", loc);
  int L = s.level, at = levels_.begin(L);
  d = dim_index(d, levels_.rank[L] + 1, "unsqueeze", loc);
  Levels l = levels_;
  ++l.rank[L];
  l.size.insert(l.size.begin() + at + d, arena_->pool.num(1));
  s.dims = {d};
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::permute(int level, std::vector<int> order, Loc loc) const {
  Step s = step(Step::permute, level, "permute", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  if (int(order.size()) != n) fail(Diagnostic::permute_count, {str(int64_t(order.size())), str(n)}, "permute", loc);
  std::vector<char> seen(std::size_t(n), 0);
  Levels l = levels_;
  for (int k = 0; k < n; ++k) {
    int d = order[k] = dim_index(order[k], n, "permute", loc);
    if (seen[d]) fail(Diagnostic::dim_twice, {str(d)}, "permute", loc);
    seen[d] = 1;
    l.size[at + k] = levels_.size[at + d];
  }
  s.dims = std::move(order);
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::flatten(int level, int start, int end, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::flatten, level, "flatten", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  if (start < -n || start > n) fail(Diagnostic::dim_missing, {str(start), str(n)}, "flatten", loc);
  if (end < -n || end > n) fail(Diagnostic::dim_missing, {str(end), str(n)}, "flatten", loc);
  if (start < 0) start += n;
  if (end < 0) end += n;
  if (end <= start) fail(Diagnostic::flatten_empty, {str(start), str(end)}, "flatten", loc);
  Ex product = p.num(1);
  for (int k = start; k < end; ++k) product = p.mul(product, levels_.size[at + k]);
  Levels l = levels_;
  l.rank[L] = n - (end - start) + 1;
  l.size.erase(l.size.begin() + at + start, l.size.begin() + at + end);
  l.size.insert(l.size.begin() + at + start, product);
  s.dims = {start, end};
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::ravel(int level, Loc loc) const {
  Step s = step(Step::ravel, level, "ravel", loc);
  Levels l = levels_;
  for (int i = s.level + 1; i < levels_.count(); ++i) l.rank[s.level] += levels_.rank[i];
  l.rank.resize(std::size_t(s.level) + 1);
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::pad(int level, const std::vector<std::pair<Ex, Ex>>& amounts, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::pad, level, "pad", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L);
  if (int(amounts.size()) != n) fail(Diagnostic::pad_count, {str(int64_t(amounts.size())), str(n)}, "pad", loc);
  Levels l = levels_;
  for (int k = 0; k < n; ++k) {
    Ex S = p.add(p.add(levels_.size[at + k], amounts[k].first), amounts[k].second);
    int64_t lo, hi;
    p.bounds(S, lo, hi);
    if (hi < 0) fail(Diagnostic::pad_negative, {str(k), arena_->text(S)}, "pad", loc);
    if (lo < 0) arena_->check({Check::nonneg, S, p.num(0), "pad", source_, k, loc});
    l.size[at + k] = S;
    s.a.push_back(amounts[k].first);
  }
  return next(std::move(s), std::move(l));
}

ArrangedTensor ArrangedTensor::slice(int level, const std::vector<SliceItem>& items, Loc loc) const {
  Pool& p = arena_->pool;
  Step s = step(Step::slice, level, "slice", loc);
  int L = s.level, n = levels_.rank[L], at = levels_.begin(L), used = 0, dots = 0;
  for (auto& i : items) {
    used += i.kind == SliceItem::integer || i.kind == SliceItem::slice;
    dots += i.kind == SliceItem::ellipsis;
  }
  if (used > n) fail(Diagnostic::slice_too_many, {str(used), str(n)}, "slice", loc);
  if (dots > 1) fail(Diagnostic::slice_two_ellipses, {}, "slice", loc);
  std::vector<Ex> out;
  int k = 0;
  auto whole = [&] {
    s.a.push_back(p.num(0));
    s.b.push_back(p.num(1));
    out.push_back(levels_.size[at + k]);
    ++k;
  };
  auto negative = [&](Ex e) {  // Python reads negative indices from the end
    int64_t lo, hi;
    p.bounds(e, lo, hi);
    if (lo >= 0) return false;
    if (hi >= 0) fail(Diagnostic::slice_sign, {arena_->text(e), str(k)}, "slice", loc);
    return true;
  };
  for (auto& i : items) {
    if (i.kind == SliceItem::ellipsis) {
      for (int j = n - used; j > 0; --j) whole();
      continue;
    }
    if (i.kind == SliceItem::newaxis) {
      s.dims.push_back(int(out.size()));
      out.push_back(p.num(1));
      continue;
    }
    Ex S = levels_.size[at + k], zero = p.num(0);
    if (i.kind == SliceItem::integer) {
      Ex v = negative(i.start) ? p.add(S, i.start) : i.start;
      int64_t lo, hi, low, high;
      p.bounds(v, lo, hi);
      p.bounds(p.sub(S, v), low, high);
      if (hi < 0 || high <= 0)
        fail(Diagnostic::slice_index, {arena_->text(i.start), arena_->text(S), str(k)}, "slice", loc);
      if (lo < 0 || low <= 0) arena_->check({Check::in_range, v, S, "slice", source_, k, loc});
      s.a.push_back(v);
      s.b.push_back(Ex{});
      ++k;
      continue;
    }
    if (i.step == 0) fail(Diagnostic::slice_step_zero, {str(k)}, "slice", loc);
    bool up = i.step > 0;
    Ex top = p.sub(S, p.num(1)), minus = p.num(-1);
    auto place = [&](Ex v) {  // Python's slice.indices
      if (negative(v)) return p.max(p.add(S, v), up ? zero : minus);
      return p.min(v, up ? S : top);
    };
    Ex a = i.start ? place(i.start) : up ? zero : top, b = i.stop ? place(i.stop) : up ? S : minus;
    Ex length = up ? p.cdiv(p.sub(b, a), p.num(i.step)) : p.cdiv(p.sub(a, b), p.num(-i.step));
    s.a.push_back(a);
    s.b.push_back(p.num(i.step));
    out.push_back(p.max(zero, length));
    ++k;
  }
  while (k < n) whole();
  Levels l = levels_;
  l.rank[L] = int(out.size());
  l.size.erase(l.size.begin() + at, l.size.begin() + at + n);
  l.size.insert(l.size.begin() + at, out.begin(), out.end());
  return next(std::move(s), std::move(l));
}

std::vector<Ex> ArrangedTensor::variables(int param) const {
  Pool& p = arena_->pool;
  std::vector<Ex> v;
  for (int k = 0; k < int(levels_.size.size()); ++k)
    v.push_back(p.is(levels_.size[k], 1) ? p.num(0) : p.sym(Sym::var, param, k, levels_.size[k]));
  return v;
}

IndexMap ArrangedTensor::map(std::vector<Ex> x) const {
  Pool& p = arena_->pool;
  IndexMap m;
  auto bound = [&](Ex i, Ex size, Loc loc) {
    bool low = !p.nonneg(i), high = !p.less(i, size);
    if (!low && !high) return;
    if (!low &&
        p.kind(i) ==
            graph::ExKind::div) {  // floordiv(x, d) < size follows from x < size*d, if that is a condition already
      Ex x{int32_t(p.operand(i, 0))}, whole = p.mul(size, Ex{int32_t(p.operand(i, 1))});
      for (auto& b : m.bounds)
        if (b.index == x && b.size == whole) return;
    }
    for (auto& b : m.bounds)
      if (b.index == i && b.size == size) {
        b.low |= low;
        return;
      }
    m.bounds.push_back({i, size, low, loc});
  };
  for (const Step* s = last_; s; s = s->previous) {
    int at = s->before.begin(s->level), n = s->before.rank[s->level];
    auto here = x.begin() + at;
    switch (s->kind) {
      case Step::tile:
        for (int k = 0; k < n; ++k) {
          Ex i = p.add(p.mul(here[k], s->a[k]), p.mul(here[n + k], s->b[k]));
          bound(i, s->before.size[at + k], s->loc);
          here[k] = i;
        }
        x.erase(here + n, here + 2 * n);
        break;
      case Step::expand:
        for (int k = 0; k < n; ++k)
          if (s->a[k]) here[k] = p.mul(here[k], s->a[k]);
        break;
      case Step::squeeze:
        for (int d : s->dims) x.insert(x.begin() + at + d, p.num(0));
        break;
      case Step::unsqueeze:
        x.erase(here + s->dims[0]);
        break;
      case Step::permute: {
        std::vector<Ex> y(here, here + n);
        for (int k = 0; k < n; ++k) here[s->dims[k]] = y[k];
        break;
      }
      case Step::flatten: {
        int a = s->dims[0], b = s->dims[1];
        Ex f = here[a], behind = p.num(1);
        std::vector<Ex> y(std::size_t(b - a), Ex{});
        for (int k = b - 1; k >= a; --k) {
          Ex size = s->before.size[at + k], q = p.div(f, behind);
          y[k - a] = k == a ? q : p.mod(q, size);
          behind = p.mul(behind, size);
        }
        x.erase(here + a);
        x.insert(x.begin() + at + a, y.begin(), y.end());
        break;
      }
      case Step::ravel:
        break;  // the flat order of axes stays
      case Step::pad:
        for (int k = 0; k < n; ++k) {
          here[k] = p.sub(here[k], s->a[k]);
          bound(here[k], s->before.size[at + k], s->loc);
        }
        break;
      case Step::slice: {
        int width = int(x.size()) - (int(s->before.size.size()) - n);  // dims of this level after the step
        std::vector<Ex> in, y;
        std::size_t axis = 0;
        for (int k = 0; k < width; ++k) {
          if (axis < s->dims.size() && s->dims[axis] == k)
            ++axis;
          else
            in.push_back(here[k]);
        }
        std::size_t j = 0;
        for (int k = 0; k < n; ++k) y.push_back(s->b[k] ? p.add(s->a[k], p.mul(in[j++], s->b[k])) : s->a[k]);
        x.erase(here, here + width);
        x.insert(x.begin() + at, y.begin(), y.end());
        break;
      }
    }
  }
  m.source = std::move(x);
  return m;
}

}  // namespace tine::core
