// Loaded code of one kernel for one specialisation.
#pragma once
#include "codegen/abi/compiler_abi.h"

namespace tine::launch {

/// Functions of a loaded artefact; valid until the process ends.
struct Code {
  tine_cpu_entry_fn entry = nullptr;
  tine_cpu_scratch_fn scratch = nullptr;
};

}  // namespace tine::launch
