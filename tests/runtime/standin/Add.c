/* Kernel Add of graphs.cpp: c = a + b in tiles of 4; slots: a b c | strides | symbols, the first being the grid. */
#include <stdint.h>
void tine_entry(const int64_t* s, int64_t begin, int64_t end, void* scratch) {
  (void)scratch;
  const float *a = (const float*)s[0], *b = (const float*)s[1];
  float* c = (float*)s[2];
  int64_t n = s[7], i;
  for (i = begin * 4; i < end * 4 && i < n; ++i) c[i * s[5]] = a[i * s[3]] + b[i * s[4]];
}
int64_t tine_scratch(const int64_t* s) {
  (void)s;
  return 0;
}
