/* The library from C: tensors are pointers with shapes, every call returns a status. */
#include <math.h>
#include <stdio.h>

#include "mykernels.h"

int main(void) {
  float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {10, 20, 30, 40, 50, 60};
  const double s = 2;
  const int64_t n = 6;
  const tine_tensor ts = {(void*)&s, NULL, NULL, 0, TINE_F64}, tx = {x, &n, NULL, 1, TINE_F32}, ty = {y, &n, NULL, 1, TINE_F32};
  if (axpy_launch(TINE_STREAM_CPU, &ts, &tx, &ty) != TINE_OK) {
    fprintf(stderr, "%s\n", mykernels_error());
    return 1;
  }
  for (int i = 0; i < 6; ++i)
    if (y[i] != 12.0f * (float)(i + 1)) return 1;

  /* A wrong call is refused, and the message says what is wrong. */
  const int64_t five = 5;
  const tine_tensor shorter = {y, &five, NULL, 1, TINE_F32};
  if (axpy_launch(TINE_STREAM_CPU, &ts, &tx, &shorter) != TINE_REFUSED) return 1;
  printf("refused: %s\n", mykernels_error());
  printf("y[5] = %g\nright\n", y[5]);
  return 0;
}
