// Block sizes for GPUs: the first candidates, unless tiles would be too large.
#include <catch2/catch.hpp>

#include "runtime/jit/default_config.hpp"
#include "runtime/jit/nearest_config.hpp"

using namespace tine;
using namespace tine::graph;

namespace {

/// c = a b on blocks of bm x bk and bk x bn.
Graph product(const jit::Config& config, DType type) {
  Graph g;
  g.kernel = "Product";
  g.metas = {{"bm", 512, {512, 128, 64}}, {"bn", 256, {256, 128, 64}}, {"bk", 256, {256, 64}}};
  for (Meta& m : g.metas)
    for (const auto& [name, value] : config)
      if (name == m.name) m.value = value;
  auto tile = [&](Op op, DType element, int rows, int columns, std::vector<int32_t> args) {
    Node n;
    n.op = op;
    n.type = element;
    n.args = std::move(args);
    n.shape = {g.pool.num(g.metas[std::size_t(rows)].value), g.pool.num(g.metas[std::size_t(columns)].value)};
    g.nodes.push_back(n);
  };
  tile(Op::load, type, 0, 2, {});
  tile(Op::load, type, 2, 1, {});
  tile(Op::dot, DType::f32, 0, 1, {0, 1});
  return g;
}

}  // namespace

TEST_CASE("default block sizes on GPUs: the one that helps most goes down until a product's tiles fit", "[default]") {
  const jit::Trace f32 = [](const jit::Config& c) { return product(c, DType::f32); };
  const jit::Trace f16 = [](const jit::Config& c) { return product(c, DType::f16); };
  // f16, KiB of operands by 48 and thousands of results by 16: 384 by 128; bm = 128: 192 by 32; bk = 64: 48 by 32; bn = 128.
  CHECK(jit::default_config(f16, {}) == jit::Config{{"bk", 64}, {"bm", 128}, {"bn", 128}});
  // f32: operands of 2 * 32 KiB are too much; any step helps, and the first of the two 128 goes down to 64.
  CHECK(jit::default_config(f32, {}) == jit::Config{{"bk", 64}, {"bm", 64}, {"bn", 128}});
  // What was chosen stays, whether it fits or not, and nothing goes down in vain: 64 x 256 results fit, as do operands of 40 KiB.
  CHECK(jit::default_config(f16, {{"bm", 64}}) == jit::Config{{"bk", 64}, {"bm", 64}});
  CHECK(jit::default_config(f16, {{"bm", 4096}})[1] == std::pair<std::string, int64_t>("bm", 4096));
  CHECK(jit::config_text(f32({})) == "bm=512 bn=256 bk=256");
}

namespace {

/// Attention's loop: k and v pass by in blocks of bn rows, as wide as a head; q is of bm rows and stays.
Graph two_products(const jit::Config& config, DType type) {
  Graph g;
  g.kernel = "TwoProducts";
  g.metas = {{"bm", 128, {128, 64}}, {"bn", 128, {128, 64, 32}}};
  for (Meta& m : g.metas)
    for (const auto& [name, value] : config)
      if (name == m.name) m.value = value;
  const Ex m = g.pool.num(g.metas[0].value), n = g.pool.num(g.metas[1].value), head = g.pool.sym(Sym::size, 0, 1);
  auto node = [&](Op op, DType element, std::vector<Ex> shape, std::vector<int32_t> args) {
    Node node;
    node.op = op, node.type = element, node.shape = std::move(shape), node.args = std::move(args), node.region = 1;
    g.nodes.push_back(node);
    return static_cast<int32_t>(g.nodes.size()) - 1;
  };
  const int32_t i = node(Op::loop_var, DType::i64, {}, {});
  const int32_t q = node(Op::load, type, {m, head}, {}), k = node(Op::load, type, {n, head}, {i}), v = node(Op::load, type, {n, head}, {i});
  const int32_t turned = node(Op::permute, type, {head, n}, {k});
  const int32_t score = node(Op::dot, DType::f32, {m, n}, {q, turned}), weight = node(Op::cast, type, {m, n}, {score});
  node(Op::dot, DType::f32, {m, head}, {weight, v});
  return g;
}

}  // namespace

TEST_CASE("default block sizes on GPUs: what passes by in a loop leaves room for two stages", "[default]") {
  // f16 at the usual head of 128: k and v of 32 KiB each are too much, of 16 KiB they fit; bm does not help.
  CHECK(jit::default_config([](const jit::Config& c) { return two_products(c, DType::f16); }, {}) == jit::Config{{"bn", 64}});
  CHECK(jit::default_config([](const jit::Config& c) { return two_products(c, DType::f32); }, {}) == jit::Config{{"bn", 32}});
  CHECK(jit::default_config([](const jit::Config& c) { return two_products(c, DType::i8); }, {}).empty());
  CHECK(jit::default_config([](const jit::Config& c) { return two_products(c, DType::f16); }, {{"bn", 128}}) == jit::Config{{"bn", 128}});
}

TEST_CASE("what there is below a config comes nearest first", "[default]") {
  // Ratios of 2 (bn), of 4 (bk, bn or bm), of 8 by one of them, of 8 by two.
  const auto text = [](const jit::FullConfig& c) { return jit::config_text(product(c.metas, DType::f32)); };
  std::vector<std::string> texts;
  for (const jit::FullConfig& c : jit::smaller_configs(product({}, DType::f32), "warps=4")) {
    texts.push_back(text(c));
    CHECK(c.options == "warps=4");
  }
  REQUIRE(texts.size() == 3 * 3 * 2 - 1);
  texts.resize(7);
  CHECK(texts == std::vector<std::string>{"bm=512 bn=128 bk=256", "bm=512 bn=256 bk=64", "bm=512 bn=64 bk=256", "bm=128 bn=256 bk=256",
                                          "bm=64 bn=256 bk=256", "bm=512 bn=128 bk=64", "bm=128 bn=128 bk=256"});
  // What was chosen stays where it is no candidate, and only smaller ones follow: bk = 64 alone.
  const auto chosen = jit::smaller_configs(product({{"bk", 96}, {"bm", 32}, {"bn", 48}}, DType::f32), "");
  CHECK(chosen == std::vector<jit::FullConfig>{{{{"bm", 32}, {"bn", 48}, {"bk", 64}}, ""}});
  CHECK(jit::smaller_configs(product({{"bk", 64}, {"bm", 64}, {"bn", 64}}, DType::f32), "").empty());
}

TEST_CASE("fewer stages than were asked for are a smaller config too", "[default]") {
  const Graph g = product({{"bk", 64}, {"bm", 64}, {"bn", 128}}, DType::f32);
  std::vector<std::string> texts;
  for (const jit::FullConfig& c : jit::smaller_configs(g, "fast_math=1;stages=3;warps=4"))
    texts.push_back(jit::config_text(product(c.metas, DType::f32)) + " " + c.options);
  CHECK(texts == std::vector<std::string>{"bm=64 bn=128 bk=64 fast_math=1;stages=2;warps=4", "bm=64 bn=64 bk=64 fast_math=1;stages=3;warps=4",
                                          "bm=64 bn=128 bk=64 fast_math=1;stages=1;warps=4", "bm=64 bn=64 bk=64 fast_math=1;stages=2;warps=4",
                                          "bm=64 bn=64 bk=64 fast_math=1;stages=1;warps=4"});
  const auto words = [&](const std::string& options, const std::function<bool(const jit::FullConfig&)>& fits) {
    const auto nearest = jit::nearest_config(g, options, fits);
    return nearest ? jit::config_text(*nearest) : "none";
  };
  CHECK(words("stages=2", [](const jit::FullConfig& c) { return c.options == "stages=1"; }) == "bm=64 bn=128 bk=64 stages=1");
  CHECK(words("stages=2", [](const jit::FullConfig&) -> bool { throw std::runtime_error("no"); }) == "none");
  CHECK(words("", [](const jit::FullConfig&) { return true; }) == "bm=64 bn=64 bk=64");
  CHECK(words("", [](const jit::FullConfig&) { return false; }) == "none");
}

TEST_CASE("of many smaller configs a near one is found, or the last, in a limited number of trials", "[default]") {
  Graph g;
  g.metas = {{"a", 1024, {1024, 512, 256, 128, 64, 32, 16, 8}}, {"b", 1024, {1024, 512, 256, 128, 64, 32, 16, 8}}, {"c", 1024, {1024, 512, 256, 128, 64, 32, 16, 8}}};
  int trials = 0;
  const auto below = [&](int64_t most) {
    trials = 0;
    const auto nearest = jit::nearest_config(g, "", [&](const jit::FullConfig& c) {
      ++trials;
      return c.metas[0].second * c.metas[1].second * c.metas[2].second <= most;
    });
    return nearest ? nearest->metas[0].second * nearest->metas[1].second * nearest->metas[2].second : -1;
  };
  // Ratios are powers of two, and with them the product: the nearest that fits has just the limit.
  for (const int64_t most : {int64_t{1} << 29, int64_t{1} << 26, int64_t{1} << 20, int64_t{1} << 15, int64_t{512}}) {
    CHECK(below(most) == most);
    CHECK(trials <= 64 + 32 + 126);
  }
  CHECK(below(511) == -1);
}
