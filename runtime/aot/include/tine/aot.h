/* The C ABI of libraries that `tinec build` makes. Every header that it writes holds this text, so that users of a library
   need no other file.

   Each kernel of a library is a function `int NAME_launch(tine_stream stream, const tine_tensor* a, ...)` with one argument
   for each parameter of the kernel's arrangement. It may be called from any number of threads. */
#ifndef TINE_AOT_ABI
#define TINE_AOT_ABI 1
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Where a kernel runs: on the processor, at once, the call returning when it is done; or in a CUDA stream (a CUstream or
   cudaStream_t, NULL for the default stream) of the thread's current context, the call returning before it is done.
   Libraries that were built for processors alone ignore it. */
typedef void* tine_stream;
#define TINE_STREAM_CPU ((tine_stream)(intptr_t)-2)

/* Element types. `bool` is one byte, 0 or 1. */
enum tine_dtype {
  TINE_BOOL, TINE_I8, TINE_I16, TINE_I32, TINE_I64, TINE_U8, TINE_U16, TINE_U32, TINE_U64,
  TINE_F8E4M3FN, TINE_F8E5M2, TINE_F16, TINE_BF16, TINE_F32, TINE_F64
};

/* A tensor in memory that the device can read. Nothing is owned, and all of it is looked at during the call only; the data,
   of course, until the kernel has run.
   A scalar parameter is a tensor of rank 0 whose data lie in the host's memory: of the parameter's own type, or TINE_I64, or
   for a floating one TINE_F64; numbers that do not fit are refused. */
typedef struct tine_tensor {
  void* data;             /* the element with index 0 in every dim */
  const int64_t* shape;   /* `rank` sizes, in elements */
  const int64_t* strides; /* `rank` strides in elements, zero and negative ones too; NULL: row-major without gaps */
  int32_t rank;
  int32_t dtype;          /* tine_dtype */
} tine_tensor;

/* What a call returns. The thread's last message says what is wrong. */
enum tine_status {
  TINE_OK = 0,
  TINE_REFUSED = 1, /* the call is wrong, or no variant in the library is for it; nothing has run */
  TINE_FAILED = 2   /* the machine did not do what it was asked: no driver, no memory, no code for this processor */
};

#ifdef __cplusplus
}
#endif
#endif
