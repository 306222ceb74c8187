// The product in f64. Plain loops, ordered so that four rows of the result share each row of b while it is in the
// cache, and spread over the cores: a decoder layer is 16 billion products, which should take seconds, not minutes.
#include <algorithm>
#include <thread>

#include "examples/support/reference.hpp"

namespace examples::reference {
namespace {

constexpr int64_t rows_at_once = 4, columns_at_once = 512, depth_at_once = 64;

void multiply_rows(const double* a, const double* b, double* c, int64_t first, int64_t last, int64_t n, int64_t k) {
  for (int64_t k0 = 0; k0 < k; k0 += depth_at_once)
    for (int64_t n0 = 0; n0 < n; n0 += columns_at_once) {
      const int64_t k1 = std::min(k, k0 + depth_at_once), width = std::min(n - n0, columns_at_once);
      for (int64_t i = first; i < last; i += rows_at_once) {
        const int64_t rows = std::min(rows_at_once, last - i);
        for (int64_t l = k0; l < k1; ++l) {
          const double* row = b + l * n + n0;
          double* out = c + i * n + n0;
          if (rows == rows_at_once) {
            const double x0 = a[i * k + l], x1 = a[(i + 1) * k + l], x2 = a[(i + 2) * k + l], x3 = a[(i + 3) * k + l];
            double *__restrict o0 = out, *__restrict o1 = out + n;
            double *__restrict o2 = out + 2 * n, *__restrict o3 = out + 3 * n;
            for (int64_t j = 0; j < width; ++j) {
              const double y = row[j];
              o0[j] += x0 * y, o1[j] += x1 * y, o2[j] += x2 * y, o3[j] += x3 * y;
            }
          } else {
            for (int64_t r = 0; r < rows; ++r)
              for (int64_t j = 0; j < width; ++j) out[r * n + j] += a[(i + r) * k + l] * row[j];
          }
        }
      }
    }
}

}  // namespace

Doubles matmul(const Doubles& a, const Doubles& b, int64_t m, int64_t n, int64_t k) {
  Doubles c(static_cast<std::size_t>(m * n));
  const int64_t workers = std::max(1u, std::thread::hardware_concurrency());
  const int64_t share = (m + workers * rows_at_once - 1) / (workers * rows_at_once) * rows_at_once;
  std::vector<std::thread> threads;
  for (int64_t first = 0; first < m; first += share)
    threads.emplace_back(
        [&, first] { multiply_rows(a.data(), b.data(), c.data(), first, std::min(m, first + share), n, k); });
  for (std::thread& t : threads) t.join();
  return c;
}

}  // namespace examples::reference
