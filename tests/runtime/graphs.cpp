#include "graphs.hpp"

#include <functional>

namespace tine::test {

using namespace graph;

namespace {

int add_node(Graph& g, Op op, DType type, Shape shape, std::vector<int32_t> args, int64_t attr = 0) {
  Node n;
  n.op = op;
  n.type = type;
  n.shape = std::move(shape);
  n.args = std::move(args);
  n.attr = attr;
  g.nodes.push_back(std::move(n));
  const int id = static_cast<int>(g.nodes.size()) - 1;
  if (op != Op::literal && op != Op::size) g.regions[0].nodes.push_back(id);
  return id;
}

Param whole(Graph& g, int source, int rank) {  // one level: every program sees all of it
  Param p;
  p.source = source;
  p.levels.emplace_back();
  p.levels.emplace_back();
  for (int d = 0; d < rank; ++d) {
    const Ex size = g.pool.sym(Sym::size, source, d);
    p.levels[1].push_back(size);
    p.coords.push_back(g.pool.sym(Sym::var, source, d, size));
  }
  p.loc = {0, 10 + source};
  return p;
}

}  // namespace

Graph add_graph(int64_t block) {
  Graph g;
  g.kernel = "Add";
  g.files = {"user/add.hpp"};
  g.regions.resize(1);
  g.metas.push_back({"bm", block, {4, 8}});
  const char* names[] = {"a", "b", "c"};
  for (int s = 0; s < 3; ++s) {
    g.sources.push_back({names[s], DType::f32, 1, s == 2, s != 2});
    const Ex n = g.pool.sym(Sym::size, s, 0), b = g.pool.num(block), tiles = g.pool.cdiv(n, b);
    Param p;
    p.source = s;
    p.levels = {{tiles}, {b}};
    const Ex index = g.pool.add(g.pool.mul(g.pool.sym(Sym::var, s, 0, tiles), b), g.pool.sym(Sym::var, s, 1, b));
    p.coords = {index};
    p.bounds = {{index, n, false, {0, 5}}};
    p.loc = {0, 10 + s};
    g.params.push_back(p);
    if (s == 0)
      g.grid = {tiles};
    else
      g.checks.push_back({Check::equal, g.grid[0], tiles, "grid", s, 0, {0, 7}});
  }
  const Shape tile = {g.pool.num(block)};
  const int a = add_node(g, Op::load, DType::f32, tile, {}, 0);
  const int b = add_node(g, Op::load, DType::f32, tile, {}, 1);
  const int sum = add_node(g, Op::add, DType::f32, tile, {a, b});
  add_node(g, Op::store, DType::f32, {}, {sum}, 2);
  return g;
}

Graph plain_graph(const std::string& name, int count, DType type) {
  Graph g;
  g.kernel = name;
  g.files = {"user/plain.hpp"};
  g.regions.resize(1);
  for (int s = 0; s < count; ++s) {
    g.sources.push_back({std::string(1, static_cast<char>('a' + s)), type, 2, s == count - 1, true});
    g.params.push_back(whole(g, s, 2));
  }
  g.params[0].other =
      static_cast<double>(std::hash<std::string>()(name) >> 12);  // names are not part of a graph's identity
  return g;
}

Graph count_graph() {
  Graph g;
  g.kernel = "Count";
  g.files = {"user/count.hpp"};
  g.regions.resize(1);
  g.sources.push_back({"out", DType::i32, 1, true, true});
  const Ex n = g.pool.sym(Sym::size, 0, 0);
  Param p;
  p.levels = {{n}, {}};
  p.coords = {g.pool.sym(Sym::var, 0, 0, n)};
  g.params.push_back(p);
  g.grid = {n};
  return g;
}

Graph constant_graph(int64_t constant) {
  Graph g = plain_graph("AddConstant", 1, DType::i32);
  const Shape tile = g.params[0].levels[1];
  const int c = add_node(g, Op::literal, DType::i32, {}, {});
  g.nodes.back().integer = constant;
  const int v = add_node(g, Op::load, DType::i32, tile, {}, 0);
  const int s = add_node(g, Op::add, DType::i32, tile, {v, c});
  add_node(g, Op::store, DType::i32, {}, {s}, 0);
  return g;
}

TestTensor::TestTensor(void* d, DType t, std::vector<int64_t> shape, std::vector<int64_t> strides)
    : dims(std::move(shape)), data(d), type(t) {
  if (strides.empty()) {
    strides.resize(dims.size());
    int64_t step = 1;
    for (std::size_t i = dims.size(); i-- > 0;) strides[i] = step, step *= dims[i];
  }
  dims.insert(dims.end(), strides.begin(), strides.end());
}

Argument TestTensor::argument() const {
  return {data, dims.data(), 0, static_cast<uint8_t>(type), static_cast<uint8_t>(dims.size() / 2), is_const};
}

}  // namespace tine::test
