/* Counts how often each program runs, by way of the thread's scratch: out[program] += 1. */
#include <stdint.h>
void tine_entry(const int64_t* s, int64_t begin, int64_t end, void* scratch) {
  int32_t* out = (int32_t*)s[0];
  int64_t* mine = (int64_t*)scratch;
  int64_t i, k;
  for (i = begin; i < end; ++i) {
    int64_t busy = 1;
    for (k = 0; k < 64; ++k) mine[k] = i; /* nobody else may write here meanwhile */
    for (k = 0; k < 2000; ++k) busy = busy * 25214903917 + 11 + mine[k & 63];
    mine[0] = busy;
    for (k = 1; k < 64; ++k)
      if (mine[k] != i) out[i] += 1000;
    out[i] += 1;
  }
}
int64_t tine_scratch(const int64_t* s) {
  (void)s;
  return 64 * 8;
}
