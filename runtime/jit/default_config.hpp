// Block sizes for a GPU where nobody chose them.
#pragma once
#include <vector>

#include "runtime/jit/kernel.hpp"

namespace tine::jit {

/// The first candidate of each meta-parameter that `chosen` does not name, unless tiles would then be too large for a block of
/// threads: then the largest block size goes down to its next smaller candidate, until they are not. A pure function of
/// trace and `chosen`, and the same for all GPUs, so that results keep their bits from one to the next.
Config default_config(const Trace& trace, const Config& chosen);

/// What there is below the config of a graph: each block size as it is or one of its smaller candidates, the nearest first
/// (by the product of all ratios, then by how many change), at most 64. Nothing without smaller candidates.
std::vector<Config> smaller_configs(const graph::Graph&);

/// "bm=128 bn=128 bk=64": the values that a graph was traced under; "" without meta-parameters.
std::string config_text(const graph::Graph&);

}  // namespace tine::jit
