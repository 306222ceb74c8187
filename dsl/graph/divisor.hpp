// Numbers that divide a value whatever it is at a call: of sums, products and quotients, from those of their parts.
#pragma once
#include <cstdint>
#include <numeric>

namespace tine::graph {

/// No larger divisor is kept; also that of 0, which everything divides.
inline constexpr int64_t most_divisor = int64_t{1} << 20;

/// Of a constant. What is larger than the most keeps its power of two, as far as that goes.
inline int64_t divisor_of(int64_t n) {
  const uint64_t size = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (size != 0 && size <= static_cast<uint64_t>(most_divisor)) return static_cast<int64_t>(size);
  return static_cast<int64_t>(std::gcd(size, static_cast<uint64_t>(most_divisor)));
}
/// Of sums and differences; also of the lesser and the greater of two, and of what a division leaves.
inline int64_t divisor_of_sum(int64_t a, int64_t b) { return std::gcd(a, b); }
inline int64_t divisor_of_product(int64_t a, int64_t b) { return divisor_of(a * b); }
/// Of a quotient by a constant: of 16 n by 2, 8 n, rounded nowhere.
inline int64_t divisor_of_quotient(int64_t a, int64_t by) { return by > 0 && a % by == 0 ? a / by : 1; }

}  // namespace tine::graph
