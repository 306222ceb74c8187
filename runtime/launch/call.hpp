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

/// Gives the code of a kernel for a specialisation; may compile. Thread-safe. Throws the errors that the caller shall
/// see.
class CodeSource {
 public:
  virtual Code code(const TracedKernel&, const graph::Specialization&) const = 0;

 protected:
  ~CodeSource() = default;
};

/// Runs all programs and returns when they have ended. `threads`: 0 for the knob, or for each CPU. Thread-safe.
/// The arguments have the kernel's number, types and ranks (`check_kinds`).
void call(const TracedKernel&, std::span<const Argument>, int threads, const CodeSource&);

}  // namespace tine::launch
