// What a value of each type is, written independently of the library: through long double, which holds all of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "codegen/math/math.hpp"

namespace tine::math::test {

using Bits = uint64_t;  ///< the pattern of one element, zero-extended

bool is_nan(graph::DType, Bits);
long double decode(graph::DType, Bits);  ///< exact; integers and bool too
/// Nearest even, once; integers wrap for integer sources and saturate for float ones.
Bits encode_float(graph::DType, long double, Overflow = Overflow::saturate);
Bits encode_saturating(graph::DType, long double);
Bits encode_wrapping(graph::DType, __int128);
Bits cast_reference(graph::DType from, graph::DType to, Bits, Overflow);

/// All patterns of types up to 16 bits; specials, neighbours of narrow formats' midpoints, and random ones of the
/// others.
std::vector<Bits> inputs(graph::DType, size_t random = 200000);
/// A few dozen patterns where operations have their edges.
std::vector<Bits> edges(graph::DType);

/// An array of elements in memory.
struct Array {
  graph::DType type;
  std::vector<uint8_t> bytes;
  Array(graph::DType t, size_t n) : type(t), bytes(n * size_t(graph::bytes(t))) {}
  Array(graph::DType t, const std::vector<Bits>& v) : Array(t, v.size()) {
    for (size_t k = 0; k < v.size(); ++k) set(k, v[k]);
  }
  size_t size() const { return bytes.size() / size_t(graph::bytes(type)); }
  Bits get(size_t k) const;
  void set(size_t k, Bits);
};

std::string show(graph::DType, Bits);
const std::vector<graph::DType>& all_types();

}  // namespace tine::math::test
