#include "runtime/launch/facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>

namespace tine::launch {

graph::SourceFacts stride_facts(const Argument& a) {
  graph::SourceFacts facts;
  const int64_t* size = a.dims;
  const int64_t* stride = a.dims + a.rank;
  if (a.rank == 0) return facts;
  facts.contiguous = true;
  int64_t expected = 1;
  const bool empty = std::any_of(size, size + a.rank, [](int64_t n) { return n == 0; });
  for (int d = a.rank - 1; d >= 0 && !empty; --d) {
    if (size[d] == 1) continue;
    facts.contiguous &= stride[d] == expected;
    if (!facts.contiguous) break;
    expected *= size[d];  // fits: `footprint` has checked the reach
  }
  if (facts.contiguous) {
    facts.unit_stride = 1u << (a.rank - 1);
    return facts;
  }
  for (int d = 0; d < a.rank; ++d)
    if (stride[d] == 1 && d < 32) facts.unit_stride |= 1u << d;
  return facts;
}

bool larger_than_caches(const Argument& a, uint32_t element) {
  static std::atomic<int64_t> known{0};
  int64_t cache = known.load(std::memory_order_relaxed);
  if (cache == 0) {
    // What a virtual machine says of its last level is that of the whole socket, of which it has a part.
    const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    known.store(cache = std::min(l3 > 0 ? int64_t{l3} : INT64_MAX, int64_t{32} << 20));
  }
  int64_t bytes = element;
  for (int d = 0; d < a.rank; ++d) {
    if (a.dims[d] == 0) return false;
    if (bytes <= cache && __builtin_mul_overflow(bytes, a.dims[d], &bytes)) bytes = INT64_MAX;
  }
  return bytes > cache;
}

bool rows_at_16_bytes(const Argument& a, const graph::SourceFacts& facts, uint32_t element) {
  if (a.rank == 0 || facts.alignment < 16) return false;
  for (int d = 0; d < a.rank; ++d) {
    const int64_t stride = a.dims[a.rank + d];
    if (a.dims[d] > 1 && stride != 1 && stride % 16 * int64_t{element} % 16 != 0) return false;
  }
  return true;
}

// Of a contiguous tensor the strides that its sizes say, whatever stands in dims of one element: so one code serves
// both.
void add_divisibility(const Argument& a, graph::SourceFacts& facts) {
  int64_t product = 1;
  for (int d = a.rank - 1; d >= 0; --d) {
    const int64_t size = a.dims[d], stride = facts.contiguous ? product : size <= 1 ? 0 : a.dims[a.rank + d];
    if (d < 32 && size % 16 == 0) facts.size16 |= 1u << d;
    if (d < 32 && stride % 16 == 0) facts.stride16 |= 1u << d;
    product = (product % 16) * (size % 16);  // only the remainder counts
  }
}

int64_t capacity_for(int64_t extent) {
  const auto capacity = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(extent, 1))));
  // Beyond 2^62 there is no such power; no target takes a tile of that size.
  return capacity > 0 ? capacity : int64_t{1} << 62;
}

uint32_t CommonAlignment::of(const void* base, uint32_t element) const {
  const auto address = reinterpret_cast<uintptr_t>(base);
  const uint32_t own = address ? static_cast<uint32_t>(std::min<uintptr_t>(address & -address, 64)) : 64;
  return std::min(own, std::max(common(), element));
}

}  // namespace tine::launch
