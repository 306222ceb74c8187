// The library from C++: tensors know their types, and a call that is refused throws.
#include <cmath>
#include <cstdio>
#include <vector>

#include "mykernels.hpp"

int main() {
  const std::int64_t rows = 5, columns = 37;
  std::vector<float> x(rows * columns), y(rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f + static_cast<float>(i % 11);
  mykernels::normalize(TINE_STREAM_CPU, {x.data(), {rows, columns}}, {y.data(), {rows, columns}});
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) sum += y[r * columns + c];
    if (!(std::abs(sum - 1) < 1e-5)) return std::printf("row %d sums to %g\n", static_cast<int>(r), sum), 1;
  }
  try {
    mykernels::normalize(TINE_STREAM_CPU, {x.data(), {rows, columns}}, {y.data(), {columns, rows}});
    return 1;
  } catch (const mykernels::error& e) {
    std::printf("refused: %s\nright\n", e.what());
  }
}
