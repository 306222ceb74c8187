#include "examples/support/reference.hpp"

#include <cmath>
#include <limits>

namespace examples::reference {
namespace {
std::size_t at(int64_t i) { return static_cast<std::size_t>(i); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
}  // namespace

Doubles add(const Doubles& a, const Doubles& b) {
  Doubles y(a.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[i] + b[i];
  return y;
}

Doubles silu(const Doubles& x) {
  Doubles y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] * sigmoid(x[i]);
  return y;
}

Doubles swiglu(const Doubles& up, const Doubles& gate) {
  Doubles y(up.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = up[i] * gate[i] * sigmoid(gate[i]);
  return y;
}

Doubles softmax(const Doubles& x, int64_t rows, int64_t columns) {
  Doubles y(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    const double* in = &x[at(r * columns)];
    double* out = &y[at(r * columns)];
    double largest = -std::numeric_limits<double>::infinity(), total = 0;
    for (int64_t c = 0; c < columns; ++c) largest = std::fmax(largest, in[c]);
    for (int64_t c = 0; c < columns; ++c) total += out[c] = std::exp(in[c] - largest);
    for (int64_t c = 0; c < columns; ++c) out[c] /= total;
  }
  return y;
}

Doubles rms_norm(const Doubles& x, const Doubles& weights, double eps, int64_t rows, int64_t columns) {
  Doubles y(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (int64_t c = 0; c < columns; ++c) squares += x[at(r * columns + c)] * x[at(r * columns + c)];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(columns) + eps);
    for (int64_t c = 0; c < columns; ++c) y[at(r * columns + c)] = x[at(r * columns + c)] * scale * weights[at(c)];
  }
  return y;
}

Doubles transpose(const Doubles& x, int64_t rows, int64_t columns) {
  Doubles y(x.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) y[at(c * rows + r)] = x[at(r * columns + c)];
  return y;
}

Doubles rope(const Doubles& x, const Doubles& sin, const Doubles& cos, int64_t batch, int64_t positions, int64_t heads,
             int64_t dim, bool neighbours) {
  Doubles y(x.size());
  const int64_t half = dim / 2;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t p = 0; p < positions; ++p)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t j = 0; j < half; ++j) {
          const int64_t row = ((b * positions + p) * heads + h) * dim;
          const std::size_t first = at(row + (neighbours ? 2 * j : j)),
                            second = at(row + (neighbours ? 2 * j + 1 : j + half));
          const double s = sin[at(p * half + j)], c = cos[at(p * half + j)];
          y[first] = x[first] * c - x[second] * s;
          y[second] = x[second] * c + x[first] * s;
        }
  return y;
}

Doubles conv2d(const Doubles& x, const Doubles& filters, const Convolution& v) {
  Doubles y(at(v.n * v.k * v.p() * v.q()));
  for (int64_t n = 0; n < v.n; ++n)
    for (int64_t k = 0; k < v.k; ++k)
      for (int64_t c = 0; c < v.c; ++c)
        for (int64_t r = 0; r < v.r; ++r)
          for (int64_t s = 0; s < v.s; ++s) {
            const double weight = filters[at(((k * v.c + c) * v.r + r) * v.s + s)];
            for (int64_t p = 0; p < v.p(); ++p) {
              const int64_t h = p * v.stride_h + r * v.dilation_h - v.pad_h;
              if (h < 0 || h >= v.h) continue;
              for (int64_t q = 0; q < v.q(); ++q) {
                const int64_t w = q * v.stride_w + s * v.dilation_w - v.pad_w;
                if (w < 0 || w >= v.w) continue;
                y[at(((n * v.k + k) * v.p() + p) * v.q() + q)] += weight * x[at(((n * v.c + c) * v.h + h) * v.w + w)];
              }
            }
          }
  return y;
}

}  // namespace examples::reference
