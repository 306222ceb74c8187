// f32 and f64 arithmetic. Results are rounded once, in the mode asked for; f32 NaN results are the canonical 0x7FFFFFFF.
#include <cmath>
#include <limits>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

enum : std::uint16_t { kFtz = 1, kSat = 2, kNan = 4, kXorSign = 8, kRoundShift = 8 };  // flags: bits 8..10 hold the rounding mode

std::uint16_t flags_of(const Match& m) {
  std::uint16_t f = 0;
  if (m.has("ftz")) f |= kFtz;
  if (m.has("sat")) f |= kSat;
  if (m.has("NaN")) f |= kNan;
  if (m.has("xorsign")) f |= kXorSign;
  const std::string_view r = m.first_of({"rn", "rz", "rm", "rp"});
  return static_cast<std::uint16_t>(f | (static_cast<unsigned>(round_from(r)) << kRoundShift));
}
Round round_of(const Exec& x, const Instr& in) { return x.fault == Fault::round_mode_ignored ? Round::nearest : static_cast<Round>(in.flags >> kRoundShift); }

void set3(Builder& b, Instr& in, const Match& m) {
  in.d = b.ref(0);
  in.a = b.ref(1);
  if (b.operand_count() > 2) in.b = b.ref(2);
  if (b.operand_count() > 3) in.c = b.ref(3);
  in.flags = flags_of(m);
}

template <class T> T saturated(T v) { return v != v ? T{0} : v < T{0} ? T{0} : v > T{1} ? T{1} : v == T{0} ? T{0} : v; }
template <class T> T flushed(T v) {
  if constexpr (std::is_same_v<T, float>) return flush(v);
  return v;
}

struct Add { template <class T> static T run(T a, T b) { return a + b; } };
struct Sub { template <class T> static T run(T a, T b) { return a - b; } };
struct Mul { template <class T> static T run(T a, T b) { return a * b; } };
struct Div { template <class T> static T run(T a, T b) { return a / b; } };

// The usual path: rounding to nearest without modifiers is the host's own arithmetic and vectorises; all others go through the general loop.
template <class T, class F> void arith2(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored, sat = (in.flags & kSat) != 0;
  const Round r = round_of(x, in);
  if (r == Round::nearest && !ftz && !sat) {
    each(mask, [&](int l) { d[l] = put<T>(canonical(F::run(get<T>(a[l]), get<T>(b[l])))); });
    return;
  }
  const RoundGuard guard(r);
  each(mask, [&](int l) {
    T u = get<T>(a[l]), v = get<T>(b[l]);
    if (ftz) {
      u = flushed(u);
      v = flushed(v);
    }
    T w = F::run(u, v);
    if (ftz) w = flushed(w);
    if (sat) w = saturated(w);
    d[l] = put<T>(canonical(w));
  });
}

// The host's own fma over all lanes, where it has one: a call of the C library's for every lane is several times slower.
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void fma_lanes(std::uint64_t* d, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c) {
  for (int l = 0; l < 32; ++l) {
    const float r = __builtin_fmaf(get<float>(a[l]), get<float>(b[l]), get<float>(c[l]));
    d[l] = put<float>(canonical(r));
  }
}
bool host_fma() {
  static const bool has = __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
void fma_lanes(std::uint64_t*, const std::uint64_t*, const std::uint64_t*, const std::uint64_t*) {}
bool host_fma() { return false; }
#endif

template <class T> void fma3(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored, sat = (in.flags & kSat) != 0, unfused = x.fault == Fault::unfused_fma;
  const Round r = round_of(x, in);
  if constexpr (std::is_same_v<T, float>)
    if (r == Round::nearest && !ftz && !sat && !unfused && mask == kFull && host_fma()) return fma_lanes(d, a, b, c);
  const RoundGuard guard(r);
  each(mask, [&](int l) {
    T u = get<T>(a[l]), v = get<T>(b[l]), w = get<T>(c[l]);
    if (ftz) {
      u = flushed(u);
      v = flushed(v);
      w = flushed(w);
    }
    T result{};
    if (unfused) {
      const volatile T product = u * v;
      result = product + w;
    } else
      result = std::fma(u, v, w);
    if (ftz) result = flushed(result);
    if (sat) result = saturated(result);
    d[l] = put<T>(canonical(result));
  });
}

template <class T, class F> void arith1(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  const RoundGuard guard(round_of(x, in));
  each(mask, [&](int l) {
    T u = get<T>(a[l]);
    if (ftz) u = flushed(u);
    T w = F::run(u);
    if (ftz) w = flushed(w);
    d[l] = put<T>(canonical(w));
  });
}
struct Rcp { template <class T> static T run(T a) { return T{1} / a; } };
struct Sqrt { template <class T> static T run(T a) { return std::sqrt(a); } };
// The approximations are more exact here than the document promises (2^-22 and the like): computed in double, rounded once.
struct Rsqrt { static float run(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); } static double run(double a) { return 1.0 / std::sqrt(a); } };
struct Sin { static float run(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); } };
struct Cos { static float run(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); } };
struct Lg2 { static float run(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); } };
struct Ex2 { static float run(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); } };
struct Tanh { static float run(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); } };
// The f64 approximations keep the top 20 bits of the mantissa only; the low word of the result is zero.
double high_word(double v) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) & 0xFFFFFFFF00000000ull); }
double flush64(double v) { return (std::bit_cast<std::uint64_t>(v) & 0x7FF0000000000000ull) == 0 ? std::copysign(0.0, v) : v; }
struct RcpApprox64 { static double run(double a) { return high_word(flush64(1.0 / flush64(high_word(a)))); } };
struct RsqrtApprox64 { static double run(double a) { return high_word(1.0 / std::sqrt(flush64(high_word(a)))); } };

template <class T> void abs1(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  each(mask, [&](int l) {
    const T u = ftz ? flushed(get<T>(a[l])) : get<T>(a[l]);
    d[l] = put<T>(std::fabs(u));
  });
}
template <class T> void neg1(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored;
  each(mask, [&](int l) { d[l] = put<T>(ftz ? flushed(get<T>(a[l])) : get<T>(a[l])) ^ (std::uint64_t{1} << (8 * sizeof(T) - 1)); });
}

// NaN loses against a number unless .NaN is given; -0 is less than +0.
template <class T, bool max> T pick(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) == max ? b : a;
  return (a < b) == max ? b : a;
}
template <class T, bool max> void minmax(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  const bool ftz = (in.flags & kFtz) != 0 && x.fault != Fault::ftz_ignored, nan = (in.flags & kNan) != 0 || x.fault == Fault::min_max_propagate_nan;
  each(mask, [&](int l) {
    T u = get<T>(a[l]), v = get<T>(b[l]);
    if (ftz) {
      u = flushed(u);
      v = flushed(v);
    }
    const bool sign = std::signbit(u) != std::signbit(v);
    if ((in.flags & kXorSign) != 0) {
      u = std::fabs(u);
      v = std::fabs(v);
    }
    T r = nan && (u != u || v != v) ? std::numeric_limits<T>::quiet_NaN() : pick<T, max>(u, v);
    if ((in.flags & kXorSign) != 0 && r == r) r = std::copysign(r, sign ? T{-1} : T{1});
    d[l] = put<T>(canonical(r));
  });
}

template <class T> void copysign2(Exec& x, const Instr& in, std::uint32_t mask) {  // the sign of a on b
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b);
  each(mask, [&](int l) { d[l] = put<T>(std::copysign(get<T>(b[l]), get<T>(a[l]))); });
}

enum : std::uint16_t { kFinite, kInfinite, kNumber, kNotanumber, kNormal, kSubnormal };
template <class T> void testp(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* a = x.slot(in.a);
  std::uint32_t r = 0;
  each(mask, [&](int l) {
    const T v = get<T>(a[l]);
    bool t = false;
    switch (in.flags) {
      case kFinite: t = std::isfinite(v); break;
      case kInfinite: t = std::isinf(v); break;
      case kNumber: t = v == v; break;
      case kNotanumber: t = v != v; break;
      case kNormal: t = std::isnormal(v); break;
      default: t = std::fpclassify(v) == FP_SUBNORMAL; break;
    }
    if (t) r |= 1u << l;
  });
  x.set_pred(in.p, r, mask);
}
void build_testp(Builder& b, const Match& m) {
  Instr& in = b.emit(m, m.type(0) == Type::f64 ? testp<double> : testp<float>);
  in.p = b.op(0).pred;
  in.a = b.ref(1);
  in.flags = m.has("finite") ? kFinite : m.has("infinite") ? kInfinite : m.has("number") ? kNumber : m.has("notanumber") ? kNotanumber : m.has("normal") ? kNormal : kSubnormal;
}

template <Handler f32, Handler f64> void build(Builder& b, const Match& m) { set3(b, b.emit(m, m.type(0) == Type::f64 ? f64 : f32), m); }
template <Handler h> void build_one(Builder& b, const Match& m) { set3(b, b.emit(m, h), m); }

constexpr InstrClass F = InstrClass::floating;
#define RND "rn|rz|rm|rp"
const Form kForms[] = {
    {"add", RND "? ftz? sat? f32", "=0 0 0", 10, 0, F, build_one<arith2<float, Add>>},
    {"sub", RND "? ftz? sat? f32", "=0 0 0", 10, 0, F, build_one<arith2<float, Sub>>},
    {"mul", RND "? ftz? sat? f32", "=0 0 0", 10, 0, F, build_one<arith2<float, Mul>>},
    {"add", RND "? f64", "=0 0 0", 10, 0, F, build_one<arith2<double, Add>>},
    {"sub", RND "? f64", "=0 0 0", 10, 0, F, build_one<arith2<double, Sub>>},
    {"mul", RND "? f64", "=0 0 0", 10, 0, F, build_one<arith2<double, Mul>>},
    {"fma", RND " ftz? sat? f32", "=0 0 0 0", 20, 20, F, build_one<fma3<float>>},
    {"fma", RND " f64", "=0 0 0 0", 14, 0, F, build_one<fma3<double>>},
    {"mad", RND " ftz? sat? f32", "=0 0 0 0", 20, 20, F, build_one<fma3<float>>},
    {"mad", RND " f64", "=0 0 0 0", 14, 0, F, build_one<fma3<double>>},
    {"div", "approx|full ftz? f32", "=0 0 0", 14, 0, F, build_one<arith2<float, Div>>},
    {"div", RND " ftz? f32", "=0 0 0", 14, 20, F, build_one<arith2<float, Div>>},
    {"div", RND " f64", "=0 0 0", 14, 0, F, build_one<arith2<double, Div>>},
    {"rcp", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Rcp>>},
    {"rcp", RND " ftz? f32", "=0 0", 14, 20, F, build_one<arith1<float, Rcp>>},
    {"rcp", RND " f64", "=0 0", 14, 0, F, build_one<arith1<double, Rcp>>},
    {"rcp", "approx ftz f64", "=0 0", 21, 20, F, build_one<arith1<double, RcpApprox64>>},
    {"sqrt", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Sqrt>>},
    {"sqrt", RND " ftz? f32", "=0 0", 14, 20, F, build_one<arith1<float, Sqrt>>},
    {"sqrt", RND " f64", "=0 0", 14, 0, F, build_one<arith1<double, Sqrt>>},
    {"rsqrt", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Rsqrt>>},
    {"rsqrt", "approx f64", "=0 0", 14, 0, F, build_one<arith1<double, Rsqrt>>},
    {"rsqrt", "approx ftz f64", "=0 0", 40, 20, F, build_one<arith1<double, RsqrtApprox64>>},
    {"sin", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Sin>>},
    {"cos", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Cos>>},
    {"lg2", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Lg2>>},
    {"ex2", "approx ftz? f32", "=0 0", 14, 0, F, build_one<arith1<float, Ex2>>},
    {"tanh", "approx f32", "=0 0", 70, 75, F, build_one<arith1<float, Tanh>>},
    {"abs", "ftz? f32", "=0 0", 10, 0, F, build_one<abs1<float>>},
    {"abs", "f64", "=0 0", 10, 0, F, build_one<abs1<double>>},
    {"neg", "ftz? f32", "=0 0", 10, 0, F, build_one<neg1<float>>},
    {"neg", "f64", "=0 0", 10, 0, F, build_one<neg1<double>>},
    {"min", "ftz? f32", "=0 0 0", 10, 0, F, build_one<minmax<float, false>>},
    {"max", "ftz? f32", "=0 0 0", 10, 0, F, build_one<minmax<float, true>>},
    {"min", "ftz? NaN f32", "=0 0 0", 70, 80, F, build_one<minmax<float, false>>},
    {"max", "ftz? NaN f32", "=0 0 0", 70, 80, F, build_one<minmax<float, true>>},
    {"min", "ftz? NaN? xorsign.abs f32", "=0 0 0", 72, 86, F, build_one<minmax<float, false>>},
    {"max", "ftz? NaN? xorsign.abs f32", "=0 0 0", 72, 86, F, build_one<minmax<float, true>>},
    {"min", "f64", "=0 0 0", 10, 0, F, build_one<minmax<double, false>>},
    {"max", "f64", "=0 0 0", 10, 0, F, build_one<minmax<double, true>>},
    {"copysign", "f32|f64", "=0 0 0", 20, 20, F, build<copysign2<float>, copysign2<double>>},
    {"testp", "finite|infinite|number|notanumber|normal|subnormal f32|f64", "=p 0", 20, 20, F, build_testp},
};
#undef RND

}  // namespace

std::span<const Form> float_forms() { return kForms; }

}  // namespace tine::emulator::detail
