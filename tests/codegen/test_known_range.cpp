// Bounds of size expressions at every call of a specialisation.
#include <catch2/catch.hpp>

#include "compiler/import/known_range.hpp"

using namespace tine::graph;
using tine::compiler::known_range;

TEST_CASE("ranges of size expressions") {
  Pool p;
  Specialization s;
  s.sources.resize(1);
  s.narrow_index = true;
  const int64_t most = 2147483648 - 1048576 - 1;  // sizes of short calls are less than 2^31 - 2^20
  const Ex n = p.sym(Sym::size, 0, 0), m = p.sym(Sym::size, 0, 1), stride = p.sym(Sym::stride, 0, 1);
  const auto check = [&](Ex e, int64_t lo, int64_t hi) {
    const auto r = known_range(p, e, s);
    REQUIRE(r);
    CHECK(r->least == lo);
    CHECK(r->most == hi);
  };
  check(p.num(-7), -7, -7);
  check(n, 0, most);
  check(p.sub(n, m), -most, most);
  check(p.cdiv(n, p.num(64)), 0, 33538048);  // (2146435071 + 63) / 64
  check(p.div(p.sub(n, p.num(1)), p.num(2)), -1, 1073217535);
  check(p.mod(n, p.num(10)), 0, 9);
  check(p.min(n, p.num(100)), 0, 100);
  check(p.max(p.sub(n, p.num(5)), p.num(3)), 3, most - 5);
  check(p.mul(n, m), 0, most * most);
  CHECK_FALSE(known_range(p, p.mul(p.mul(n, m), n), s));  // more than 64 bits hold
  CHECK_FALSE(known_range(p, p.div(n, m), s));            // by a size that may be 0
  CHECK_FALSE(known_range(p, stride, s));
  s.narrow_index = false;
  CHECK_FALSE(known_range(p, n, s));
}
