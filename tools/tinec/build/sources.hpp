// The texts of a library: its C and C++ headers, and the C source with its entry points.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// "mykernels.h" and what else users include, with their texts. `abi_text` is runtime/aot's tine/aot.h.
std::vector<std::pair<std::string, std::string>> headers(const Plan&, const std::string& abi_text);

/// The source of the entry points. Compiled beside `pack.bin` (by `.incbin`) and linked with the run time.
std::string entry_source(const Plan&, const std::string& abi_text);

}  // namespace tinec::builder
