#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "application.hpp"
#include "array.hpp"
#include "dsl/core/tracer.hpp"

namespace tine::fuzz {
namespace {

int64_t product(const Dims& d) {
  int64_t n = 1;
  for (int64_t v : d) n *= v;
  return n;
}
template <class F>
void each_index(const Dims& shape, F&& f) {
  Dims index(shape.size(), 0);
  for (int64_t n = product(shape); n > 0; --n) {
    f(static_cast<const Dims&>(index));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

DType random_type(Choices& c, bool products) {
  using D = DType;
  if (products) return c.pick({D::f16, D::f32, D::bf16, D::i8, D::f16, D::u8, D::f64, D::f32});
  return c.pick({D::i32, D::f32, D::f32, D::i64, D::f16, D::bf16, D::f64, D::u8, D::i8, D::b1, D::u32, D::i16, D::u16,
                 D::u64, D::f8e4m3fn, D::f8e5m2});
}

// One element: small numbers, now and then a large integer, and in special sources what is no number.
void random_element(DType t, std::byte* p, bool special, bool large, Choices& c) {
  if (t == DType::b1) return test::set_element(t, p, double(c.below(2)));
  if (is_float(t)) {
    if (special && c.once_in(6)) return test::set_element(t, p, c.pick<double>({INFINITY, -INFINITY, NAN, -0.0}));
    return test::set_element(t, p, double(c.below(15)) / 2 - 3);
  }
  if (large && c.once_in(3)) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 16 | static_cast<uint64_t>(c.below(65536));
    if (c.once_in(3))
      bits = c.pick<uint64_t>(
          {0, ~uint64_t{0}, uint64_t{1} << (8 * bytes(t) - 1), (uint64_t{1} << (8 * bytes(t) - 1)) - 1});
    std::memcpy(p, &bits, static_cast<std::size_t>(bytes(t)));
    return;
  }
  test::set_element(t, p, double(is_unsigned(t) ? c.below(8) : c.below(15) - 7));
}

// Tiles that matrix units take, and others, of two dims or with a batch.
Arrangement matrices(Choices& c) {
  Dims shape;
  Operation tiles;
  if (c.once_in(3)) shape.push_back(c.between(1, 3)), tiles.sizes.push_back(c.pick<int64_t>({1, 2, 3}));
  for (int d = 0; d < 2; ++d) {
    const int64_t t = c.pick<int64_t>({16, 32, 64, 8, 17, 24, 48});
    tiles.sizes.push_back(t);
    shape.push_back(c.once_in(3) ? t + 1 + c.below(t) : 1 + c.below(t));
  }
  Arrangement a(shape);
  a.apply(tiles);
  return a;
}

}  // namespace

void Program::add_source(Dims shape, bool output, std::optional<DType> type) {
  Choices& c = choices_;
  Source s;
  s.type = type ? *type : random_type(c, products_);
  s.output = output;
  s.shape = std::move(shape);
  s.special = is_float(s.type) && c.once_in(8);
  const std::size_t rank = s.shape.size();
  // The order of dims in memory, gaps, directions; strides of 0.
  std::vector<std::size_t> order(rank);
  for (std::size_t d = 0; d < rank; ++d) order[d] = d;
  if (!aligned_ && c.once_in(3))
    for (std::size_t d = rank; d-- > 1;) std::swap(order[d], order[static_cast<std::size_t>(c.below(int64_t(d) + 1))]);
  s.strides.assign(rank, 0);
  int64_t stride = !aligned_ && c.once_in(6) ? c.between(1, 3) : 1, low = 0, high = 0;
  for (std::size_t k = rank; k-- > 0;) {
    const std::size_t d = order[k];
    s.strides[d] = stride;
    if (!aligned_ && c.once_in(output ? 40 : 10))
      s.strides[d] = 0;
    else
      stride *= std::max<int64_t>(s.shape[d], 1);
    if (c.once_in(5)) stride += aligned_ ? 16 : c.between(1, 3);
    if (aligned_) stride = (stride + 15) / 16 * 16;
    if (c.once_in(8) && !(aligned_ && k + 1 == rank)) s.strides[d] = -s.strides[d];
    const int64_t reach = s.strides[d] * std::max<int64_t>(s.shape[d] - 1, 0);
    (reach < 0 ? low : high) += reach;
  }
  const int64_t lead = !c.once_in(4) ? 0 : aligned_ ? 16 : c.between(1, 5);
  const bool empty = product(s.shape) == 0;
  const int64_t elements = empty ? 0 : high - low + 1;
  // Now and then inside the memory of an earlier source of that type; floats read what was stored by no known accuracy,
  // so only integers do.
  s.buffer = -1;
  if (!is_float(s.type) && c.once_in(6))
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Source& o = sources[i];
      if (o.scalar || o.type != s.type || buffers[static_cast<std::size_t>(o.buffer)].elements < elements) continue;
      s.buffer = o.buffer;
      s.base = -low + c.below(buffers[static_cast<std::size_t>(o.buffer)].elements - elements + 1);
      break;
    }
  if (s.buffer < 0) {
    s.buffer = int(buffers.size());
    s.base = lead - low;
    buffers.push_back({s.type, lead + elements + (c.once_in(4) ? 3 : 0), {}});
  }
  sources.push_back(std::move(s));
}

// Two factors, and the tiles of a result for them; what is summed over may be cut into windows that overlap or leave
// gaps. Returns the grid.
Dims Program::add_factors() {
  Choices& c = choices_;
  const int64_t m = c.pick<int64_t>({16, 32, 64, 8, 17, 24}), n = c.pick<int64_t>({16, 32, 64, 8, 17, 24});
  const int64_t k = c.pick<int64_t>({16, 32, 64, 8, 24, 17, 40});
  const Dims grid = {c.pick<int64_t>({1, 2}), c.pick<int64_t>({1, 2})};
  aligned_ = c.below(2);  // copies can be asynchronous, vectors wide
  const auto size = [&](int64_t tile, int64_t count) {
    const int64_t last = c.below(2) ? tile : 1 + c.below(tile);
    return count == 0 ? 0 : (count - 1) * tile + (aligned_ && last > 16 ? last / 16 * 16 : last);
  };
  const Dims result = {size(m, grid[0]), size(n, grid[1])};
  const int64_t sum = size(k, c.pick({3, 2, 4, 1, 0}));
  const auto factor = [&](int64_t other, int64_t tile, std::size_t along, bool plain, std::optional<DType> type) {
    const bool turned = !plain && c.once_in(3);
    Dims shape(2);
    shape[along] = sum, shape[1 - along] = other;
    if (turned) std::swap(shape[0], shape[1]);
    Arrangement a(shape);
    Operation turn, change, cut, rows, drop, repeat;
    turn.kind = Operation::permute, turn.dims = {1, 0};
    bool ok = !turned || a.apply(turn);
    if (!plain && c.once_in(4)) {
      change.kind = Operation::pad, change.before = change.after = {0, 0};
      change.before[along] = c.pick({2, -1, 16, 0}), change.after[along] = c.pick({0, 3, -2, 16});
      ok = ok && a.apply(change);
    }
    cut.sizes = {tile, tile}, cut.sizes[along] = k;
    if (!plain && c.once_in(4)) cut.strides = cut.sizes, cut.strides[along] = c.pick<int64_t>({k / 2, k + 3, 16});
    if (!plain && c.once_in(6)) cut.dilation = {1, 1}, cut.dilation[along] = 2;
    rows.sizes = {1, 1}, rows.sizes[along] = -1;
    drop.kind = Operation::squeeze, drop.level = 1, drop.dims = {int(1 - along)};
    repeat.kind = Operation::expand, repeat.sizes = {-1, -1}, repeat.sizes[along] = grid[along];
    ok = ok && a.apply(cut) && a.apply(rows) && a.apply(drop) && a.apply(repeat) && a.levels()[0] == grid;
    if (!ok || (!plain && (a.levels()[1][0] > 9 || a.elements() > 32768))) return false;
    add_source(shape, false, type);
    parameters.push_back({int(sources.size()) - 1, a, 0, false});
    return true;
  };
  if (!factor(result[0], m, 1, false, {})) factor(result[0], m, 1, true, {});
  std::optional<DType> type;
  if (bytes(sources[0].type) == 1)
    type = c.pick({DType::i8, DType::u8});
  else if (c.below(4))
    type = sources[0].type;
  else
    type = c.pick({DType::f16, DType::bf16, DType::f32});
  if (!factor(result[1], n, 0, false, type)) factor(result[1], n, 0, true, type);
  aligned_ = c.below(2);
  Operation tiles;
  tiles.sizes = {m, n};
  Arrangement a(result);
  a.apply(tiles);
  add_source(result, true);
  parameters.push_back({int(sources.size()) - 1, a, 0, false});
  aligned_ = false;
  return grid;
}

// A parameter of one more source, whose outermost level is `grid`.
Parameter Program::fitting(const Dims& grid, const Parameter* lead, bool output) {
  Choices& c = choices_;
  const auto n = grid.size();
  const auto tile = [](Dims sizes, int level = 0) {
    Operation o;
    o.sizes = std::move(sizes);
    o.level = level;
    return o;
  };
  const auto expand = [&](const Dims& to) {
    Operation o;
    o.kind = Operation::expand;
    o.sizes = to;
    return o;
  };
  const int way = products_ ? 0 : output ? c.pick({0, 0, 0, 1, 2, 4, 5}) : c.pick({0, 1, 0, 2, 3, 3, 4, 5, 5});
  if (way == 5 && n > 0 && n < 4) {  // rows of blocks
    Dims shape, sizes, ones(n, 1);
    for (int64_t g : grid) {
      const int64_t t = c.pick<int64_t>({1, 1, 2, 4, 3});
      sizes.push_back(t);
      shape.push_back(g == 0 ? 0 : (g - 1) * t + 1 + c.below(t));
    }
    shape.push_back(c.pick<int64_t>({9, 16, 1, 5, 33, 0, 20}));
    sizes.push_back(c.pick<int64_t>({4, 8, 5, 16, 1}));
    if (shape.back() > 9 * sizes.back()) sizes.back() = 4;
    ones.push_back(-1);
    Arrangement a(shape);
    Operation last, first;
    last.kind = first.kind = Operation::squeeze;
    last.dims = {int(n)};
    first.level = 1;
    for (std::size_t k = 0; k < n; ++k) first.dims.push_back(int(k));
    if (a.apply(tile(sizes)) && a.apply(tile(ones)) && a.apply(last) && a.apply(first) && a.levels()[0] == grid &&
        a.elements() <= 4096) {
      add_source(shape, output);
      return {int(sources.size()) - 1, a, 0, false};
    }
  }
  if (way == 1 && lead) {  // like the first
    add_source(lead->arrangement.source(), output);
    return {int(sources.size()) - 1, lead->arrangement, 0, false};
  }
  if (way == 2) {  // one element a program
    Dims shape = grid, ones(n, 1);
    if (n > 0) {
      add_source(shape, output);
      Arrangement a(shape);
      a.apply(tile(ones));
      Operation o;
      o.kind = Operation::squeeze;
      o.level = 1;
      for (std::size_t k = 0; k < n; ++k) o.dims.push_back(int(k));
      if (c.below(2)) a.apply(o);
      return {int(sources.size()) - 1, a, 0, false};
    }
  }
  if (way == 3) {  // every program sees all of it
    Dims shape;
    for (int64_t k = c.between(1, 3); k > 0; --k) shape.push_back(c.pick<int64_t>({4, 3, 1, 7, 8, 2}));
    Arrangement a = random_arrangement(shape, 3, 512, 64, c);
    Arrangement b = a;
    Operation ones = tile(Dims(b.levels()[0].size(), -1)), drop, more;
    bool ok = b.apply(ones);
    drop.kind = Operation::squeeze;
    for (std::size_t k = 0; k < a.levels()[0].size(); ++k) drop.dims.push_back(int(k));
    if (!drop.dims.empty()) ok = ok && b.apply(drop);
    more.kind = Operation::unsqueeze;
    more.dims = {0};
    for (std::size_t k = 0; k < n; ++k) ok = ok && b.apply(more);
    if (n > 0) ok = ok && b.apply(expand(grid));
    if (ok && b.levels()[0] == grid) {
      add_source(shape, output);
      return {int(sources.size()) - 1, b, 0, false};
    }
  }
  // Tiles of their own, ragged at the end; some dims are one tile that is repeated.
  Dims shape, sizes, repeated;
  for (int64_t g : grid) {
    const int64_t t =
        products_ ? c.pick<int64_t>({16, 32, 8, 17, 64, 24, 40, 5}) : c.pick<int64_t>({4, 2, 1, 3, 5, 8, 16, 17, 7});
    const bool once = way == 4 && !output && g > 0 && c.below(2);
    sizes.push_back(t);
    shape.push_back(once ? 1 + c.below(t) : g == 0 ? 0 : (g - 1) * t + 1 + c.below(t));
    repeated.push_back(once ? g : -1);
  }
  if (shape.empty()) shape = {c.pick<int64_t>({8, 5, 16})}, sizes = {-1};
  Arrangement a(shape);
  a.apply(tile(sizes));
  if (n > 0 && way == 4 && !output) a.apply(expand(repeated));
  if (n == 0) {  // no grid: the one outer cell goes
    Operation o;
    o.kind = Operation::squeeze;
    o.dims = {0};
    a.apply(o);
  }
  // The tile may have levels of its own.
  for (int64_t k = products_ ? 0 : c.pick({0, 0, 1, 2}); k > 0; --k) {
    Arrangement next = a;
    if (add_random(next, c) && next.levels()[0] == grid && next.elements() <= 4096 && next.levels().size() >= 2)
      a = next;
  }
  add_source(shape, output);
  return {int(sources.size()) - 1, a, 0, false};
}

Program::Program(Choices& choices) : choices_(choices) {
  Choices& c = choices_;
  products_ = c.once_in(4);
  blocks_ = products_ && c.below(2);
  Dims shape;
  if (!products_) {
    for (int64_t k = c.pick({2, 1, 2, 3}); k > 0; --k)
      shape.push_back(c.once_in(30) ? 0 : c.pick<int64_t>({5, 4, 8, 1, 3, 7, 9, 16, 17, 2, 13, 33, 20}));
    while (product(shape) > 700) shape.back() = 3, shape.front() = 5;
  }
  Dims grid;
  if (blocks_) {
    grid = add_factors();
  } else {
    const Arrangement first = products_ ? matrices(c) : random_arrangement(shape, 5, 2048, 48, c);
    add_source(first.source(), false);
    parameters.push_back({0, first, 0, false});
    grid = first.levels()[0];
  }
  const Parameter first = parameters[0];
  bool decided = !grid.empty();
  const int64_t inputs = blocks_ ? c.pick({0, 1}) : c.pick({1, 2, 0, 3}),
                outputs = blocks_ ? c.pick({0, 1}) : c.pick({1, 2, 1});
  for (int64_t k = 0; k < inputs + outputs; ++k) {
    if (!decided) {
      grid.clear();
      for (int64_t d = c.below(3); d > 0; --d) grid.push_back(c.pick<int64_t>({2, 1, 3, 4}));
      decided = true;
    }
    parameters.push_back(fitting(grid, grid == first.arrangement.levels()[0] ? &first : nullptr, k >= inputs));
  }
  if (c.once_in(3)) {  // another view of a source
    const int s = int(c.below(int64_t(sources.size())));
    const Parameter& p = parameters[static_cast<std::size_t>(s)];
    Arrangement a = p.arrangement;
    if (add_random(a, c) && a.levels()[0] == p.arrangement.levels()[0] && a.elements() <= 4096)
      parameters.push_back({s, a, 0, false});
  }
  for (Parameter& p : parameters) {
    p.has_other = c.once_in(4);
    if (p.has_other) p.other = c.pick<double>({1, 3, 0.5, 2});
    if (!is_float(sources[static_cast<std::size_t>(p.source)].type)) p.other = double(int64_t(p.other));
  }
  for (int64_t k = c.pick({0, 1, 0, 2}); k > 0; --k) {
    Source s;
    s.scalar = true;
    do s.type = random_type(c, products_);
    while (is_float(s.type) && bytes(s.type) == 1);
    random_element(s.type, reinterpret_cast<std::byte*>(&s.bits), false, false, c);
    sources.push_back(s);
    parameters.push_back({int(sources.size()) - 1, Arrangement({}), 0, false});
  }
  if (c.once_in(5)) {  // one element repeated so often that indices need more than 32 bits, or just do not
    Source s;
    s.shape = {c.pick<int64_t>({(int64_t{1} << 31) - (int64_t{1} << 20) - 1, int64_t{1} << 31, (int64_t{1} << 40) + 5,
                                (int64_t{1} << 31) - (int64_t{1} << 20) - 16})};
    s.strides = {0};
    s.buffer = int(buffers.size());
    buffers.push_back({s.type, 1, {}});
    Operation first;
    first.kind = Operation::slice;
    first.items = {{Operation::Item::integer, 0, {}, 1}};
    Arrangement a(s.shape);
    a.apply(first);
    sources.push_back(s);
    parameters.push_back({int(sources.size()) - 1, a, 0, false});
  }
  make_buffers();
  application_at_ = c.position();
}

void Program::make_buffers() {
  // The contents come from one choice, not one for each element: they matter less than all else, and shrink badly.
  Choices contents(static_cast<uint64_t>(choices_.below(1 << 30)));
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    bool special = false;
    for (const Source& s : sources) special |= !s.scalar && s.buffer == int(b) && s.special;
    Buffer& buffer = buffers[b];
    const auto width = static_cast<std::size_t>(bytes(buffer.type));
    buffer.data.resize(static_cast<std::size_t>(buffer.elements) * width);
    const bool large = contents.once_in(3);
    std::mt19937_64 seed(static_cast<uint64_t>(contents.below(1 << 30)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(buffer.elements); ++i) {
      Choices one(static_cast<uint64_t>(seed()));
      random_element(buffer.type, buffer.data.data() + i * width, special, large, one);
    }
  }
}

void Program::run(const void* self) {
  auto& program = *const_cast<Program*>(static_cast<const Program*>(self));
  Choices& c = program.choices_;
  c.rewind(program.application_at_);
  core::Tracer& tracer = core::Tracer::get({});
  const auto value = [&](const Size& s) {
    if (s.kind() == Size::plain) return s.number();
    return tracer.pool.eval(graph::Ex{s.id()}, [&](graph::Sym kind, int a, int b) -> int64_t {
      const Source& source = program.sources[static_cast<std::size_t>(a)];
      return kind == graph::Sym::size ? source.shape[static_cast<std::size_t>(b)]
                                      : source.strides[static_cast<std::size_t>(b)];
    });
  };
  std::vector<int32_t> views;
  for (const Parameter& p : program.parameters) {
    if (program.sources[static_cast<std::size_t>(p.source)].scalar) {
      views.push_back(-1 - p.source);
      continue;
    }
    int32_t v = replay(p.arrangement, p.source, c);
    if (p.has_other) {
      const DType t = program.sources[static_cast<std::size_t>(p.source)].type;
      core::Operand o{is_float(t) ? core::Operand::real : core::Operand::integer, t};
      o.integer_value = t == DType::b1 ? 1 : static_cast<int64_t>(p.other);
      o.real_value = p.other;
      v = core::view_other(v, o, Loc::here());
    }
    for (std::size_t l = 0; l < p.arrangement.levels().size(); ++l)
      for (std::size_t d = 0; d < p.arrangement.levels()[l].size(); ++d) {
        const int64_t got = value(core::view_size(v, int(l), int(d), Loc::here())), want = p.arrangement.levels()[l][d];
        if (got != want)
          throw std::logic_error("level " + std::to_string(l) + " dim " + std::to_string(d) + " of " +
                                 p.arrangement.text() + " is " + std::to_string(got) + " in the front end");
      }
    views.push_back(v);
  }
  if (!core::arranged(views.data(), int(views.size()))) return;
  program.accuracies_.assign(program.sources.size(), {});
  Application(program, c).run();
}

graph::Graph Program::trace() {
  std::vector<core::SourceType> types;
  for (const Source& s : sources) types.push_back({s.type, s.scalar ? 0 : int(s.shape.size())});
  core::Definition* d = core::define({this, sizeof *this, run, [](const void*) {}, "K = Fuzz]", types.data(),
                                      int(types.size()), nullptr, nullptr, 0, true});
  struct Release {
    core::Definition* d;
    ~Release() { core::release(d); }
  } release{d};
  graph::Graph g = core::trace(*d);
  // The front end's index maps, element by element.
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    if (sources[static_cast<std::size_t>(p.source)].scalar) continue;
    const graph::Param& traced = g.params[i];
    Dims all;
    for (const Dims& l : p.arrangement.levels()) all.insert(all.end(), l.begin(), l.end());
    each_index(all, [&](const Dims& index) {
      const auto at = [&](graph::Ex e) {
        return g.pool.eval(e, [&](graph::Sym kind, int a, int b) -> int64_t {
          if (kind == graph::Sym::var) return index[static_cast<std::size_t>(b)];
          const Source& s = sources[static_cast<std::size_t>(a)];
          return kind == graph::Sym::size ? s.shape[static_cast<std::size_t>(b)]
                                          : s.strides[static_cast<std::size_t>(b)];
        });
      };
      bool in_range = true;
      for (const graph::Bound& b : traced.bounds) in_range &= (!b.low || at(b.index) >= 0) && at(b.index) < at(b.size);
      Dims got;
      for (graph::Ex e : traced.coords) got.push_back(at(e));
      const std::optional<Dims> want = p.arrangement.locate(index);
      if (want.has_value() != in_range || (want && *want != got)) {
        std::string s = "index";
        for (int64_t v : index) s += " " + std::to_string(v);
        s += " of " + p.arrangement.text() + " is ";
        for (int64_t v : got) s += std::to_string(v) + " ";
        throw std::logic_error(s + (in_range ? "in range" : "out of range") + " in the front end");
      }
    });
  }
  return g;
}

bool Program::determined(const graph::Graph& g) const {
  // Which (program, param cell) stores or loads each element of each buffer. Every index of the middle levels counts.
  using Element = std::pair<int, int64_t>;
  std::map<Element, std::set<int64_t>> storing, loading;
  std::vector<char> stored(parameters.size(), 0), loaded(parameters.size(), 0);
  for (const graph::Node& n : g.nodes) {
    if (n.op == core::Op::store) stored[static_cast<std::size_t>(n.attr)] = 1;
    if (n.op == core::Op::load) loaded[static_cast<std::size_t>(n.attr)] = 1;
  }
  bool ok = true;
  int64_t grid = 1;
  for (const Parameter& p : parameters)
    if (!p.arrangement.levels()[0].empty()) grid = product(p.arrangement.levels()[0]);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    const Source& s = sources[static_cast<std::size_t>(p.source)];
    if (s.scalar || (!stored[i] && !loaded[i])) continue;
    const auto& levels = p.arrangement.levels();
    Dims all;
    for (const Dims& l : levels) all.insert(all.end(), l.begin(), l.end());
    const int64_t lanes = levels.size() > 1 ? product(levels.back()) : 1, outer = product(levels[0]);
    const int64_t cells = outer == 0 || lanes == 0 ? 0 : product(all) / lanes;
    int64_t count = 0;
    std::map<Element, int64_t> cell_of;  // the last cell that reached an element
    each_index(all, [&](const Dims& index) {
      const int64_t cell = count++ / lanes, program = cell / std::max<int64_t>(cells / std::max<int64_t>(outer, 1), 1);
      const std::optional<Dims> at = p.arrangement.locate(index);
      if (!at) return;
      int64_t element = s.base;
      for (std::size_t d = 0; d < at->size(); ++d) element += (*at)[d] * s.strides[d];
      const Element e{s.buffer, element};
      if (stored[i]) {
        const auto [place, fresh] = cell_of.emplace(e, cell);
        if (!fresh && place->second == cell) ok = false;
        place->second = cell;
      }
      const bool everywhere = levels[0].empty();
      for (int64_t q = everywhere ? 0 : program; q < (everywhere ? grid : program + 1); ++q) {
        if (stored[i]) storing[e].insert(q);
        if (loaded[i]) loading[e].insert(q);
      }
    });
  }
  for (const auto& [e, programs] : storing) {
    if (programs.size() > 1) ok = false;
    const auto l = loading.find(e);
    if (l != loading.end())
      for (int64_t q : l->second) ok &= programs.count(q) > 0;
  }
  return ok;
}

std::string Program::text() const {
  std::string out;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& s = sources[i];
    out += "source " + std::to_string(i) + ": " + test::dtype_name(s.type);
    if (s.scalar) {
      out += " scalar " + std::to_string(test::element(s.type, reinterpret_cast<const std::byte*>(&s.bits))) + "\n";
      continue;
    }
    const auto list = [&](const Dims& d) {
      std::string t;
      for (int64_t v : d) t += (t.empty() ? "" : ",") + std::to_string(v);
      return "(" + t + ")";
    };
    out += " " + list(s.shape) + " strides " + list(s.strides) + " in buffer " + std::to_string(s.buffer) + " at " +
           std::to_string(s.base) + (s.special ? " special" : "") + "\n";
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!sources[static_cast<std::size_t>(parameters[i].source)].scalar)
      out += "param " + std::to_string(i) + " of source " + std::to_string(parameters[i].source) + ": " +
             parameters[i].arrangement.text() +
             (parameters[i].has_other ? " other " + std::to_string(parameters[i].other) : "") + "\n";
  return out;
}

}  // namespace tine::fuzz
