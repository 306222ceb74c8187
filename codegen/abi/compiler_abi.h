/* The C ABI between the run time (libtine) and the compiler (libtine-compiler), which is opened with dlopen on the first
   compile that no cache can serve. Graph bytes and options in, an artefact or an error record out. No exception crosses it. */
#ifndef TINE_CODEGEN_ABI_COMPILER_ABI_H
#define TINE_CODEGEN_ABI_COMPILER_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TINE_COMPILER_ABI_VERSION 1u

typedef struct tine_compile_request {
  uint32_t abi_version;          /* TINE_COMPILER_ABI_VERSION */
  const void* graph;             /* tine::graph::serialize(Graph) */
  size_t graph_size;
  const void* specialization;    /* tine::graph::serialize(Specialization) */
  size_t specialization_size;
  const char* target;            /* "cpu" (this machine), "cpu:x86-64-v3", ...; "nvptx:sm_80", ... */
  const char* stage;             /* "artefact", or what is on the way, mostly text: on cpu "tine", "loops", "llvm", "asm",
                                    on GPUs "tine", "layouts", "llvm", "ptx", "cubin", "resources" */
  const char* options;           /* "key=value;key=value", sorted by key; see codegen/common/options.hpp; may be empty */
} tine_compile_request;

enum tine_compile_status { TINE_COMPILE_OK = 0, TINE_COMPILE_USER_ERROR = 1, TINE_COMPILE_INTERNAL_ERROR = 2,
  TINE_COMPILE_TOO_LARGE = 3     /* a user error that smaller block sizes may mend */ };

typedef struct tine_compile_result {
  int status;                    /* tine_compile_status */
  const void* data;              /* the artefact (an ELF shared object for cpu, gpu_artefact.h for GPUs) or the text of the stage */
  size_t size;
  const char* message;           /* on errors: one sentence; else "" */
  const char* file;              /* the user's file, or "" */
  int line;                      /* 0 if unknown */
} tine_compile_result;

/* Thread-safe. Returns NULL only when out of memory. The result belongs to the caller, who frees it. */
tine_compile_result* tine_compiler_compile(const tine_compile_request* request);
void tine_compiler_free(tine_compile_result* result);
/* Identifies the build: changes with the compiler's sources and the LLVM version. Part of every cache key. Static storage. */
const char* tine_compiler_build_id(void);
/* The target string "cpu" resolved to processor and features, e.g. "x86_64-znver5+avx512f...". Static storage. */
const char* tine_compiler_host_target(void);

/* What this machine has of the CUDA toolkit, which nothing but machine code for NVIDIA GPUs, its resource report and CUDA C++
   functions in kernels need: lines "name TAB file TAB version", the file empty where it is missing, the version empty where only
   running the file would tell. Static storage. */
const char* tine_compiler_toolkit(void);

/* What a CPU artefact exports. */
#define TINE_CPU_ENTRY "tine_entry"      /* void (const int64_t* slots, int64_t begin, int64_t end, void* scratch): programs [begin, end) */
#define TINE_CPU_SCRATCH "tine_scratch"  /* int64_t (const int64_t* slots): bytes of scratch one thread needs, 64-byte aligned */
typedef void (*tine_cpu_entry_fn)(const int64_t*, int64_t, int64_t, void*);
typedef int64_t (*tine_cpu_scratch_fn)(const int64_t*);

#ifdef __cplusplus
}
#endif
#endif
