// References and distances for the functions.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "dsl/graph/graph.hpp"

namespace tine::math::test {

/// The real function, in long double (64 bits of precision, within 1 of its own ulp), by another route than ours.
long double reference(graph::Op, long double x, long double y = 0);

/// |got - want| in units in the last place of T at `want`; 0 if both are NaN, or equal; infinite if the class differs.
/// A result of infinity is right where `want` rounds to it.
template <class T>
double ulps(T got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  const T rounded = T(want);
  if (got == rounded && (got != 0 || std::signbit(got) == std::signbit(want)))
    return std::isinf(got) ? 0
           : got == 0 && want == 0
               ? 0
               : double(std::fabs((long double)got - want) /
                        std::exp2l(std::max(std::ilogb(want), std::numeric_limits<T>::min_exponent - 1) -
                                   std::numeric_limits<T>::digits + 1));
  if (std::isnan(got)) return std::numeric_limits<double>::infinity();
  if (want == 0)
    return got == 0 ? std::numeric_limits<double>::infinity()
                    : double(std::fabs((long double)got) / std::numeric_limits<T>::denorm_min());
  if (std::isinf(want)) return std::numeric_limits<double>::infinity();
  const int e = std::min(std::max(std::ilogb(want), std::numeric_limits<T>::min_exponent - 1),
                         std::numeric_limits<T>::max_exponent - 1);
  const long double ulp = std::exp2l((long double)e - std::numeric_limits<T>::digits + 1);
  // An infinity instead of a finite value counts as the next value after the largest.
  const long double g = std::isinf(got)
                            ? std::copysign(std::exp2l(std::numeric_limits<T>::max_exponent), (long double)got)
                            : (long double)got;
  return double(std::fabs(g - want) / ulp);
}

}  // namespace tine::math::test
