// f16, bf16 and their pairs. Every result is the exact one rounded once: sums and products are formed in double, rounded to odd.
#include <cmath>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

enum : std::uint16_t { kFtz = 1, kSat = 2, kRelu = 4, kNan = 8, kXorSign = 16, kPair = 32, kBf = 64 };

struct Lane16 {
  const Format& format;
  bool bf, ftz, sat, relu;
  double in(std::uint16_t v) const {
    if (ftz && (v & (bf ? 0x7F80 : 0x7C00)) == 0) v &= 0x8000;
    return static_cast<double>(bf ? bf16_to_float(v) : half_to_float(v));
  }
  std::uint16_t out(double v) const {
    auto r = static_cast<std::uint16_t>(from_double(format, v));
    if (ftz && (r & (bf ? 0x7F80 : 0x7C00)) == 0) r &= 0x8000;
    const bool nan = v != v;
    if (sat) {
      if (nan || (r & 0x8000) != 0)
        r = 0;
      else if (const auto one = static_cast<std::uint16_t>(bf ? 0x3F80 : 0x3C00); r > one)
        r = one;
    }
    if (relu && !nan && (r & 0x8000) != 0) r = 0;
    return r;
  }
};
Lane16 lane16(const Exec& x, const Instr& in) {
  const bool bf = (in.flags & kBf) != 0;
  return {bf ? kBf16 : kF16, bf, (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored, (in.flags & kSat) != 0, (in.flags & kRelu) != 0};
}

// f works on the 16 bits of each half: f(a, b, c) -> 16 bits.
template <class F> void halves(Exec& x, const Instr& in, std::uint32_t mask, F&& f) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  if ((in.flags & kPair) == 0)
    each(mask, [&](int l) { d[l] = f(static_cast<std::uint16_t>(a[l]), static_cast<std::uint16_t>(b[l]), static_cast<std::uint16_t>(c[l])); });
  else
    each(mask, [&](int l) {
      const std::uint32_t low = f(static_cast<std::uint16_t>(a[l]), static_cast<std::uint16_t>(b[l]), static_cast<std::uint16_t>(c[l]));
      const std::uint32_t high = f(static_cast<std::uint16_t>(a[l] >> 16), static_cast<std::uint16_t>(b[l] >> 16), static_cast<std::uint16_t>(c[l] >> 16));
      d[l] = low | (high << 16);
    });
}

enum Op { kAdd, kSub, kMul };
template <Op op> void arith(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t b, std::uint16_t) {
    const double u = n.in(a), v = n.in(b);
    return n.out(op == kAdd ? add_odd(u, v) : op == kSub ? add_odd(u, -v) : u * v);
  });
}
void fma(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  const bool twice = x.fault == Fault::half_rounded_twice, unfused = x.fault == Fault::unfused_fma;
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    double r = fma_odd(n.in(a), n.in(b), n.in(c));
    if (twice) r = static_cast<double>(static_cast<float>(n.in(a) * n.in(b) + n.in(c)));
    if (unfused) r = n.in(n.out(n.in(a) * n.in(b))) + n.in(c);
    return n.out(r);
  });
}
void neg(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t, std::uint16_t) {
    if (n.ftz && (a & 0x7C00) == 0) a &= 0x8000;
    return static_cast<std::uint16_t>(a ^ 0x8000);
  });
}
void abs(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t, std::uint16_t) {
    if (n.ftz && (a & 0x7C00) == 0) a &= 0x8000;
    return static_cast<std::uint16_t>(a & 0x7FFF);
  });
}
template <bool max> void minmax(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  const bool nan = (in.flags & kNan) != 0 || x.fault == Fault::min_max_propagate_nan;
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t b, std::uint16_t) -> std::uint16_t {
    const bool sign = ((a ^ b) & 0x8000) != 0;
    if ((in.flags & kXorSign) != 0) {
      a &= 0x7FFF;
      b &= 0x7FFF;
    }
    const double u = n.in(a), v = n.in(b);
    if (n.ftz && u == 0) a &= 0x8000;
    if (n.ftz && v == 0) b &= 0x8000;
    std::uint16_t r = 0;
    if (u != u || v != v) {
      if (nan || (u != u && v != v)) return 0x7FFF;
      r = u != u ? b : a;
    } else if (u == v)
      r = ((a & 0x8000) != 0) == max ? b : a;
    else
      r = (u < v) == max ? b : a;
    if ((in.flags & kXorSign) != 0) r = static_cast<std::uint16_t>((r & 0x7FFF) | (sign ? 0x8000 : 0));
    return r;
  });
}
template <class F> void approx(Exec& x, const Instr& in, std::uint32_t mask) {
  const Lane16 n = lane16(x, in);
  halves(x, in, mask, [&](std::uint16_t a, std::uint16_t, std::uint16_t) { return n.out(F::run(n.in(a))); });
}
struct Tanh { static double run(double v) { return std::tanh(v); } };
struct Ex2 { static double run(double v) { return std::exp2(v); } };

template <Handler h> void build(Builder& b, const Match& m) {
  Instr& in = b.emit(m, h);
  in.d = b.ref(0);
  in.a = in.b = in.c = b.ref(1);
  if (b.operand_count() > 2) in.b = b.ref(2);
  if (b.operand_count() > 3) in.c = b.ref(3);
  const Type t = m.type(0);
  in.flags = static_cast<std::uint16_t>((m.has("ftz") ? kFtz : 0) | (m.has("sat") ? kSat : 0) | (m.has("relu") ? kRelu : 0) | (m.has("NaN") ? kNan : 0) | (m.has("xorsign") ? kXorSign : 0) |
                                        (t == Type::f16x2 || t == Type::bf16x2 ? kPair : 0) | (t == Type::bf16 || t == Type::bf16x2 ? kBf : 0));
}

constexpr InstrClass H = InstrClass::half;
const Form kForms[] = {
    {"add", "rn? ftz? sat? f16|f16x2", "=0 0 0", 42, 53, H, build<arith<kAdd>>},
    {"sub", "rn? ftz? sat? f16|f16x2", "=0 0 0", 42, 53, H, build<arith<kSub>>},
    {"mul", "rn? ftz? sat? f16|f16x2", "=0 0 0", 42, 53, H, build<arith<kMul>>},
    {"add", "rn? bf16|bf16x2", "=0 0 0", 78, 90, H, build<arith<kAdd>>},
    {"sub", "rn? bf16|bf16x2", "=0 0 0", 78, 90, H, build<arith<kSub>>},
    {"mul", "rn? bf16|bf16x2", "=0 0 0", 78, 90, H, build<arith<kMul>>},
    {"fma", "rn ftz? sat? f16|f16x2", "=0 0 0 0", 42, 53, H, build<fma>},
    {"fma", "rn ftz? relu f16|f16x2", "=0 0 0 0", 70, 80, H, build<fma>},
    {"fma", "rn relu? bf16|bf16x2", "=0 0 0 0", 70, 80, H, build<fma>},
    {"neg", "ftz? f16|f16x2", "=0 0", 60, 53, H, build<neg>},
    {"neg", "bf16|bf16x2", "=0 0", 70, 80, H, build<neg>},
    {"abs", "ftz? f16|f16x2", "=0 0", 65, 53, H, build<abs>},
    {"abs", "bf16|bf16x2", "=0 0", 70, 80, H, build<abs>},
    {"min", "ftz? NaN? f16|f16x2", "=0 0 0", 70, 80, H, build<minmax<false>>},
    {"max", "ftz? NaN? f16|f16x2", "=0 0 0", 70, 80, H, build<minmax<true>>},
    {"min", "NaN? bf16|bf16x2", "=0 0 0", 70, 80, H, build<minmax<false>>},
    {"max", "NaN? bf16|bf16x2", "=0 0 0", 70, 80, H, build<minmax<true>>},
    {"min", "ftz? NaN? xorsign.abs f16|f16x2", "=0 0 0", 72, 86, H, build<minmax<false>>},
    {"max", "ftz? NaN? xorsign.abs f16|f16x2", "=0 0 0", 72, 86, H, build<minmax<true>>},
    {"min", "NaN? xorsign.abs bf16|bf16x2", "=0 0 0", 72, 86, H, build<minmax<false>>},
    {"max", "NaN? xorsign.abs bf16|bf16x2", "=0 0 0", 72, 86, H, build<minmax<true>>},
    {"tanh", "approx f16|f16x2", "=0 0", 70, 75, H, build<approx<Tanh>>},
    {"tanh", "approx bf16|bf16x2", "=0 0", 78, 90, H, build<approx<Tanh>>},
    {"ex2", "approx f16|f16x2", "=0 0", 70, 75, H, build<approx<Ex2>>},
    {"ex2", "approx ftz bf16|bf16x2", "=0 0", 78, 90, H, build<approx<Ex2>>},
};

}  // namespace

std::span<const Form> half_forms() { return kForms; }

}  // namespace tine::emulator::detail
