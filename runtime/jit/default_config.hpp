// Block sizes for a GPU where nobody chose them.
#pragma once
#include <string>

#include "runtime/jit/kernel.hpp"

namespace tine::jit {

/// The first candidate of each meta-parameter that `chosen` does not name, unless tiles would then be too large for a block of
/// threads, or a loop's operands for two stages of them: then, as long as that helps, the block size goes down to its next
/// smaller candidate that helps most, of equal ones the largest. A pure function of trace and `chosen`, and the same for all
/// GPUs, so that results keep their bits from one to the next.
Config default_config(const Trace& trace, const Config& chosen);

/// "bm=128 bn=128 bk=64": the values that a graph was traced under; "" without meta-parameters.
std::string config_text(const graph::Graph&);

}  // namespace tine::jit
