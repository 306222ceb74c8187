// Wall-clock time of something that can be repeated.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

namespace tour {

template <class F>
double once_ms(const F& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Median of 3 to 15 runs, about a tenth of a second in all.
template <class F>
double median_ms(const F& run) {
  std::vector<double> times;
  double total = 0;
  while (times.size() < 3 || (times.size() < 15 && total < 100)) {
    times.push_back(once_ms(run));
    total += times.back();
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace tour
