// One compile, through the C ABI.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "dsl/graph/specialization.hpp"
#include "runtime/launch/traced_kernel.hpp"

namespace tine::jit {

/// What code is asked for, beside the graph and the specialisation.
struct Request {
  std::string target = "cpu";      ///< "cpu": this machine
  std::string options;             ///< "key=value;key=value", sorted by key
  std::string stage = "artefact";  ///< or text for people: "tine", "loops", "llvm", "asm", ...
  /// Asked where the kernel is too large for the target: the nearest config that is not, "bm=64 bn=64".
  std::function<std::optional<std::string>()> fitting_config = nullptr;
  bool gpu() const { return !target.starts_with("cpu"); }
};

/// The artefact's bytes, or the stage's text. Throws a UserError at the user's line where the compiler refuses the
/// kernel, an InternalError (and leaves a reproducer file) where the compiler fails.
std::string compile(const launch::TracedKernel&, const graph::Specialization&, const Request&);

/// Facts that hold of every call: for looking at code without arguments. All tensors contiguous if asked for.
graph::Specialization general_specialization(const graph::Graph&, bool contiguous);

}  // namespace tine::jit
