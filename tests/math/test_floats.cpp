// Float operators, comparisons, classes, minima, roundings, remainders: bit for bit (any NaN equals any NaN).
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
bool gives_bool(Op op) {
  return (op >= Op::eq && op <= Op::lor) || op == Op::lnot || (op >= Op::isnan && op <= Op::signbit);
}

template <class T>
T python_mod(T x, T y) {
  T r = std::fmod(x, y);
  if (r != 0 && (r < 0) != (y < 0)) return r + y;
  return r == 0 ? std::copysign(T(0), y) : r;
}
/// NumPy's floor_divide.
template <class T>
T python_div(T x, T y) {
  if (y == 0) return x / y;
  const T r = python_mod(x, y);
  const T d = x - r;
  const T q = std::nearbyint(d / y);
  return q == 0 ? std::copysign(T(0), x / y) : q;
}

/// In float or double; f16 and bf16 come here as float, and their result is rounded once more.
template <class T>
T reference(Op op, T x, T y, T z) {
  switch (op) {
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return x * y;
    case Op::div:
      return x / y;
    case Op::mod:
      return std::fmod(x, y);
    case Op::floormod:
      return python_mod(x, y);
    case Op::floordiv:
      return python_div(x, y);
    case Op::cdiv:
      return -python_div(-x, y);
    case Op::min:
      return std::isnan(x) || std::isnan(y) ? T(NAN) : x < y ? x : y;
    case Op::max:
      return std::isnan(x) || std::isnan(y) ? T(NAN) : x > y ? x : y;
    case Op::fmin:
      return std::fmin(x, y);
    case Op::fmax:
      return std::fmax(x, y);
    case Op::copysign:
      return std::copysign(x, y);
    case Op::neg:
      return -x;
    case Op::abs:
      return std::fabs(x);
    case Op::floor:
      return std::floor(x);
    case Op::ceil:
      return std::ceil(x);
    case Op::round:
      return std::nearbyint(x);
    case Op::trunc:
      return std::trunc(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::fma:
      return std::fma(x, y, z);
    case Op::clamp: {
      const T low = reference(Op::max, x, y, z);
      return reference(Op::min, low, z, z);
    }
    case Op::eq:
      return x == y;
    case Op::ne:
      return x != y;
    case Op::lt:
      return x < y;
    case Op::le:
      return x <= y;
    case Op::gt:
      return x > y;
    case Op::ge:
      return x >= y;
    case Op::land:
      return x != 0 && y != 0;
    case Op::lor:
      return x != 0 || y != 0;
    case Op::lnot:
      return !(x != 0);
    case Op::isnan:
      return std::isnan(x);
    case Op::isinf:
      return std::isinf(x);
    case Op::isfinite:
      return std::isfinite(x);
    case Op::signbit:
      return std::signbit(x);
    default:
      FAIL("no reference");
      return 0;
  }
}

Bits expected(Op op, DType t, Bits x, Bits y, Bits z) {
  if (t == DType::f64) {
    const double r =
        reference<double>(op, std::bit_cast<double>(x), std::bit_cast<double>(y), std::bit_cast<double>(z));
    return gives_bool(op) ? Bits(r) : std::bit_cast<Bits>(r);
  }
  const float r = reference<float>(op, float(decode(t, x)), float(decode(t, y)), float(decode(t, z)));
  return gives_bool(op) ? Bits(r) : encode_float(t, r);
}

/// Which of the zeros comes back is not said for these.
bool zero_sign_open(Op op) {
  return op == Op::min || op == Op::max || op == Op::fmin || op == Op::fmax || op == Op::clamp;
}

void check(Op op, DType t, int width, const std::string& cpu, bool fuse = false) {
  Spec s;
  s.op = op;
  s.in = t;
  s.out = gives_bool(op) ? DType::b1 : t;
  s.operands = arity(op);
  s.width = width;
  s.cpu = cpu;
  s.fuse = fuse;
  const Function f = compile(s);
  const auto in = inputs(t, 40000), e = edges(t);
  std::mt19937_64 g(5);
  std::vector<Bits> x, y, z;
  auto push = [&](Bits a, Bits b, Bits c) { x.push_back(a), y.push_back(b), z.push_back(c); };
  if (s.operands == 1) {
    for (Bits a : in) push(a, 0, 0);
  } else {
    for (Bits a : e)
      for (Bits b : e) push(a, b, e[g() % e.size()]);
    for (size_t k = 0; k < 100000; ++k)
      push(in[g() % in.size()], k % 3 ? in[g() % in.size()] : e[g() % e.size()], in[g() % in.size()]);
    const int bits = 8 * graph::bytes(t);
    const Bits largest = encode_float(t, HUGE_VALL) - 1, random = (Bits{1} << (bits / 2)) - 1;
    for (size_t k = 0; k < 2000; ++k)
      push(largest - (g() & random), 1 + (g() & random) % 4093, 0);  // the largest by the smallest
    for (size_t k = 0; k < 20000; ++k) {                             // operands of like size
      const Bits a = in[g() % in.size()];
      push(a, a ^ (g() & 0xff), a ^ (g() & 0x1ff));
    }
  }
  const Array ax(t, x), ay(t, y), az(t, z);
  Array r(s.out, x.size());
  f.run(x.size(), r.bytes.data(), ax.bytes.data(), ay.bytes.data(), az.bytes.data());
  size_t bad = 0;
  for (size_t k = 0; k < x.size() && bad < 5; ++k) {
    const Bits want = expected(op, t, x[k], y[k], z[k]), got = r.get(k);
    if (got == want || (is_nan(s.out, got) && is_nan(s.out, want))) continue;
    if (zero_sign_open(op) && decode(t, got) == 0 && decode(t, want) == 0) continue;
    ++bad;
    FAIL_CHECK(name_of(op) << " of " << show(t, x[k]) << ", " << show(t, y[k]) << ", " << show(t, z[k]) << " gives "
                           << show(s.out, got) << ", not " << show(s.out, want) << " (width " << width << ", cpu "
                           << cpu << ")");
  }
  CHECK(bad == 0);
}
const DType floats[] = {DType::f16, DType::bf16, DType::f32, DType::f64};
}  // namespace

TEST_CASE("float operators round once; comparisons, minima and classes treat NaN as the language says") {
  for (DType t : floats)
    for (Op op :
         {Op::add,   Op::sub,  Op::mul,  Op::div,      Op::mod,   Op::floordiv, Op::floormod, Op::cdiv,   Op::min,
          Op::max,   Op::fmin, Op::fmax, Op::copysign, Op::neg,   Op::abs,      Op::floor,    Op::ceil,   Op::round,
          Op::trunc, Op::sqrt, Op::fma,  Op::clamp,    Op::eq,    Op::ne,       Op::lt,       Op::le,     Op::gt,
          Op::ge,    Op::land, Op::lor,  Op::lnot,     Op::isnan, Op::isinf,    Op::isfinite, Op::signbit}) {
      check(op, t, 16, "x86-64-v4");
      check(op, t, 8, "haswell", true);
      check(op, t, 4, "");
      check(op, t, 1, "");
    }
}

TEST_CASE("where and bitcast") {
  for (DType t : all_types())
    for (int width : {1, 4, 8, 16}) {
      Spec s;
      s.op = Op::where;
      s.in = s.out = t;
      s.operands = 3;
      s.width = width;
      const auto e = edges(t);
      std::vector<Bits> c, x, y;
      for (Bits a : e)
        for (Bits b : e) c.push_back((a ^ b) & 1), x.push_back(a), y.push_back(b);
      const Array ac(DType::b1, c), ax(t, x), ay(t, y);
      Array r(t, c.size());
      compile(s).run(c.size(), r.bytes.data(), ac.bytes.data(), ax.bytes.data(), ay.bytes.data());
      size_t bad = 0;
      for (size_t k = 0; k < c.size(); ++k) bad += r.get(k) != (c[k] ? x[k] : y[k]);
      CHECK(bad == 0);
    }
  for (DType from : all_types())
    for (DType to : all_types()) {
      if (graph::bytes(from) != graph::bytes(to) || (from == DType::b1) != (to == DType::b1)) continue;
      for (int width : {1, 16}) {
        Spec s;
        s.op = Op::bitcast;
        s.in = from;
        s.out = to;
        s.width = width;
        const Array x(from, edges(from));
        Array r(to, x.size());
        compile(s).run(x.size(), r.bytes.data(), x.bytes.data());
        CHECK(r.bytes == x.bytes);
      }
    }
}
