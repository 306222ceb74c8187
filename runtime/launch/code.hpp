// Loaded code of one kernel for one specialisation.
#pragma once
#include "codegen/abi/compiler_abi.h"

namespace tine::launch {

class GpuFunction;

/// What a loaded artefact offers; valid until the process ends. Either the functions of CPU code or `gpu`.
struct Code {
  tine_cpu_entry_fn entry = nullptr;
  tine_cpu_scratch_fn scratch = nullptr;
  GpuFunction* gpu = nullptr;
};

}  // namespace tine::launch
