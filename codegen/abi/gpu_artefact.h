/* What a GPU target's artefact is: a header of 128 bytes, then the code. Written by codegen, read by the run time and by
   what AOT builds. All numbers are little-endian.

   The code has one kernel, `entry`. Its parameters are the launch plan's slots in their order, 64 bits each: base pointers
   as global pointers, all else as integers (scalars: their bits in the low bytes). Block b = ctaid.y * nctaid.x + ctaid.x
   runs program b and returns at once where there is none; a persistent kernel runs programs b, b + blocks, ...
   The launcher uses grid.x = min(programs, 2^31 - 1), grid.y = ceil(programs / grid.x), and `threads` threads in x. */
#ifndef TINE_CODEGEN_ABI_GPU_ARTEFACT_H
#define TINE_CODEGEN_ABI_GPU_ARTEFACT_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TINE_GPU_MAGIC "TINEGPU" /* eight bytes with its NUL */
#define TINE_GPU_ARTEFACT_VERSION 1u
#define TINE_GPU_ENTRY "tine_kernel"

enum tine_gpu_code { TINE_GPU_PTX = 1 /* text, NUL-terminated */, TINE_GPU_CUBIN = 2, TINE_GPU_HSACO = 3 };
enum tine_gpu_flags { TINE_GPU_PERSISTENT = 1 /* loops over programs: launch any number of blocks, at least one */ };

typedef struct tine_gpu_artefact {
  char magic[8];
  uint32_t version;        /* TINE_GPU_ARTEFACT_VERSION */
  uint32_t code;           /* tine_gpu_code */
  uint32_t arch;           /* 80 for sm_80; PTX also runs on newer ones */
  uint32_t threads;        /* per block, exactly */
  uint32_t dynamic_shared; /* bytes per block that the launch must ask for */
  uint32_t static_shared;  /* bytes per block that the code itself declares */
  uint32_t slots;          /* parameters */
  uint32_t flags;          /* tine_gpu_flags */
  uint32_t min_blocks;     /* per multiprocessor, which the code was made for; 0: not said */
  uint32_t registers;      /* per thread; 0: not known */
  uint64_t code_offset;    /* from the first byte of this header */
  uint64_t code_size;      /* with the NUL of a text */
  char entry[64];          /* NUL-terminated */
} tine_gpu_artefact;

/* The header of an artefact, checked: sizes, offsets and strings lie inside `size` bytes. Returns null, or what is wrong with
   the bytes (static storage); then `out` holds nothing of use. `data` needs no alignment; the code is at data + code_offset. */
static inline const char* tine_gpu_artefact_read(const void* data, size_t size, tine_gpu_artefact* out) {
  const char* bytes = (const char*)data;
  if (!data || size < sizeof *out) return "it is shorter than its header";
  memcpy(out, data, sizeof *out);
  if (memcmp(out->magic, TINE_GPU_MAGIC, sizeof out->magic) != 0) return "it is no GPU artefact";
  if (out->version != TINE_GPU_ARTEFACT_VERSION) return "it is of another version";
  if (out->code < TINE_GPU_PTX || out->code > TINE_GPU_HSACO) return "its kind of code is unknown";
  if (out->threads == 0 || out->threads > 1024) return "its number of threads is none that a block can have";
  if (out->code_offset < sizeof *out || out->code_offset > size || out->code_size > size - out->code_offset || out->code_size == 0)
    return "its code lies outside of it";
  if (out->code == TINE_GPU_PTX && bytes[out->code_offset + out->code_size - 1] != 0) return "its text has no end";
  if (out->entry[0] == 0 || !memchr(out->entry, 0, sizeof out->entry)) return "its entry has no name";
  return NULL;
}

/* Fills in what is the same for every artefact (magic, version, where the code lies, the entry's name) and copies the header
   to `to`, which has room for sizeof(tine_gpu_artefact) bytes; `header` holds the rest. The code follows at once. */
static inline void tine_gpu_artefact_write(const tine_gpu_artefact* header, void* to) {
  tine_gpu_artefact h = *header;
  memcpy(h.magic, TINE_GPU_MAGIC, sizeof h.magic);
  h.version = TINE_GPU_ARTEFACT_VERSION;
  h.code_offset = sizeof h;
  memset(h.entry, 0, sizeof h.entry);
  memcpy(h.entry, TINE_GPU_ENTRY, sizeof TINE_GPU_ENTRY);
  memcpy(to, &h, sizeof h);
}

#ifdef __cplusplus
}
static_assert(sizeof(tine_gpu_artefact) == 128, "the header is part of files");
#endif
#endif
