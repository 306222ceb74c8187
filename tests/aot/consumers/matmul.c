/* Calls `matmul` of a library with tensors of many kinds and compares with sums in double precision. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mm.h"

static uint64_t state = 88172645463325252ull;
static float number(void) { /* in [-1, 1), never 0 */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (float)((double)(state >> 11) / 4503599627370496.0 - 1.0) + 1e-7f;
}

static int failures = 0;

/* c[m, n] = a[m, k] b[k, n]; strides in elements, with `skew` bytes before each matrix. */
static void check(const char* what, int64_t m, int64_t n, int64_t k, int transposed, int64_t gap, size_t skew, int give_strides) {
  const int64_t as[2] = {transposed ? 1 : k + gap, transposed ? m + gap : 1}, bs[2] = {n + gap, 1}, cs[2] = {n + gap, 1};
  const int64_t shape_a[2] = {m, k}, shape_b[2] = {k, n}, shape_c[2] = {m, n};
  const size_t size_a = (size_t)((transposed ? k : m) * (transposed ? m + gap : k + gap)), size_b = (size_t)(k * (n + gap)),
               size_c = (size_t)(m * (n + gap));
  char* memory_a = aligned_alloc(64, (size_a * 4 + skew + 127) / 64 * 64);
  char* memory_b = aligned_alloc(64, (size_b * 4 + skew + 127) / 64 * 64);
  char* memory_c = aligned_alloc(64, (size_c * 4 + skew + 127) / 64 * 64);
  float *a = (float*)(memory_a + skew), *b = (float*)(memory_b + skew), *c = (float*)(memory_c + skew);
  for (size_t i = 0; i < size_a; ++i) a[i] = number();
  for (size_t i = 0; i < size_b; ++i) b[i] = number();
  for (size_t i = 0; i < size_c; ++i) c[i] = NAN;
  const tine_tensor ta = {a, shape_a, give_strides ? as : NULL, 2, TINE_F32}, tb = {b, shape_b, give_strides ? bs : NULL, 2, TINE_F32},
                    tc = {c, shape_c, give_strides ? cs : NULL, 2, TINE_F32};
  for (int round = 0; round < 3; ++round) {
    const int status = matmul_launch(TINE_STREAM_CPU, &ta, &tb, &tc);
    if (status != TINE_OK) {
      printf("%s: status %d: %s\n", what, status, mm_error());
      ++failures;
      break;
    }
  }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n + gap; ++j) {
      const float got = c[i * cs[0] + j];
      if (j >= n) { /* between the rows nothing is stored */
        if (!isnan(got) && i * cs[0] + j < (int64_t)size_c) ++failures, printf("%s: %lld %lld was written\n", what, (long long)i, (long long)j);
        continue;
      }
      double sum = 0, bound = 0;
      for (int64_t l = 0; l < k; ++l) {
        const double product = (double)a[i * as[0] + l * as[1]] * (double)b[l * bs[0] + j];
        sum += product;
        bound += fabs(product);
      }
      if (!(fabs((double)got - sum) <= bound * 1.2e-7 * (double)(k + 2))) {
        printf("%s: c[%lld, %lld] is %g, not %g\n", what, (long long)i, (long long)j, got, sum);
        if (++failures > 5) exit(1);
      }
    }
  free(memory_a), free(memory_b), free(memory_c);
}

int main(void) {
  check("contiguous", 129, 65, 70, 0, 0, 0, 1);
  check("no strides given", 33, 17, 21, 0, 0, 0, 0);
  check("unaligned", 40, 50, 60, 0, 0, 4, 1);
  check("odd bytes", 7, 9, 11, 0, 0, 2, 1);
  check("rows with gaps", 100, 30, 41, 0, 3, 0, 1);
  check("transposed", 61, 31, 127, 1, 0, 0, 1);
  check("one element", 1, 1, 1, 0, 0, 0, 1);
  check("no sum", 5, 6, 0, 0, 0, 0, 1);
  check("nothing", 0, 6, 3, 0, 0, 0, 1);
  mm_set_threads(2);
  check("two threads", 700, 600, 65, 0, 0, 0, 1);

  const int64_t two[2] = {2, 2}, wrong[2] = {3, 2};
  float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const tine_tensor good = {data, two, NULL, 2, TINE_F32};
  tine_tensor bad = {data, wrong, NULL, 2, TINE_F32};
  const int status = matmul_launch(TINE_STREAM_CPU, &good, &bad, &good);
  printf("refused %d: %s\n", status, mm_error());
  bad = good, bad.dtype = TINE_I8;
  printf("refused %d: %s\n", matmul_launch(TINE_STREAM_CPU, &good, &good, &bad), mm_error());
  bad = good, bad.data = NULL;
  printf("refused %d: %s\n", matmul_launch(TINE_STREAM_CPU, &bad, &good, &good), mm_error());
  printf("refused %d: %s\n", matmul_launch(TINE_STREAM_CPU, NULL, &good, &good), mm_error());
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
