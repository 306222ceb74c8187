// The call of a kernel: from views to programs.
//
// The first call with certain sizes and strides checks them, evaluates the symbols, finds the specialisation and gets
// its code; what it found is kept by the calling thread. A later call of that thread with the same sizes and strides
// compares them, looks at the base pointers (null, alignment, overlap) and runs: no lock, no allocation.
#pragma once
#include <span>

#include "dsl/graph/specialization.hpp"
#include "runtime/launch/code.hpp"
#include "runtime/launch/traced_kernel.hpp"

namespace tine::launch {

class Device;

/// Gives the code of a kernel for a specialisation; may compile. Thread-safe. Throws the errors that the caller shall
/// see.
class CodeSource {
 public:
  /// For a GPU, the code is loaded where the device's `enter` has led.
  virtual Code code(const TracedKernel&, const graph::Specialization&) const = 0;
  Device* device = nullptr;  ///< null: this process's CPUs

 protected:
  ~CodeSource() = default;
};

/// How the programs of one call are run.
struct How {
  int threads = 0;         ///< of the host; 0: the knob, or one for each CPU
  void* stream = nullptr;  ///< of the device; null: its default stream
};

/// How many threads a call runs on for which so many are wanted, the caller's included. At least 1.
int thread_count(int wanted);

/// Runs all programs. On the CPU it returns when they have ended; on a device they may go on, in the order of the stream.
/// Thread-safe. The arguments have the kernel's number, types and ranks (`check_kinds`).
void call(const TracedKernel&, std::span<const Argument>, How, const CodeSource&);

}  // namespace tine::launch
