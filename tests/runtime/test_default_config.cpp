// Block sizes for GPUs: the first candidates, unless tiles would be too large.
#include <catch2/catch.hpp>

#include "runtime/jit/default_config.hpp"

using namespace tine;
using namespace tine::graph;

namespace {

/// c = a b on blocks of bm x bk and bk x bn; `open`: bk is a size that only the call knows.
Graph product(const jit::Config& config, DType type, bool open = false) {
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
    if (open)
      for (const int d : {0, 1})
        if ((d ? columns : rows) == 2) n.shape[std::size_t(d)] = g.pool.sym(Sym::size, 0, 1);
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
  CHECK(jit::fitting_config(f32, {}) == "bm=64 bn=128 bk=64");
  CHECK(jit::config_text(f32({})) == "bm=512 bn=256 bk=256");
  // With a capacity of 64, 64 x 64 and 64 x 128 of f32 are 48 KiB; with one of 256 nothing fits.
  const jit::Trace open = [](const jit::Config& c) { return product(c, DType::f32, true); };
  CHECK(jit::fitting_config(open, {{}, {}, true, {{0, 64, false}}}) == "bm=64 bn=128 bk=64");
  CHECK(jit::fitting_config(open, {{}, {}, true, {{0, 256, true}}}) == std::nullopt);
}
