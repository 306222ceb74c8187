// What a compile knows about the arguments beyond the graph. Part of every cache key; found anew from the views at each call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "dsl/graph/graph.hpp"

namespace tine::graph {

/// Version of the serialised form. Raise it with every change of meaning.
inline constexpr uint32_t specialization_version = 2;

struct SourceFacts {
  uint32_t unit_stride = 0;  ///< bit d: the stride of dim d is 1
  bool contiguous = false;   ///< row-major without gaps: stride of the last dim is 1, of dim d the product of the sizes behind it
  uint32_t alignment = 1;    ///< of the base pointer in bytes, a power of two, at most 64
  bool streamed = false;     ///< stored to, larger than the caches, and every row starts at a multiple of 16 bytes
  // For GPU targets; others leave them at 0, so that their keys do not multiply.
  uint32_t stride16 = 0;     ///< bit d: the stride of dim d, in elements, is a multiple of 16 (or never taken: one element)
  uint32_t size16 = 0;       ///< bit d: the size of dim d is a multiple of 16
  friend bool operator==(const SourceFacts&, const SourceFacts&) = default;
};

/// The extent of tile values that is known only at the call (a whole dim): GPU code is made for a capacity.
struct Capacity {
  int symbol = 0;        ///< position in `LaunchPlan::symbols`; the first of those that the checks make equal
  int64_t capacity = 1;  ///< the least power of two that is not below the extent; at least 1
  bool exact = false;    ///< the extent is the capacity
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

/// What `narrow_index` promises to stay under, on both sides of 0: less than 2^31, as code may look a little ahead of the
/// element that it is at, as pipelines of copies do.
inline constexpr int64_t narrow_limit = (int64_t{1} << 31) - (int64_t{1} << 20);

struct Specialization {
  std::vector<SourceFacts> sources;
  /// Pairs (stored source, other source) whose memory may overlap, sorted. (s, s): elements of s itself share memory.
  std::vector<std::pair<int, int>> overlaps;
  // For GPU targets; others leave them at their defaults.
  /// Programs, sizes, strides, every index of a tile's lanes (those of its padding to powers of two included) and every
  /// byte offset from a base pointer lie within (-narrow_limit, narrow_limit): indices may have 32 bits. What a kernel itself
  /// computes for `p[i]` may be any integer: it is compared with the level's extent before it is narrowed.
  bool narrow_index = false;
  std::vector<Capacity> capacities;  ///< one for each of `tile_extents`, in its order
  friend bool operator==(const Specialization&, const Specialization&) = default;
};

std::vector<std::byte> serialize(const Specialization&);
Specialization deserialize_specialization(std::span<const std::byte>);  ///< throws std::runtime_error

}  // namespace tine::graph
