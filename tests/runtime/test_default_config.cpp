// Block sizes for GPUs: the first candidates, unless tiles would be too large.
#include <catch2/catch.hpp>

#include "runtime/jit/default_config.hpp"

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

TEST_CASE("default block sizes on GPUs: the largest goes down until a product's tiles fit", "[default]") {
  const jit::Trace f32 = [](const jit::Config& c) { return product(c, DType::f32); };
  const jit::Trace f16 = [](const jit::Config& c) { return product(c, DType::f16); };
  // f16: 512 -> 128, then of the two 256 the first, -> 128; then bk = 256 -> 64: operands of 2 * 16 KiB.
  CHECK(jit::default_config(f16, {}) == jit::Config{{"bk", 64}, {"bm", 128}, {"bn", 128}});
  // f32: operands of 2 * 32 KiB are too much; the first of the two 128 goes down to 64.
  CHECK(jit::default_config(f32, {}) == jit::Config{{"bk", 64}, {"bm", 64}, {"bn", 128}});
  // What was chosen stays, whether it fits or not.
  CHECK(jit::default_config(f16, {{"bm", 64}}) == jit::Config{{"bk", 64}, {"bm", 64}, {"bn", 128}});
  CHECK(jit::default_config(f16, {{"bm", 4096}})[1] == std::pair<std::string, int64_t>("bm", 4096));
  CHECK(jit::config_text(f32({})) == "bm=512 bn=256 bk=256");
}

TEST_CASE("what there is below a config comes nearest first", "[default]") {
  // Ratios of 2 (bn), of 4 (bk, bn or bm), of 8 by one of them, of 8 by two.
  std::vector<std::string> texts;
  for (const jit::Config& c : jit::smaller_configs(product({}, DType::f32))) texts.push_back(jit::config_text(product(c, DType::f32)));
  REQUIRE(texts.size() == 3 * 3 * 2 - 1);
  texts.resize(7);
  CHECK(texts == std::vector<std::string>{"bm=512 bn=128 bk=256", "bm=512 bn=256 bk=64", "bm=512 bn=64 bk=256", "bm=128 bn=256 bk=256",
                                          "bm=64 bn=256 bk=256", "bm=512 bn=128 bk=64", "bm=128 bn=128 bk=256"});
  // What was chosen stays where it is no candidate, and only smaller ones follow: bk = 64 alone.
  const auto chosen = jit::smaller_configs(product({{"bk", 96}, {"bm", 32}, {"bn", 48}}, DType::f32));
  CHECK(chosen == std::vector<jit::Config>{{{"bm", 32}, {"bn", 48}, {"bk", 64}}});
  CHECK(jit::smaller_configs(product({{"bk", 64}, {"bm", 64}, {"bn", 64}}, DType::f32)).empty());
}
