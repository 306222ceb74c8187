// The pool of expressions: canonical forms agree with brute force, and bounds and proofs are true.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "dsl/graph/expr.hpp"

using namespace tine::graph;

namespace {

int64_t floor_div(int64_t a, int64_t b) {
  if (b == 0) return 0;
  int64_t q = a / b;
  return a % b && (a < 0) != (b < 0) ? q - 1 : q;
}
int64_t floor_mod(int64_t a, int64_t b) { return b == 0 ? 0 : a - floor_div(a, b) * b; }

// Symbols: sizes s0..s3 and, within their extents, variables v0..v2.
struct World {
  Pool pool;
  std::vector<Ex> sizes, vars, extents;
  std::vector<int64_t> size_values, var_values;
  explicit World(bool with_vars) {
    for (int i = 0; i < 4; ++i) sizes.push_back(pool.sym(Sym::size, 0, i));
    if (!with_vars) return;
    extents = {sizes[0], pool.num(6), pool.mul(sizes[1], sizes[2])};
    for (int i = 0; i < 3; ++i) vars.push_back(pool.sym(Sym::var, 0, i, extents[i]));
  }
  int64_t eval(Ex e) const {
    return pool.eval(e, [&](Sym k, int, int b) { return k == Sym::size ? size_values[b] : var_values[b]; });
  }
};

// An expression both ways: as the pool has it, and as a function that computes it from its written form.
struct Both {
  Ex ex;
  std::function<int64_t(const World&)> value;
};

Both random_expression(World& w, std::mt19937& rng, int depth, bool positive_divisor) {
  auto pick = [&](int n) { return int(rng() % unsigned(n)); };
  Pool& p = w.pool;
  if (depth == 0 || pick(5) == 0) {
    int kind = pick(w.vars.empty() ? 2 : 3);
    if (kind == 0) {
      int64_t v = pick(9) - 2;
      return {p.num(v), [v](const World&) { return v; }};
    }
    if (kind == 1) {
      int i = pick(4);
      return {w.sizes[i], [i](const World& x) { return x.size_values[i]; }};
    }
    int i = pick(3);
    return {w.vars[i], [i](const World& x) { return x.var_values[i]; }};
  }
  Both a = random_expression(w, rng, depth - 1, positive_divisor);
  int op = pick(w.vars.empty() ? 8 : 6);
  Both b;
  if (positive_divisor && (op == 3 || op == 4)) {  // with variables, divisors are sizes or positive numbers
    b = pick(2) ? Both{w.sizes[pick(4)], {}} : Both{p.num(1 + pick(5)), {}};
    Ex e = b.ex;
    b.value = [e](const World& x) { return x.eval(e); };
  } else {
    b = random_expression(w, rng, depth - 1, positive_divisor);
  }
  auto f = a.value, g = b.value;
  switch (op) {
    case 0: return {p.add(a.ex, b.ex), [=](const World& x) { return f(x) + g(x); }};
    case 1: return {p.sub(a.ex, b.ex), [=](const World& x) { return f(x) - g(x); }};
    case 2: return {p.mul(a.ex, b.ex), [=](const World& x) { return f(x) * g(x); }};
    case 3: return {p.div(a.ex, b.ex), [=](const World& x) { return floor_div(f(x), g(x)); }};
    case 4: return {p.mod(a.ex, b.ex), [=](const World& x) { return floor_mod(f(x), g(x)); }};
    case 5: return {p.scale(a.ex, 3), [=](const World& x) { return 3 * f(x); }};
    case 6: return {p.min(a.ex, b.ex), [=](const World& x) { return std::min(f(x), g(x)); }};
    default: return {p.max(a.ex, b.ex), [=](const World& x) { return std::max(f(x), g(x)); }};
  }
}

// All values of sizes from `least`, and of variables within their extents, in random sample.
template <class F>
void for_sample(World& w, std::mt19937& rng, int least, F&& f) {
  for (int trial = 0; trial < 24; ++trial) {
    w.size_values.clear();
    for (int i = 0; i < 4; ++i) w.size_values.push_back(least + int64_t(rng() % 6));
    w.var_values.clear();
    for (Ex e : w.extents) w.var_values.push_back(int64_t(rng() % uint64_t(w.eval(e))));
    f();
  }
}

}  // namespace

TEST_CASE("expressions without variables mean what was written, for sizes of 0 too") {
  std::mt19937 rng(1);
  for (int round = 0; round < 1500; ++round) {
    World w(false);
    Both e = random_expression(w, rng, 4, false);
    for_sample(w, rng, 0, [&] { REQUIRE(w.eval(e.ex) == e.value(w)); });
  }
}

TEST_CASE("expressions with variables mean what was written, where an element exists") {
  std::mt19937 rng(2);
  for (int round = 0; round < 1500; ++round) {
    World w(true);
    Both e = random_expression(w, rng, 4, true);
    for_sample(w, rng, 1, [&] { REQUIRE(w.eval(e.ex) == e.value(w)); });
  }
}

TEST_CASE("bounds and proofs hold") {
  std::mt19937 rng(3);
  for (int round = 0; round < 1500; ++round) {
    World w(true);
    Both a = random_expression(w, rng, 3, true), b = random_expression(w, rng, 3, true);
    int64_t lo, hi;
    w.pool.bounds(a.ex, lo, hi);
    bool nonneg = w.pool.nonneg(a.ex), less = w.pool.less(a.ex, b.ex);
    for_sample(w, rng, 1, [&] {
      REQUIRE(w.eval(a.ex) >= lo);
      REQUIRE(w.eval(a.ex) <= hi);
      if (nonneg) REQUIRE(w.eval(a.ex) >= 0);
      if (less) REQUIRE(w.eval(a.ex) < w.eval(b.ex));
    });
  }
}

TEST_CASE("equal expressions are the same expression") {
  Pool p;
  Ex n = p.sym(Sym::size, 0, 0), m = p.sym(Sym::size, 0, 1);
  CHECK(p.mul(p.add(n, p.num(2)), m) == p.add(p.mul(m, n), p.scale(m, 2)));
  CHECK(p.sub(n, n) == p.num(0));
  CHECK(p.min(n, m) == p.min(m, n));
  CHECK(p.min(n, p.add(n, p.num(3))) == n);
  CHECK(p.max(p.num(0), n) == n);
  CHECK(p.div(p.div(n, p.num(3)), p.num(4)) == p.div(n, p.num(12)));
  CHECK(p.div(p.add(p.scale(n, 8), p.num(3)), p.num(8)) == n);
}

TEST_CASE("flattened indices come apart and together again") {
  Pool p;
  Ex rows = p.sym(Sym::size, 0, 0), cols = p.sym(Sym::size, 0, 1), depth = p.sym(Sym::size, 0, 2);
  Ex f = p.sym(Sym::var, 0, 0, p.mul(p.mul(rows, cols), depth));
  Ex z = p.mod(f, depth), y = p.mod(p.div(f, depth), cols), x = p.div(f, p.mul(cols, depth));
  CHECK(p.add(p.mul(p.add(p.mul(x, cols), y), depth), z) == f);
  Ex g = p.sym(Sym::var, 0, 1, p.num(48));
  CHECK(p.add(p.scale(p.div(g, p.num(12)), 12), p.mod(g, p.num(12))) == g);
  Ex i = p.sym(Sym::var, 0, 2, rows), j = p.sym(Sym::var, 0, 3, cols);
  Ex flat = p.add(p.mul(i, cols), j);
  CHECK(p.div(flat, cols) == i);
  CHECK(p.mod(flat, cols) == j);
}

TEST_CASE("what exact tilings need is proved") {
  Pool p;
  Ex n = p.sym(Sym::size, 0, 0), w = p.sym(Sym::size, 0, 1);
  // floor mode: o < floordiv(n - 4, 3) + 1, i < 4, so o*3 + i < n
  Ex outer = p.max(p.num(0), p.add(p.div(p.sub(n, p.num(4)), p.num(3)), p.num(1)));
  Ex o = p.sym(Sym::var, 0, 0, outer), i = p.sym(Sym::var, 0, 1, p.num(4));
  CHECK(p.less(p.add(p.scale(o, 3), i), n));
  // a window of run-time width w in steps of 1
  Ex windows = p.max(p.num(0), p.add(p.sub(n, w), p.num(1)));
  Ex a = p.sym(Sym::var, 0, 2, windows), b = p.sym(Sym::var, 0, 3, w);
  CHECK(p.less(p.add(a, b), n));
  CHECK_FALSE(p.less(p.add(p.add(a, b), p.num(1)), n));
  // ceil mode is not provable
  Ex tiles = p.cdiv(n, p.num(4)), t = p.sym(Sym::var, 0, 4, tiles);
  CHECK_FALSE(p.less(p.add(p.scale(t, 4), i), n));
}

TEST_CASE("division rounds to minus infinity, and 0 divides to 0") {
  Pool p;
  auto value = [&](Ex e) { return p.value(e); };
  auto n = [&](int64_t v) { return p.num(v); };
  CHECK(value(p.div(n(-7), n(2))) == -4);
  CHECK(value(p.div(n(7), n(-2))) == -4);
  CHECK(value(p.cdiv(n(7), n(-3))) == -2);
  CHECK(value(p.cdiv(n(-7), n(3))) == -2);
  CHECK(value(p.cdiv(n(-1), n(4))) == 0);
  CHECK(value(p.div(n(5), n(0))) == 0);
  CHECK(value(p.mod(n(5), n(0))) == 0);
  CHECK(value(p.mod(n(-1), n(16))) == 15);
  CHECK(value(p.div(n(2147483647), n(16))) == 134217727);
  CHECK(value(p.div(n(-2147483648), n(16))) == -134217728);
  CHECK(value(p.div(n(INT64_MIN), n(-1))) == INT64_MIN);
}

TEST_CASE("expressions print") {
  Pool p;
  Ex n = p.sym(Sym::size, 1, 0), i = p.sym(Sym::var, 0, 2, n);
  std::string s;
  p.print(s, p.sub(p.scale(p.div(p.add(n, p.num(31)), p.num(32)), 2), p.add(i, p.num(1))));
  CHECK(s == "(-i0_2 + 2*floordiv((p1.size0 + 31), 32) - 1)");
}
