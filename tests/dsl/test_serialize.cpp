// Serialised graphs: they come back the same, and bytes that are none are refused without harm.
#include <random>

#include "dsl/graph/constant_sizes.hpp"
#include "dsl/graph/launch_plan.hpp"
#include "dsl/graph/specialization.hpp"
#include "harness.hpp"

namespace core = tine::core;
namespace graph = tine::graph;
using namespace tine::test;
using namespace tine::graph;
using Bytes = std::vector<std::byte>;

namespace {

struct Everything {
  nt::BlockSize n{4, 8};
  auto arrangement(nt::Tensor<nt::f16, 3> x, nt::Scalar<double> s, nt::Tensor<float, 2> w, nt::Tensor<nt::i32, 2> y) const {
    auto xt = x.pad({{1, 1}, {0, 0}, {0, 2}}).permute({1, 0, 2}).flatten(nt::dims<0, 2>).tile({n, nt::whole}).other(-1.5);
    auto wt = w(nt::slice(nt::none, nt::none, -1)).tile({1, 4}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(0, nt::level<2>)(0).tile({n});
    nt::require(x.size(0) * x.size(1) < 100);
    return std::tuple{xt.squeeze(1), s, wt.ravel(nt::level<1>)(nt::ellipsis, 0, nt::slice(4), nt::level<1>), y.tile({n, 3}).squeeze(1)};
  }
  void application(auto x, auto s, auto w, auto y) const {
    auto acc = nt::zeros<double>(y.shape());
    auto n = nt::cast<int>(3);
    for (auto k : nt::range(nt::size(x, 0), 10, 2)) {
      acc += nt::sum(w) * k * s;
      nt::if_(k > 3, [&] { acc = acc * 2; y = acc; }, [&] { n -= 1; });
    }
    nt::while_([&] { return n > 0; }, [&] { n = n - 1; acc = acc + nt::cast<double>(nt::argmax(x)); });
    y = nt::where(nt::valid(y) && nt::offsets(y, 0) < 5, acc, nt::nan) + nt::size(w, 1) + nt::stride(y, 0);
  }
};
struct Small {
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({4})}; }
  void application(auto x) const { x = x * 2; }
};

}  // namespace

TEST_CASE("graphs come back from their bytes") {
  auto d = definition(Everything{});
  Graph g = core::trace(*d);
  Bytes b = serialize(g), c = canonical_bytes(g);
  Graph h = deserialize(b);
  CHECK(serialize(h) == b);
  CHECK(canonical_bytes(h) == c);
  CHECK(hash(h) == hash(g));
  CHECK(text(h, true) == text(g, true));
  CHECK(hash(g).size() == 32);
  CHECK(h.files == g.files);
  // the identity alone is a graph too
  Graph i = deserialize(c);
  CHECK(canonical_bytes(i) == c);
}

TEST_CASE("graphs differ in their hash when anything that matters does") {
  auto d = definition(Everything{});
  Graph g = core::trace(*d);
  std::string h = hash(g);
  auto changed = [&](auto f) {
    Graph x = deserialize(serialize(g));
    f(x);
    return hash(x) != h;
  };
  CHECK(changed([](Graph& x) { x.params[0].other = 0; }));
  CHECK(changed([](Graph& x) { x.params[0].other = -0.0; }));
  CHECK(changed([](Graph& x) { x.sources[1].type = DType::f32; }));
  CHECK(changed([](Graph& x) { x.metas[0].value = 8; }));
  CHECK(changed([](Graph& x) { x.checks.pop_back(); }));
  CHECK(changed([](Graph& x) { x.params[0].bounds.pop_back(); }));
  CHECK(changed([](Graph& x) { for (auto& n : x.nodes) if (n.op == Op::literal && n.type == DType::f64) n.real += 1; else if (n.op == Op::argmax) n.list = {}; }));
}

TEST_CASE("truncated bytes are refused") {
  Bytes b = serialize(traced(Everything{}));
  for (std::size_t n = 0; n < b.size(); ++n) CHECK_THROWS_AS(deserialize(std::span(b).first(n)), std::runtime_error);
  b.push_back(std::byte{0});
  CHECK_THROWS_AS(deserialize(b), std::runtime_error);
}

TEST_CASE("mutated bytes are refused or give a graph that can be walked") {
  std::mt19937 rng(5);
  for (const Bytes& original : {serialize(traced(Everything{})), serialize(traced(Small{})), canonical_bytes(traced(Everything{}))}) {
    int accepted = 0;
    for (int round = 0; round < 6000; ++round) {
      Bytes b = original;
      for (int k = 1 + int(rng() % 4); k > 0; --k) {
        std::size_t at = rng() % b.size();
        switch (rng() % 4) {
          case 0: b[at] = std::byte(rng() & 255); break;
          case 1: b[at] ^= std::byte(1u << (rng() % 8)); break;
          case 2: b.erase(b.begin() + long(at)); break;
          default: b.insert(b.begin() + long(at), std::byte(rng() & 255));
        }
      }
      try {
        Graph g = deserialize(b);
        ++accepted;
        std::string t = text(g, true);
        plan_launch(g);
        Equalities eq(g);
        REQUIRE(canonical_bytes(deserialize(serialize(g))) == canonical_bytes(g));
      } catch (const std::runtime_error&) {
      }
    }
    CHECK(accepted > 0);
  }
}

TEST_CASE("deep and wide expressions in bytes are refused") {
  // floordiv(floordiv(... of itself: cheap to write, costly to walk
  Graph g = traced(Small{});
  Pool& p = g.pool;
  Ex e = p.sym(Sym::size, 0, 0);
  for (int i = 0; i < 600; ++i) e = p.min(p.mul(e, e), p.add(e, p.num(i)));
  g.grid = {e};
  CHECK_THROWS_AS(deserialize(serialize(g)), std::runtime_error);
}

TEST_CASE("the launch plan lists what the code needs") {
  auto d = definition(Small{});
  Graph g = core::trace(*d);
  LaunchPlan plan = plan_launch(g);
  CHECK(plan.first_stride == std::vector<int>{1});
  CHECK(plan.first_symbol == 2);
  REQUIRE(plan.symbols.size() == 2);
  CHECK(plan.symbols[0] == g.grid[0]);
  CHECK(plan.symbols[1] == g.pool.sym(Sym::size, 0, 0));
  CHECK(plan.slots == 4);
  CHECK(plan.symbol_slot(g.grid[0]) == 2);
  CHECK(plan.symbol_slot(g.pool.num(4)) == -1);
}

TEST_CASE("sizes that checks make equal have one representative") {
  Graph g;
  g.sources.push_back({"x", DType::f32, 4});
  auto n = [&](int d) { return g.pool.sym(Sym::size, 0, d); };
  g.grid = {n(2)};
  g.checks = {{Check::equal, n(0), n(1), "", 0, 0, {}}, {Check::equal, n(1), n(2), "", 0, 0, {}}, {Check::less, n(0), n(3), "", 0, 0, {}}};
  CHECK(Equalities(g)(n(0)) == n(2));
  CHECK(Equalities(g)(n(1)) == n(2));
  CHECK(Equalities(g)(n(3)) == n(3));
  g.checks.push_back({Check::equal, n(0), g.pool.num(1), "", 0, 0, {}});
  CHECK(Equalities(g)(n(2)) == g.pool.num(1));
}

TEST_CASE("extents of tiles known only at the call: the first symbol of each class") {
  Graph g;
  g.sources.push_back({"x", DType::f32, 2});
  g.sources.push_back({"y", DType::f32, 2});
  auto n = [&](int s, int d) { return g.pool.sym(Sym::size, s, d); };
  g.regions.resize(1);
  g.grid = {n(0, 0)};
  for (int s = 0; s < 2; ++s) {
    Param p;
    p.source = s;
    p.levels = {{n(s, 0)}, {g.pool.num(1), n(s, 1)}};
    p.coords = {g.pool.sym(Sym::var, s, 0, n(s, 0)), g.pool.sym(Sym::var, s, 2, n(s, 1))};
    g.params.push_back(p);
  }
  // The symbols: x.size(0) by the grid, x.size(1), y.size(0), y.size(1).
  CHECK(plan_launch(g).symbols.size() == 4);
  CHECK(tile_extents(g, plan_launch(g)) == std::vector<int>{1, 3});
  g.checks = {{Check::equal, n(0, 1), n(1, 1), "", 0, 0, {}}};
  CHECK(tile_extents(g, plan_launch(g)) == std::vector<int>{1});
  g.checks.push_back({Check::equal, n(0, 1), g.pool.num(8), "", 0, 0, {}});
  CHECK(tile_extents(g, plan_launch(g)).empty());
}

TEST_CASE("specialisations come back from their bytes") {
  Specialization s;
  s.sources = {{3, true, 64, false, 2, 5}, {0, false, 1, true}};
  s.overlaps = {{0, 1}, {1, 1}};
  s.narrow_index = true;
  s.capacities = {{3, 1024, false}, {4, int64_t{1} << 40, true}};
  Bytes b = serialize(s);
  CHECK(deserialize_specialization(b) == s);
  for (std::size_t n = 0; n < b.size(); ++n) CHECK_THROWS_AS(deserialize_specialization(std::span(b).first(n)), std::runtime_error);
  std::mt19937 rng(6);
  for (int round = 0; round < 3000; ++round) {
    Bytes m = b;
    m[rng() % m.size()] = std::byte(rng() & 255);
    try {
      deserialize_specialization(m);
    } catch (const std::runtime_error&) {
    }
  }
}

TEST_CASE("constant sizes: symbols become numbers, what they prove goes") {
  Graph g;
  g.sources.push_back({"x", DType::f32, 2});
  auto n = [&](int d) { return g.pool.sym(Sym::size, 0, d); };
  Param p;
  Ex tiles = g.pool.cdiv(n(1), g.pool.num(8));
  p.levels = {{n(0), tiles}, {g.pool.num(8)}};
  Ex column = g.pool.add(g.pool.scale(g.pool.sym(Sym::var, 0, 1, tiles), 8), g.pool.sym(Sym::var, 0, 2, g.pool.num(8)));
  p.coords = {g.pool.sym(Sym::var, 0, 0, n(0)), column};
  p.bounds = {{column, n(1), false, {}}};
  g.params = {p};
  g.grid = {n(0), tiles};
  g.regions.resize(1);
  g.checks = {{Check::equal, n(0), n(1), "require", 0, 0, {}}, {Check::less, n(1), g.pool.num(100), "tile", 0, 1, {}}};
  std::string why;

  Graph h = with_sizes(g, {{0, 1, 16}}, why);  // 16 is two whole tiles: every column is in range
  CHECK(why.empty());
  CHECK(h.pool.is(h.grid[1], 2));
  CHECK(h.pool.kind(h.grid[0]) == ExKind::sym);
  CHECK(h.params[0].bounds.empty());
  REQUIRE(h.checks.size() == 1);  // that 16 is less than 100 needs no check
  CHECK(h.pool.is(h.checks[0].b, 16));
  CHECK(graph::hash(h) != graph::hash(g));

  h = with_sizes(g, {{0, 1, 17}}, why);  // the third tile is cut
  CHECK(h.pool.is(h.grid[1], 3));
  CHECK(h.params[0].bounds.size() == 1);
  h = with_sizes(g, {{0, 1, 8}}, why);  // one tile: its index is 0
  CHECK(h.pool.kind(h.params[0].coords[1]) == ExKind::sym);
  with_sizes(g, {{0, 0, 3}, {0, 1, 4}}, why);
  CHECK(why == "require");
  with_sizes(g, {{0, 1, 100}}, why);
  CHECK(why == "tile");
  CHECK(graph::hash(with_sizes(g, {}, why)) == graph::hash(g));
}
