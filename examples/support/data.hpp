// Test data: repeatable random numbers in any element type, and the way between element types and f64.
#pragma once
#include <cstdint>
#include <tine/tine.hpp>
#include <type_traits>
#include <vector>

namespace examples {

using Doubles = std::vector<double>;

/// SplitMix64: small, repeatable everywhere, good enough for data.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }
  int64_t integer(int64_t low, int64_t high);  ///< in [low, high]

 private:
  uint64_t next();
  uint64_t state_;
};

template <class T>
double widen(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(tine::to_float(x));
}
template <class T>
T narrow(double x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(x);
  else
    return tine::from_float<T>(x);
}

/// Numbers in [-scale, scale), rounded to T.
template <class T>
std::vector<T> random_vector(int64_t n, uint64_t seed, double scale = 1) {
  Random random(seed);
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = narrow<T>(random.uniform(-scale, scale));
  return v;
}
/// What the elements are, exactly.
template <class T>
Doubles widened(const std::vector<T>& v) {
  Doubles out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = widen(v[i]);
  return out;
}

}  // namespace examples
