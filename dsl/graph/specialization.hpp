// What a compile knows about the arguments beyond the graph. Part of every cache key; found anew from the views at each call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "dsl/graph/graph.hpp"

namespace tine::graph {

struct SourceFacts {
  uint32_t unit_stride = 0;  ///< bit d: the stride of dim d is 1
  bool contiguous = false;   ///< row-major without gaps: stride of the last dim is 1, of dim d the product of the sizes behind it
  uint32_t alignment = 1;    ///< of the base pointer in bytes, a power of two, at most 64
  bool streamed = false;     ///< stored to, larger than the caches, and every row starts at a multiple of 16 bytes
  friend bool operator==(const SourceFacts&, const SourceFacts&) = default;
};

struct Specialization {
  std::vector<SourceFacts> sources;
  /// Pairs (stored source, other source) whose memory may overlap, sorted. (s, s): elements of s itself share memory.
  std::vector<std::pair<int, int>> overlaps;
  friend bool operator==(const Specialization&, const Specialization&) = default;
};

std::vector<std::byte> serialize(const Specialization&);
Specialization deserialize_specialization(std::span<const std::byte>);  ///< throws std::runtime_error

}  // namespace tine::graph
