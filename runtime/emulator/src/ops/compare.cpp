// setp, set, selp, slct.
#include <cmath>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

enum Cmp : std::uint16_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum : std::uint16_t { kFtz = 16, kAnd = 32, kOr = 64, kXor = 128 };

template <class T> bool compare(std::uint16_t c, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (c) {
    case eq: return a == b;
    case ne: return !unordered && a != b;
    case lt: return a < b;
    case le: return a <= b;
    case gt: return a > b;
    case ge: return a >= b;
    case equ: return unordered || a == b;
    case neu: return unordered || a != b;
    case ltu: return unordered || a < b;
    case leu: return unordered || a <= b;
    case gtu: return unordered || a > b;
    case geu: return unordered || a >= b;
    case num: return !unordered;
    default: return unordered;
  }
}

// lo, ls, hi, hs are the unsigned names of lt, le, gt, ge.
std::uint16_t comparison(const Match& m) {
  static const struct { const char* name; Cmp c; } names[] = {{"eq", eq}, {"ne", ne}, {"lt", lt}, {"le", le}, {"gt", gt}, {"ge", ge}, {"lo", lt}, {"ls", le}, {"hi", gt}, {"hs", ge},
                                                              {"equ", equ}, {"neu", neu}, {"ltu", ltu}, {"leu", leu}, {"gtu", gtu}, {"geu", geu}, {"num", num}, {"nan", nan}};
  std::uint16_t r = 0;
  for (const auto& n : names)
    if (m.has(n.name)) r = n.c;
  if (m.has("ftz")) r |= kFtz;
  if (m.has("and")) r |= kAnd;
  if (m.has("or")) r |= kOr;
  if (m.has("xor")) r |= kXor;
  return r;
}

template <class T> std::uint32_t compared(const Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const std::uint16_t c = in.flags & 15;
  std::uint32_t r = 0;
  if constexpr (std::is_same_v<T, float>)
    if ((in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored) {
      each(mask, [&](int l) { r |= std::uint32_t{compare(c, flush(get<T>(a[l])), flush(get<T>(b[l])))} << l; });
      return r;
    }
  auto loop = [&](auto f) { each(mask, [&](int l) { r |= std::uint32_t{f(get<T>(a[l]), get<T>(b[l]))} << l; }); };
  switch (c) {  // the common ones without a switch inside the loop
    case eq: loop([](T u, T v) { return u == v; }); break;
    case lt: loop([](T u, T v) { return u < v; }); break;
    case le: loop([](T u, T v) { return u <= v; }); break;
    case gt: loop([](T u, T v) { return u > v; }); break;
    case ge: loop([](T u, T v) { return u >= v; }); break;
    default: loop([c](T u, T v) { return compare(c, u, v); });
  }
  return r;
}
std::uint32_t combine(const Exec& x, const Instr& in, std::uint32_t r) {  // imm: the predicate of the .and .or .xor forms
  const std::uint32_t c = x.pred(static_cast<PredRef>(in.imm));
  return (in.flags & kAnd) != 0 ? r & c : (in.flags & kOr) != 0 ? r | c : (in.flags & kXor) != 0 ? r ^ c : r;
}

template <class T> struct Setp {
  static void run(Exec& x, const Instr& in, std::uint32_t mask) {
    const std::uint32_t r = compared<T>(x, in, mask);
    const std::uint32_t p = combine(x, in, r), q = combine(x, in, ~r);
    x.set_pred(in.p, p, mask);
    if (in.q != kPredSink) x.set_pred(in.q, q, mask);
  }
};
template <class T> struct Set {
  static void run(Exec& x, const Instr& in, std::uint32_t mask) {
    const std::uint32_t r = combine(x, in, compared<T>(x, in, mask));
    std::uint64_t* d = x.slot(in.d);
    const std::uint64_t yes = in.t0 == Type::f32 ? 0x3F800000u : 0xFFFFFFFFu;
    each(mask, [&](int l) { d[l] = (r >> l & 1u) != 0 ? yes : 0; });
  }
};

template <template <class> class H> Handler pick(Type t) {
  if (t == Type::f32) return H<float>::run;
  if (t == Type::f64) return H<double>::run;
  return for_integer<H>(t);
}

void check_integer_comparison(Builder& b, const Match& m, Type t) {
  if ((m.has("lo") || m.has("ls") || m.has("hi") || m.has("hs")) && is_signed(t)) b.fail(ErrorKind::semantic, "lo, ls, hi and hs compare unsigned numbers");
}

void build_setp(Builder& b, const Match& m) {
  check_integer_comparison(b, m, m.type(0));
  Instr& in = b.emit(m, pick<Setp>(m.type(0)));
  in.p = b.op(0).pred;
  in.q = b.op(0).has_second ? b.op(0).second : kPredSink;
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.flags = comparison(m);
  in.imm = b.operand_count() > 3 ? static_cast<std::int64_t>(b.op(3).pred) : static_cast<std::int64_t>(kPredTrue);
}
void build_set(Builder& b, const Match& m) {
  check_integer_comparison(b, m, m.type(1));
  Instr& in = b.emit(m, pick<Set>(m.type(1)));
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.flags = comparison(m);
  in.imm = b.operand_count() > 3 ? static_cast<std::int64_t>(b.op(3).pred) : static_cast<std::int64_t>(kPredTrue);
}

// --- 16-bit floats; pairs give one predicate per half
float widen(bool bf, std::uint16_t v, bool ftz) {
  if (ftz && !bf && (v & 0x7C00) == 0) v &= 0x8000;
  return bf ? bf16_to_float(v) : half_to_float(v);
}
void setp_half(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const bool bf = in.t0 == Type::bf16 || in.t0 == Type::bf16x2, pair = in.t0 == Type::f16x2 || in.t0 == Type::bf16x2, ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  std::uint32_t low = 0, high = 0;
  const std::uint16_t c = in.flags & 15;
  each(mask, [&](int l) {
    low |= std::uint32_t{compare(c, widen(bf, static_cast<std::uint16_t>(a[l]), ftz), widen(bf, static_cast<std::uint16_t>(b[l]), ftz))} << l;
    if (pair) high |= std::uint32_t{compare(c, widen(bf, static_cast<std::uint16_t>(a[l] >> 16), ftz), widen(bf, static_cast<std::uint16_t>(b[l] >> 16), ftz))} << l;
  });
  const std::uint32_t p = combine(x, in, low), q = combine(x, in, pair ? high : ~low);
  x.set_pred(in.p, p, mask);
  if (in.q != kPredSink) x.set_pred(in.q, q, mask);
}
void set_half(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const bool bf = in.t1 == Type::bf16 || in.t1 == Type::bf16x2, pair = in.t1 == Type::f16x2 || in.t1 == Type::bf16x2, ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  std::uint32_t low = 0, high = 0;
  const std::uint16_t c = in.flags & 15;
  each(mask, [&](int l) {
    low |= std::uint32_t{compare(c, widen(bf, static_cast<std::uint16_t>(a[l]), ftz), widen(bf, static_cast<std::uint16_t>(b[l]), ftz))} << l;
    if (pair) high |= std::uint32_t{compare(c, widen(bf, static_cast<std::uint16_t>(a[l] >> 16), ftz), widen(bf, static_cast<std::uint16_t>(b[l] >> 16), ftz))} << l;
  });
  low = combine(x, in, low);
  high = combine(x, in, high);
  each(mask, [&](int l) {
    const bool t = (low >> l & 1u) != 0, u = (high >> l & 1u) != 0;
    switch (in.t0) {
      case Type::f16: d[l] = t ? 0x3C00 : 0; break;
      case Type::bf16: d[l] = t ? 0x3F80 : 0; break;
      case Type::u16:
      case Type::s16: d[l] = t ? 0xFFFF : 0; break;
      case Type::f16x2: d[l] = (t ? 0x3C00u : 0u) | (u ? 0x3C000000u : 0u); break;
      case Type::bf16x2: d[l] = (t ? 0x3F80u : 0u) | (u ? 0x3F800000u : 0u); break;
      case Type::f32: d[l] = t ? 0x3F800000u : 0; break;
      default: d[l] = pair ? (t ? 0xFFFFu : 0u) | (u ? 0xFFFF0000u : 0u) : t ? 0xFFFFFFFFu : 0;
    }
  });
}
void build_setp_half(Builder& b, const Match& m) {
  const bool pair = m.type(0) == Type::f16x2 || m.type(0) == Type::bf16x2;
  if (pair && !b.op(0).has_second) b.fail(ErrorKind::semantic, "setp on pairs writes two predicates, `p|q`");
  Instr& in = b.emit(m, setp_half);
  in.p = b.op(0).pred;
  in.q = b.op(0).has_second ? b.op(0).second : kPredSink;
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.flags = comparison(m);
  in.imm = b.operand_count() > 3 ? static_cast<std::int64_t>(b.op(3).pred) : static_cast<std::int64_t>(kPredTrue);
}
void build_set_half(Builder& b, const Match& m) {
  Instr& in = b.emit(m, set_half);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.flags = comparison(m);
  in.imm = b.operand_count() > 3 ? static_cast<std::int64_t>(b.op(3).pred) : static_cast<std::int64_t>(kPredTrue);
}

void selp(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const std::uint32_t p = x.pred(in.p);
  each(mask, [&](int l) { d[l] = (p >> l & 1u) != 0 ? a[l] : b[l]; });
}
void build_selp(Builder& b, const Match& m) {
  Instr& in = b.emit(m, selp);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.p = b.op(3).pred;
}
void slct(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  const bool real = in.t1 == Type::f32, ftz = in.flags != 0;
  each(mask, [&](int l) {
    float v = get<float>(c[l]);
    if (ftz) v = flush(v);
    d[l] = (real ? v >= 0.0f : static_cast<std::int32_t>(c[l]) >= 0) ? a[l] : b[l];
  });
}
void build_slct(Builder& b, const Match& m) {
  Instr& in = b.emit(m, slct);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.c = b.ref(3);
  in.flags = m.has("ftz");
}

constexpr InstrClass C = InstrClass::compare;
#define ICMP "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"
#define FCMP "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
#define INTS "u16|u32|u64|s16|s32|s64"
const Form kForms[] = {
    {"setp", ICMP " " INTS, "=p|p? 0 0", 10, 0, C, build_setp},
    {"setp", "eq|ne b16|b32|b64", "=p|p? 0 0", 10, 0, C, build_setp},
    {"setp", FCMP " ftz? f32", "=p|p? 0 0", 10, 0, C, build_setp},
    {"setp", FCMP " f64", "=p|p? 0 0", 10, 0, C, build_setp},
    {"setp", ICMP " and|or|xor " INTS, "=p|p? 0 0 p", 10, 0, C, build_setp},
    {"setp", "eq|ne and|or|xor b16|b32|b64", "=p|p? 0 0 p", 10, 0, C, build_setp},
    {"setp", FCMP " and|or|xor ftz? f32", "=p|p? 0 0 p", 10, 0, C, build_setp},
    {"setp", FCMP " and|or|xor f64", "=p|p? 0 0 p", 10, 0, C, build_setp},
    {"setp", FCMP " ftz? f16|f16x2", "=p|p? 0 0", 42, 53, C, build_setp_half},
    {"setp", FCMP " and|or|xor ftz? f16|f16x2", "=p|p? 0 0 p", 42, 53, C, build_setp_half},
    {"setp", FCMP " bf16|bf16x2", "=p|p? 0 0", 78, 90, C, build_setp_half},
    {"setp", FCMP " and|or|xor bf16|bf16x2", "=p|p? 0 0 p", 78, 90, C, build_setp_half},
    {"set", ICMP " u32|s32|f32 " INTS, "=0 1 1", 10, 0, C, build_set},
    {"set", "eq|ne u32|s32|f32 b16|b32|b64", "=0 1 1", 10, 0, C, build_set},
    {"set", FCMP " ftz? u32|s32|f32 f32", "=0 1 1", 10, 0, C, build_set},
    {"set", FCMP " u32|s32|f32 f64", "=0 1 1", 10, 0, C, build_set},
    {"set", ICMP " and|or|xor u32|s32|f32 " INTS, "=0 1 1 p", 10, 0, C, build_set},
    {"set", "eq|ne and|or|xor u32|s32|f32 b16|b32|b64", "=0 1 1 p", 10, 0, C, build_set},
    {"set", FCMP " and|or|xor ftz? u32|s32|f32 f32", "=0 1 1 p", 10, 0, C, build_set},
    {"set", FCMP " and|or|xor u32|s32|f32 f64", "=0 1 1 p", 10, 0, C, build_set},
    {"set", FCMP " ftz? f16|u16|s16|u32|s32 f16", "=0 1 1", 42, 53, C, build_set_half},
    {"set", FCMP " ftz? f16x2|u32|s32 f16x2", "=0 1 1", 42, 53, C, build_set_half},
    {"set", FCMP " bf16|u16|s16|u32|s32 bf16", "=0 1 1", 78, 90, C, build_set_half},
    {"set", FCMP " bf16x2|u32|s32 bf16x2", "=0 1 1", 78, 90, C, build_set_half},
    {"selp", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "=0 0 0 p", 10, 0, C, build_selp},
    {"slct", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s32", "=0 0 0 1", 10, 0, C, build_slct},
    {"slct", "ftz? b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 f32", "=0 0 0 1", 10, 0, C, build_slct},
};

}  // namespace

std::span<const Form> compare_forms() { return kForms; }

}  // namespace tine::emulator::detail
