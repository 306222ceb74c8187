// Symbolic sizes at the call: rounding, zero divisors, overflow.
#include <catch2/catch.hpp>

#include "graphs.hpp"
#include "runtime/launch/evaluate.hpp"

using namespace tine;
using namespace tine::graph;

TEST_CASE("expressions of sizes are evaluated in arithmetic that notices overflow", "[evaluate]") {
  Pool p;
  const Ex m = p.sym(Sym::size, 0, 0), n = p.sym(Sym::size, 0, 1), s = p.sym(Sym::stride, 0, 0);
  const auto at = [&](Ex e, int64_t a, int64_t b, int64_t stride = 0) {
    const test::TestTensor t(nullptr, DType::f32, {a, b}, {stride, 1});
    const Argument args[] = {t.argument()};
    return launch::evaluate(p, e, args);
  };
  CHECK(at(p.add(p.mul(m, n), p.num(3)), 4, 5) == 23);
  CHECK(at(s, 4, 5, -7) == -7);
  CHECK(at(p.div(s, p.num(2)), 1, 1, -7) == -4);  // BR-16: rounds to minus infinity
  CHECK(at(p.mod(s, p.num(2)), 1, 1, -7) == 1);
  CHECK(at(p.cdiv(m, p.num(4)), 9, 1) == 3);
  CHECK(at(p.div(m, s), 9, 1, 0) == 0);
  CHECK(at(p.mod(m, s), 9, 1, 0) == 0);
  CHECK(at(p.div(m, s), 9, 1, -2) == -5);
  CHECK(at(p.min(m, n), 3, 2) == 2);
  CHECK(at(p.max(m, n), 3, 2) == 3);
  CHECK_FALSE(at(p.mul(m, n), int64_t{1} << 40, int64_t{1} << 40));
  CHECK(at(p.mul(m, p.mul(n, s)), int64_t{1} << 40, int64_t{1} << 40, 0) == 0);
  CHECK_FALSE(at(p.add(m, n), INT64_MAX, 1));
  CHECK_FALSE(at(p.scale(m, 4), INT64_MAX / 2, 1));
}
