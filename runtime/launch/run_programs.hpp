// Running the programs of one call of CPU code: on the caller's thread where they are quick, else on the workers too.
// Needs the C library alone: linked AOT libraries have it too.
#pragma once
#include <cstdint>

#include "runtime/launch/code.hpp"

namespace tine::launch {

/// The programs of calls with certain sizes, and what earlier runs have shown of them.
struct Programs {
  Code code;
  int64_t count = 0;
  int64_t scratch = 0;     ///< bytes that each thread needs
  double program_ns = -1;  ///< time of one program, < 0 before the first
  uint32_t runs = 0;
};

/// Runs all programs and returns when they have ended; false, with nothing run, if there is no scratch memory.
/// `threads` is at least 1. One thread may use a `Programs` at a time.
bool run_programs(Programs&, const int64_t* slots, int threads, int64_t spin_us);

}  // namespace tine::launch
