#include "runtime/reference/evaluate.hpp"

#include <optional>

#include "dsl/graph/check.hpp"
#include "runtime/reference/element.hpp"
#include "runtime/reference/tiles.hpp"

namespace tine::reference {
namespace {

using graph::Check;
using graph::Ex;
using graph::Graph;
using graph::Node;
using graph::Op;
using graph::Param;
using graph::Region;
using graph::Sym;

class Program {
 public:
  Program(const Graph& g, std::span<const Argument> arguments, Dims grid)
      : g_(g), arguments_(arguments), grid_(std::move(grid)), values_(g.nodes.size()) {}

  void run(const Dims& index) {
    program_ = index;
    for (auto& v : values_) v.reset();
    region(g_.regions.at(0));
  }

 private:
  // ---- sizes

  int64_t size(Ex e) const {
    return g_.pool.eval(e, [&](Sym kind, int a, int b) -> int64_t {
      const Argument& s = arguments_[static_cast<std::size_t>(a)];
      if (kind == Sym::var) malformed("an index where only sizes may stand");
      return s.dims[kind == Sym::size ? b : s.rank + b];
    });
  }
  Dims shape_of(const graph::Shape& shape) const {
    Dims out;
    for (Ex e : shape) out.push_back(size(e));
    return out;
  }

  // ---- places

  // One sub-tile of a parameter: the values of its index variables, but for the tile's own.
  struct Place {
    const Param* param;
    Dims vars;           // of all axes but the tile's
    Dims tile;           // the tile's shape
    bool exists = true;  // the indices of the middle levels lie within these
  };

  Place place(const Node& n, std::size_t first_index) {
    const Param& p = g_.params.at(static_cast<std::size_t>(n.attr));
    Place out{&p, {}, {}, true};
    const std::size_t levels = p.levels.size();
    if (levels > 0)
      for (std::size_t d = 0; d < p.levels[0].size(); ++d) out.vars.push_back(program_.at(d));
    std::size_t next = first_index;
    for (std::size_t l = 1; l + 1 < levels; ++l)
      for (Ex extent : p.levels[l]) {
        const int64_t i = scalar(n.args.at(next++));
        out.exists &= 0 <= i && i < size(extent);
        out.vars.push_back(i);
      }
    if (next != n.args.size()) malformed("number of indices of a place");
    if (levels > 1) out.tile = shape_of(p.levels.back());
    return out;
  }

  int64_t at(const Place& place, const Dims& lane, Ex e) const {
    return g_.pool.eval(e, [&](Sym kind, int a, int b) -> int64_t {
      const auto dim = static_cast<std::size_t>(b);
      if (kind == Sym::var) return dim < place.vars.size() ? place.vars[dim] : lane.at(dim - place.vars.size());
      const Argument& s = arguments_[static_cast<std::size_t>(a)];
      return s.dims[kind == Sym::size ? b : s.rank + b];
    });
  }
  bool in_range(const Place& place, const Dims& lane) const {
    if (!place.exists) return false;
    for (const graph::Bound& b : place.param->bounds) {
      const int64_t i = at(place, lane, b.index);
      if ((b.low && i < 0) || i >= at(place, lane, b.size)) return false;
    }
    return true;
  }
  char* address(const Place& place, const Dims& lane) const {
    const auto source = static_cast<std::size_t>(place.param->source);
    const Argument& a = arguments_[source];
    int64_t offset = 0;
    for (std::size_t d = 0; d < place.param->coords.size(); ++d) {
      const int64_t i = at(place, lane, place.param->coords[d]);
      if (i < 0 || i >= a.dims[d]) malformed("an element in range lies outside the source");
      offset += i * a.dims[a.rank + d];
    }
    return static_cast<char*>(a.data) + offset * graph::bytes(g_.sources[source].type);
  }

  Tile load(const Node& n) {
    const Place p = place(n, 0);
    const graph::Source& source = g_.sources.at(static_cast<std::size_t>(p.param->source));
    Tile out = make_tile(source.type, p.tile);
    std::size_t next = 0;
    for_each_index(p.tile, [&](const Dims& lane) {
      Element& e = out.data[next++];
      if (source.rank == 0)
        e = load_element(source.type, &arguments_[static_cast<std::size_t>(p.param->source)].scalar);
      else if (in_range(p, lane))
        e = load_element(source.type, address(p, lane));
      else
        e = convert(DType::f64, source.type, real(p.param->other));
    });
    return out;
  }

  void store(const Node& n) {
    const Place p = place(n, 1);
    const DType type = g_.sources.at(static_cast<std::size_t>(p.param->source)).type;
    const Tile& from = value(n.args.at(0));
    const Tile tile = broadcast(from, p.tile);
    std::size_t next = 0;
    for_each_index(p.tile, [&](const Dims& lane) {
      const Element e = convert(from.type, type, tile.data[next++]);
      if (in_range(p, lane)) store_element(type, address(p, lane), e);
    });
  }

  Tile valid(const Node& n) {
    const Place p = place(n, 0);
    Tile out = make_tile(DType::b1, p.tile);
    std::size_t next = 0;
    for_each_index(p.tile, [&](const Dims& lane) { out.data[next++] = integer(in_range(p, lane)); });
    return out;
  }

  Tile offsets(const Node& n) {
    const Place p = place(n, 0);
    const Argument& source = arguments_[static_cast<std::size_t>(p.param->source)];
    Tile out = make_tile(DType::i64, p.tile);
    std::size_t next = 0;
    for_each_index(p.tile, [&](const Dims& lane) {
      int64_t v = 0;
      if (n.attr2 >= 0)
        v = at(p, lane, p.param->coords.at(static_cast<std::size_t>(n.attr2)));
      else
        for (std::size_t d = 0; d < p.param->coords.size(); ++d)
          v = v * source.dims[d] + at(p, lane, p.param->coords[d]);
      out.data[next++] = integer(v);
    });
    return out;
  }

  // ---- values

  const Tile& value(int32_t id) {
    std::optional<Tile>& v = values_.at(static_cast<std::size_t>(id));
    if (v) return *v;
    const Node& n = g_.nodes[static_cast<std::size_t>(id)];  // what stands in no region's list
    if (n.op == Op::literal) {
      v = make_tile(n.type, {});
      v->data[0] = is_float(n.type) ? real(round_to(n.type, n.real)) : integer(n.integer);
    } else if (n.op == Op::size) {
      v = make_tile(n.type, {});
      v->data[0] = convert(DType::i64, n.type, integer(size(n.expr)));
    } else {
      malformed(std::string("use of `") + graph::name(n.op) + "` before it has a value");
    }
    return *v;
  }
  int64_t scalar(int32_t id) {
    const Tile& t = value(id);
    if (!t.shape.empty() || is_float(t.type)) malformed("a scalar integer was expected");
    return t.data[0].i;
  }

  // All operands of element-wise operations, broadcast to the result's shape.
  Tile elementwise(const Node& n) {
    const Dims shape = shape_of(n.shape);
    std::vector<Tile> in;
    for (int32_t a : n.args) in.push_back(broadcast(value(a), shape));
    Tile out = make_tile(n.type, shape);
    for (std::size_t i = 0; i < out.data.size(); ++i) {
      Element& e = out.data[i];
      if (n.op == Op::cast)
        e = convert(in[0].type, n.type, in[0].data[i], n.attr != 0);
      else if (is_unary(n.op))
        e = unary(n.op, in.at(0).type, n.type, in[0].data[i]);
      else if (is_binary(n.op))
        e = binary(n.op, in.at(0).type, in[0].data[i], in.at(1).data[i]);
      else if (n.op == Op::where)
        e = in.at(0).data[i].i ? in.at(1).data[i] : in.at(2).data[i];
      else
        e = ternary(n.op, in.at(0).type, in[0].data[i], in.at(1).data[i], in.at(2).data[i]);
    }
    return out;
  }

  Tile compute(const Node& n) {
    switch (n.op) {
      case Op::full: return broadcast(value(n.args.at(0)), shape_of(n.shape));
      case Op::arange: {
        Tile out = make_tile(n.type, shape_of(n.shape));
        for (std::size_t i = 0; i < out.data.size(); ++i)
          out.data[i] = convert(DType::i64, n.type, integer(static_cast<int64_t>(i)));
        return out;
      }
      case Op::program_index: {
        Tile out = make_tile(n.type, {});
        out.data[0] = integer(program_.at(static_cast<std::size_t>(n.attr)));
        return out;
      }
      case Op::load: return load(n);
      case Op::valid: return valid(n);
      case Op::offsets: return offsets(n);
      case Op::broadcast: return broadcast(value(n.args.at(0)), shape_of(n.shape));
      case Op::unsqueeze:
      case Op::reshape: {
        Tile out = value(n.args.at(0));
        out.shape = shape_of(n.shape);
        if (count(out.shape) != static_cast<int64_t>(out.data.size())) malformed("number of elements of a reshape");
        return out;
      }
      case Op::permute: return permute(value(n.args.at(0)), n.list);
      case Op::sum:
      case Op::prod:
      case Op::rmax:
      case Op::rmin:
      case Op::any:
      case Op::all:
      case Op::rxor:
      case Op::argmax:
      case Op::argmin: return reduce(n.op, value(n.args.at(0)), n.list, n.type);
      case Op::foreign:
        malformed("`" + g_.foreign.at(static_cast<std::size_t>(n.attr)).name + "` is a CUDA function, which runs on NVIDIA targets only");
      case Op::dot: return dot(value(n.args.at(0)), value(n.args.at(1)), n.type);
      default: return elementwise(n);
    }
  }

  // ---- structure

  void set(int32_t id, const Tile& t) { values_.at(static_cast<std::size_t>(id)) = t; }
  // Makes the results of a structure; they are the last values of what it carries.
  void finish(const Node& n, const std::vector<Tile>& carried) {
    for (int32_t r : n.results)
      set(r, carried.at(static_cast<std::size_t>(g_.nodes[static_cast<std::size_t>(r)].attr)));
  }
  std::vector<Tile> values(const std::vector<int32_t>& ids, std::size_t from) {
    std::vector<Tile> out;
    for (std::size_t i = from; i < ids.size(); ++i) out.push_back(value(ids[i]));
    return out;
  }

  void run_for(const Node& n) {
    const Region& body = g_.regions.at(static_cast<std::size_t>(n.regions.at(0)));
    const int64_t start = scalar(n.args.at(0)), stop = scalar(n.args.at(1)), step = scalar(n.args.at(2));
    std::vector<Tile> carried = values(n.args, 3);
    for (int64_t i = start; step > 0 ? i < stop : step < 0 && i > stop;) {
      Tile index = make_tile(DType::i64, {});
      index.data[0] = integer(i);
      set(body.inputs.at(0), index);
      for (std::size_t k = 0; k < carried.size(); ++k) set(body.inputs.at(k + 1), carried[k]);
      region(body);
      carried = values(body.yields, 0);
      if (__builtin_add_overflow(i, step, &i)) break;
    }
    finish(n, carried);
  }

  void run_while(const Node& n) {
    const Region& body = g_.regions.at(static_cast<std::size_t>(n.regions.at(0)));
    std::vector<Tile> carried = values(n.args, 0);
    for (;;) {
      for (std::size_t k = 0; k < carried.size(); ++k) set(body.inputs.at(k), carried[k]);
      const auto split = static_cast<std::size_t>(n.split);
      for (std::size_t k = 0; k < split; ++k) node(body.nodes.at(k));
      if (!scalar(body.yields.at(0))) break;
      for (std::size_t k = split; k < body.nodes.size(); ++k) node(body.nodes[k]);
      carried = values(body.yields, 1);
    }
    finish(n, carried);
  }

  void run_if(const Node& n) {
    const std::size_t which = scalar(n.args.at(0)) ? 0 : 1;
    const Region& taken = g_.regions.at(static_cast<std::size_t>(n.regions.at(which)));
    region(taken);
    finish(n, values(taken.yields, 0));
  }

  void node(int32_t id) {
    const Node& n = g_.nodes.at(static_cast<std::size_t>(id));
    switch (n.op) {
      case Op::store: return store(n);
      case Op::for_: return run_for(n);
      case Op::while_: return run_while(n);
      case Op::if_: return run_if(n);
      default: return set(id, compute(n));
    }
  }
  void region(const Region& r) {
    for (int32_t id : r.nodes) node(id);
  }

  const Graph& g_;
  std::span<const Argument> arguments_;
  Dims grid_, program_;
  std::vector<std::optional<Tile>> values_;
};

}  // namespace

void evaluate(const Graph& g, std::span<const Argument> arguments) {
  if (arguments.size() != g.sources.size()) malformed("number of arguments");
  for (std::size_t s = 0; s < arguments.size(); ++s)
    if (arguments[s].rank != g.sources[s].rank || arguments[s].type != static_cast<uint8_t>(g.sources[s].type))
      malformed("type or rank of argument `" + g.sources[s].name + "`");
  const auto size = [&](Ex e) {
    return g.pool.eval(e, [&](Sym kind, int a, int b) -> int64_t {
      const Argument& s = arguments[static_cast<std::size_t>(a)];
      return s.dims[kind == Sym::size ? b : s.rank + b];
    });
  };
  for (const Check& c : g.checks)
    if (!holds(c.kind, size(c.a), c.b ? size(c.b) : 0)) malformed("the sizes do not satisfy `" + c.what + "`");
  Dims grid;
  for (Ex e : g.grid) grid.push_back(size(e));
  Program program(g, arguments, grid);
  for_each_index(grid, [&](const Dims& index) { program.run(index); });
}

}  // namespace tine::reference
