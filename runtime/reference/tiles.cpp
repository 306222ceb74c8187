#include "runtime/reference/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/reference/element.hpp"

namespace tine::reference {

using graph::Op;

namespace {

// The value of an empty reduction.
Element identity(Op op, DType t) {
  const bool largest = op == Op::rmin;
  switch (op) {
    case Op::prod: return is_float(t) ? real(1) : integer(1);
    case Op::all: return integer(1);
    case Op::rmax:
    case Op::rmin:
      if (is_float(t))
        return real(largest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
      return convert(
          DType::f64, t,
          real(largest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity()));
    default: return is_float(t) ? real(0) : integer(0);
  }
}

// Elements of one group, in row-major order of the reduced axes.
Element combine(Op op, DType t, DType result, const std::vector<Element>& group) {
  const bool floats = is_float(t);
  switch (op) {
    case Op::sum:
    case Op::prod: {
      if (floats) {  // in double, rounded once
        double total = op == Op::sum ? 0 : 1;
        for (Element e : group) total = op == Op::sum ? total + e.f : total * e.f;
        return real(round_to(result, total));
      }
      Element total = identity(op, result);
      for (Element e : group) total = binary(op == Op::sum ? Op::add : Op::mul, result, total, convert(t, result, e));
      return total;
    }
    case Op::rmax:
    case Op::rmin: {
      if (group.empty()) return identity(op, t);
      Element best = group[0];
      for (Element e : group) best = binary(op == Op::rmax ? Op::max : Op::min, t, best, e);
      return best;
    }
    case Op::any:
      return integer(
          std::any_of(group.begin(), group.end(), [&](Element e) { return convert(t, DType::b1, e).i != 0; }));
    case Op::all:
      return integer(
          std::all_of(group.begin(), group.end(), [&](Element e) { return convert(t, DType::b1, e).i != 0; }));
    case Op::rxor: {
      Element total = integer(0);
      for (Element e : group) total.i ^= e.i;
      return total;
    }
    case Op::argmax:
    case Op::argmin: {  // the first NaN, else the first extreme
      std::size_t best = 0;
      for (std::size_t k = 0; k < group.size(); ++k) {
        if (floats && std::isnan(group[k].f)) return integer(static_cast<int64_t>(k));
        const bool better = op == Op::argmax ? binary(Op::lt, t, group[best], group[k]).i != 0
                                             : binary(Op::lt, t, group[k], group[best]).i != 0;
        if (better) best = k;
      }
      return integer(static_cast<int64_t>(best));
    }
    default: malformed(std::string("reduction `") + graph::name(op) + "`");
  }
}

}  // namespace

Tile reduce(Op op, const Tile& x, const std::vector<int64_t>& axes, DType result) {
  std::vector<bool> reduced(x.shape.size(), false);
  for (int64_t a : axes) reduced.at(static_cast<std::size_t>(a)) = true;
  Dims outer, inner;
  for (std::size_t d = 0; d < x.shape.size(); ++d) (reduced[d] ? inner : outer).push_back(x.shape[d]);
  Tile out = make_tile(result, outer);
  std::size_t at = 0;
  for_each_index(outer, [&](const Dims& o) {
    std::vector<Element> group;
    for_each_index(inner, [&](const Dims& i) {
      Dims index;
      std::size_t next_outer = 0, next_inner = 0;
      for (std::size_t d = 0; d < x.shape.size(); ++d) index.push_back(reduced[d] ? i[next_inner++] : o[next_outer++]);
      group.push_back(x.data[position(x.shape, index)]);
    });
    out.data[at++] = combine(op, x.type, result, group);
  });
  return out;
}

Tile dot(const Tile& a, const Tile& b, DType result) {
  const std::size_t ra = a.shape.size(), rb = b.shape.size(), rank = std::max(ra, rb);
  if (ra < 2 || rb < 2 || a.shape[ra - 1] != b.shape[rb - 2]) malformed("shapes of `dot`");
  Dims shape(rank);
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    const int64_t x = d + ra >= rank ? a.shape[d + ra - rank] : 1, y = d + rb >= rank ? b.shape[d + rb - rank] : 1;
    shape[d] = x == 1 ? y : x;
  }
  shape[rank - 2] = a.shape[ra - 2];
  shape[rank - 1] = b.shape[rb - 1];
  Tile out = make_tile(result, shape);
  std::size_t at = 0;
  const int64_t depth = a.shape[ra - 1];
  for_each_index(shape, [&](const Dims& index) {
    double sum = 0;
    Element total = integer(0);
    for (int64_t k = 0; k < depth; ++k) {
      Dims i = index, j = index;
      i[rank - 1] = k;
      j[rank - 2] = k;
      const Element x = a.data[position(a.shape, i)], y = b.data[position(b.shape, j)];
      if (is_float(result))
        sum += x.f * y.f;
      else
        total = binary(Op::add, result, total,
                       binary(Op::mul, result, convert(a.type, result, x), convert(b.type, result, y)));
    }
    out.data[at++] = is_float(result) ? real(round_to(result, sum)) : total;
  });
  return out;
}

Tile broadcast(const Tile& x, const Dims& shape) {
  if (x.shape.size() > shape.size()) malformed("broadcast to a lower rank");
  const std::size_t skip = shape.size() - x.shape.size();
  for (std::size_t d = 0; d < x.shape.size(); ++d)
    if (x.shape[d] != 1 && x.shape[d] != shape[skip + d]) malformed("shapes that do not broadcast");
  Tile out = make_tile(x.type, shape);
  std::size_t at = 0;
  for_each_index(shape, [&](const Dims& index) { out.data[at++] = x.data[position(x.shape, index)]; });
  return out;
}

Tile permute(const Tile& x, const std::vector<int64_t>& order) {
  Dims shape;
  for (int64_t d : order) shape.push_back(x.shape.at(static_cast<std::size_t>(d)));
  Tile out = make_tile(x.type, shape);
  std::size_t at = 0;
  for_each_index(shape, [&](const Dims& index) {
    Dims source(x.shape.size());
    for (std::size_t d = 0; d < order.size(); ++d) source[static_cast<std::size_t>(order[d])] = index[d];
    out.data[at++] = x.data[position(x.shape, source)];
  });
  return out;
}

}  // namespace tine::reference
