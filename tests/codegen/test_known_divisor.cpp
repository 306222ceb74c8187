// Numbers that divide sizes at every call of a specialisation.
#include <catch2/catch.hpp>

#include "compiler/import/known_divisor.hpp"

using namespace tine::graph;
using tine::compiler::known_divisor;

TEST_CASE("divisors of size expressions") {
  Pool p;
  Specialization s;
  s.sources.resize(1);
  s.sources[0].size16 = 1;    // dim 0
  s.sources[0].stride16 = 2;  // dim 1
  const Ex n = p.sym(Sym::size, 0, 0), m = p.sym(Sym::size, 0, 1), stride = p.sym(Sym::stride, 0, 1);
  CHECK(known_divisor(p, p.num(24), s) == 24);
  CHECK(known_divisor(p, p.num(INT64_MIN), s) == 1 << 20);    // the most that is kept
  CHECK(known_divisor(p, p.num(3 << 19), s) == 1 << 19);
  CHECK(known_divisor(p, p.mul(p.scale(n, 1025), p.scale(n, 1025)), s) == 256);  // 16 * 16 of the 16400 * 16400
  CHECK(known_divisor(p, n, s) == 16);
  CHECK(known_divisor(p, m, s) == 1);
  CHECK(known_divisor(p, stride, s) == 16);
  CHECK(known_divisor(p, p.mul(n, m), s) == 16);
  CHECK(known_divisor(p, p.add(n, p.num(8)), s) == 8);
  CHECK(known_divisor(p, p.div(n, p.num(2)), s) == 8);           // half a row
  CHECK(known_divisor(p, p.div(n, p.num(3)), s) == 1);           // 16 is no multiple of 3
  CHECK(known_divisor(p, p.div(m, p.num(2)), s) == 1);
  CHECK(known_divisor(p, p.min(n, p.div(n, p.num(4))), s) == 4);
  CHECK(known_divisor(p, p.add(n, p.scale(p.div(n, p.num(2)), -1)), s) == 8);  // the other half
}
