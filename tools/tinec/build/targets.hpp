// Targets of a library: what the run time must know to choose among them.
#pragma once
#include <string>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// A Usage for names that are no target's; the compiler's own word on the rest comes with the first compile.
Target describe_target(const std::string& name);
/// "x86_64" or "aarch64": what processors a library for these targets runs on; a Usage if that is not one.
std::string machine_of(const std::vector<Target>&);
std::string this_machine();

}  // namespace tinec::builder
