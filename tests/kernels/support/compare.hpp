// Whether what a kernel left in memory is what it should have left, by the tolerances of the case files.
#pragma once
#include <string>

#include "array.hpp"

namespace tine::test {

struct Tolerance {
  enum Kind {
    exact,    ///< the same bits; any NaN equals any NaN
    abs_rel,  ///< |got - want| <= atol + rtol * |want|; infinities and NaN must agree; zeros of either sign are equal
    ulp       ///< at most max_ulp representable values apart, or |got - want| <= atol
  } kind = exact;
  double atol = 0, rtol = 0;
  int64_t max_ulp = 0;
};

/// "" if all elements agree, else a sentence about the first that do not, and how many there are.
std::string difference(DType, const std::byte* got, const std::byte* want, int64_t count, const Tolerance&);
/// The distance between two elements of a float type in representable values.
int64_t ulps_between(DType, const std::byte* a, const std::byte* b);

}  // namespace tine::test
