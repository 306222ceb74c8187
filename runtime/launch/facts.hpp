// The specialisation of a call: what its views say about themselves, coarse enough that ordinary calls share code.
// Needs the C library alone: linked AOT libraries have it too.
#pragma once
#include <cstdint>

#include "dsl/graph/specialization.hpp"
#include "tine/argument.hpp"

namespace tine::launch {

/// Strides of a tensor. Dims of size 1 (or 0) are never stepped along, so their strides do not count; a contiguous
/// tensor has the fact `unit_stride` for its last dim only, so that a size of 1 somewhere does not ask for other code.
graph::SourceFacts stride_facts(const Argument&);

/// A tensor that the caches cannot hold.
bool larger_than_caches(const Argument&, uint32_t element);
/// Its base and all its rows start at multiples of 16 bytes.
bool rows_at_16_bytes(const Argument&, const graph::SourceFacts&, uint32_t element);

/// Adds to a tensor's facts, which `stride_facts` has found, which sizes and strides are multiples of 16.
void add_divisibility(const Argument&, graph::SourceFacts&);
/// Capacity of an extent: the next power of two, at least 1, at most 2^62.
int64_t capacity_for(int64_t extent);

/// Alignments that facts may state, for all tensors of a call together: 64 bytes if every base has it, else 16, else
/// that of an element. Allocators hand out 16, 32 and 64 by chance, and every combination of them would be compiled
/// anew.
class CommonAlignment {
 public:
  void add(const void* base, uint32_t element) {
    const auto address = reinterpret_cast<uintptr_t>(base);
    all_ |= address;
    odd_ |= address & (element - 1);
  }
  bool natural() const { return odd_ == 0; }  ///< every base is aligned to its elements
  uint32_t common() const { return all_ & 15 ? 1 : all_ & 63 ? 16 : 64; }
  /// The fact for one tensor.
  uint32_t of(const void* base, uint32_t element) const;

 private:
  uintptr_t all_ = 0, odd_ = 0;
};

}  // namespace tine::launch
