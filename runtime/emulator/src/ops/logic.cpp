// Logic, shifts, lop3, prmt.
#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

struct And { template <class T> static T run(T a, T b) { return static_cast<T>(a & b); } };
struct Or { template <class T> static T run(T a, T b) { return static_cast<T>(a | b); } };
struct Xor { template <class T> static T run(T a, T b) { return static_cast<T>(a ^ b); } };
struct Not { template <class T> static T run(T a) { return static_cast<T>(~a); } };
struct Cnot { template <class T> static T run(T a) { return a == 0 ? T{1} : T{0}; } };

void set3(Builder& b, Instr& in) {
  in.d = b.ref(0);
  in.a = b.ref(1);
  if (b.operand_count() > 2) in.b = b.ref(2);
  if (b.operand_count() > 3) in.c = b.ref(3);
}

template <class F> struct Bin { template <class T> struct H { static constexpr Handler run = binary<T, F>; }; };
template <class F> struct Un { template <class T> struct H { static constexpr Handler run = unary<T, F>; }; };
template <template <class> class H> void build(Builder& b, const Match& m) { set3(b, b.emit(m, for_integer<H>(m.type(0)))); }

template <class F> void pred_binary(Exec& x, const Instr& in, std::uint32_t mask) { x.set_pred(in.p, F::run(x.pred(in.q), x.pred(in.a)), mask); }
void pred_not(Exec& x, const Instr& in, std::uint32_t mask) { x.set_pred(in.p, ~x.pred(in.q), mask); }
template <class F> void build_pred(Builder& b, const Match& m) {
  Instr& in = b.emit(m, pred_binary<F>);
  in.p = b.op(0).pred;
  in.q = b.op(1).pred;
  in.a = b.op(2).pred;
}
void build_pred_not(Builder& b, const Match& m) {
  Instr& in = b.emit(m, pred_not);
  in.p = b.op(0).pred;
  in.q = b.op(1).pred;
}

template <class T, bool left> void shift(Exec& x, const Instr& in, std::uint32_t mask) {  // amounts beyond the width clamp
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  constexpr unsigned n = 8 * sizeof(T);
  each(mask, [&](int l) {
    const auto s = static_cast<std::uint32_t>(b[l]);
    const T v = get<T>(a[l]);
    if constexpr (left)
      d[l] = s >= n ? 0 : put<T>(static_cast<T>(static_cast<std::make_unsigned_t<T>>(v) << s));
    else
      d[l] = put<T>(s >= n ? static_cast<T>(std::is_signed_v<T> && v < 0 ? -1 : 0) : static_cast<T>(v >> s));
  });
}
template <class T> struct Shl { static constexpr Handler run = shift<T, true>; };
template <class T> struct Shr { static constexpr Handler run = shift<T, false>; };

template <bool left> void funnel(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) {
    const auto s = static_cast<std::uint32_t>(c[l]);
    const std::uint32_t n = in.flags != 0 ? (s & 31) : (s > 32 ? 32 : s);
    const std::uint64_t v = ((b[l] & 0xFFFFFFFF) << 32) | (a[l] & 0xFFFFFFFF);
    d[l] = static_cast<std::uint32_t>(left ? (v << n) >> 32 : v >> n);
  });
}
void build_funnel(Builder& b, const Match& m) {
  Instr& in = b.emit(m, m.has("l") ? funnel<true> : funnel<false>);
  set3(b, in);
  in.flags = m.has("wrap");
}

void lop3(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  if (x.fault == Fault::lop3_transposed) std::swap(a, c);
  const auto lut = static_cast<std::uint32_t>(in.imm);
  std::uint32_t nonzero = 0;
  each(mask, [&](int l) {
    std::uint64_t r = 0;
    if ((lut & 0x01) != 0) r |= ~a[l] & ~b[l] & ~c[l];
    if ((lut & 0x02) != 0) r |= ~a[l] & ~b[l] & c[l];
    if ((lut & 0x04) != 0) r |= ~a[l] & b[l] & ~c[l];
    if ((lut & 0x08) != 0) r |= ~a[l] & b[l] & c[l];
    if ((lut & 0x10) != 0) r |= a[l] & ~b[l] & ~c[l];
    if ((lut & 0x20) != 0) r |= a[l] & ~b[l] & c[l];
    if ((lut & 0x40) != 0) r |= a[l] & b[l] & ~c[l];
    if ((lut & 0x80) != 0) r |= a[l] & b[l] & c[l];
    d[l] = static_cast<std::uint32_t>(r);
    if (static_cast<std::uint32_t>(r) != 0) nonzero |= 1u << l;
  });
  if (in.flags != 0) x.set_pred(in.p, in.flags == 1 ? nonzero | x.pred(in.q) : nonzero & x.pred(in.q), mask);
}
void build_lop3(Builder& b, const Match& m) {
  const bool with_pred = m.has("or") || m.has("and");
  const std::uint64_t lut = b.op(4).bits;
  if (lut > 255) b.fail(ErrorKind::semantic, "the truth table of lop3 has 8 bits");
  if (with_pred && !b.op(0).has_second) b.fail(ErrorKind::semantic, "lop3 with .and or .or writes `d|p`");
  if (!with_pred && b.op(0).has_second) b.fail(ErrorKind::semantic, "lop3 without .and or .or has one destination");
  Instr& in = b.emit(m, lop3);
  set3(b, in);
  in.imm = static_cast<std::int64_t>(lut);
  if (with_pred) {
    in.p = b.op(0).second;
    in.q = b.op(5).pred;
    in.flags = m.has("or") ? 1 : 2;
  }
}

enum : std::uint16_t { kDefault, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };
void prmt(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) {
    const std::uint64_t v = ((b[l] & 0xFFFFFFFF) << 32) | (a[l] & 0xFFFFFFFF);
    const auto s = static_cast<std::uint32_t>(c[l]);
    const unsigned k = s & 3;
    std::uint32_t r = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned from = 0;
      bool sign = false;
      switch (in.flags) {
        case kF4e: from = k + i; break;
        case kB4e: from = (k + 8 - i) & 7; break;
        case kRc8: from = k; break;
        case kEcl: from = i < k ? k : i; break;
        case kEcr: from = i > k ? k : i; break;
        case kRc16: from = (k & 1) * 2 + (i & 1); break;
        default:
          from = s >> (4 * i) & 7;
          sign = (s >> (4 * i) & 8) != 0 && x.fault != Fault::prmt_no_sign;
      }
      auto byte = static_cast<std::uint32_t>(v >> (8 * from) & 0xFF);
      if (sign) byte = (byte & 0x80) != 0 ? 0xFF : 0;
      r |= byte << (8 * i);
    }
    d[l] = r;
  });
}
void build_prmt(Builder& b, const Match& m) {
  Instr& in = b.emit(m, prmt);
  set3(b, in);
  in.flags = m.has("f4e") ? kF4e : m.has("b4e") ? kB4e : m.has("rc8") ? kRc8 : m.has("ecl") ? kEcl : m.has("ecr") ? kEcr : m.has("rc16") ? kRc16 : kDefault;
}

constexpr InstrClass I = InstrClass::integer;
const Form kForms[] = {
    {"and", "b16|b32|b64", "=0 0 0", 10, 0, I, build<Bin<And>::H>},
    {"or", "b16|b32|b64", "=0 0 0", 10, 0, I, build<Bin<Or>::H>},
    {"xor", "b16|b32|b64", "=0 0 0", 10, 0, I, build<Bin<Xor>::H>},
    {"not", "b16|b32|b64", "=0 0", 10, 0, I, build<Un<Not>::H>},
    {"cnot", "b16|b32|b64", "=0 0", 10, 0, I, build<Un<Cnot>::H>},
    {"and", "pred", "=p p p", 10, 0, I, build_pred<And>},
    {"or", "pred", "=p p p", 10, 0, I, build_pred<Or>},
    {"xor", "pred", "=p p p", 10, 0, I, build_pred<Xor>},
    {"not", "pred", "=p p", 10, 0, I, build_pred_not},
    {"shl", "b16|b32|b64", "=0 0 u32", 10, 0, I, build<Shl>},
    {"shr", "b16|b32|b64|u16|u32|u64|s16|s32|s64", "=0 0 u32", 10, 0, I, build<Shr>},
    {"shf", "l|r clamp|wrap b32", "=0 0 0 u32", 31, 32, I, build_funnel},
    {"lop3", "b32", "=0 0 0 0 i", 43, 50, I, build_lop3},
    {"lop3", "or|and b32", "=0|p? 0 0 0 i p", 82, 70, I, build_lop3},
    {"prmt", "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "=0 0 0 b32", 20, 0, I, build_prmt},
};

}  // namespace

std::span<const Form> logic_forms() { return kForms; }

}  // namespace tine::emulator::detail
