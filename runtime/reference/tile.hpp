// Tiles of the evaluator: elements of one type in row-major order.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "dsl/graph/graph.hpp"

namespace tine::reference {

using graph::DType;
using Dims = std::vector<int64_t>;

/// One element: `i` of integers and bool (u64 by its bits), `f` of floats.
union Element {
  int64_t i;
  double f;
};
inline Element integer(int64_t v) { return {.i = v}; }
inline Element real(double v) { return {.f = v}; }

struct Tile {
  DType type = DType::i32;
  Dims shape;
  std::vector<Element> data;
};

[[noreturn]] inline void malformed(const std::string& what) {
  throw std::runtime_error("reference evaluator: " + what);
}

inline int64_t count(const Dims& shape) {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return n;
}
inline Tile make_tile(DType type, Dims shape) {
  Tile t{type, std::move(shape), {}};
  t.data.resize(static_cast<std::size_t>(count(t.shape)));
  return t;
}
/// Calls f(index) for each index of the shape, row-major.
template <class F> void for_each_index(const Dims& shape, F&& f) {
  Dims index(shape.size(), 0);
  for (int64_t n = count(shape); n > 0; --n) {
    f(static_cast<const Dims&>(index));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}
/// Position of `index` in a tile whose shape broadcasts to the index's.
inline std::size_t position(const Dims& shape, const Dims& index) {
  int64_t at = 0;
  const std::size_t skip = index.size() - shape.size();
  for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + (shape[d] == 1 ? 0 : index[skip + d]);
  return static_cast<std::size_t>(at);
}

}  // namespace tine::reference
