/* Plain loops over rows [begin, end) of row-major matrices. */
#ifndef TINE_BENCH_LOOPS_H
#define TINE_BENCH_LOOPS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void loop_add(const float* a, const float* b, float* c, size_t begin, size_t end, size_t columns);
void loop_silu(const float* x, float* y, size_t begin, size_t end, size_t columns);
void loop_softmax(const float* x, float* y, size_t begin, size_t end, size_t columns);
void loop_rms_norm(const float* x, const float* w, float eps, float* y, size_t begin, size_t end, size_t columns);
#ifdef __cplusplus
}
#endif
#endif
