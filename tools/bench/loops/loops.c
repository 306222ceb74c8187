#include "loops.h"

#include <math.h>

void loop_add(const float* restrict a, const float* restrict b, float* restrict c, size_t begin, size_t end,
              size_t columns) {
  for (size_t i = begin * columns; i < end * columns; ++i) c[i] = a[i] + b[i];
}

void loop_silu(const float* restrict x, float* restrict y, size_t begin, size_t end, size_t columns) {
  for (size_t i = begin * columns; i < end * columns; ++i) y[i] = x[i] / (1 + expf(-x[i]));
}

void loop_softmax(const float* restrict x, float* restrict y, size_t begin, size_t end, size_t columns) {
  for (size_t r = begin; r < end; ++r) {
    const float* in = x + r * columns;
    float* out = y + r * columns;
    float largest = in[0], total = 0;
    for (size_t i = 1; i < columns; ++i) largest = in[i] > largest ? in[i] : largest;
    for (size_t i = 0; i < columns; ++i) {
      out[i] = expf(in[i] - largest);
      total += out[i];
    }
    const float scale = 1 / total;
    for (size_t i = 0; i < columns; ++i) out[i] *= scale;
  }
}

void loop_rms_norm(const float* restrict x, const float* restrict w, float eps, float* restrict y, size_t begin,
                   size_t end, size_t columns) {
  for (size_t r = begin; r < end; ++r) {
    const float* in = x + r * columns;
    float* out = y + r * columns;
    float squares = 0;
    for (size_t i = 0; i < columns; ++i) squares += in[i] * in[i];
    const float scale = 1 / sqrtf(squares / (float)columns + eps);
    for (size_t i = 0; i < columns; ++i) out[i] = in[i] * scale * w[i];
  }
}
