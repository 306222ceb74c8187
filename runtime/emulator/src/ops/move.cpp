// mov in all its shapes, cvta, isspacep.
#include "decode/builder.hpp"
#include "isa/specials.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"


namespace tine::emulator::detail {
namespace {

void copy(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const std::uint64_t keep = static_cast<std::uint64_t>(in.imm);  // mask of the register's bits
  each(mask, [&](int l) { d[l] = a[l] & keep; });
}
void copy128(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  each(mask, [&](int l) {
    d[l] = a[l];
    d[l + 32] = a[l + 32];
  });
}
void copy_pred(Exec& x, const Instr& in, std::uint32_t mask) { x.set_pred(in.p, x.pred(in.q), mask); }
// in.n parts of in.flags bits; list: whole first, then the parts
void gather(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::vector<Ref>& r = x.list(in.aux);
  std::uint64_t* d = x.slot(r[0]);
  const unsigned bits = in.flags;
  if (bits == 64) {
    const std::uint64_t *u = x.slot(r[1]), *v = x.slot(r[2]);
    each(mask, [&](int l) {
      const std::uint64_t lo = u[l], hi = v[l];
      d[l] = lo;
      d[l + 32] = hi;
    });
    return;
  }
  const std::uint64_t keep = (std::uint64_t{1} << bits) - 1;
  each(mask, [&](int l) {
    std::uint64_t v = 0;
    for (unsigned i = 0; i < in.n; ++i) v |= (x.slot(r[i + 1])[l] & keep) << (i * bits);
    d[l] = v;
  });
}
void scatter(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::vector<Ref>& r = x.list(in.aux);
  const std::uint64_t* a = x.slot(r[0]);
  const unsigned bits = in.flags;
  if (bits == 64) {
    std::uint64_t *u = x.slot(r[1]), *v = x.slot(r[2]);
    each(mask, [&](int l) {
      const std::uint64_t lo = a[l], hi = a[l + 32];
      u[l] = lo;
      v[l] = hi;
    });
    return;
  }
  const std::uint64_t keep = (std::uint64_t{1} << bits) - 1;
  each(mask, [&](int l) {
    const std::uint64_t v = a[l];
    for (unsigned i = 0; i < in.n; ++i) x.slot(r[i + 1])[l] = v >> (i * bits) & keep;
  });
}
void add_constant(Exec& x, const Instr& in, std::uint32_t mask) {  // address of a frame variable
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  each(mask, [&](int l) { d[l] = a[l] + static_cast<std::uint64_t>(in.imm); });
}
void read_clock(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  // Clocks count executed warp instructions: reproducible, and growing as a clock should.
  const std::uint64_t now = x.block->executed * 4;
  const std::uint64_t nanoseconds = in.flags == kGlobaltimer || in.flags == kGlobaltimerLo || in.flags == kGlobaltimerHi ? 1'000'000'000ull + now : now;
  std::uint64_t v = nanoseconds;
  if (in.flags == kClock || in.flags == kGlobaltimerLo) v &= 0xFFFFFFFF;
  if (in.flags == kClockHi || in.flags == kGlobaltimerHi) v >>= 32;
  each(mask, [&](int l) { d[l] = v; });
}

std::uint64_t bits_mask(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

void build_mov(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  const Type t = m.type(0);
  if (ops.size() != 2) b.fail(ErrorKind::semantic, "mov has two operands");
  const AstOperand &d = ops[0], &a = ops[1];
  if (d.kind == AstOperand::vector || a.kind == AstOperand::vector) {
    if (!is_untyped(t)) b.fail(ErrorKind::semantic, "packing and unpacking are for .b16 .b32 .b64 .b128");
    if (d.kind == a.kind) b.fail(ErrorKind::semantic, "one side of a packing mov is a vector, the other is not");
    const bool packs = a.kind == AstOperand::vector;
    const AstOperand& v = packs ? a : d;
    const std::size_t n = v.elements.size();
    if (n != 2 && n != 4) b.fail(ErrorKind::semantic, "a packing mov has 2 or 4 parts");
    const unsigned part = bits_of(t) / static_cast<unsigned>(n);
    if (part < 8 || (t == Type::b128 && n != 2)) b.fail(ErrorKind::semantic, "the parts do not fit");
    const Type pt = part == 8 ? Type::b8 : part == 16 ? Type::b16 : part == 32 ? Type::b32 : Type::b64;
    const Operand whole = packs ? b.destination(d, t) : b.source(a, t);
    const Operand parts = b.vector(v, pt, n, !packs);
    std::vector<Ref> refs{whole.ref};
    for (const Operand& e : parts.elements) refs.push_back(e.kind == Operand::sink ? kSinkRef : e.ref);
    Instr& in = b.emit(m, packs ? gather : scatter);
    in.n = static_cast<std::uint8_t>(n);
    in.flags = static_cast<std::uint16_t>(part);
    in.aux = b.list(std::move(refs));
    in.d = kSinkRef;
    return;
  }
  const Operand dest = b.destination(d, t);
  if (a.kind == AstOperand::name && !a.negated) {
    if (const Special* s = find_special(a.text, a.member)) {
      b.need(s->ptx, s->sm, "`" + std::string(a.text) + "`");
      const bool fits = bits_of(t) == bits_of(s->type) || (bits_of(t) == 16 && bits_of(s->type) == 32);
      if (!fits || t == Type::f64) b.fail(ErrorKind::semantic, std::string("`") + s->name + "` has type ." + name_of(s->type));
      if (s->slot >= kSpecialSlots) {
        Instr& in = b.emit(m, read_clock);
        in.d = dest.ref;
        in.flags = static_cast<std::uint16_t>(s->slot);
        return;
      }
      Instr& in = b.emit(m, copy);
      in.d = dest.ref;
      in.a = make_ref(kSpecial, s->slot);
      in.imm = static_cast<std::int64_t>(bits_mask(bits_of(t)));
      return;
    }
    if (is_special(a.text)) b.fail(ErrorKind::unsupported, "`" + std::string(a.text) + (a.member.empty() ? "" : "." + std::string(a.member)) + "` cannot be read whole");
    std::uint64_t index = 0;
    const Symbol* s = b.find(a.text, index);
    if (s != nullptr && (s->kind == Symbol::variable || s->kind == Symbol::function)) {
      if (!a.member.empty()) b.fail(ErrorKind::semantic, "expected a plain name");
      const bool narrow = bits_of(t) == 32 && s->kind == Symbol::variable && (s->shared || s->space == Space::local || s->space == Space::frame || s->space == Space::param_entry);
      if ((bits_of(t) != 64 && !narrow) || is_float(t) || t == Type::b128) b.fail(ErrorKind::semantic, "an address has 64 bits");
      if (s->kind == Symbol::function && a.has_offset) b.fail(ErrorKind::semantic, "a function has no offset");
      if (s->kind == Symbol::variable && (s->space == Space::local || s->space == Space::frame)) {
        Instr& in = b.emit(m, add_constant);
        in.d = dest.ref;
        in.a = make_ref(kSpecial, kLocalBase);
        in.imm = static_cast<std::int64_t>(s->offset) + a.offset;
        return;
      }
      Ref source = 0;
      if (s->kind == Symbol::variable && s->space == Space::param_entry)
        source = b.constant(s->offset + static_cast<std::uint64_t>(a.offset));
      else {
        Function& f = b.function();
        const auto slot = static_cast<std::uint32_t>(f.constants.size());
        f.constants.push_back(0);
        f.relocations.push_back({slot, s->link_name, a.offset, b.line()});
        source = make_ref(kConstant, slot);
      }
      Instr& in = b.emit(m, copy);
      in.d = dest.ref;
      in.a = source;
      in.imm = static_cast<std::int64_t>(bits_mask(bits_of(t)));
      return;
    }
  }
  const Operand source = b.source(a, t);
  Instr& in = b.emit(m, t == Type::b128 ? copy128 : copy);
  in.d = dest.ref;
  in.a = source.ref;
  in.imm = static_cast<std::int64_t>(bits_mask(bits_of(t)));
}
void build_mov_pred(Builder& b, const Match& m) {
  Instr& in = b.emit(m, copy_pred);
  in.p = b.op(0).pred;
  in.q = b.op(1).pred;
}

std::uint64_t window_of(const Match& m) {
  return m.starts("shared") ? kSharedWindow : m.has("local") ? kLocalWindow : m.starts("param") ? kParamWindow : 0;
}
void to_generic(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const auto w = static_cast<std::uint64_t>(in.imm);
  const Space space = w == kSharedWindow ? Space::shared : Space::local;
  each(mask, [&](int l) {
    if (w != 0 && a[l] >= kWindowSize) x.report(DiagnosticClass::wrong_window, in, l, std::string("cvta of ") + hex(a[l]) + ", which is no " + (space == Space::shared ? "shared" : "local or parameter") + " address");
    d[l] = a[l] + w;
  });
}
void from_generic(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const auto w = static_cast<std::uint64_t>(in.imm);
  each(mask, [&](int l) {
    // A null pointer converts freely; its use is what counts.
    if (w != 0 && a[l] != 0 && !in_window(a[l], w)) x.report(DiagnosticClass::wrong_window, in, l, "cvta.to of " + hex(a[l]) + ", which is no generic address of that space");
    d[l] = a[l] - w;
  });
}
void build_cvta(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  if (ops.size() != 2) b.fail(ErrorKind::semantic, "cvta has two operands");
  const Operand d = b.destination(ops[0], Type::u64);
  const bool to = m.has("to");
  Ref source = 0;
  std::uint64_t index = 0;
  const AstOperand& o = ops[1];
  const Symbol* s = o.kind == AstOperand::name ? b.find(o.text, index) : nullptr;
  if (s != nullptr && s->kind == Symbol::variable && !to) {
    const bool right = (m.has("global") && s->space == Space::global) || (m.has("const") && s->space == Space::constant) || (m.starts("shared") && s->shared) || (m.has("local") && s->space == Space::local);
    if (!right) b.fail(ErrorKind::semantic, "`" + std::string(o.text) + "` lies in another state space");
    if (s->space == Space::local) {
      Instr& first = b.emit(m, add_constant);
      first.d = d.ref;
      first.a = make_ref(kSpecial, kLocalBase);
      first.imm = static_cast<std::int64_t>(s->offset) + o.offset;
      source = d.ref;
    } else {
      Function& f = b.function();
      const auto slot = static_cast<std::uint32_t>(f.constants.size());
      f.constants.push_back(0);
      f.relocations.push_back({slot, s->link_name, o.offset, b.line()});
      source = make_ref(kConstant, slot);
    }
  } else
    source = b.source(o, Type::u64).ref;
  Instr& in = b.emit(m, to ? from_generic : to_generic);
  in.d = d.ref;
  in.a = source;
  in.imm = static_cast<std::int64_t>(window_of(m));
}
void isspacep(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* a = x.slot(in.a);
  const auto w = static_cast<std::uint64_t>(in.imm);
  std::uint32_t r = 0;
  each(mask, [&](int l) {
    bool t = false;
    if (w != 0)
      t = in_window(a[l], w);
    else {
      const Allocation* al = x.launch->memory->find(a[l]);
      t = al != nullptr && al->read_only == (in.flags != 0);
      if (al == nullptr && in.flags == 0) t = a[l] >= kGlobalStart && a[l] < kSharedWindow;
    }
    r |= std::uint32_t{t} << l;
  });
  x.set_pred(in.p, r, mask);
}
void build_isspacep(Builder& b, const Match& m) {
  Instr& in = b.emit(m, isspacep);
  in.p = b.op(0).pred;
  in.a = b.ref(1);
  in.imm = static_cast<std::int64_t>(window_of(m));
  in.flags = m.has("const");
}

constexpr InstrClass M = InstrClass::move;
const Form kForms[] = {
    {"mov", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "*", 10, 0, M, build_mov},
    {"mov", "b128", "*", 83, 70, M, build_mov},
    {"mov", "pred", "=p p", 10, 0, M, build_mov_pred},
    {"cvta", "global|shared|local|const u64", "*", 20, 20, M, build_cvta},
    {"cvta", "shared::cta u64", "*", 78, 30, M, build_cvta},
    {"cvta", "param u64", "*", 77, 70, M, build_cvta},
    {"cvta", "to global|shared|local|const u64", "*", 20, 20, M, build_cvta},
    {"cvta", "to shared::cta u64", "*", 78, 30, M, build_cvta},
    {"cvta", "to param u64", "*", 77, 70, M, build_cvta},
    {"isspacep", "global|shared|local", "=p u64", 20, 20, M, build_isspacep},
    {"isspacep", "const", "=p u64", 31, 20, M, build_isspacep},
    {"isspacep", "shared::cta", "=p u64", 78, 30, M, build_isspacep},
    {"isspacep", "param", "=p u64", 77, 70, M, build_isspacep},
};

}  // namespace

std::span<const Form> move_forms() { return kForms; }

}  // namespace tine::emulator::detail
