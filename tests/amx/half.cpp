#include "half.hpp"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace tine::amx {
namespace {

#define TINE_F16C __attribute__((target("f16c")))

template <class T>
T lane(const Vector& v, int i) {
  T x;
  std::memcpy(&x, v.data() + static_cast<std::size_t>(i) * sizeof x, sizeof x);
  return x;
}
template <class T>
void set_lane(Vector& v, int i, T x) {
  std::memcpy(v.data() + static_cast<std::size_t>(i) * sizeof x, &x, sizeof x);
}
struct F16 {
  uint16_t bits;
};
// F16C converts as these instructions do, subnormals and NaN included.
TINE_F16C float widen(F16 h) { return _cvtsh_ss(h.bits); }
TINE_F16C F16 narrow(float f) { return {_cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT)}; }

// Elements have their values in f64; but for whole numbers so large that each is infinity as f16.
template <class T>
double number(T v) {
  if constexpr (std::is_same_v<T, F16>)
    return widen(v);
  else
    return static_cast<double>(v);
}
template <class T>
T rounded(double v) {
  if constexpr (!std::is_same_v<T, F16>) {
    return static_cast<T>(v);
  } else {
    // Rounded to odd first, so that the second rounding sees on which side the value lies.
    const auto f = static_cast<float>(v);
    auto bits = std::bit_cast<uint32_t>(f);
    if (number(f) != v && !std::isnan(v)) bits = (bits - (std::fabs(number(f)) > std::fabs(v))) | 1;
    return narrow(std::bit_cast<float>(bits));
  }
}

// f32 holds results of these on f16 closely enough that rounding twice is rounding once.
using Arithmetic = float (*)(float, float);
float add(float a, float b) { return a + b; }
float subtract(float a, float b) { return a - b; }
float multiply(float a, float b) { return a * b; }
float divide(float a, float b) { return a / b; }
// With NaN, and of two zeros, it is the second.
float least(float a, float b) { return a < b ? a : b; }
float greatest(float a, float b) { return a > b ? a : b; }

bool compare(float a, float b, int predicate) {
  // The upper sixteen predicates differ from the lower in exceptions alone; the upper eight of those negate, but for
  // NaN.
  const bool nan = std::isnan(a) || std::isnan(b);
  switch (predicate & 15) {
    case 0:
      return a == b;
    case 1:
      return a < b;
    case 2:
      return a <= b;
    case 3:
      return nan;
    case 4:
      return !(a == b);
    case 5:
      return !(a < b);
    case 6:
      return !(a <= b);
    case 7:
      return !nan;
    case 8:
      return nan || a == b;
    case 9:
      return !(a >= b);
    case 10:
      return !(a > b);
    case 11:
      return false;
    case 12:
      return !nan && a != b;
    case 13:
      return a >= b;
    case 14:
      return a > b;
    default:
      return true;
  }
}

// One instruction at work.
struct Half {
  const Instruction& in;
  const Registers& r;
  const int bytes = 16 << in.vector_length;

  bool active(int i) const { return !in.mask || r.mask(in.mask) >> i & 1; }

  /// The last operand: `width` bytes for each of `lanes`. In memory, lanes that the mask leaves out are not touched.
  Vector last(int lanes, int width) const {
    if (!in.in_memory) return r.vector(in.rm);
    Vector v{};
    const uint64_t from = r.address(in, in.broadcast ? width : lanes * width);
    for (int i = 0; i < lanes; ++i)
      if (active(i))
        std::memcpy(v.data() + i * width, reinterpret_cast<const uint8_t*>(from) + (in.broadcast ? 0 : i * width),
                    static_cast<std::size_t>(width));
    return v;
  }
  /// Writes lanes of a vector; those that the mask leaves out stay or are zeros, what is beyond them is zeros.
  template <class T, class F>
  void each(int lanes, F f) const {
    const Vector old = r.vector(in.reg);
    Vector out{};
    for (int i = 0; i < lanes; ++i) set_lane<T>(out, i, active(i) ? f(i) : in.zeroing ? T{} : lane<T>(old, i));
    r.set_vector(in.reg, out);
  }
  /// Writes the first lane, as `each`; the rest of 16 bytes comes from the second operand.
  template <class T, class F>
  void first(int to, F f) const {
    const Vector old = r.vector(to), rest = r.vector(in.vvvv);
    Vector out{};
    std::memcpy(out.data(), rest.data(), 16);
    set_lane<T>(out, 0, active(0) ? f() : in.zeroing ? T{} : lane<T>(old, 0));
    r.set_vector(to, out);
  }
  void store(uint16_t v) const { std::memcpy(reinterpret_cast<void*>(r.address(in, 2)), &v, sizeof v); }

  template <Arithmetic f>
  void packed() const {
    const int n = bytes / 2;
    const Vector a = r.vector(in.vvvv), b = last(n, 2);
    each<F16>(n, [&](int i) { return narrow(f(widen(lane<F16>(a, i)), widen(lane<F16>(b, i)))); });
  }
  template <Arithmetic f>
  void scalar() const {
    const Vector a = r.vector(in.vvvv), b = last(1, 2);
    first<F16>(in.reg, [&] { return narrow(f(widen(lane<F16>(a, 0)), widen(lane<F16>(b, 0)))); });
  }
  template <class From, class To>
  void convert() const {
    const int n = bytes / static_cast<int>(std::max(sizeof(From), sizeof(To)));
    const Vector a = last(n, sizeof(From));
    each<To>(n, [&](int i) { return rounded<To>(number(lane<From>(a, i))); });
  }
  template <class From, class To>
  void convert_first() const {
    const Vector a = last(1, sizeof(From));
    first<To>(in.reg, [&] { return rounded<To>(number(lane<From>(a, 0))); });
  }
  template <class From>
  void convert_general() const {
    From v;
    if (in.in_memory)
      std::memcpy(&v, reinterpret_cast<const void*>(r.address(in, sizeof v)), sizeof v);
    else
      v = static_cast<From>(r.general(in.rm));
    first<F16>(in.reg, [&] { return rounded<F16>(number(v)); });
  }
  void compare_lanes(int n) const {
    const Vector a = r.vector(in.vvvv), b = last(n, 2);
    uint64_t out = 0;
    for (int i = 0; i < n; ++i)
      out |= uint64_t{active(i) && compare(widen(lane<F16>(a, i)), widen(lane<F16>(b, i)), in.immediate)} << i;
    r.set_mask(in.reg & 7, out);
  }
  void vcmpph() const { compare_lanes(bytes / 2); }
  void vcmpsh() const { compare_lanes(1); }
  void vucomish() const {
    const Vector other = last(1, 2);
    const float a = widen(lane<F16>(r.vector(in.reg), 0)), b = widen(lane<F16>(other, 0));
    constexpr uint64_t carry = 1, parity = 4, adjust = 16, zero = 64, sign = 128, overflow = 2048;
    uint64_t flags = r.flags() & ~(carry | parity | adjust | zero | sign | overflow);
    if (std::isnan(a) || std::isnan(b))
      flags |= carry | parity | zero;
    else if (a < b)
      flags |= carry;
    else if (a == b)
      flags |= zero;
    r.flags() = flags;
  }
  void vmovw_load() const {
    Vector out{};
    set_lane(out, 0, in.in_memory ? lane<uint16_t>(last(1, 2), 0) : static_cast<uint16_t>(r.general(in.rm)));
    r.set_vector(in.reg, out);
  }
  void vmovw_store() const {
    const auto v = lane<uint16_t>(r.vector(in.reg), 0);
    if (in.in_memory)
      store(v);
    else
      r.general(in.rm) = v;
  }
  void vmovsh_load() const {
    if (!in.in_memory) return first<uint16_t>(in.reg, [&] { return lane<uint16_t>(r.vector(in.rm), 0); });
    const Vector a = last(1, 2);
    each<uint16_t>(1, [&](int) { return lane<uint16_t>(a, 0); });
  }
  void vmovsh_store() const {
    const auto v = lane<uint16_t>(r.vector(in.reg), 0);
    if (!in.in_memory) return first<uint16_t>(in.rm, [&] { return v; });
    if (active(0)) store(v);
  }
};

struct Row {
  Instruction::Prefix prefix;
  int map, opcode;
  enum { w0, w1, any_w } w;
  bool scalar;
  void (Half::*work)() const;
};
using enum Instruction::Prefix;
constexpr Row rows[] = {
    {np, 5, 0x58, Row::w0, false, &Half::packed<add>},
    {np, 5, 0x59, Row::w0, false, &Half::packed<multiply>},
    {np, 5, 0x5c, Row::w0, false, &Half::packed<subtract>},
    {np, 5, 0x5d, Row::w0, false, &Half::packed<least>},
    {np, 5, 0x5e, Row::w0, false, &Half::packed<divide>},
    {np, 5, 0x5f, Row::w0, false, &Half::packed<greatest>},
    {pf3, 5, 0x58, Row::w0, true, &Half::scalar<add>},
    {pf3, 5, 0x59, Row::w0, true, &Half::scalar<multiply>},
    {pf3, 5, 0x5c, Row::w0, true, &Half::scalar<subtract>},
    {pf3, 5, 0x5d, Row::w0, true, &Half::scalar<least>},
    {pf3, 5, 0x5e, Row::w0, true, &Half::scalar<divide>},
    {pf3, 5, 0x5f, Row::w0, true, &Half::scalar<greatest>},
    {np, 3, 0xc2, Row::w0, false, &Half::vcmpph},
    {pf3, 3, 0xc2, Row::w0, true, &Half::vcmpsh},
    {np, 5, 0x2e, Row::w0, true, &Half::vucomish},
    {p66, 6, 0x13, Row::w0, false, &Half::convert<F16, float>},        // vcvtph2psx
    {p66, 5, 0x1d, Row::w0, false, &Half::convert<float, F16>},        // vcvtps2phx
    {np, 5, 0x5a, Row::w0, false, &Half::convert<F16, double>},        // vcvtph2pd
    {p66, 5, 0x5a, Row::w1, false, &Half::convert<double, F16>},       // vcvtpd2ph
    {pf3, 5, 0x7d, Row::w0, false, &Half::convert<int16_t, F16>},      // vcvtw2ph
    {pf2, 5, 0x7d, Row::w0, false, &Half::convert<uint16_t, F16>},     // vcvtuw2ph
    {np, 5, 0x5b, Row::w0, false, &Half::convert<int32_t, F16>},       // vcvtdq2ph
    {pf2, 5, 0x7a, Row::w0, false, &Half::convert<uint32_t, F16>},     // vcvtudq2ph
    {np, 6, 0x13, Row::w0, true, &Half::convert_first<F16, float>},    // vcvtsh2ss
    {np, 5, 0x1d, Row::w0, true, &Half::convert_first<float, F16>},    // vcvtss2sh
    {pf3, 5, 0x5a, Row::w0, true, &Half::convert_first<F16, double>},  // vcvtsh2sd
    {pf2, 5, 0x5a, Row::w1, true, &Half::convert_first<double, F16>},  // vcvtsd2sh
    {pf3, 5, 0x2a, Row::w0, true, &Half::convert_general<int32_t>},    // vcvtsi2sh
    {pf3, 5, 0x2a, Row::w1, true, &Half::convert_general<int64_t>},
    {pf3, 5, 0x7b, Row::w0, true, &Half::convert_general<uint32_t>},  // vcvtusi2sh
    {pf3, 5, 0x7b, Row::w1, true, &Half::convert_general<uint64_t>},
    {p66, 5, 0x6e, Row::any_w, true, &Half::vmovw_load},
    {p66, 5, 0x7e, Row::any_w, true, &Half::vmovw_store},
    {pf3, 5, 0x10, Row::w0, true, &Half::vmovsh_load},
    {pf3, 5, 0x11, Row::w0, true, &Half::vmovsh_store},
};

}  // namespace

Done execute_half(const Instruction& in, const Registers& r, const char*& why) {
  if (in.encoding != Instruction::evex) return Done::other;
  const auto row = std::ranges::find_if(rows, [&](const Row& x) {
    return x.prefix == in.prefix && x.map == in.map && x.opcode == in.opcode &&
           (x.w == Row::any_w || (x.w == Row::w1) == in.wide);
  });
  const bool known = row != std::end(rows);
  if (!known && in.map != 5 && in.map != 6) return Done::other;
  constexpr uint32_t rounding = 3u << 13;
  if (!known)
    why = "perhaps of AVX512-FP16, but not among those that are emulated";
  else if (!r.has_vectors())
    why = "the signal's frame has no AVX-512 registers";
  else if (in.broadcast && (row->scalar || !in.in_memory))
    why = "a rounding of its own, which is not emulated";
  else if (in.vector_length == 3)
    why = "#UD: a vector length that there is not";
  else if (r.mxcsr() & rounding)
    why = "rounding not to nearest, which is not emulated";
  else
    return (Half{in, r}.*row->work)(), Done::yes;
  return Done::no;
}

}  // namespace tine::amx
