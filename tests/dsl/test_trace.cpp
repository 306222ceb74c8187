// The recorded graph: SSA, loops, order, checks, locations.
#include <algorithm>
#include <atomic>
#include <thread>

#include "harness.hpp"

namespace core = tine::core;
namespace graph = tine::graph;
using namespace tine::test;
using tine::graph::Check;
using tine::graph::Graph;
using tine::graph::Op;

namespace {

template <class T>
struct Softmax {
  nt::BlockSize rows{1};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const { return std::tuple{x.tile({rows, nt::whole}), y.tile({rows, nt::whole})}; }
  void application(auto x, auto y) const {
    auto e = nt::exp(x - nt::max(x, nt::axis(1), nt::keep_dims));
    y = e / nt::sum(e, nt::axis(1), nt::keep_dims);
  }
};

// operands in both orders: C++ may evaluate either first
struct LeftFirst {
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({4}), y.tile({4})}; }
  void application(auto x, auto y) const {
    auto a = nt::exp(x);
    auto b = nt::log(y);
    y = a * b;
  }
};
struct RightFirst : LeftFirst {
  void application(auto x, auto y) const {
    auto b = nt::log(y);
    auto a = nt::exp(x);
    y = a * b;
  }
};
struct WithDeadCode : LeftFirst {
  void application(auto x, auto y) const {
    auto unused = nt::sin(x) + y;
    auto never = nt::zeros<float>(x.shape());
    auto a = nt::exp(x);
    for (auto k : nt::range(7)) never += k;
    auto b = nt::log(y);
    unused = unused + never;
    y = a * b;
  }
};

int count(const Graph& g, Op op) {
  int n = 0;
  for (auto& r : g.regions) n += int(std::count_if(r.nodes.begin(), r.nodes.end(), [&](int32_t i) { return g.nodes[std::size_t(i)].op == op; }));
  return n;
}

struct WithLoop : LeftFirst {
  void application(auto x, auto y) const {
    auto s = nt::zeros<float>(x.shape());
    auto untouched = nt::load(x);
    for (auto k : nt::range(3)) s += untouched * k;
    y = s;
  }
};
struct WithWhile : LeftFirst {
  void application(auto x, auto y) const {
    auto n = nt::cast<int>(0);
    auto s = nt::load(x);
    nt::while_([&] { return n * 2 < 6; }, [&] { s = s * 2, n += 1; });
    y = s;
  }
};
struct LoadBetweenStores : LeftFirst {
  void application(auto x, auto y) const {
    auto a = nt::load(x);
    x = a + 1;
    auto b = nt::load(x);
    x = b * 2;
    y = a + b;
  }
};
struct Located : LeftFirst {
  void application(auto x, auto y) const {
    auto t = x + 1;
    t = t * 2;
    t += y;
    y = t;
    y *= 2;
  }
};

struct Guarded {
  nt::BlockSize n{4};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<float, 1> a, nt::Tensor<float, 2> b, nt::Tensor<float, 1> c) const {
    nt::require(a.size(0) == b.size(1));
    nt::require(n <= 64);
    nt::require(b.size(0) < 7);
    return std::tuple{a.tile({n}), b(0).tile({n}), c.tile({n})};
  }
  void application(auto a, auto b, auto c) const { c = a + b; }
};
struct Expanded {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.expand({y.size(0), nt::keep}).squeeze(1).tile({4}), y.squeeze(-1).tile({4})};
  }
  void application(auto x, auto y) const { y = x; }
};
struct Conditional : LeftFirst {
  bool twice = false;
  void application(auto x, auto y) const {
    if (twice) y = x * 2;
    else y = x;
  }
};

}  // namespace

TEST_CASE("a kernel's text") {
  auto g = traced(Softmax<float>{});
  CHECK(graph::text(g) ==
        "tine.graph 2\n"
        "kernel " + g.kernel + "\n"
        "meta rows = 1 of 1\n"
        "source x : f32 rank 2 loaded\n"
        "source y : f32 rank 2 stored\n"
        "param p0 = x (x.size0, 1) of (1, x.size1)\n"
        "  element (i0, i3)\n"
        "param p1 = y (y.size0, 1) of (1, y.size1)\n"
        "  element (i0, i3)\n"
        "grid (x.size0, 1)\n"
        "check =: x.size1 == y.size1\n"
        "check grid: x.size0 == y.size0\n"
        "body {\n"
        "  %0 = load p0 : f32[1, x.size1]\n"
        "  %1 = load p0 : f32[1, x.size1]\n"
        "  %2 = rmax %1 axes 1 : f32[1]\n"
        "  %3 = unsqueeze %2 dim 1 : f32[1, 1]\n"
        "  %4 = sub %0, %3 : f32[1, x.size1]\n"
        "  %5 = exp %4 : f32[1, x.size1]\n"
        "  %6 = sum %5 axes 1 : f32[1]\n"
        "  %7 = unsqueeze %6 dim 1 : f32[1, 1]\n"
        "  %8 = div %5, %7 : f32[1, x.size1]\n"
        "  store p1, %8 : f32[1, y.size1]\n"
        "}\n");
}

TEST_CASE("the order of evaluation and dead code leave no trace") {
  auto a = graph::canonical_bytes(traced(LeftFirst{})), b = graph::canonical_bytes(traced(RightFirst{})), c = graph::canonical_bytes(traced(WithDeadCode{}));
  CHECK(a == b);
  CHECK(a == c);
}

TEST_CASE("loops carry what they assign, and only that") {
  auto g = traced(WithLoop{});
  auto loop = std::find_if(g.regions[0].nodes.begin(), g.regions[0].nodes.end(), [&](int32_t n) { return g.nodes[std::size_t(n)].op == Op::for_; });
  REQUIRE(loop != g.regions[0].nodes.end());
  const graph::Node& n = g.nodes[std::size_t(*loop)];
  CHECK(n.args.size() == 4);
  CHECK(n.results.size() == 1);
  CHECK(g.regions[std::size_t(n.regions[0])].inputs.size() == 2);
  CHECK(count(g, Op::load) == 1);
}

TEST_CASE("a while_ is split into condition and body") {
  auto g = traced(WithWhile{});
  for (auto& n : g.nodes) {
    if (n.op != Op::while_ || n.regions.empty()) continue;
    const graph::Region& r = g.regions[std::size_t(n.regions[0])];
    CHECK(n.split == 2);  // n * 2, < 6
    CHECK(r.yields.size() == 3);
    CHECK(r.nodes.size() == 4);
  }
}

TEST_CASE("loads stay between the stores where they were") {
  auto g = traced(LoadBetweenStores{});
  std::vector<Op> ops;
  for (int32_t n : g.regions[0].nodes) {
    Op o = g.nodes[std::size_t(n)].op;
    if (o == Op::load || o == Op::store) ops.push_back(o);
  }
  CHECK(ops == std::vector<Op>{Op::load, Op::store, Op::load, Op::store, Op::store});
}

TEST_CASE("operators and assignments are located") {
  auto g = traced(Located{});
  int first = 0;
  std::vector<std::pair<Op, int>> lines;
  for (int32_t i : g.regions[0].nodes) {
    const graph::Node& n = g.nodes[std::size_t(i)];
    REQUIRE(n.loc.line > 0);
    REQUIRE(g.files[std::size_t(n.loc.file)] == __FILE__);
    if (!first) first = n.loc.line;
    lines.push_back({n.op, n.loc.line - first});
  }
  CHECK(lines == std::vector<std::pair<Op, int>>{
                     {Op::load, 0}, {Op::add, 0}, {Op::mul, 1}, {Op::load, 2}, {Op::add, 2}, {Op::store, 3}, {Op::load, 4}, {Op::mul, 4}, {Op::store, 4}});
}

TEST_CASE("locations do not enter the identity, and files are relative to a root") {
  auto d = definition(Located{});
  auto g = core::trace(*d);
  std::string file = __FILE__, folder = file.substr(0, file.rfind('/'));
  if (folder == file) folder = "";
  auto h = core::trace(*d, {{}, folder});
  CHECK(graph::hash(g) == graph::hash(h));
  if (!folder.empty()) CHECK(h.files[0] == file.substr(folder.size() + 1));
  for (auto& n : h.nodes) n.loc = {};
  h.files.clear();
  h.kernel = "another";
  CHECK(graph::canonical_bytes(g) == graph::canonical_bytes(h));
}

TEST_CASE("checks at the call: require, grid, squeeze, expand, slices, shapes") {
  auto g = traced(Guarded{});
  auto has = [&](const char* what, Check::Kind k) {
    return std::any_of(g.checks.begin(), g.checks.end(), [&](auto& c) { return c.what == what && c.kind == k && c.loc.line > 0; });
  };
  CHECK(has("require", Check::equal));
  CHECK(has("require", Check::less));
  CHECK_FALSE(has("require", Check::less_equal));  // 4 <= 64 is known
  CHECK(has("grid", Check::equal));
  CHECK(has("slice", Check::in_range));
  g = traced(Expanded{});
  CHECK(has("expand", Check::one_or_equal));
  CHECK(has("squeeze", Check::equal));
}

TEST_CASE("an expanded dim of unknown size reads index 0 where it is 1") {
  auto g = traced(Expanded{});
  for (int64_t rows : {1, 3}) {
    std::vector<Buffer> b{buffer<float>({rows, 1}, std::vector<float>(std::size_t(rows), 7)), buffer<float>({3, 1}, {0, 0, 0})};
    for (int64_t i = 0; i < rows; ++i) reinterpret_cast<float*>(b[0].bytes.data())[i] = float(i + 1);
    run(g, b);
    CHECK(b[1].as<float>() == (rows == 1 ? std::vector<float>{1, 1, 1} : std::vector<float>{1, 2, 3}));
  }
}

TEST_CASE("C++ control flow on known values") {
  CHECK(count(traced(Conditional{{}, true}), Op::mul) == 1);
  CHECK(count(traced(Conditional{{}, false}), Op::mul) == 0);
  CHECK(graph::hash(traced(Conditional{{}, true})) != graph::hash(traced(Conditional{{}, false})));
}

TEST_CASE("traces on many threads do not meet") {
  auto d = definition(Softmax<float>{});
  std::string want = graph::hash(core::trace(*d));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] { for (int i = 0; i < 50; ++i) wrong += graph::hash(core::trace(*d)) != want; });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}
