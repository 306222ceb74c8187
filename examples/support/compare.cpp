#include "examples/support/compare.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace examples {

Difference compare(const Doubles& got, const Doubles& want, Tolerance t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Difference d;
  if (got.size() != want.size()) return {infinity, false, -1};
  double worst_excess = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if ((std::isnan(got[i]) && std::isnan(want[i])) || got[i] == want[i]) continue;
    double error = std::fabs(got[i] - want[i]);
    if (std::isnan(error)) error = infinity;
    if (error > d.largest) d.largest = error;
    const double excess = error - (t.absolute + t.relative * std::fabs(want[i]));
    if (excess <= 0) continue;
    d.within = false;
    if (d.worst < 0 || excess > worst_excess) d.worst = static_cast<int64_t>(i), worst_excess = excess;
  }
  return d;
}

int report(const std::string& what, const Difference& d) {
  std::printf("%-44s largest error %.2e  %s\n", what.c_str(), d.largest, d.within ? "right" : "WRONG");
  if (!d.within) std::printf("  worst at element %lld\n", static_cast<long long>(d.worst));
  return d.within ? 0 : 1;
}

}  // namespace examples
