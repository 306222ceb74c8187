// The calls of the typed headers that concern tiles; see dsl/include/tine/detail/api.hpp.
#include <algorithm>
#include <string_view>

#include "dsl/core/tracer.hpp"

namespace tine::core {
namespace {
std::string str(int64_t v) { return std::to_string(v); }
}  // namespace

Handle binary(Op op, DType operands, DType result, const Operand& a, const Operand& b, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.convert(operands, a, 0, loc), y = t.convert(operands, b, 0, loc);
  return t.handle(t.emit(op, result, t.broadcast(t.shape(x), t.shape(y), user_word(op), loc), {x, y}, loc));
}
Handle ternary(Op op, DType operands, DType result, const Operand& a, const Operand& b, const Operand& c, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.convert(operands, a, 0, loc), y = t.convert(operands, b, 0, loc), z = t.convert(operands, c, 0, loc);
  Shape s = t.broadcast(t.broadcast(t.shape(x), t.shape(y), user_word(op), loc), t.shape(z), user_word(op), loc);
  if (op == Op::fma && !is_float(operands)) {  // integers round nothing
    int32_t product = t.emit(Op::mul, result, t.broadcast(t.shape(x), t.shape(y), "fma", loc), {x, y}, loc);
    return t.handle(t.emit(Op::add, result, s, {product, z}, loc));
  }
  return t.handle(t.emit(op, result, s, {x, y, z}, loc));
}
Handle unary(Op op, DType operand, DType result, const Operand& a, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.convert(operand, a, 0, loc);
  return t.handle(t.emit(op, result, t.shape(x), {x}, loc));
}
Handle where(DType type, const Operand& condition, const Operand& a, const Operand& b, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t c = t.convert(DType::b1, condition, 0, loc), x = t.convert(type, a, 0, loc), y = t.convert(type, b, 0, loc);
  Shape s = t.broadcast(t.broadcast(t.shape(c), t.shape(x), "where", loc), t.shape(y), "where", loc);
  return t.handle(t.emit(Op::where, type, s, {c, x, y}, loc));
}
Handle convert(DType type, const Operand& a, int mode, Loc loc) {
  Tracer& t = Tracer::get(loc);
  return t.handle(t.fresh(t.convert(type, a, mode, loc), a, loc));
}
Handle copy(const Handle& h, Loc loc) {
  Tracer& t = Tracer::get(loc);
  Operand o{Operand::tile, DType::b1, h};
  return t.handle(t.fresh(t.read(h, loc), o, loc));
}
void assign(const Handle& variable, const Handle& value, Loc loc) {
  Tracer& t = Tracer::get(loc);
  t.assign(t.read(variable, loc), t.read(value, loc), loc);
}
void store(const Handle& place, const Handle& value, Loc loc) {
  Tracer& t = Tracer::get(loc);
  t.store(place, t.read(value, loc), loc);
}
void store_to_copy(const Handle& place, Loc loc) {
  Tracer& t = Tracer::get(loc);
  t.fail(Diagnostic::store_to_copy, {}, "=", loc, t.ref(place, loc).param);
}

// ---- making and shaping

namespace {
Shape sizes(Tracer& t, const Size* s, int n, const char* op, Loc loc) {
  Shape e;
  for (int i = 0; i < n; ++i) {
    e.push_back(t.size(s[i], loc));
    int64_t lo, hi;
    t.pool.bounds(e.back(), lo, hi);
    if (hi < 0) t.fail(Diagnostic::negative_size, {t.arena.text(e.back()), str(i)}, op, loc);
    if (lo < 0) t.arena.check({Check::nonneg, e.back(), t.pool.num(0), op, -1, i, loc});
  }
  return e;
}
}  // namespace
Handle full(DType type, const Size* s, int n, const Operand& value, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t v = t.convert(type, value, 0, loc);
  return t.handle(t.emit(Op::full, type, sizes(t, s, n, "full", loc), {v}, loc));
}
Handle arange(const Size& start, const Size& stop, int64_t step, Loc loc) {
  Tracer& t = Tracer::get(loc);
  Pool& p = t.pool;
  if (step == 0) t.fail(Diagnostic::step_zero, {}, "arange", loc);
  Ex from = t.size(start, loc), to = t.size(stop, loc);
  Ex length = step > 0 ? p.cdiv(p.sub(to, from), p.num(step)) : p.cdiv(p.sub(from, to), p.num(-step));
  Handle h = t.handle(t.emit(Op::arange, DType::i64, {p.max(p.num(0), length)}, {}, loc));
  auto with = [&](Op op, Ex e) {
    Operand o{Operand::size, DType::i64}, x{Operand::tile, DType::i64, h};
    o.size_value = t.to_size(e);
    h = binary(op, DType::i64, DType::i64, x, o, loc);
  };
  if (step != 1) with(Op::mul, p.num(step));
  if (!p.is(from, 0)) with(Op::add, from);
  return h;
}
Handle new_axes(const Operand& a, const bool* is_new, int n, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.read(a, loc);
  for (int at = 0; at < n; ++at) {
    if (!is_new[at]) continue;
    Shape s = t.shape(x);
    s.insert(s.begin() + at, t.pool.num(1));
    x = t.emit(Op::unsqueeze, t.type(x), std::move(s), {x}, loc, at);
  }
  return t.handle(t.fresh(x, a, loc));
}
Handle permute(const Operand& a, const int* order, int n, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.read(a, loc);
  const Shape s = t.shape(x);
  Shape r;
  std::vector<int64_t> list;
  for (int k = 0; k < n; ++k) {
    int d = t.dim_of(order[k], n, Diagnostic::dim_missing, "permute", loc);
    if (std::find(list.begin(), list.end(), d) != list.end()) t.fail(Diagnostic::dim_twice, {str(d)}, "permute", loc);
    list.push_back(d);
    r.push_back(s[std::size_t(d)]);
  }
  int32_t y = t.emit(Op::permute, t.type(x), std::move(r), {x}, loc);
  t.statements.back().list = std::move(list);
  return t.handle(y);
}
Handle reshape(const Operand& a, const Size* shape, int n, Loc loc) {
  Tracer& t = Tracer::get(loc);
  Pool& p = t.pool;
  int32_t x = t.read(a, loc);
  const Shape s = t.shape(x);
  Ex total = p.num(1), given = p.num(1);
  for (Ex e : s) total = p.mul(total, e);
  std::vector<Size> known(shape, shape + n);
  int left = -1;
  for (int i = 0; i < n; ++i) {
    if (t.size_or_automatic(shape[i], loc) == ArrangedTensor::automatic) {
      if (left >= 0) t.fail(Diagnostic::reshape_unknown, {}, "reshape", loc);
      left = i;
    } else {
      given = p.mul(given, t.size(shape[i], loc));
    }
  }
  if (left >= 0) known[std::size_t(left)] = t.to_size(p.div(total, given));
  Shape r = sizes(t, known.data(), n, "reshape", loc);
  Ex count = p.num(1);
  for (Ex e : r) count = p.mul(count, e);
  if (!(count == total)) {
    if (t.refuted(Check::equal, count, total))
      t.fail(Diagnostic::reshape_count, {t.shape_text(r), t.shape_text(s)}, "reshape", loc);
    t.arena.check({Check::equal, count, total, "reshape", -1, -1, loc});
  }
  return t.handle(t.emit(Op::reshape, t.type(x), std::move(r), {x}, loc));
}
namespace {
// As a check or an error: s broadcasts to r exactly.
void broadcasts_to(Tracer& t, const Shape& s, const Shape& r, Loc loc) {
  std::size_t lead = r.size() - s.size();
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!t.pool.is(s[i], 1)) t.equal(s[i], r[lead + i], Diagnostic::broadcast_shape, s, r, "broadcast", loc);
}
}  // namespace
Handle broadcast(const Operand& a, const Size* shape, int n, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.read(a, loc);
  Shape r = sizes(t, shape, n, "broadcast", loc);
  const Shape s = t.shape(x);
  broadcasts_to(t, s, r, loc);
  if (s == r) return t.handle(t.fresh(x, a, loc));
  return t.handle(t.emit(Op::broadcast, t.type(x), std::move(r), {x}, loc));
}

// ---- reductions and contraction

Handle reduce(Op op, DType operand, DType result, const Operand& a, const int* axes, int n, bool all, bool keep,
              Loc loc) {
  Tracer& t = Tracer::get(loc);
  // Sums are computed in their own type; any and all ask whether elements are not 0.
  DType in = op == Op::sum || op == Op::prod ? result : operand;
  int32_t x = t.convert(in, a, 0, loc);
  if ((op == Op::any || op == Op::all) && in != DType::b1) {
    Operand zero{Operand::integer, in};
    int32_t z = t.convert(in, zero, 0, loc);
    x = t.emit(Op::ne, DType::b1, t.shape(x), {x, z}, loc);
  }
  const Shape s = t.shape(x);
  int rank = int(s.size());
  std::vector<int64_t> list;
  for (int k = 0; k < (all ? rank : n); ++k) {
    int d = all ? k : t.dim_of(axes[k], rank, Diagnostic::axis_missing, user_word(op), loc);
    if (std::find(list.begin(), list.end(), d) != list.end())
      t.fail(Diagnostic::axis_twice, {str(d)}, user_word(op), loc);
    list.push_back(d);
  }
  std::sort(list.begin(), list.end());
  if (list.empty()) {  // of a scalar
    if (op == Op::argmax || op == Op::argmin) return t.handle(t.literal(result, 0, loc));
    return t.handle(t.fresh(x, a, loc));
  }
  Shape r;
  for (int k = 0; k < rank; ++k)
    if (std::find(list.begin(), list.end(), k) == list.end()) r.push_back(s[std::size_t(k)]);
  int32_t y = t.emit(op, result, std::move(r), {x}, loc);
  t.statements.back().list = list;
  if (keep)
    for (int64_t d : list) {
      Shape w = t.shape(y);
      w.insert(w.begin() + d, t.pool.num(1));
      y = t.emit(Op::unsqueeze, result, std::move(w), {y}, loc, d);
    }
  return t.handle(y);
}
Handle dot(DType ta, DType tb, DType result, const Operand& a, const Operand& b, int rank, int precision, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t x = t.convert(ta, a, 0, loc), y = t.convert(tb, b, 0, loc);
  std::size_t batch = std::size_t(rank) - 2;
  Shape p = t.shape(x), q = t.shape(y);
  t.equal(p[batch + 1], q[batch], Diagnostic::dot_shapes, p, q, "dot", loc);
  Shape r;
  for (std::size_t k = 0; k < batch; ++k) {
    if (t.pool.is(p[k], 1))
      r.push_back(q[k]);
    else if (t.pool.is(q[k], 1))
      r.push_back(p[k]);
    else {
      t.equal(p[k], q[k], Diagnostic::dot_shapes, p, q, "dot", loc);
      r.push_back(p[k]);
    }
  }
  auto widen = [&](int32_t v, Shape s) {  // batch dims of 1 repeat
    bool same = std::equal(r.begin(), r.end(), s.begin());
    std::copy(r.begin(), r.end(), s.begin());
    return same ? v : t.emit(Op::broadcast, t.type(v), std::move(s), {v}, loc);
  };
  auto only_ones_differ = [&](const Shape& s) {
    for (std::size_t k = 0; k < batch; ++k)
      if (!(s[k] == r[k]) && t.pool.is(s[k], 1)) return true;
    return false;
  };
  if (only_ones_differ(p)) x = widen(x, p);
  if (only_ones_differ(q)) y = widen(y, q);
  r.push_back(p[batch]);
  r.push_back(q[batch + 1]);
  return t.handle(t.emit(Op::dot, result, std::move(r), {x, y}, loc, precision));
}

// ---- functions in another language

namespace {
// A qualified name, of a template's instance too: "gelu", "mine::scale<4>".
bool is_function_name(std::string_view s) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (s.empty() || !(letter(s[0]) || s.starts_with("::"))) return false;
  return std::all_of(s.begin(), s.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || std::string_view(":<>, ").find(c) != std::string_view::npos;
  });
}
}  // namespace
Handle foreign(const Foreign& f, const Operand* arguments, Loc loc) {
  Tracer& t = Tracer::get(loc);
  graph::Foreign made{f.name ? f.name : "", f.source ? f.source : "", {f.parameters, f.parameters + f.count}, f.result, t.place(f.loc)};
  if (!is_function_name(made.name)) t.fail(Diagnostic::function_name, {made.name}, "cuda_function", f.loc);
  std::vector<int32_t> args;
  Shape s;
  for (int i = 0; i < f.count; ++i) {
    args.push_back(t.convert(f.parameters[i], arguments[i], 0, loc));
    s = t.broadcast(s, t.shape(args.back()), made.name.c_str(), loc);
  }
  std::vector<graph::Foreign>& all = t.graph.foreign;
  auto same = [&](const graph::Foreign& x) {
    return x.name == made.name && x.source == made.source && x.parameters == made.parameters && x.result == made.result;
  };
  auto found = std::find_if(all.begin(), all.end(), same);
  const int64_t number = found - all.begin();
  if (found == all.end()) all.push_back(std::move(made));
  return t.handle(t.emit(Op::foreign, f.result, std::move(s), std::move(args), loc, number));
}

}  // namespace tine::core
