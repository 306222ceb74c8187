// Integer operations against plain C: all pairs of 8-bit values, edges and random pairs of the wider types.
#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;
using wide = __int128;

namespace {
wide floor_div(wide x, wide y) {
  wide q = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

/// The exact result, before wrapping.
wide reference(Op op, DType t, wide x, wide y) {
  const int bits = 8 * graph::bytes(t);
  const wide all = (wide{1} << bits) - 1;
  const wide ux = x & all, uy = y & all;
  switch (op) {
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return wide(uint64_t(x) * uint64_t(y));  // mod 2^64
    case Op::div:
      return y == 0 ? 0 : x / y;
    case Op::mod:
      return y == 0 ? 0 : x % y;
    case Op::floordiv:
      return y == 0 ? 0 : floor_div(x, y);
    case Op::floormod:
      return y == 0 ? 0 : x - floor_div(x, y) * y;
    case Op::cdiv:
      return y == 0 ? 0 : -floor_div(-x, y);
    case Op::min:
    case Op::fmin:
      return x < y ? x : y;
    case Op::max:
    case Op::fmax:
      return x > y ? x : y;
    case Op::umulhi:
      return wide((unsigned __int128)(ux) * (unsigned __int128)(uy) >> bits);
    case Op::band:
      return x & y;
    case Op::bor:
      return x | y;
    case Op::bxor:
      return x ^ y;
    case Op::shl:
      return uy >= bits ? 0 : wide(uint64_t(ux) << int(uy));
    case Op::shr:
      return uy >= bits ? (x < 0 ? -1 : 0) : x >> int(uy);
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
    case Op::neg:
      return -x;
    case Op::abs:
      return x < 0 ? -x : x;
    case Op::bnot:
      return ~x;
    case Op::lnot:
      return x == 0;
    case Op::popcount:
      return std::popcount(uint64_t(ux));
    case Op::clz:
      return std::countl_zero(uint64_t(ux)) - (64 - bits);
    default:
      FAIL("no reference");
      return 0;
  }
}

bool gives_bool(Op op) { return (op >= Op::eq && op <= Op::lor) || op == Op::lnot; }

const std::vector<Op> binary = {Op::add,  Op::sub,  Op::mul, Op::div,  Op::mod,  Op::floordiv, Op::floormod,
                                Op::cdiv, Op::min,  Op::max, Op::fmin, Op::fmax, Op::umulhi,   Op::band,
                                Op::bor,  Op::bxor, Op::shl, Op::shr,  Op::eq,   Op::ne,       Op::lt,
                                Op::le,   Op::gt,   Op::ge,  Op::land, Op::lor};
const std::vector<Op> unary = {Op::neg, Op::abs, Op::bnot, Op::lnot, Op::popcount, Op::clz};
const std::vector<DType> integers = {DType::i8, DType::i16, DType::i32, DType::i64,
                                     DType::u8, DType::u16, DType::u32, DType::u64};

struct Pairs {
  std::vector<Bits> x, y;
};
const Pairs& pairs(DType t) {
  static std::vector<Pairs> cache(16);
  Pairs& p = cache[size_t(t)];
  if (!p.x.empty()) return p;
  if (graph::bytes(t) == 1) {
    for (Bits a = 0; a < 256; ++a)
      for (Bits b = 0; b < 256; ++b) p.x.push_back(a), p.y.push_back(b);
    return p;
  }
  const auto e = edges(t), r = inputs(t, 50000);
  for (Bits a : e)
    for (Bits b : e) p.x.push_back(a), p.y.push_back(b);
  std::mt19937_64 g(7);
  for (size_t k = 0; k < 100000; ++k)
    p.x.push_back(r[g() % r.size()]), p.y.push_back(k % 4 ? r[g() % r.size()] : e[g() % e.size()]);
  for (size_t k = 0; k < 20000; ++k) {  // quotients at, just below and just above integers
    const Bits b = r[g() % r.size()], q = g() >> (g() % 64);
    p.x.push_back(encode_wrapping(t, wide(b * q) + int(k % 3) - 1)), p.y.push_back(b);
  }
  return p;
}

void check(Op op, DType t, int width, const std::string& cpu) {
  Spec s;
  s.op = op;
  s.in = t;
  s.out = gives_bool(op) ? DType::b1 : t;
  s.operands = arity(op);
  s.width = width;
  s.cpu = cpu;
  const Function f = compile(s);
  const Pairs& p = pairs(t);
  const Array x(t, p.x), y(t, p.y);
  Array z(s.out, x.size());
  f.run(x.size(), z.bytes.data(), x.bytes.data(), y.bytes.data());
  size_t bad = 0;
  for (size_t k = 0; k < x.size() && bad < 5; ++k) {
    const wide a = wide(decode(t, p.x[k])), b = wide(decode(t, p.y[k]));
    const Bits want = encode_wrapping(s.out, reference(op, t, a, b)), got = z.get(k);
    if (got == want) continue;
    ++bad;
    FAIL_CHECK(name_of(op) << " of " << show(t, p.x[k]) << " and " << show(t, p.y[k]) << " gives " << show(s.out, got)
                           << ", not " << show(s.out, want) << " (width " << width << ", cpu " << cpu << ")");
  }
  CHECK(bad == 0);
}
}  // namespace

TEST_CASE("integer operations wrap, and divide and shift without traps") {
  for (DType t : integers)
    for (const auto& ops : {binary, unary})
      for (Op op : ops) {
        check(op, t, 16, "x86-64-v4");
        check(op, t, 8, "haswell");
        check(op, t, 1, "");
      }
}

TEST_CASE("division by a constant") {
  for (DType t : integers)
    for (int64_t d : {1, -1, 2, 3, 7, 8, -4, 10, 0, 127, 128})
      for (Op op : {Op::div, Op::mod, Op::floordiv, Op::floormod, Op::cdiv})
        for (int width : {1, 8}) {
          Spec s;
          s.op = op;
          s.in = s.out = t;
          s.operands = 2;
          s.width = width;
          s.constant_divisor = true;
          s.divisor = d;
          const Function f = compile(s);
          const auto in = graph::bytes(t) <= 2 ? inputs(t) : inputs(t, 3000);
          const Array x(t, in);
          Array z(t, in.size());
          f.run(in.size(), z.bytes.data(), x.bytes.data(), x.bytes.data());
          const wide b = wide(decode(t, encode_wrapping(t, d)));
          for (size_t k = 0; k < in.size(); ++k) {
            const Bits want = encode_wrapping(t, reference(op, t, wide(decode(t, in[k])), b));
            if (z.get(k) != want) {
              FAIL_CHECK(name_of(op) << " of " << show(t, in[k]) << " by " << d << " gives " << show(t, z.get(k))
                                     << ", not " << show(t, want));
              break;
            }
          }
        }
}

TEST_CASE("bool") {
  for (Op op : {Op::band, Op::bor, Op::bxor, Op::land, Op::lor, Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge, Op::min,
                Op::max})
    for (int width : {1, 4, 16}) {
      Spec s;
      s.op = op;
      s.in = s.out = DType::b1;
      s.operands = 2;
      s.width = width;
      const uint8_t x[] = {0, 0, 1, 1}, y[] = {0, 1, 0, 1};
      uint8_t z[4];
      compile(s).run(4, z, x, y);
      for (int k = 0; k < 4; ++k) CHECK(int(z[k]) == int(reference(op, DType::u8, x[k], y[k])));
    }
}
