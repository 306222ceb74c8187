/* The artefact's header is C: this unit holds it to that. */
#include "codegen/abi/gpu_artefact.h"

const char* read_in_c(const void* data, size_t size, tine_gpu_artefact* out);
const char* read_in_c(const void* data, size_t size, tine_gpu_artefact* out) { return tine_gpu_artefact_read(data, size, out); }
