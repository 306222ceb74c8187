/* A caller of NineToothed's launchers, compiled with the headers that NineToothed wrote. */
#include <math.h>
#include <stdio.h>

#include "add.h"
#include "scaled.h"
#include "shifted.h"

enum { n = 1000 };
static float x[n], y[n], z[2 * n];

static int check(const char* what, int result, float (*wanted)(int), int64_t stride) {
  if (result) return printf("%s: %d\n", what, result), 1;
  for (int i = 0; i < n; ++i)
    if (z[i * stride] != wanted(i)) return printf("%s: z[%d] is %g, not %g\n", what, i, z[i * stride], wanted(i)), 1;
  return 0;
}

static float sum(int i) { return x[i] + y[i]; }
static float scale(int i) { return x[i] * 2.5f + 3; }
static float shift(int i) { return x[i] + 7; }

int main(void) {
  for (int i = 0; i < n; ++i) x[i] = (float)(i % 37) - 18.5f, y[i] = (float)(i % 29) * 0.25f + 1;
  uint64_t shape[1] = {n};
  int64_t one[1] = {1}, two[1] = {2};
  double s = 2.5;
  int32_t three[2] = {3, -1}; /* what stands behind it is not read */
  NineToothedTensor tx = {x, shape, one}, ty = {y, shape, one}, tz = {z, shape, one}, gaps = {z, shape, two}, ts = {&s, 0, 0}, tn = {three, 0, 0}, none = {0, 0, 0};
  int failures = 0;
  for (int i = 0; i < 2 * n; ++i) z[i] = NAN;
  failures += check("add", launch_add(0, tx, ty, tz), sum, 1);
  failures += check("add with gaps", launch_add(0, tx, ty, gaps), sum, 2);
  failures += check("scaled", launch_scaled(0, tx, ts, tn, tz), scale, 1);
  failures += check("shifted", launch_shifted(0, tx, none, tz), shift, 1);
  uint64_t other[1] = {n / 2};
  NineToothedTensor shorter = {y, other, one};
  if (launch_add(0, tx, shorter, tz) == 0) failures += printf("unequal sizes are not refused\n") > 0;
  if (!failures) puts("all right");
  return failures;
}
