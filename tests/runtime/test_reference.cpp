// The reference evaluator against values worked out by hand (section 6 of the language).
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "graphs.hpp"
#include "runtime/reference/element.hpp"
#include "runtime/reference/evaluate.hpp"
#include "runtime/reference/tiles.hpp"

using namespace tine;
using namespace tine::reference;
using graph::DType;
using graph::Op;

namespace {

int64_t ints(Op op, DType t, int64_t a, int64_t b) { return binary(op, t, integer(a), integer(b)).i; }
int64_t one(Op op, DType t, int64_t a) { return unary(op, t, t, integer(a)).i; }
double floats(Op op, DType t, double a, double b) { return binary(op, t, real(a), real(b)).f; }
int64_t f2i(DType to, double x) { return convert(DType::f32, to, real(x)).i; }
double i2f(DType from, DType to, int64_t x) { return convert(from, to, integer(x)).f; }
const double inf = std::numeric_limits<double>::infinity();

Tile tile(DType type, Dims shape, const std::vector<double>& values) {
  Tile t = make_tile(type, std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i)
    t.data[i] = is_float(type) ? real(values[i]) : integer(static_cast<int64_t>(values[i]));
  return t;
}
std::vector<double> numbers(const Tile& t) {
  std::vector<double> out;
  for (Element e : t.data) out.push_back(is_float(t.type) ? e.f : static_cast<double>(e.i));
  return out;
}
using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("reference: integers wrap, divide and shift as the language says", "[reference]") {
  CHECK(ints(Op::add, DType::i8, 127, 1) == -128);
  CHECK(ints(Op::mul, DType::u8, 200, 2) == 144);
  CHECK(ints(Op::sub, DType::u32, 0, 1) == 0xffffffff);
  CHECK(ints(Op::div, DType::i32, -7, 2) == -3);
  CHECK(ints(Op::mod, DType::i32, -7, 2) == -1);
  CHECK(ints(Op::floordiv, DType::i32, -7, 2) == -4);  // BR-16
  CHECK(ints(Op::floordiv, DType::i32, 7, -2) == -4);
  CHECK(ints(Op::floormod, DType::i32, -7, 2) == 1);
  CHECK(ints(Op::cdiv, DType::i32, 7, -3) == -2);
  CHECK(ints(Op::cdiv, DType::i32, -7, 3) == -2);
  CHECK(ints(Op::cdiv, DType::i32, -1, 4) == 0);
  CHECK(ints(Op::cdiv, DType::i32, 7, 3) == 3);
  CHECK(ints(Op::cdiv, DType::u8, 255, 2) == 128);
  CHECK(ints(Op::floordiv, DType::i32, -2147483648, 16) == -134217728);  // BR-17
  CHECK(ints(Op::floormod, DType::i32, -1, 16) == 15);
  for (Op op : {Op::div, Op::mod, Op::floordiv, Op::floormod, Op::cdiv}) CHECK(ints(op, DType::i32, 5, 0) == 0);
  CHECK(ints(Op::div, DType::i64, INT64_MIN, -1) == INT64_MIN);
  CHECK(ints(Op::mod, DType::i64, INT64_MIN, -1) == 0);
  CHECK(ints(Op::div, DType::i8, -128, -1) == -128);
  CHECK(ints(Op::div, DType::u64, -2, 2) == INT64_MAX);
  CHECK(ints(Op::shl, DType::i32, 1, 31) == INT32_MIN);
  CHECK(ints(Op::shl, DType::i32, 1, 32) == 0);
  CHECK(ints(Op::shl, DType::i32, 1, -1) == 0);  // counts are unsigned
  CHECK(ints(Op::shr, DType::i32, -8, 40) == -1);
  CHECK(ints(Op::shr, DType::u8, 0x80, 7) == 1);
  CHECK(ints(Op::shr, DType::u8, 0x80, 8) == 0);
  CHECK(ints(Op::umulhi, DType::u32, 0xffffffff, 0xffffffff) == 0xfffffffe);
  CHECK(ints(Op::lt, DType::u64, -1, 1) == 0);
  CHECK(ints(Op::lt, DType::i64, -1, 1) == 1);
  CHECK(ints(Op::max, DType::u32, 0xfffffffe, 1) == 0xfffffffe);
  CHECK(one(Op::neg, DType::i8, -128) == -128);
  CHECK(one(Op::abs, DType::i32, INT32_MIN) == INT32_MIN);
  CHECK(one(Op::bnot, DType::u8, 0xf0) == 0x0f);
  CHECK(one(Op::popcount, DType::i8, -1) == 8);
  CHECK(one(Op::clz, DType::u16, 1) == 15);
  CHECK(one(Op::clz, DType::i32, 0) == 32);
}

TEST_CASE("reference: floats round to their type after each operation", "[reference]") {
  CHECK(floats(Op::add, DType::f16, 2048, 1) == 2048);
  CHECK(floats(Op::add, DType::f16, 2048, 3) == 2052);
  CHECK(floats(Op::add, DType::f32, 16777216, 1) == 16777216);
  CHECK(floats(Op::mul, DType::f16, 65504, 2) == inf);
  CHECK(floats(Op::div, DType::f32, 1, 3) == static_cast<double>(1.0f / 3.0f));
  CHECK(std::isnan(floats(Op::max, DType::f32, NAN, 1)));
  CHECK(std::isnan(floats(Op::min, DType::f32, 1, NAN)));
  CHECK(floats(Op::fmax, DType::f32, NAN, 1) == 1);
  CHECK(floats(Op::mod, DType::f32, -7, 2) == -1);
  CHECK(floats(Op::floormod, DType::f32, -7, 2) == 1);
  CHECK(floats(Op::floordiv, DType::f32, -7, 2) == -4);
  CHECK(floats(Op::cdiv, DType::f32, 7, 2) == 4);
  CHECK(binary(Op::ne, DType::f32, real(NAN), real(NAN)).i == 1);
  CHECK(binary(Op::le, DType::f32, real(NAN), real(NAN)).i == 0);
  CHECK(unary(Op::round, DType::f32, DType::f32, real(2.5)).f == 2);
  CHECK(unary(Op::round, DType::f32, DType::f32, real(-3.5)).f == -4);
  CHECK(unary(Op::sigmoid, DType::f32, DType::f32, real(-1000)).f == 0);
  CHECK(unary(Op::bitcast, DType::f32, DType::i32, real(1)).i == 0x3f800000);
  CHECK(unary(Op::bitcast, DType::i32, DType::f32, integer(INT32_MIN)).f == 0);
  CHECK(unary(Op::bitcast, DType::f16, DType::u16, real(1)).i == 0x3c00);
  // fused: one rounding
  CHECK(ternary(Op::fma, DType::f32, real(1 + 0x1p-12), real(1 + 0x1p-12), real(-1)).f == 0x1p-11 + 0x1p-24);
  CHECK(ternary(Op::clamp, DType::f32, real(9), real(0), real(5)).f == 5);
  CHECK(ternary(Op::clamp, DType::i32, integer(-9), integer(0), integer(5)).i == 0);
}

TEST_CASE("reference: conversions", "[reference]") {
  CHECK(f2i(DType::i32, 2.9) == 2);
  CHECK(f2i(DType::i32, -2.9) == -2);
  CHECK(f2i(DType::i32, 3e9) == INT32_MAX);
  CHECK(f2i(DType::i32, -3e9) == INT32_MIN);
  CHECK(f2i(DType::i32, NAN) == 0);
  CHECK(f2i(DType::u8, -1) == 0);
  CHECK(f2i(DType::u8, 300) == 255);
  CHECK(f2i(DType::i64, 1e30) == INT64_MAX);
  CHECK(f2i(DType::u64, 1e30) == -1);
  CHECK(f2i(DType::b1, 0.5) == 1);
  CHECK(convert(DType::u8, DType::i32, integer(200)).i == 200);  // BR-46
  CHECK(convert(DType::i32, DType::u8, integer(-1)).i == 255);
  CHECK(convert(DType::i8, DType::u32, integer(-1)).i == 0xffffffff);
  CHECK(i2f(DType::u64, DType::f32, -1) == 0x1p64);
  CHECK(i2f(DType::i64, DType::f32, (int64_t{1} << 54) + (int64_t{1} << 30) + 1) ==
        0x1p54 + 0x1p31);  // no double rounding
  CHECK(i2f(DType::i64, DType::bf16, (int64_t{1} << 60) + (int64_t{1} << 52) + 1) == 0x1p60 + 0x1p53);
  CHECK(i2f(DType::i64, DType::bf16, -((int64_t{1} << 60) + (int64_t{1} << 52))) == -0x1p60);
  CHECK(i2f(DType::i32, DType::f16, 70000) == inf);
  CHECK(convert(DType::f32, DType::f8e4m3fn, real(1000)).f == 448);
  CHECK(std::isnan(convert(DType::f32, DType::f8e4m3fn, real(1000), true).f));
  CHECK(convert(DType::f32, DType::f8e5m2, real(inf), true).f == inf);
  CHECK(convert(DType::f32, DType::bf16, real(0x1p-130)).f == 0x1p-130);
}

TEST_CASE("reference: reductions, also of nothing", "[reference]") {
  const Tile x = tile(DType::f32, {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(numbers(reduce(Op::sum, x, {1}, DType::f32)) == Numbers{6, 15});
  CHECK(numbers(reduce(Op::sum, x, {0}, DType::f32)) == Numbers{5, 7, 9});
  CHECK(numbers(reduce(Op::prod, x, {0, 1}, DType::f32)) == Numbers{720});
  CHECK(numbers(reduce(Op::argmax, x, {1}, DType::i32)) == Numbers{2, 2});
  CHECK(numbers(reduce(Op::sum, tile(DType::u8, {3}, {200, 200, 200}), {0}, DType::u32)) == Numbers{600});
  CHECK(numbers(reduce(Op::any, tile(DType::b1, {2, 2}, {0, 0, 1, 0}), {1}, DType::b1)) == Numbers{0, 1});
  CHECK(numbers(reduce(Op::all, tile(DType::b1, {2, 2}, {1, 1, 1, 0}), {1}, DType::b1)) == Numbers{1, 0});
  CHECK(numbers(reduce(Op::rxor, tile(DType::i32, {3}, {1, 2, 7}), {0}, DType::i32)) == Numbers{4});
  for (std::vector<double> v : {Numbers{NAN, 6, 8}, Numbers{6, NAN, 8}, Numbers{8, 6, NAN}}) {  // BR-48
    const Tile t = tile(DType::f32, {3}, v);
    CHECK(std::isnan(numbers(reduce(Op::rmax, t, {0}, DType::f32))[0]));
    const auto at = static_cast<std::size_t>(numbers(reduce(Op::argmax, t, {0}, DType::i32))[0]);
    CHECK(std::isnan(v[at]));
  }
  const Tile none = tile(DType::i32, {0, 2}, {});
  CHECK(numbers(reduce(Op::sum, none, {0}, DType::i32)) == Numbers{0, 0});
  CHECK(numbers(reduce(Op::prod, none, {0}, DType::i32)) == Numbers{1, 1});
  CHECK(numbers(reduce(Op::rmax, none, {0}, DType::i32))[0] == INT32_MIN);
  CHECK(numbers(reduce(Op::rmin, tile(DType::f32, {0}, {}), {0}, DType::f32))[0] == inf);
  CHECK(numbers(reduce(Op::argmin, none, {0}, DType::i32))[0] == 0);
  CHECK(numbers(reduce(Op::all, tile(DType::b1, {0}, {}), {0}, DType::b1))[0] == 1);
}

TEST_CASE("reference: products and moves", "[reference]") {
  const Tile a = tile(DType::f32, {2, 3}, {1, 2, 3, 4, 5, 6}), b = tile(DType::f32, {3, 1}, {1, 0, -1});
  CHECK(numbers(dot(a, b, DType::f32)) == Numbers{-2, -2});
  const Tile batch = tile(DType::i8, {2, 1, 2}, {100, 100, 1, 2}), right = tile(DType::i8, {2, 1}, {100, 100});
  CHECK(numbers(dot(batch, right, DType::i32)) == Numbers{20000, 300});
  CHECK(numbers(permute(a, {1, 0})) == Numbers{1, 4, 2, 5, 3, 6});
  CHECK(numbers(broadcast(b, {3, 2})) == Numbers{1, 1, 0, 0, -1, -1});
  CHECK_THROWS_AS(broadcast(a, {3, 2}), std::runtime_error);
  // BR-50: f32 products are not cut short
  std::vector<double> v(64, 1 + 0x1p-11);
  CHECK(numbers(dot(tile(DType::f32, {1, 64}, v), tile(DType::f32, {64, 1}, v), DType::f32))[0] == 64.0625152587890625);
}

TEST_CASE("reference: a kernel over tiles, with a ragged end and strides", "[reference]") {
  const graph::Graph g = test::add_graph();
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {10}, c(14, -1);
  const test::TestTensor x(a.data() + 5, DType::f32, {6}, {-1}), y(b.data(), DType::f32, {6}, {0}),
      z(c.data(), DType::f32, {6}, {2});
  const Argument args[] = {x.argument(), y.argument(), z.argument()};
  evaluate(g, args);
  CHECK(c == std::vector<float>{16, -1, 15, -1, 14, -1, 13, -1, 12, -1, 11, -1, -1, -1});
  const test::TestTensor longer(c.data(), DType::f32, {9});
  const Argument wrong[] = {x.argument(), longer.argument(), z.argument()};
  CHECK_THROWS_WITH(evaluate(g, wrong), "reference evaluator: the sizes do not satisfy `grid`");
}

namespace {

// A graph over one i64 vector `p`, in tiles of one element along a middle level: p is seen as [1 program][n][1].
struct Builder {
  graph::Graph g;
  Builder() {
    g.kernel = "Loops";
    g.regions.resize(1);
    g.sources.push_back({"p", DType::i64, 1, true, true});
    const graph::Ex n = g.pool.sym(graph::Sym::size, 0, 0);
    graph::Param p;
    p.levels = {{}, {n}, {}};
    p.coords = {g.pool.sym(graph::Sym::var, 0, 0, n)};
    g.params.push_back(p);
  }
  int add(int region, Op op, DType type, std::vector<int32_t> args, int64_t attr = 0) {
    graph::Node n;
    n.op = op;
    n.type = type;
    n.args = std::move(args);
    n.attr = attr;
    g.nodes.push_back(n);
    const int id = static_cast<int>(g.nodes.size()) - 1;
    if (region >= 0) g.regions[static_cast<std::size_t>(region)].nodes.push_back(id);
    return id;
  }
  int literal(int64_t v) {
    const int id = add(-1, Op::literal, DType::i64, {});
    g.nodes.back().integer = v;
    return id;
  }
  int region(int owner) {
    g.regions.emplace_back();
    g.regions.back().owner = owner;
    const int id = static_cast<int>(g.regions.size()) - 1;
    node(owner).regions.push_back(id);
    return id;
  }
  int result(int owner, int64_t which) {
    const int id = add(-1, Op::result, DType::i64, {owner}, which);
    node(owner).results.push_back(id);
    return id;
  }
  graph::Node& node(int id) { return g.nodes[static_cast<std::size_t>(id)]; }
  graph::Region& at(int r) { return g.regions[static_cast<std::size_t>(r)]; }
  std::vector<int64_t> run(std::vector<int64_t> p) {
    const test::TestTensor t(p.data(), DType::i64, {static_cast<int64_t>(p.size())});
    const Argument args[] = {t.argument()};
    evaluate(g, args);
    return p;
  }
};

}  // namespace

TEST_CASE("reference: for carries values, if takes one branch, while tests first", "[reference]") {
  Builder b;
  // sum = 0; for k in range(0, 4): { if (p[k] > 2) sum += p[k] else sum -= 1; }  p[4] = sum
  const int zero = b.literal(0), one_ = b.literal(1), two = b.literal(2), four = b.literal(4);
  const int loop = b.add(0, Op::for_, DType::i64, {zero, four, one_, zero});
  const int body = b.region(loop);
  const int k = b.add(-1, Op::loop_var, DType::i64, {}), sum = b.add(-1, Op::iter_arg, DType::i64, {});
  b.at(body).inputs = {k, sum};
  const int value = b.add(body, Op::load, DType::i64, {k}, 0);
  const int large = b.add(body, Op::gt, DType::b1, {value, two});
  const int branch = b.add(body, Op::if_, DType::i64, {large});
  const int yes = b.region(branch), no = b.region(branch);
  b.at(yes).yields = {b.add(yes, Op::add, DType::i64, {sum, value})};
  b.at(no).yields = {b.add(no, Op::sub, DType::i64, {sum, one_})};
  b.at(body).yields = {b.result(branch, 0)};
  const int total = b.result(loop, 0);
  b.add(0, Op::store, DType::i64, {total, four}, 0);
  // n = 1; while (n < sum) n *= 2;  p[5] = n
  const int repeat = b.add(0, Op::while_, DType::i64, {one_});
  const int round = b.region(repeat);
  const int n = b.add(-1, Op::iter_arg, DType::i64, {});
  b.at(round).inputs = {n};
  const int more = b.add(round, Op::lt, DType::b1, {n, total});
  b.node(repeat).split = 1;
  const int twice = b.add(round, Op::mul, DType::i64, {n, two});
  b.at(round).yields = {more, twice};
  const int five = b.literal(5);
  b.add(0, Op::store, DType::i64, {b.result(repeat, 0), five}, 0);
  CHECK(b.run({5, 1, 7, 2, 0, 0}) == std::vector<int64_t>{5, 1, 7, 2, 10, 16});
  CHECK(b.run({0, 0, 0, 0, 9, 9}) == std::vector<int64_t>{0, 0, 0, 0, -4, 1});
}

TEST_CASE("reference: a sub-tile outside its level is out of range", "[reference]") {
  Builder b;
  b.g.params[0].other = 7;
  // p[0] = p[9] (out of range: other); p[-1] = 5 (nothing happens)
  const int zero = b.literal(0), nine = b.literal(9), below = b.literal(-1), five = b.literal(5);
  const int value = b.add(0, Op::load, DType::i64, {nine}, 0);
  b.add(0, Op::store, DType::i64, {value, zero}, 0);
  b.add(0, Op::store, DType::i64, {five, below}, 0);
  const int valid = b.add(0, Op::valid, DType::b1, {nine}, 0);
  const int number = b.add(0, Op::cast, DType::i64, {valid});
  const int one_ = b.literal(1), two = b.literal(2);
  b.add(0, Op::store, DType::i64, {number, one_}, 0);
  const int offset = b.add(0, Op::offsets, DType::i64, {nine}, 0);
  b.node(offset).attr2 = 0;
  b.add(0, Op::store, DType::i64, {offset, two}, 0);
  CHECK(b.run({1, 2, 3, 4}) == std::vector<int64_t>{7, 0, 9, 4});
}
