// cvt between all types, cvt of pairs, cvt.pack.
#include <algorithm>
#include <cmath>
#include <limits>

#include "decode/builder.hpp"
#include "isa/specials.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

enum : std::uint16_t { kFtz = 1, kSat = 2, kRelu = 4, kSatFinite = 8, kRoundShift = 8 };

std::uint16_t flags_of(const Match& m) {
  std::uint16_t f = static_cast<std::uint16_t>((m.has("ftz") ? kFtz : 0) | (m.has("sat") ? kSat : 0) | (m.has("relu") ? kRelu : 0) | (m.has("satfinite") ? kSatFinite : 0));
  const std::string_view r = m.first_of({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  return static_cast<std::uint16_t>(f | (static_cast<unsigned>(round_from(r)) << kRoundShift));
}
Round round_of(const Exec& x, const Instr& in) { return x.fault == Fault::round_mode_ignored ? Round::nearest : static_cast<Round>(in.flags >> kRoundShift); }

std::int64_t sign_extend(std::uint64_t v, unsigned bits) { return bits == 64 ? static_cast<std::int64_t>(v) : static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }
std::uint64_t zero_extend(std::uint64_t v, unsigned bits) { return bits == 64 ? v : v & ((std::uint64_t{1} << bits) - 1); }

const Format& format_of(Type t) {
  switch (t) {
    case Type::f16: case Type::f16x2: return kF16;
    case Type::bf16: case Type::bf16x2: return kBf16;
    case Type::tf32: return kTf32;
    case Type::f64: return kF64;
    case Type::e4m3x2: return kE4m3;
    case Type::e5m2x2: return kE5m2;
    default: return kF32;
  }
}
double widen(Type t, std::uint64_t v) {
  switch (t) {
    case Type::f16: return static_cast<double>(half_to_float(static_cast<std::uint16_t>(v)));
    case Type::bf16: return static_cast<double>(bf16_to_float(static_cast<std::uint16_t>(v)));
    case Type::f64: return std::bit_cast<double>(v);
    default: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(v)));
  }
}
double flush_input(Type t, double v) { return t == Type::f32 && std::fabs(v) < 0x1p-126 ? std::copysign(0.0, v) : v; }

// in.n: bits of the destination register
void int_to_int(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const unsigned sb = bits_of(in.t1), db = bits_of(in.t0), rb = in.n;
  const bool ss = is_signed(in.t1), ds = is_signed(in.t0), sat = (in.flags & kSat) != 0;
  each(mask, [&](int l) {
    std::uint64_t v = ss ? static_cast<std::uint64_t>(sign_extend(a[l], sb)) : zero_extend(a[l], sb);
    if (sat) {
      const auto s = static_cast<std::int64_t>(v);
      const std::int64_t top = ds ? (db == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (db - 1)) - 1) : db == 64 ? -1 : static_cast<std::int64_t>((std::uint64_t{1} << db) - 1);
      const std::int64_t low = ds ? (db == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (db - 1))) : 0;
      if (ss) {
        if (s < low)
          v = static_cast<std::uint64_t>(low);
        else if ((ds || db < 64) && s > top)
          v = static_cast<std::uint64_t>(top);
      } else if (v > static_cast<std::uint64_t>(top))
        v = static_cast<std::uint64_t>(top);
    }
    v = ds ? static_cast<std::uint64_t>(sign_extend(v, db)) : zero_extend(v, db);
    d[l] = zero_extend(v, rb);
  });
}

void float_to_int(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const unsigned db = bits_of(in.t0), rb = in.n;
  const bool ds = is_signed(in.t0), ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  const Round r = round_of(x, in);
  const double top = std::ldexp(1.0, static_cast<int>(ds ? db - 1 : db)), low = ds ? -top : 0.0;
  each(mask, [&](int l) {
    double v = widen(in.t1, a[l]);
    if (ftz) v = flush_input(in.t1, v);
    std::uint64_t i = 0;
    if (v != v)
      i = in.t1 == Type::f64 || db == 64 ? std::uint64_t{1} << (db - 1) : 0;
    else {
      const double w = r == Round::zero ? std::trunc(v) : r == Round::down ? std::floor(v) : r == Round::up ? std::ceil(v) : std::nearbyint(v);
      if (w >= top)
        i = ds ? (std::uint64_t{1} << (db - 1)) - 1 : db == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << db) - 1;
      else if (w < low)
        i = ds ? std::uint64_t{1} << (db - 1) : 0;
      else
        i = ds ? static_cast<std::uint64_t>(static_cast<std::int64_t>(w)) : static_cast<std::uint64_t>(w);
    }
    d[l] = zero_extend(ds ? static_cast<std::uint64_t>(sign_extend(i, db)) : zero_extend(i, db), rb);
  });
}

void int_to_float(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const unsigned sb = bits_of(in.t1);
  const bool ss = is_signed(in.t1);
  const Format& f = format_of(in.t0);
  const Round r = round_of(x, in);
  each(mask, [&](int l) {
    bool negative = false;
    std::uint64_t v = zero_extend(a[l], sb);
    if (ss) {
      const std::int64_t s = sign_extend(v, sb);
      negative = s < 0;
      v = negative ? 0 - static_cast<std::uint64_t>(s) : static_cast<std::uint64_t>(s);
    }
    std::uint64_t bits = round_to(f, negative, v, 0, false, r, false);
    if ((in.flags & kSat) != 0) bits = negative ? 0 : v >= 1 ? from_double(f, 1.0) : 0;
    d[l] = bits;
  });
}

std::uint64_t finish_float(const Format& f, std::uint64_t bits, std::uint16_t flags, bool ftz) {
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const std::uint64_t sign = std::uint64_t{1} << (width - 1), exponent = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  const bool nan = (bits & exponent) == exponent && (bits & ((std::uint64_t{1} << f.mantissa_bits) - 1)) != 0 && f.has_infinity;
  if (ftz && (bits & exponent) == 0) bits &= sign;
  if ((flags & kSat) != 0) {
    const std::uint64_t one = from_double(f, 1.0);
    if (nan || (bits & sign) != 0)
      bits = 0;
    else if (bits > one)
      bits = one;
  }
  if ((flags & kRelu) != 0 && !nan && (bits & sign) != 0) bits = 0;
  return bits;
}

void float_to_float(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const Format& f = format_of(in.t0);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  const Round r = round_of(x, in);
  if (in.t0 == Type::f32 && in.t1 == Type::f16 && (in.flags & 0xFF) == 0) {
    each(mask, [&](int l) { d[l] = put<float>(canonical(half_to_float(static_cast<std::uint16_t>(a[l])))); });
    return;
  }
  each(mask, [&](int l) {
    double v = widen(in.t1, a[l]);
    if (ftz) v = flush_input(in.t1, v);
    std::uint64_t bits = finish_float(f, from_double(f, v, r, (in.flags & kSatFinite) != 0), in.flags, ftz && in.t0 == Type::f32);
    if (in.t0 == Type::tf32) bits <<= 13;
    d[l] = bits;
  });
}
// Same type with an integer rounding: cvt.rzi.f32.f32
void round_to_integral(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const Format& f = format_of(in.t0);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  const Round r = round_of(x, in);
  each(mask, [&](int l) {
    double v = widen(in.t1, a[l]);
    if (ftz) v = flush_input(in.t1, v);
    const double w = r == Round::zero ? std::trunc(v) : r == Round::down ? std::floor(v) : r == Round::up ? std::ceil(v) : std::nearbyint(v);
    d[l] = finish_float(f, from_double(f, w), in.flags, false);
  });
}

// The first source goes to the upper half.
void to_pair(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const Format& f = format_of(in.t0);
  const Round r = round_of(x, in);
  const unsigned half = bits_of(in.t0) / 2;
  const bool finite = (in.flags & kSatFinite) != 0, swapped = x.fault == Fault::cvt_x2_swapped;
  each(mask, [&](int l) {
    std::uint64_t high = finish_float(f, from_double(f, widen(Type::f32, a[l]), r, finite), in.flags, false);
    std::uint64_t low = finish_float(f, from_double(f, widen(Type::f32, b[l]), r, finite), in.flags, false);
    if (swapped) std::swap(high, low);
    d[l] = (high << half) | low;
  });
}
// fp8 pair to f16 pair and back
void pair_to_pair(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const Format &to = format_of(in.t0), &from = format_of(in.t1);
  const unsigned th = bits_of(in.t0) / 2, fh = bits_of(in.t1) / 2;
  const std::uint64_t fm = (std::uint64_t{1} << fh) - 1;
  each(mask, [&](int l) {
    std::uint64_t r = 0;
    for (unsigned h = 0; h < 2; ++h) {
      const std::uint64_t v = a[l] >> (h * fh) & fm;
      r |= finish_float(to, from_double(to, to_double(from, v), Round::nearest, (in.flags & kSatFinite) != 0), in.flags, false) << (h * th);
    }
    d[l] = r;
  });
}
void pack(Exec& x, const Instr& in, std::uint32_t mask) {  // cvt.pack.sat: a and b saturated, c fills the upper half of bytes
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  const unsigned db = bits_of(in.t0);
  const bool ds = is_signed(in.t0);
  const std::int64_t top = ds ? (std::int64_t{1} << (db - 1)) - 1 : (std::int64_t{1} << db) - 1, low = ds ? -(std::int64_t{1} << (db - 1)) : 0;
  each(mask, [&](int l) {
    const std::int64_t u = std::clamp<std::int64_t>(static_cast<std::int32_t>(a[l]), low, top), v = std::clamp<std::int64_t>(static_cast<std::int32_t>(b[l]), low, top);
    const std::uint64_t p = (zero_extend(static_cast<std::uint64_t>(u), db) << db) | zero_extend(static_cast<std::uint64_t>(v), db);
    const std::uint64_t rest = db == 16 ? 0 : zero_extend(c[l], 32 - 2 * db) << (2 * db);
    d[l] = static_cast<std::uint32_t>(p | rest);
  });
}

// A special register may be a source, and integer registers may be wider than the types.
Operand any_source(Builder& b, const AstOperand& o, Type t) {
  if (o.kind == AstOperand::name && !o.has_offset && !o.negated)
    if (const Special* s = find_special(o.text, o.member); s != nullptr && s->slot < kSpecialSlots) {
      b.need(s->ptx, s->sm, "`" + std::string(o.text) + "`");
      if (bits_of(s->type) < bits_of(t) || is_float(t)) b.fail(ErrorKind::semantic, std::string("`") + s->name + "` is no ." + name_of(t));
      Operand r;
      r.kind = Operand::value;
      r.ref = make_ref(kSpecial, s->slot);
      return r;
    }
  return b.source(o, t, true);
}

template <Handler h> void build(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  if (ops.size() != 2) b.fail(ErrorKind::semantic, "this cvt has two operands");
  const Operand d = b.destination(ops[0], m.type(0), true);
  const Operand a = any_source(b, ops[1], m.type(1));
  if (m.has("sat") && is_integer(m.type(0)) && is_integer(m.type(1))) {
    const unsigned to = bits_of(m.type(0)), from = bits_of(m.type(1));
    const bool holds = is_signed(m.type(0)) == is_signed(m.type(1)) ? to >= from : is_signed(m.type(0)) && to > from;
    if (holds) b.fail(ErrorKind::semantic, "nothing can saturate: every ." + std::string(name_of(m.type(1))) + " fits");
  }
  Instr& in = b.emit(m, h);
  in.d = d.ref;
  in.a = a.ref;
  in.n = static_cast<std::uint8_t>(bits_of(d.type));
  in.flags = flags_of(m);
}
void build_pair(Builder& b, const Match& m) {
  Instr& in = b.emit(m, to_pair);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.flags = flags_of(m);
}
void build_pair_to_pair(Builder& b, const Match& m) {
  Instr& in = b.emit(m, pair_to_pair);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.flags = flags_of(m);
}
void build_pack(Builder& b, const Match& m) {
  Instr& in = b.emit(m, pack);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.c = b.operand_count() > 3 ? b.ref(3) : in.a;
}

constexpr InstrClass C = InstrClass::convert;
#define INTS "u8|u16|u32|u64|s8|s16|s32|s64"
#define RND "rn|rz|rm|rp"
#define RNDI "rni|rzi|rmi|rpi"
const Form kForms[] = {
    {"cvt", "sat? " INTS " " INTS, "*", 10, 0, C, build<int_to_int>},
    {"cvt", RNDI " ftz? sat? " INTS " f32", "*", 10, 0, C, build<float_to_int>},
    {"cvt", RNDI " sat? " INTS " f16|f64", "*", 10, 0, C, build<float_to_int>},
    {"cvt", RNDI " u16|u32|u64|s16|s32|s64 bf16", "*", 78, 90, C, build<float_to_int>},
    {"cvt", RND " sat? f16|f32|f64 " INTS, "*", 10, 0, C, build<int_to_float>},
    {"cvt", RND " bf16 u16|u32|u64|s16|s32|s64", "*", 78, 90, C, build<int_to_float>},
    {"cvt", "ftz? sat? f32 f16", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "f32 bf16", "*", 71, 80, C, build<float_to_float>},
    {"cvt", "ftz? sat? f64 f32", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "sat? f64 f16", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "f64 bf16", "*", 78, 90, C, build<float_to_float>},
    {"cvt", RND " ftz? sat? f32 f64", "*", 10, 0, C, build<float_to_float>},
    {"cvt", RND " ftz? sat? f16 f32", "*", 10, 0, C, build<float_to_float>},
    {"cvt", RND " sat? f16 f64", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "rn|rz relu? satfinite? bf16 f32", "*", 70, 80, C, build<float_to_float>},
    {"cvt", "rn|rz relu? satfinite? f16 f32", "*", 70, 80, C, build<float_to_float>},
    {"cvt", RND " bf16 f16|f64", "*", 78, 90, C, build<float_to_float>},
    {"cvt", "rna tf32 f32", "*", 70, 80, C, build<float_to_float>},
    {"cvt", "rna satfinite tf32 f32", "*", 81, 89, C, build<float_to_float>},
    {"cvt", "rn|rz relu? tf32 f32", "*", 78, 90, C, build<float_to_float>},
    {"cvt", RNDI " ftz? sat? f32 f32", "*", 10, 0, C, build<round_to_integral>},
    {"cvt", RNDI " sat? f16 f16", "*", 10, 0, C, build<round_to_integral>},
    {"cvt", RNDI " sat? f64 f64", "*", 10, 0, C, build<round_to_integral>},
    {"cvt", "ftz? sat? f32 f32", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "sat? f16 f16", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "sat? f64 f64", "*", 10, 0, C, build<float_to_float>},
    {"cvt", "rn|rz relu? satfinite? f16x2|bf16x2 f32", "=0 1 1", 70, 80, C, build_pair},
    {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f32", "=b16 1 1", 81, 89, C, build_pair},
    {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f16x2", "=b16 1", 81, 89, C, build_pair_to_pair},
    {"cvt", "rn relu? f16x2 e4m3x2|e5m2x2", "=0 b16", 81, 89, C, build_pair_to_pair},
    {"cvt", "pack sat u16|s16 s32", "=b32 1 1", 65, 72, C, build_pack},
    {"cvt", "pack sat u8|s8 s32 b32", "=b32 1 1 2", 65, 72, C, build_pack},
};

}  // namespace

std::span<const Form> convert_forms() { return kForms; }

}  // namespace tine::emulator::detail
