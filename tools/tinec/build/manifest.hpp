// manifest.json: what a library holds, for programs and people.
#pragma once
#include <string>

#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// `files`: names and contents of what stands beside it, whose hashes it states.
std::string manifest(const Plan&, const Store&, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace tinec::builder
