// Integer arithmetic, and the bit-field instructions.
#include <algorithm>
#include <limits>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

template <class T> using U = std::make_unsigned_t<T>;
template <class T> struct Wide;
template <> struct Wide<std::uint16_t> { using type = std::uint32_t; };
template <> struct Wide<std::int16_t> { using type = std::int32_t; };
template <> struct Wide<std::uint32_t> { using type = std::uint64_t; };
template <> struct Wide<std::int32_t> { using type = std::int64_t; };
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
template <> struct Wide<std::uint64_t> { using type = Uint128; };
template <> struct Wide<std::int64_t> { using type = Int128; };
template <> struct Wide<std::uint8_t> { using type = std::uint16_t; };
template <> struct Wide<std::int8_t> { using type = std::int16_t; };
// Products in an unsigned type at least as wide as int, so that nothing overflows on our side.
template <class T> T wrap_mul(T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); }

struct Add { template <class T> static T run(T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); } };
struct Sub { template <class T> static T run(T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); } };
struct MulLo { template <class T> static T run(T a, T b) { return wrap_mul(a, b); } };
struct MulHi { template <class T> static T run(T a, T b) { using W = typename Wide<T>::type; return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T))); } };
struct MadLo { template <class T> static T run(T a, T b, T c) { return Add::run(wrap_mul(a, b), c); } };
struct MadHi { template <class T> static T run(T a, T b, T c) { return Add::run(MulHi::run(a, b), c); } };
struct Sad { template <class T> static T run(T a, T b, T c) { return Add::run(c, a < b ? Sub::run(b, a) : Sub::run(a, b)); } };
// Division by zero is unspecified; the machine gives all ones, as the hardware's code does for unsigned operands.
struct Div { template <class T> static T run(T a, T b) { if (b == 0) return static_cast<T>(~T{0}); if constexpr (std::is_signed_v<T>) if (b == T{-1}) return Sub::run(T{0}, a); return static_cast<T>(a / b); } };
struct Rem { template <class T> static T run(T a, T b) { if (b == 0) return a; if constexpr (std::is_signed_v<T>) if (b == T{-1}) return 0; return static_cast<T>(a % b); } };
struct Abs { template <class T> static T run(T a) { return a < 0 ? Sub::run(T{0}, a) : a; } };
struct Neg { template <class T> static T run(T a) { return Sub::run(T{0}, a); } };
struct Min { template <class T> static T run(T a, T b) { return std::min(a, b); } };
struct Max { template <class T> static T run(T a, T b) { return std::max(a, b); } };
struct AddSat { template <class T> static T run(T a, T b) { const std::int64_t r = std::int64_t{a} + b; return static_cast<T>(std::clamp<std::int64_t>(r, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())); } };
struct SubSat { template <class T> static T run(T a, T b) { const std::int64_t r = std::int64_t{a} - b; return static_cast<T>(std::clamp<std::int64_t>(r, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())); } };
struct MadHiSat { template <class T> static T run(T a, T b, T c) { return AddSat::run(MulHi::run(a, b), c); } };
template <class T> T low24(T a) { if constexpr (std::is_signed_v<T>) return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << 8) >> 8); else return a & 0xFFFFFFu; }
struct Mul24Lo { template <class T> static T run(T a, T b) { return wrap_mul(low24(a), low24(b)); } };
struct Mul24Hi { template <class T> static T run(T a, T b) { using W = typename Wide<T>::type; return static_cast<T>((static_cast<W>(low24(a)) * static_cast<W>(low24(b))) >> 16); } };
struct Mad24Lo { template <class T> static T run(T a, T b, T c) { return Add::run(Mul24Lo::run(a, b), c); } };
struct Mad24Hi { template <class T> static T run(T a, T b, T c) { return Add::run(Mul24Hi::run(a, b), c); } };
struct Mad24HiSat { template <class T> static T run(T a, T b, T c) { return AddSat::run(Mul24Hi::run(a, b), c); } };
struct MaxRelu { template <class T> static T run(T a, T b) { return std::max(std::max(a, b), T{0}); } };
struct MinRelu { template <class T> static T run(T a, T b) { return std::max(std::min(a, b), T{0}); } };

template <class F> struct Bin { template <class T> struct H { static constexpr Handler run = binary<T, F>; }; };
template <class F> struct Ter { template <class T> struct H { static constexpr Handler run = ternary<T, F>; }; };
template <class F> struct Un { template <class T> struct H { static constexpr Handler run = unary<T, F>; }; };

void set3(Builder& b, Instr& in) {
  in.d = b.ref(0);
  in.a = b.ref(1);
  if (b.operand_count() > 2) in.b = b.ref(2);
  if (b.operand_count() > 3) in.c = b.ref(3);
}
template <template <class> class H> void build(Builder& b, const Match& m) { set3(b, b.emit(m, for_integer<H>(m.type(0)))); }
template <Handler h> void build_one(Builder& b, const Match& m) { set3(b, b.emit(m, h)); }

template <class F> void packed2(Exec& x, const Instr& in, std::uint32_t mask) {  // u16x2, s16x2
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const bool sign = in.t0 == Type::s16x2;
  each(mask, [&](int l) {
    std::uint32_t r = 0;
    for (int h = 0; h < 32; h += 16) {
      const auto u = static_cast<std::uint16_t>(a[l] >> h), v = static_cast<std::uint16_t>(b[l] >> h);
      const std::uint16_t w = sign ? static_cast<std::uint16_t>(F::run(static_cast<std::int16_t>(u), static_cast<std::int16_t>(v))) : static_cast<std::uint16_t>(F::run(u, v));
      r |= std::uint32_t{w} << h;
    }
    d[l] = r;
  });
}

template <class T> void mul_wide(Exec& x, const Instr& in, std::uint32_t mask) {
  using W = typename Wide<T>::type;
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  if (x.fault == Fault::mul_wide_unsigned && std::is_same_v<T, std::int32_t>) {
    each(mask, [&](int l) { d[l] = (a[l] & 0xFFFFFFFF) * (b[l] & 0xFFFFFFFF); });
    return;
  }
  each(mask, [&](int l) { d[l] = put<W>(static_cast<W>(static_cast<W>(get<T>(a[l])) * static_cast<W>(get<T>(b[l])))); });
}
template <class T> void mad_wide(Exec& x, const Instr& in, std::uint32_t mask) {
  using W = typename Wide<T>::type;
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) { d[l] = put<W>(static_cast<W>(put<W>(static_cast<W>(static_cast<W>(get<T>(a[l])) * static_cast<W>(get<T>(b[l])))) + c[l])); });
}
void build_wide(Builder& b, const Match& m) {
  const bool mad = m.form->name == std::string_view("mad");
  Handler h = nullptr;
  switch (m.type(0)) {
    case Type::u16: h = mad ? mad_wide<std::uint16_t> : mul_wide<std::uint16_t>; break;
    case Type::s16: h = mad ? mad_wide<std::int16_t> : mul_wide<std::int16_t>; break;
    case Type::u32: h = mad ? mad_wide<std::uint32_t> : mul_wide<std::uint32_t>; break;
    default: h = mad ? mad_wide<std::int32_t> : mul_wide<std::int32_t>; break;
  }
  set3(b, b.emit(m, h));
}

// Extended precision: the CC flag is one bit per lane. flags: 1 reads it, 2 writes it.
template <class T, int op> void with_carry(Exec& x, const Instr& in, std::uint32_t mask) {  // op 0 add, 1 sub, 2 mad.lo, 3 mad.hi
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  std::uint32_t carry = x.warp->carry;
  each(mask, [&](int l) {
    using V = U<T>;
    const unsigned cc = (in.flags & 1) != 0 ? (carry >> l & 1u) : 0u;
    V p = static_cast<V>(a[l]), q = static_cast<V>(b[l]);
    if (op == 2) {
      p = wrap_mul(p, q);
      q = static_cast<V>(c[l]);
    } else if (op == 3) {
      p = static_cast<V>(MulHi::run(static_cast<T>(p), static_cast<T>(q)));
      q = static_cast<V>(c[l]);
    }
    Uint128 r = 0;
    if (op == 1)
      r = static_cast<Uint128>(p) - q - cc;
    else
      r = static_cast<Uint128>(p) + q + cc;
    d[l] = static_cast<V>(r);
    if ((in.flags & 2) != 0) carry = (carry & ~(1u << l)) | ((static_cast<std::uint32_t>(r >> (8 * sizeof(T))) & 1u) << l);
  });
  x.warp->carry = carry;
}
void build_carry(Builder& b, const Match& m) {
  const std::string_view name = m.form->name;
  const int op = name.substr(0, 3) == "add" ? 0 : name.substr(0, 3) == "sub" ? 1 : m.has("hi") ? 3 : 2;
  const bool sign = is_signed(m.type(0)), wide = bits_of(m.type(0)) == 64;
  const Handler table[4][4] = {{with_carry<std::uint32_t, 0>, with_carry<std::uint32_t, 1>, with_carry<std::uint32_t, 2>, with_carry<std::uint32_t, 3>},
                               {with_carry<std::int32_t, 0>, with_carry<std::int32_t, 1>, with_carry<std::int32_t, 2>, with_carry<std::int32_t, 3>},
                               {with_carry<std::uint64_t, 0>, with_carry<std::uint64_t, 1>, with_carry<std::uint64_t, 2>, with_carry<std::uint64_t, 3>},
                               {with_carry<std::int64_t, 0>, with_carry<std::int64_t, 1>, with_carry<std::int64_t, 2>, with_carry<std::int64_t, 3>}};
  Instr& in = b.emit(m, table[wide * 2 + sign][op]);
  set3(b, in);
  const bool reads = name.back() == 'c' && name != "sub";
  in.flags = static_cast<std::uint16_t>((reads ? 1 : 0) | (m.has("cc") ? 2 : 0));
}

// --- bits

template <class T, class F> void count_bits(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  each(mask, [&](int l) { d[l] = put<std::uint32_t>(static_cast<std::uint32_t>(F::run(get<T>(a[l])))); });
}
struct Popc { template <class T> static int run(T a) { return std::popcount(static_cast<U<T>>(a)); } };
struct Clz { template <class T> static int run(T a) { return std::countl_zero(static_cast<U<T>>(a)); } };
struct Bfind { template <class T> static int run(T a) { const auto u = static_cast<U<T>>(a < 0 ? ~a : a); return u == 0 ? -1 : static_cast<int>(8 * sizeof(T)) - 1 - std::countl_zero(u); } };
struct BfindShift { template <class T> static int run(T a) { const int r = Bfind::run(a); return r < 0 ? -1 : static_cast<int>(8 * sizeof(T)) - 1 - r; } };
template <class F> struct Count { template <class T> struct H { static constexpr Handler run = count_bits<T, F>; }; };
struct Brev { template <class T> static T run(T a) { T r = 0; for (unsigned i = 0; i < 8 * sizeof(T); ++i) r = static_cast<T>((r << 1) | (a >> i & 1)); return r; } };

template <class T> void bfe(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  constexpr unsigned n = 8 * sizeof(T);
  each(mask, [&](int l) {
    const unsigned pos = b[l] & 0xFF, len = c[l] & 0xFF;
    const auto v = static_cast<U<T>>(a[l]);
    U<T> r = pos >= n ? 0 : static_cast<U<T>>(v >> pos);
    bool sign = false;
    if (std::is_signed_v<T> && len != 0) {
      const unsigned at = std::min(pos + len - 1, n - 1);
      sign = (v >> at & 1) != 0;
    }
    if (x.fault == Fault::bfe_zero_extends) sign = false;
    if (len < n) r = static_cast<U<T>>(r & ((U<T>{1} << len) - 1));
    if (sign) {
      const unsigned have = pos >= n ? 0 : std::min(len, n - pos);
      if (have < n) r = static_cast<U<T>>(r | (~U<T>{0} << have));
    }
    d[l] = r;
  });
}
template <class T> struct Bfe { static constexpr Handler run = bfe<T>; };
// Constants for position and length have 8 bits; of registers only the low 8 bits count.
void check_field(Builder& b, std::size_t first) {
  for (std::size_t i = first; i < first + 2; ++i)
    if (b.op(i).constant && b.op(i).bits > 255) b.fail(ErrorKind::semantic, "a bit position or length must lie between 0 and 255");
}
void build_bfe(Builder& b, const Match& m) {
  check_field(b, 2);
  build<Bfe>(b, m);
}

template <class T> void bfi(Exec& x, const Instr& in, std::uint32_t mask) {  // bits of a into b
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c), *len_slot = x.slot(in.mask_ref);
  constexpr unsigned n = 8 * sizeof(T);
  each(mask, [&](int l) {
    const unsigned pos = c[l] & 0xFF, len = len_slot[l] & 0xFF;
    T field = len >= n ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
    field = pos >= n ? 0 : static_cast<T>(field << pos);
    const T v = pos >= n ? 0 : static_cast<T>(static_cast<T>(a[l]) << pos);
    d[l] = static_cast<T>((v & field) | (static_cast<T>(b[l]) & static_cast<T>(~field)));
  });
}
void build_bfi(Builder& b, const Match& m) {
  check_field(b, 3);
  Instr& in = b.emit(m, m.type(0) == Type::b64 ? bfi<std::uint64_t> : bfi<std::uint32_t>);
  set3(b, in);
  in.mask_ref = b.ref(4);
}

void bmsk(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  each(mask, [&](int l) {
    auto pos = static_cast<std::uint32_t>(a[l]), len = static_cast<std::uint32_t>(b[l]);
    if (in.flags != 0) {  // wrap
      pos &= 31;
      len &= 31;
    }
    d[l] = pos >= 32 ? 0 : static_cast<std::uint32_t>((len >= 32 ? kFull : (1u << len) - 1) << pos);
  });
}
template <bool sign> void szext(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  each(mask, [&](int l) {
    auto n = static_cast<std::uint32_t>(b[l]);
    if (in.flags != 0) n &= 31;
    const auto v = static_cast<std::uint32_t>(a[l]);
    if (n >= 32)
      d[l] = v;
    else if (n == 0)
      d[l] = 0;
    else {
      const std::uint32_t low = v & ((1u << n) - 1);
      d[l] = sign && (low >> (n - 1) & 1u) != 0 ? low | (kFull << n) : low;
    }
  });
}
void build_wrap(Builder& b, const Match& m) {
  const bool mask = m.form->name == std::string_view("bmsk");
  Instr& in = b.emit(m, mask ? bmsk : is_signed(m.type(0)) ? szext<true> : szext<false>);
  set3(b, in);
  in.flags = m.has("wrap");
}

void fns(Exec& x, const Instr& in, std::uint32_t mask) {  // the n-th set bit from a base
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) {
    const auto v = static_cast<std::uint32_t>(a[l]), base = static_cast<std::uint32_t>(b[l]);
    const auto off = static_cast<std::int32_t>(c[l]);
    std::uint32_t r = kFull;
    if (base < 32) {
      if (off == 0) {
        if ((v >> base & 1u) != 0) r = base;
      } else {
        int count = off > 0 ? off : -off;
        for (int p = static_cast<int>(base); p >= 0 && p < 32; p += off > 0 ? 1 : -1)
          if ((v >> p & 1u) != 0 && --count == 0) {
            r = static_cast<std::uint32_t>(p);
            break;
          }
      }
    }
    d[l] = r;
  });
}

// dp4a, dp2a: four or two products added to c.
template <bool sa, bool sb> void dp4a(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  const bool faulty = x.fault == Fault::dp4a_first_byte_twice;
  each(mask, [&](int l) {
    std::int64_t s = 0;
    for (int k = 0; k < 4; ++k) {
      const int q = faulty && k == 3 ? 0 : k;
      const auto u = static_cast<std::uint8_t>(a[l] >> (8 * q)), v = static_cast<std::uint8_t>(b[l] >> (8 * q));
      s += std::int64_t{sa ? static_cast<std::int8_t>(u) : static_cast<int>(u)} * (sb ? static_cast<std::int8_t>(v) : static_cast<int>(v));
    }
    d[l] = static_cast<std::uint32_t>(static_cast<std::uint32_t>(s) + static_cast<std::uint32_t>(c[l]));
  });
}
template <bool sa, bool sb> void dp2a(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  each(mask, [&](int l) {
    std::int64_t s = 0;
    for (int k = 0; k < 2; ++k) {
      const auto u = static_cast<std::uint16_t>(a[l] >> (16 * k));
      const auto v = static_cast<std::uint8_t>(b[l] >> (8 * (k + (in.flags != 0 ? 2 : 0))));
      s += std::int64_t{sa ? static_cast<std::int16_t>(u) : static_cast<int>(u)} * (sb ? static_cast<std::int8_t>(v) : static_cast<int>(v));
    }
    d[l] = static_cast<std::uint32_t>(static_cast<std::uint32_t>(s) + static_cast<std::uint32_t>(c[l]));
  });
}
void build_dot(Builder& b, const Match& m) {
  const bool sa = is_signed(m.type(0)), sb = is_signed(m.type(1)), four = m.form->name == std::string_view("dp4a");
  const Handler h4[2][2] = {{dp4a<false, false>, dp4a<false, true>}, {dp4a<true, false>, dp4a<true, true>}};
  const Handler h2[2][2] = {{dp2a<false, false>, dp2a<false, true>}, {dp2a<true, false>, dp2a<true, true>}};
  Instr& in = b.emit(m, four ? h4[sa][sb] : h2[sa][sb]);
  set3(b, in);
  in.flags = m.has("hi");
}

constexpr InstrClass I = InstrClass::integer;
#define ALL "u16|u32|u64|s16|s32|s64"
const Form kForms[] = {
    {"add", ALL, "=0 0 0", 10, 0, I, build<Bin<Add>::H>},
    {"add", "sat s32", "=0 0 0", 10, 0, I, build_one<binary<std::int32_t, AddSat>>},
    {"add", "u16x2|s16x2", "=0 0 0", 80, 90, I, build_one<packed2<Add>>},
    {"sub", ALL, "=0 0 0", 10, 0, I, build<Bin<Sub>::H>},
    {"sub", "sat s32", "=0 0 0", 10, 0, I, build_one<binary<std::int32_t, SubSat>>},
    {"add", "cc u32|s32|u64|s64", "=0 0 0", 43, 0, I, build_carry},
    {"addc", "cc? u32|s32|u64|s64", "=0 0 0", 43, 0, I, build_carry},
    {"sub", "cc u32|s32|u64|s64", "=0 0 0", 43, 0, I, build_carry},
    {"subc", "cc? u32|s32|u64|s64", "=0 0 0", 43, 0, I, build_carry},
    {"mad", "hi|lo cc u32|s32|u64|s64", "=0 0 0 0", 43, 0, I, build_carry},
    {"madc", "hi|lo cc? u32|s32|u64|s64", "=0 0 0 0", 43, 0, I, build_carry},
    {"mul", "lo " ALL, "=0 0 0", 10, 0, I, build<Bin<MulLo>::H>},
    {"mul", "hi " ALL, "=0 0 0", 10, 0, I, build<Bin<MulHi>::H>},
    {"mul", "wide u16|u32|s16|s32", "=w 0 0", 10, 0, I, build_wide},
    {"mad", "lo " ALL, "=0 0 0 0", 10, 0, I, build<Ter<MadLo>::H>},
    {"mad", "hi " ALL, "=0 0 0 0", 10, 0, I, build<Ter<MadHi>::H>},
    {"mad", "hi sat s32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::int32_t, MadHiSat>>},
    {"mad", "wide u16|u32|s16|s32", "=w 0 0 w", 10, 0, I, build_wide},
    {"mul24", "lo u32", "=0 0 0", 10, 0, I, build_one<binary<std::uint32_t, Mul24Lo>>},
    {"mul24", "lo s32", "=0 0 0", 10, 0, I, build_one<binary<std::int32_t, Mul24Lo>>},
    {"mul24", "hi u32", "=0 0 0", 10, 0, I, build_one<binary<std::uint32_t, Mul24Hi>>},
    {"mul24", "hi s32", "=0 0 0", 10, 0, I, build_one<binary<std::int32_t, Mul24Hi>>},
    {"mad24", "lo u32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::uint32_t, Mad24Lo>>},
    {"mad24", "lo s32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::int32_t, Mad24Lo>>},
    {"mad24", "hi u32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::uint32_t, Mad24Hi>>},
    {"mad24", "hi s32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::int32_t, Mad24Hi>>},
    {"mad24", "hi sat s32", "=0 0 0 0", 10, 0, I, build_one<ternary<std::int32_t, Mad24HiSat>>},
    {"sad", ALL, "=0 0 0 0", 10, 0, I, build<Ter<Sad>::H>},
    {"div", ALL, "=0 0 0", 10, 0, I, build<Bin<Div>::H>},
    {"rem", ALL, "=0 0 0", 10, 0, I, build<Bin<Rem>::H>},
    {"abs", "s16|s32|s64", "=0 0", 10, 0, I, build<Un<Abs>::H>},
    {"neg", "s16|s32|s64", "=0 0", 10, 0, I, build<Un<Neg>::H>},
    {"min", ALL, "=0 0 0", 10, 0, I, build<Bin<Min>::H>},
    {"max", ALL, "=0 0 0", 10, 0, I, build<Bin<Max>::H>},
    {"min", "u16x2|s16x2", "=0 0 0", 80, 90, I, build_one<packed2<Min>>},
    {"max", "u16x2|s16x2", "=0 0 0", 80, 90, I, build_one<packed2<Max>>},
    {"min", "relu s16x2", "=0 0 0", 80, 90, I, build_one<packed2<MinRelu>>},
    {"max", "relu s16x2", "=0 0 0", 80, 90, I, build_one<packed2<MaxRelu>>},
    {"min", "relu s32", "=0 0 0", 80, 90, I, build_one<binary<std::int32_t, MinRelu>>},
    {"max", "relu s32", "=0 0 0", 80, 90, I, build_one<binary<std::int32_t, MaxRelu>>},
    {"popc", "b32|b64", "=u32 0", 20, 0, I, build<Count<Popc>::H>},
    {"clz", "b32|b64", "=u32 0", 20, 0, I, build<Count<Clz>::H>},
    {"bfind", "u32|u64|s32|s64", "=u32 0", 20, 0, I, build<Count<Bfind>::H>},
    {"bfind", "shiftamt u32|u64|s32|s64", "=u32 0", 20, 0, I, build<Count<BfindShift>::H>},
    {"brev", "b32|b64", "=0 0", 20, 0, I, build<Un<Brev>::H>},
    {"bfe", "u32|u64|s32|s64", "=0 0 u32 u32", 20, 0, I, build_bfe},
    {"bfi", "b32|b64", "=0 0 0 u32 u32", 20, 0, I, build_bfi},
    {"bmsk", "clamp|wrap b32", "=0 u32 u32", 76, 70, I, build_wrap},
    {"szext", "clamp|wrap u32|s32", "=0 0 u32", 76, 70, I, build_wrap},
    {"fns", "b32", "=0 b32 b32 s32", 60, 30, I, build_one<fns>},
    {"dp4a", "u32|s32 u32|s32", "=b32 b32 b32 b32", 50, 61, I, build_dot},
    {"dp2a", "lo|hi u32|s32 u32|s32", "=b32 b32 b32 b32", 50, 61, I, build_dot},
};
#undef ALL

}  // namespace

std::span<const Form> integer_forms() { return kForms; }

}  // namespace tine::emulator::detail
