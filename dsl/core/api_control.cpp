// The calls of the typed headers that concern loops and branches; see dsl/include/tine/detail/api.hpp.
#include "dsl/core/tracer.hpp"

namespace tine::core {

namespace {
void structure(Tracer& t, Statement::Kind kind, Op op, std::vector<int32_t> args, Loc loc) {
  Statement s;
  s.kind = kind;
  s.op = op;
  s.type = DType::i64;
  s.args = std::move(args);
  s.loc = loc;
  t.append(std::move(s));
}
void open(Tracer& t, Op op, std::vector<int32_t> args, Loc loc) {
  structure(t, Statement::open, op, std::move(args), loc);
  t.open.push_back(op);
}
}  // namespace
Handle open_for(const Operand& start, const Operand& stop, const Operand& step, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t a = t.convert(DType::i64, start, 0, loc), b = t.convert(DType::i64, stop, 0, loc),
          c = t.convert(DType::i64, step, 0, loc);
  const Statement& s = t.statements[std::size_t(c)];
  int64_t lo = -Pool::inf, hi = Pool::inf;
  if (s.kind == Statement::node && s.op == Op::literal)
    lo = hi = s.integer;
  else if (s.kind == Statement::node && s.op == Op::size)
    t.pool.bounds(s.expr, lo, hi);
  if (lo == 0 && hi == 0) t.fail(Diagnostic::step_zero, {}, "range", loc);
  open(t, Op::for_, {a, b, c}, loc);
  return t.handle(t.emit(Op::loop_var, DType::i64, {}, {}, loc));
}
void open_if(const Operand& condition, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t c = t.convert(DType::b1, condition, 0, loc);
  open(t, Op::if_, {c}, loc);
}
void open_else() {
  Tracer& t = Tracer::get({});
  structure(t, Statement::otherwise, Op::if_, {}, {});
}
void open_while(Loc loc) { open(Tracer::get(loc), Op::while_, {}, loc); }
void while_body(const Operand& condition, Loc loc) {
  Tracer& t = Tracer::get(loc);
  int32_t c = t.convert(DType::b1, condition, 0, loc);
  structure(t, Statement::body, Op::while_, {c}, loc);
}
void close_structure() {
  Tracer* t = Tracer::current();
  if (!t || t->open.empty()) return;
  Op op = t->open.back();
  t->open.pop_back();
  structure(*t, Statement::close, op, {}, {});
}
void left_early(const char* what, Loc loc) {
  Tracer* t = Tracer::current();
  if (!t || t->early_exit) return;
  t->early_exit = what;
  t->early_exit_loc = loc;
}

}  // namespace tine::core
