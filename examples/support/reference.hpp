// What the kernels should compute, written plainly in f64. Row-major throughout.
#pragma once
#include <cstdint>

#include "examples/support/data.hpp"

namespace examples::reference {

Doubles add(const Doubles& a, const Doubles& b);
Doubles silu(const Doubles& x);
Doubles swiglu(const Doubles& up, const Doubles& gate);
Doubles softmax(const Doubles& x, int64_t rows, int64_t columns);
Doubles rms_norm(const Doubles& x, const Doubles& weights, double eps, int64_t rows, int64_t columns);
Doubles transpose(const Doubles& x, int64_t rows, int64_t columns);
/// (m, k) times (k, n).
Doubles matmul(const Doubles& a, const Doubles& b, int64_t m, int64_t n, int64_t k);

struct Heads {
  int64_t batch, query_heads, key_heads, queries, keys, dim;
};
enum class Mask { none, top_left, bottom_right };
/// q (batch, query_heads, queries, dim), k and v (batch, key_heads, keys, dim). Rows that see no key give 0.
Doubles attention(const Doubles& q, const Doubles& k, const Doubles& v, const Heads&, double scale, Mask);

/// x (batch, positions, heads, dim), tables (positions, dim / 2). Pairs are (j, j + dim/2), or neighbours.
Doubles rope(const Doubles& x, const Doubles& sin, const Doubles& cos, int64_t batch, int64_t positions, int64_t heads,
             int64_t dim, bool neighbours);

struct Convolution {
  int64_t n, c, h, w, k, r, s;
  int64_t pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int64_t p() const { return (h + 2 * pad_h - dilation_h * (r - 1) - 1) / stride_h + 1; }
  int64_t q() const { return (w + 2 * pad_w - dilation_w * (s - 1) - 1) / stride_w + 1; }
};
/// x (n, c, h, w), filters (k, c, r, s) -> (n, k, p, q).
Doubles conv2d(const Doubles& x, const Doubles& filters, const Convolution&);

}  // namespace examples::reference
