#include "runtime/launch/footprint.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tine::launch {

std::optional<Footprint> footprint(const Argument& a, int64_t element) {
  Footprint f;
  f.element = element;
  const int64_t* size = a.dims;
  const int64_t* stride = a.dims + a.rank;
  if (std::any_of(size, size + a.rank, [](int64_t n) { return n == 0; })) return f;
  f.empty = false;
  int64_t first = 0, last = 0;  // offsets of the lowest and highest element
  for (int d = 0; d < a.rank; ++d) {
    if (size[d] == 1) continue;
    int64_t step, reach;
    if (__builtin_mul_overflow(stride[d], element, &step) || __builtin_mul_overflow(size[d] - 1, step, &reach))
      return {};
    if (__builtin_add_overflow(reach < 0 ? first : last, reach, reach < 0 ? &first : &last)) return {};
    f.period = std::gcd(f.period, step);
  }
  f.lo = first;
  int64_t extent;
  if (__builtin_add_overflow(last, element, &f.hi) || __builtin_sub_overflow(f.hi, f.lo, &extent)) return {};
  return f;
}

bool may_overlap(const Footprint& a, const void* a_base, const Footprint& b, const void* b_base) {
  if (!ranges_meet(a, a_base, b, b_base)) return false;
  const int64_t period = std::gcd(a.period, b.period);
  if (period == 0) return true;  // two single elements whose bytes meet
  // a's elements start at 0 modulo the period, b's at `distance`; they meet if b starts inside an element of a or a
  // inside one of b.
  const auto apart = static_cast<int64_t>(reinterpret_cast<uintptr_t>(b_base) - reinterpret_cast<uintptr_t>(a_base));
  const int64_t distance = ((apart % period) + period) % period;
  return distance < a.element || period - distance < b.element;
}

bool may_overlap_itself(const Argument& a) {
  std::pair<int64_t, int64_t> dims[64];  // (stride, size) of dims with several elements
  int n = 0;
  for (int d = 0; d < a.rank; ++d) {
    if (a.dims[d] == 0) return false;
    if (a.dims[d] == 1) continue;
    if (n == 64) return true;
    dims[n++] = {std::abs(a.dims[a.rank + d]), a.dims[d]};
  }
  std::sort(dims, dims + n);
  int64_t reach = 0;  // the farthest offset along the dims so far; a step beyond it cannot come back
  for (int i = 0; i < n; ++i) {
    if (dims[i].first <= reach) return true;
    reach += (dims[i].second - 1) * dims[i].first;  // fits: `footprint` has checked it
  }
  return false;
}

}  // namespace tine::launch
