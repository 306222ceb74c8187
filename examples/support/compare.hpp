// Comparing a result with its reference.
#pragma once
#include <string>

#include "examples/support/data.hpp"

namespace examples {

/// |got - want| <= absolute + relative * |want|, element by element.
struct Tolerance {
  double absolute = 0, relative = 0;
};

struct Difference {
  double largest = 0;  ///< |got - want|; infinity if one is NaN and the other is not, or sizes differ
  bool within = true;
  int64_t worst = -1;  ///< index of the element that exceeds its tolerance most, or -1
};

Difference compare(const Doubles& got, const Doubles& want, Tolerance);

template <class T>
Difference compare(const std::vector<T>& got, const Doubles& want, Tolerance t) {
  return compare(widened(got), want, t);
}

/// Half a unit in the last place of T, relative: what one rounding to T may cost.
template <class T>
constexpr double rounding() {
  if constexpr (std::is_same_v<T, double>)
    return 0x1p-53;
  else if constexpr (std::is_same_v<T, tine::f16>)
    return 0x1p-11;
  else if constexpr (std::is_same_v<T, tine::bf16>)
    return 0x1p-8;
  else
    return 0x1p-24;
}

/// For sums of `terms` products of random numbers below `scale_a` and `scale_b`, in f32. Partial sums of random signs
/// reach 1.5 sqrt(terms), and roundings, which are random too, add up to sqrt(terms) times theirs: 5 standard
/// deviations are some 4 terms 2^-24. Twice that is allowed, which is far below what one wrong product makes.
template <class Result>
Tolerance of_products(int64_t terms, double scale_a = 1, double scale_b = 1) {
  return {8 * static_cast<double>(terms) * scale_a * scale_b * 0x1p-24, 1.01 * rounding<Result>()};
}

/// For host programs: prints one line, and returns 0 if all is right, else 1.
int report(const std::string& what, const Difference&);

}  // namespace examples
