// What the run time has made of a library so far: which targets this machine can run, and code that is loaded. Made at
// the library's first call, kept until the process ends.
#pragma once
#include <atomic>
#include <span>

#include "runtime/aot/entry.h"
#include "runtime/aot/view.hpp"
#include "runtime/launch/code.hpp"
#include "runtime/launch/mutex.hpp"

namespace tine::aot {

/// A CPU artefact, once loaded.
struct LoadedCode {
  std::atomic<bool> ready{false};
  launch::Code code;
};

struct GpuCode;

struct Library {
  Base base;
  launch::Mutex loading;
  std::span<LoadedCode> codes;   ///< for each of Pack::codes
  std::span<bool> can_run;       ///< for each of Pack::targets: on this processor; true for GPUs
  GpuCode* gpu_codes = nullptr;  ///< a list, in runtime/aot/cuda.cpp
  bool has_gpu_code = false;
};

/// Null with a message if there is no memory or the pack is not for this run time.
Library* open_library(tine_aot_library&);

/// The functions of Pack::codes[code]; null ones with a message if they cannot be loaded.
launch::Code load_code(Library&, const PackedKernel&, uint32_t code);

}  // namespace tine::aot
