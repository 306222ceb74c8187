/* Calls kernels of a library on a GPU, through the driver that TINE_CUDA_LIBRARY names: NVIDIA's, or the stand-in. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

typedef unsigned long long Pointer;
static int (*retain)(void**, int), (*set_current)(void*), (*allocate)(Pointer*, size_t), (*to_device)(Pointer, const void*, size_t),
    (*to_host)(void*, Pointer, size_t), (*create_stream)(void**, unsigned), (*synchronize)(void*), (*init)(unsigned);

static void* find(void* driver, const char* name) {
  void* f = dlsym(driver, name);
  if (!f) printf("no %s\n", name), exit(1);
  return f;
}

static int failures = 0;

static void status(const char* what, int s) {
  if (s == TINE_OK) return;
  printf("%s: status %d: %s\n", what, s, lib_error());
  if (++failures > 5) exit(1);
}

static Pointer upload(const void* data, size_t bytes) {
  Pointer p = 0;
  if (allocate(&p, bytes ? bytes : 1) || (bytes && to_device(p, data, bytes))) puts("no memory"), exit(1);
  return p;
}

/* Sums of rows of a matrix whose rows stand `stride` elements apart, beginning `skip` elements into its memory. */
static void row_sum(int64_t rows, int64_t columns, int64_t stride, int64_t skip, void* stream) {
  const size_t n = (size_t)(rows * stride + skip);
  float *x = malloc((n + 1) * 4), *y = malloc((size_t)(rows + 1) * 4);
  for (size_t i = 0; i < n; ++i) x[i] = (float)((int)(i * 7919 % 64) - 31); /* sums are exact */
  for (int64_t i = 0; i < rows; ++i) y[i] = NAN;
  const Pointer dx = upload(x, n * 4), dy = upload(y, (size_t)rows * 4);
  const int64_t shape[2] = {rows, columns}, strides[2] = {stride, 1};
  const tine_tensor tx = {(void*)(dx + (size_t)skip * 4), shape, strides, 2, TINE_F32}, ty = {(void*)dy, shape, NULL, 1, TINE_F32};
  for (int round = 0; round < 2; ++round) status("row_sum", row_sum_launch(stream, &tx, &ty));
  if (synchronize(stream) || to_host(y, dy, (size_t)rows * 4)) puts("not copied"), exit(1);
  for (int64_t i = 0; i < rows; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < columns; ++j) sum += x[skip + i * stride + j];
    if (y[i] != sum) {
      printf("row_sum %lldx%lld: y[%lld] is %g, not %g\n", (long long)rows, (long long)columns, (long long)i, y[i], sum);
      if (++failures > 5) exit(1);
    }
  }
  free(x), free(y);
}

static void scaled(int64_t n, void* stream) {
  float *x = malloc((size_t)n * 4), *y = malloc((size_t)n * 4);
  for (int64_t i = 0; i < n; ++i) x[i] = (float)i, y[i] = NAN;
  const Pointer dx = upload(x, (size_t)n * 4), dy = upload(y, (size_t)n * 4);
  double s = 2.5;
  const tine_tensor tx = {(void*)dx, &n, NULL, 1, TINE_F32}, ts = {&s, NULL, NULL, 0, TINE_F64}, ty = {(void*)dy, &n, NULL, 1, TINE_F32};
  status("scaled", scaled_launch(stream, &tx, &ts, &ty));
  s = 0; /* scalars are taken at the call */
  if (synchronize(stream) || to_host(y, dy, (size_t)n * 4)) puts("not copied"), exit(1);
  for (int64_t i = 0; i < n; ++i)
    if (y[i] != 2.5f * x[i]) {
      printf("scaled %lld: y[%lld] is %g\n", (long long)n, (long long)i, y[i]);
      if (++failures > 5) exit(1);
    }
  /* The same function on the processor. */
  s = 3;
  const tine_tensor hx = {x, &n, NULL, 1, TINE_F32}, hy = {y, &n, NULL, 1, TINE_F32};
  status("scaled on the processor", scaled_launch(TINE_STREAM_CPU, &hx, &ts, &hy));
  for (int64_t i = 0; i < n; ++i) failures += y[i] != 3 * x[i];
  free(x), free(y);
}

static void row_sum_of_nothing(void* stream) {
  const int64_t shape[2] = {0, 5};
  const tine_tensor tx = {NULL, shape, NULL, 2, TINE_F32}, ty = {NULL, shape, NULL, 1, TINE_F32};
  status("row_sum of nothing", row_sum_launch(stream, &tx, &ty));
}

static void* context = NULL;
static void* thread(void* stream) { /* has no context of its own: the stream's is taken */
  row_sum_of_nothing(stream);
  set_current(context); /* for copies, and the library finds it set */
  scaled(700, stream);
  row_sum(9, 40, 48, 0, stream);
  return NULL;
}

int main(void) {
  void* driver = dlopen(getenv("TINE_CUDA_LIBRARY"), RTLD_NOW);
  if (!driver) return puts(dlerror()), 1;
  *(void**)&init = find(driver, "cuInit"), *(void**)&retain = find(driver, "cuDevicePrimaryCtxRetain");
  *(void**)&set_current = find(driver, "cuCtxSetCurrent"), *(void**)&allocate = find(driver, "cuMemAlloc_v2");
  *(void**)&to_device = find(driver, "cuMemcpyHtoD_v2"), *(void**)&to_host = find(driver, "cuMemcpyDtoH_v2");
  *(void**)&create_stream = find(driver, "cuStreamCreate"), *(void**)&synchronize = find(driver, "cuStreamSynchronize");
  void* stream = NULL;
  if (init(0) || retain(&context, 0) || set_current(context) || create_stream(&stream, 0)) return puts("no device"), 1;
  scaled(1000, NULL);
  scaled(1, stream);
  row_sum(5, 64, 64, 0, NULL);     /* multiples of 16 */
  row_sum(7, 33, 33, 0, stream);   /* none */
  row_sum(2, 40001, 40001, 0, stream); /* more than a block has registers for */
  row_sum(4, 100, 128, 3, stream); /* rows of something larger, not aligned */
  row_sum(1, 1, 1, 0, stream);
  row_sum(3, 0, 1, 0, stream);
  row_sum(2, 300, 300, 0, stream); /* the next capacity */
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread, stream);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  puts(failures ? "wrong" : "all right");
  return failures != 0;
}
