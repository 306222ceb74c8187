/* What the C source that `tinec build` writes knows of the run time. */
#ifndef TINE_RUNTIME_AOT_ENTRY_H
#define TINE_RUNTIME_AOT_ENTRY_H
#include "tine/aot.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A library: its description and code (runtime/aot/pack.hpp), and what the run time has made of them so far. */
typedef struct tine_aot_library {
  const unsigned char* pack;
  void* state; /* NULL at first */
} tine_aot_library;

/* Runs kernel `kernel` of the library; `tensors` has one pointer for each of its parameters. */
int tine_aot_call(tine_aot_library* library, uint32_t kernel, tine_stream stream, const tine_tensor* const* tensors);
/* The same for arguments that do not say their element types and ranks: those of instance `instance` are meant, and of
   floating scalars a double. */
int tine_aot_call_instance(tine_aot_library* library, uint32_t kernel, uint32_t instance, tine_stream stream,
                           tine_tensor* tensors);
/* Why the calling thread's last failed call failed; "" before the first. Valid until the thread's next call. */
const char* tine_aot_error(void);
/* Refuses a call with a message. */
int tine_aot_refuse(const char* message);
/* Threads that run the programs of one call on the processor: 0 for one for each CPU, which is the default. */
void tine_aot_set_threads(int threads);

#ifdef __cplusplus
}
#endif
#endif
