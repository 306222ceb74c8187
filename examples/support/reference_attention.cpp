#include <algorithm>
#include <cmath>
#include <limits>

#include "examples/support/reference.hpp"

namespace examples::reference {

Doubles attention(const Doubles& q, const Doubles& k, const Doubles& v, const Heads& s, double scale, Mask mask) {
  Doubles o(q.size());
  std::vector<double> weight(static_cast<std::size_t>(s.keys));
  const int64_t ahead = mask == Mask::bottom_right ? s.keys - s.queries : 0;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.query_heads; ++h) {
      const int64_t key_head = h / (s.query_heads / s.key_heads);
      const double* keys = k.data() + (b * s.key_heads + key_head) * s.keys * s.dim;
      const double* values = v.data() + (b * s.key_heads + key_head) * s.keys * s.dim;
      for (int64_t i = 0; i < s.queries; ++i) {
        const int64_t row = ((b * s.query_heads + h) * s.queries + i) * s.dim;
        const int64_t seen = mask == Mask::none ? s.keys : std::min(s.keys, i + ahead + 1);
        double largest = -std::numeric_limits<double>::infinity(), total = 0;
        for (int64_t j = 0; j < seen; ++j) {
          double score = 0;
          for (int64_t d = 0; d < s.dim; ++d) score += q[static_cast<std::size_t>(row + d)] * keys[j * s.dim + d];
          weight[static_cast<std::size_t>(j)] = score * scale;
          largest = std::fmax(largest, score * scale);
        }
        for (int64_t j = 0; j < seen; ++j) {
          double& w = weight[static_cast<std::size_t>(j)];
          total += w = std::exp(w - largest);
        }
        for (int64_t j = 0; j < seen; ++j)
          for (int64_t d = 0; d < s.dim; ++d)
            o[static_cast<std::size_t>(row + d)] += weight[static_cast<std::size_t>(j)] / total * values[j * s.dim + d];
      }
    }
  return o;
}

}  // namespace examples::reference
