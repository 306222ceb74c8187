#include "dsl/core/tracer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "dsl/core/literal.hpp"

namespace tine::core {
namespace {

thread_local Tracer* current_tracer = nullptr;
std::atomic<uint32_t> trace_count{0};
std::string str(int64_t v) { return std::to_string(v); }

}  // namespace

Tracer::Tracer(const Definition& d, const Config& c, bool with_application)
    : definition(d),
      config(c),
      with_application(with_application),
      number(++trace_count),
      pool(graph.pool),
      arena(graph.pool),
      outer_(current_tracer) {
  current_tracer = this;
  graph.kernel = arena.kernel = d.name;
  arena.names = d.parameters;
  for (std::size_t i = 0; i < d.sources.size(); ++i)
    graph.sources.push_back({d.parameters[i], d.sources[i].type, d.sources[i].rank});
  statements.reserve(64);
}
Tracer::~Tracer() { current_tracer = outer_; }
Tracer* Tracer::current() { return current_tracer; }
Tracer& Tracer::get(Loc loc) {
  if (!current_tracer) core::fail(Diagnostic::outside_trace, {}, {"", "", "", "", loc});
  return *current_tracer;
}
void Tracer::fail(Diagnostic d, std::initializer_list<std::string> arguments, const char* op, Loc loc,
                  int param) const {
  core::fail(d, arguments, {definition.name, op, param < 0 ? "" : param_name(param), "", loc.line ? loc : last_loc});
}
int Tracer::dim_of(int dim, int n, Diagnostic d, const char* op, Loc loc) const {
  if (dim < -n || dim >= n) fail(d, {str(dim), str(n)}, op, loc);
  return dim < 0 ? dim + n : dim;
}
std::string Tracer::param_name(int param) const {
  return graph.sources[std::size_t(params[std::size_t(param)].source)].name;
}

const char* user_word(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::sub:
    case Op::neg:
      return "-";
    case Op::mul:
      return "*";
    case Op::div:
      return "/";
    case Op::mod:
      return "%";
    case Op::band:
      return "&";
    case Op::bor:
      return "|";
    case Op::bxor:
      return "^";
    case Op::bnot:
      return "~";
    case Op::shl:
      return "<<";
    case Op::shr:
      return ">>";
    case Op::eq:
      return "==";
    case Op::ne:
      return "!=";
    case Op::lt:
      return "<";
    case Op::le:
      return "<=";
    case Op::gt:
      return ">";
    case Op::ge:
      return ">=";
    case Op::land:
      return "&&";
    case Op::lor:
      return "||";
    case Op::lnot:
      return "!";
    case Op::rmax:
      return "max";
    case Op::rmin:
      return "min";
    case Op::rxor:
      return "xor_sum";
    case Op::for_:
      return "range";
    default:
      return graph::name(op);
  }
}

// ---- sizes

Ex Tracer::size(const Size& s, Loc loc) {
  if (s.kind() == Size::plain) return pool.num(s.number());
  if (s.kind() == Size::automatic) fail(Diagnostic::not_a_number, {}, "", loc);
  if (s.trace() != number || s.id() < 0 || s.id() >= int32_t(pool.size())) fail(Diagnostic::size_foreign, {}, "", loc);
  return Ex{s.id()};
}
Ex Tracer::size_or_automatic(const Size& s, Loc loc) {
  if (s.kind() == Size::automatic || (s.kind() == Size::plain && s.number() == -1)) return ArrangedTensor::automatic;
  return size(s, loc);
}
Size Tracer::to_size(Ex e) const { return pool.is_num(e) ? Size(pool.value(e)) : Size(e.id, number, Size::symbol); }

int64_t Tracer::block(const BlockSize& b, Loc loc) {
  auto at = reinterpret_cast<const char*>(&b);
  auto from = static_cast<const char*>(definition.state);
  if (at < from || at >= from + definition.size) fail(Diagnostic::block_local, {}, "", loc);
  std::size_t offset = std::size_t(at - from);
  for (auto& m : metas)
    if (m.offset == offset) return m.meta.value;
  std::string name;
  {
    std::lock_guard lock(definition.mutex);
    int unnamed = 0;
    for (auto& m : definition.members) {
      if (m.offset == offset) name = m.name;
      unnamed += m.name[0] == 'b' && m.name.find_first_not_of("0123456789", 1) == std::string::npos;
    }
    if (name.empty() && definition.members_found) {  // used under this config only
      name = "b" + str(unnamed);
      definition.members.push_back({offset, name});
    }
  }
  if (name.empty()) name = "block size";  // while the unnamed ones are being found
  if (b.count() < 1 || b.count() > BlockSize::max_candidates)
    fail(Diagnostic::block_candidates, {name, str(b.count()), str(BlockSize::max_candidates)}, "", loc);
  graph::Meta meta{name, b.candidates()[0], {}};
  for (int i = 0; i < b.count(); ++i) {
    meta.candidates.push_back(b.candidates()[i]);
    if (b.candidates()[i] <= 0) fail(Diagnostic::block_not_positive, {name, str(b.candidates()[i])}, "", loc);
  }
  for (auto& [key, value] : config.values)
    if (key == name) {
      if (value <= 0) fail(Diagnostic::block_not_positive, {name, str(value)}, "", loc);
      meta.value = value;
    }
  metas.push_back({offset, std::move(meta), loc});
  return metas.back().meta.value;
}

bool Tracer::provably(Check::Kind k, Ex a, Ex b) {
  int64_t lo, hi;
  pool.bounds(pool.sub(b, a), lo, hi);
  switch (k) {
    case Check::equal:
      return a == b;
    case Check::not_equal:
      return lo > 0 || hi < 0;
    case Check::less:
      return lo > 0;
    default:
      return lo >= 0;  // less_equal
  }
}
bool Tracer::refuted(Check::Kind k, Ex a, Ex b) {
  int64_t lo, hi;
  pool.bounds(pool.sub(b, a), lo, hi);
  switch (k) {
    case Check::equal:
      return lo > 0 || hi < 0;
    case Check::not_equal:
      return a == b;
    case Check::less:
      return hi <= 0;
    default:
      return hi < 0;  // less_equal
  }
}
void Tracer::require(const Condition& c, Loc loc) {
  static constexpr Check::Kind kinds[] = {Check::equal, Check::not_equal, Check::less, Check::less_equal};
  static constexpr const char* words[] = {" == ", " != ", " < ", " <= "};
  Check::Kind k = kinds[int(c.relation)];
  Ex a = size(c.a, loc), b = size(c.b, loc);
  if (provably(k, a, b)) return;
  if (refuted(k, a, b))
    fail(Diagnostic::require_fails, {arena.text(a) + words[int(c.relation)] + arena.text(b)}, "require", loc);
  arena.check({k, a, b, "require", -1, -1, loc});
}

// ---- arrangement

int32_t Tracer::keep(ArrangedTensor a) {
  views.push_back(std::move(a));
  return int32_t(views.size()) - 1;
}
const ArrangedTensor& Tracer::view(int32_t v, Loc loc) const {
  if (v < 0 || v >= int32_t(views.size())) fail(Diagnostic::view_foreign, {}, "", loc);
  return views[std::size_t(v)];
}

bool Tracer::arranged(const int32_t* v, int n) {
  for (int i = 0; i < n; ++i) {
    TracedParam p;
    p.scalar = v[i] < 0;
    if (p.scalar) {
      p.source = -1 - v[i];
      if (p.source >= int(graph.sources.size()) || graph.sources[std::size_t(p.source)].rank != 0)
        fail(Diagnostic::view_foreign, {}, "", {});
    } else {
      p.tensor = view(v[i], {});
      p.source = p.tensor.source_index();
    }
    params.push_back(std::move(p));
    refs.push_back({i, {}, -1});
  }
  bool first = true;
  for (int i = 0; i < n; ++i) {
    const TracedParam& p = params[std::size_t(i)];
    if (p.scalar || p.tensor.levels().rank[0] == 0) continue;
    Shape outer = level_shape(i, 0);
    Loc loc = p.tensor.last_loc();
    if (first) {
      graph.grid = outer;
      first = false;
      continue;
    }
    bool differ = outer.size() != graph.grid.size();
    for (std::size_t k = 0; !differ && k < outer.size(); ++k) differ = refuted(Check::equal, graph.grid[k], outer[k]);
    if (differ) {
      std::string all;
      for (int j = 0; j < n; ++j)
        if (!params[std::size_t(j)].scalar)
          all += (all.empty() ? " `" : ", `") + param_name(j) + "` is " + params[std::size_t(j)].tensor.shape_text();
      fail(Diagnostic::grid_shapes, {all}, "arrangement", loc);
    }
    for (std::size_t k = 0; k < outer.size(); ++k)
      if (!(outer[k] == graph.grid[k]))
        arena.check({Check::equal, graph.grid[k], outer[k], "grid", p.source, int(k), loc});
  }
  return with_application;
}

Shape Tracer::level_shape(int param, int level) const {
  const TracedParam& p = params[std::size_t(param)];
  if (p.scalar) return {};
  const Levels& l = p.tensor.levels();
  auto at = l.size.begin() + l.begin(level);
  return Shape(at, at + l.rank[std::size_t(level)]);
}
Shape Tracer::tile_shape(int param) const {
  const TracedParam& p = params[std::size_t(param)];
  if (p.scalar || p.tensor.levels().count() < 2) return {};
  return level_shape(param, p.tensor.levels().count() - 1);
}

// ---- application

int32_t Tracer::append(Statement s) {
  if (s.loc.line)
    last_loc = s.loc;
  else
    s.loc = last_loc;
  statements.push_back(std::move(s));
  return int32_t(statements.size()) - 1;
}
int32_t Tracer::emit(Op op, DType t, Shape shape, std::vector<int32_t> args, Loc loc, int64_t attr, int64_t attr2) {
  Statement s;
  s.op = op;
  s.type = t;
  s.shape = std::move(shape);
  s.args = std::move(args);
  s.attr = attr;
  s.attr2 = attr2;
  s.loc = loc;
  return append(std::move(s));
}
int32_t Tracer::literal(DType t, int64_t v, Loc loc) {
  Statement s;
  s.op = Op::literal;
  s.type = t;
  s.integer = v;
  s.loc = loc;
  return append(std::move(s));
}
const Ref& Tracer::ref(const Handle& h, Loc loc) const {
  if (h.trace != number || h.ref < 0) fail(Diagnostic::tile_foreign, {}, "", loc);
  return refs[std::size_t(h.ref)];
}
int32_t Tracer::load(int32_t r, Loc loc) {
  const Ref& f = refs[std::size_t(r)];
  if (f.copied_at >= 0) stale_reads.push_back({f.param, f.copied_at, loc});
  DType t = graph.sources[std::size_t(params[std::size_t(f.param)].source)].type;
  return emit(Op::load, t, tile_shape(f.param), f.index, loc, f.param);
}
int32_t Tracer::read(const Handle& h, Loc loc) {
  if (h.trace != number) fail(Diagnostic::tile_foreign, {}, "", loc);
  return h.id >= 0 ? h.id : load(h.ref, loc);
}
int32_t Tracer::read(const Operand& o, Loc loc) {
  switch (o.kind) {
    case Operand::tile:
      return read(o.handle, loc);
    case Operand::size: {
      Ex e = size(o.size_value, loc);
      if (pool.is_num(e)) return literal(DType::i64, pool.value(e), loc);
      Statement s;
      s.op = Op::size;
      s.type = DType::i64;
      s.expr = e;
      s.loc = loc;
      return append(std::move(s));
    }
    case Operand::condition: {
      static constexpr Op ops[] = {Op::eq, Op::ne, Op::lt, Op::le};
      auto side = [&](const Size& z) {
        Operand q{Operand::size, DType::i64};
        q.size_value = z;
        return read(q, loc);
      };
      int32_t a = side(o.condition_value.a), b = side(o.condition_value.b);
      return emit(ops[int(o.condition_value.relation)], DType::b1, {}, {a, b}, loc);
    }
    default:
      return convert(o.type, o, 0, loc);
  }
}
int32_t Tracer::cast(DType t, int32_t s, int mode, Loc loc) {
  if (type(s) == t) return s;
  return emit(Op::cast, t, shape(s), {s}, loc, mode);
}
int32_t Tracer::convert(DType t, const Operand& o, int mode, Loc loc) {
  if (o.kind == Operand::tile || o.kind == Operand::size || o.kind == Operand::condition)
    return cast(t, read(o, loc), mode, loc);
  bool real = o.kind == Operand::real, natural = o.kind == Operand::natural;
  auto written = [&] {
    if (real) {
      char b[40];
      std::snprintf(b, sizeof b, "%.9g", o.real_value);
      return std::string(b);
    }
    return natural ? std::to_string(uint64_t(o.integer_value)) : str(o.integer_value);
  };
  if (is_float(t)) {
    double v;
    long double exact = real      ? static_cast<long double>(o.real_value)
                        : natural ? static_cast<long double>(uint64_t(o.integer_value))
                                  : static_cast<long double>(o.integer_value);
    if (!round_to(t, exact, v)) fail(Diagnostic::literal_range, {written(), graph::name(t)}, "", loc);
    bool fp8 = t == DType::f8e4m3fn || t == DType::f8e5m2;
    int32_t s = literal(fp8 ? DType::f32 : t, 0, loc);
    statements.back().real = fp8 ? double(o.real_value) : v;
    if (fp8 && !real) statements.back().real = double(exact);
    return fp8 ? cast(t, s, mode, loc) : s;
  }
  if (real) {
    int32_t s = literal(DType::f64, 0, loc);
    statements.back().real = o.real_value;
    return cast(t, s, mode, loc);
  }
  if (t == DType::b1) return literal(t, o.integer_value != 0, loc);
  if (!holds(t, o.integer_value, natural)) fail(Diagnostic::literal_range, {written(), graph::name(t)}, "", loc);
  return literal(t, o.integer_value, loc);
}
int32_t Tracer::fresh(int32_t statement, const Operand& o, Loc loc) {
  if (o.kind != Operand::tile || o.handle.id != statement) return statement;
  Statement c;
  c.kind = Statement::copy;
  c.type = type(statement);
  c.shape = shape(statement);
  c.args = {statement};
  c.loc = loc;
  return append(std::move(c));
}
void Tracer::equal(Ex a, Ex b, Diagnostic d, const Shape& x, const Shape& y, const char* op, Loc loc) {
  if (a == b) return;
  if (refuted(Check::equal, a, b)) fail(d, {shape_text(x), shape_text(y)}, op, loc);
  arena.check({Check::equal, a, b, op, -1, -1, loc.line ? loc : last_loc});
}
Shape Tracer::broadcast(const Shape& x, const Shape& y, const char* op, Loc loc) {
  const Shape &longer = x.size() >= y.size() ? x : y, &shorter = x.size() >= y.size() ? y : x;
  Shape r = longer;
  std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Ex u = r[lead + i], v = shorter[i];
    if (pool.is(u, 1))
      r[lead + i] = v;
    else if (!pool.is(v, 1))
      equal(u, v, Diagnostic::shapes_differ, x, y, op, loc);
  }
  return r;
}
void Tracer::store(const Handle& h, int32_t value, Loc loc) {
  const Ref& r = ref(h, loc);
  if (h.copied) fail(Diagnostic::store_to_copy, {}, "=", loc, r.param);
  Shape t = tile_shape(r.param), v = shape(value);
  if (v.size() > t.size()) fail(Diagnostic::store_shape, {shape_text(v), shape_text(t)}, "=", loc, r.param);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!pool.is(v[i], 1)) equal(v[i], t[t.size() - v.size() + i], Diagnostic::store_shape, v, t, "=", loc);
  std::vector<int32_t> args{value};
  args.insert(args.end(), r.index.begin(), r.index.end());
  emit(Op::store, graph.sources[std::size_t(params[std::size_t(r.param)].source)].type, t, std::move(args), loc,
       r.param);
}
void Tracer::assign(int32_t variable, int32_t value, Loc loc) {
  const Shape x = shape(variable), y = shape(value);
  for (std::size_t i = 0; i < y.size(); ++i) equal(x[i], y[i], Diagnostic::assign_shape, x, y, "=", loc);
  Statement s;
  s.kind = Statement::assign;
  s.type = type(variable);
  s.args = {variable, value};
  s.loc = loc;
  append(std::move(s));
}

// ---- the end

graph::Loc Tracer::place(Loc l) {
  if (l.line == 0 || !l.file[0]) return {};
  std::string f = l.file;
  if (!config.root.empty() && f.compare(0, config.root.size(), config.root) == 0) {
    std::size_t from = config.root.size();
    while (from < f.size() && f[from] == '/') ++from;
    if (from > config.root.size() || config.root.back() == '/') f.erase(0, from);
  }
  for (std::size_t i = 0; i < graph.files.size(); ++i)
    if (graph.files[i] == f) return {int32_t(i), int32_t(l.line)};
  graph.files.push_back(f);
  return {int32_t(graph.files.size()) - 1, int32_t(l.line)};
}

void Tracer::finish_params() {
  for (int i = 0; i < int(params.size()); ++i) {
    const TracedParam& t = params[std::size_t(i)];
    graph::Param p;
    p.source = t.source;
    if (t.scalar) {
      p.levels.push_back({});
    } else {
      for (int l = 0; l < t.tensor.levels().count(); ++l) p.levels.push_back(level_shape(i, l));
      IndexMap m = t.tensor.map(t.tensor.variables(i));
      p.coords = std::move(m.source);
      for (auto& b : m.bounds) p.bounds.push_back({b.index, b.size, b.low, place(b.loc)});
      p.other = t.tensor.other;
      p.loc = place(t.tensor.last_loc());
    }
    graph.params.push_back(std::move(p));
  }
}

void Tracer::finish_checks() {
  for (auto& c : arena.checks) graph.checks.push_back({c.kind, c.a, c.b, c.what, c.source, c.dim, place(c.loc)});
  std::sort(graph.checks.begin(), graph.checks.end(), [&](const Check& a, const Check& b) {  // in an order of their own
    // What the kernel's author requires is the first to fail: it says best what is wrong.
    if (const bool first = a.what == "require"; first != (b.what == "require")) return first;
    if (a.what != b.what) return a.what < b.what;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (int o = pool.order(a.a, b.a)) return o < 0;
    return pool.order(a.b, b.b) < 0;
  });
}

graph::Graph Tracer::finish() {
  if (early_exit) fail(Diagnostic::left_early, {early_exit}, early_exit, early_exit_loc);
  for (auto& r : stale_reads)
    for (std::size_t s = std::size_t(r.copied_at); s < statements.size(); ++s)
      if (statements[s].op == Op::store && statements[s].kind == Statement::node && statements[s].attr == r.param)
        fail(Diagnostic::stale_copy, {}, "load", r.loc, r.param);
  bool stores = std::any_of(statements.begin(), statements.end(),
                            [](auto& s) { return s.kind == Statement::node && s.op == Op::store; });
  if (!stores && !statements.empty()) fail(Diagnostic::nothing_stored, {}, "application", statements.back().loc);
  std::sort(metas.begin(), metas.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
  for (auto& m : metas) graph.metas.push_back(m.meta);
  finish_params();
  resolve(*this);
  finish_checks();
  for (auto& r : graph.regions)
    for (int32_t n : r.nodes) {
      const graph::Node& x = graph.nodes[std::size_t(n)];
      if (x.op != Op::load && x.op != Op::store) continue;
      graph::Source& s = graph.sources[std::size_t(graph.params[std::size_t(x.attr)].source)];
      (x.op == Op::load ? s.loaded : s.stored) = true;
    }
  return std::move(graph);
}

}  // namespace tine::core
