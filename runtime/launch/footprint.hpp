// Which memory a tensor argument covers, and whether two of them may share some.
//
// A tensor with strides s and sizes n touches the bytes [base + lo, base + hi): lo sums the offsets of the last
// elements along negative strides, hi those along positive ones, plus one element. Two tensors cannot share memory if
// these ranges are apart, or if all their addresses lie in residues modulo the gcd of their strides that are apart (the
// real and the imaginary parts of one buffer, say). Otherwise they *may*: the answer is never wrong in the other
// direction.
#pragma once
#include <cstdint>
#include <optional>

#include "tine/argument.hpp"

namespace tine::launch {

struct Footprint {
  int64_t lo = 0, hi = 0;  ///< bytes from the base pointer
  int64_t period = 0;      ///< gcd of the strides in bytes along dims with more than one element; 0 if there are none
  int64_t element = 1;     ///< bytes of one element
  bool empty = true;       ///< no elements
};

/// Nothing if an element's offset, or the range's size, does not fit in 63 bits. `element` in bytes.
std::optional<Footprint> footprint(const Argument&, int64_t element);

/// Whether the footprint's bytes may meet, at these bases.
inline bool ranges_meet(const Footprint& a, const void* a_base, const Footprint& b, const void* b_base) {
  const auto x = reinterpret_cast<uintptr_t>(a_base), y = reinterpret_cast<uintptr_t>(b_base);
  return x + static_cast<uintptr_t>(a.lo) < y + static_cast<uintptr_t>(b.hi) &&
         y + static_cast<uintptr_t>(b.lo) < x + static_cast<uintptr_t>(a.hi) && !a.empty && !b.empty;
}
bool may_overlap(const Footprint& a, const void* a_base, const Footprint& b, const void* b_base);

/// Whether two different indices of the tensor may name the same element. Exact but for strides that interleave.
bool may_overlap_itself(const Argument&);

}  // namespace tine::launch
