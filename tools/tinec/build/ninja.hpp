// A build file for ninja, and what distributes ninja's work: one command for each variant, one that links.
#pragma once
#include <string>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// Writes build.ninja into the output folder. The plan is there already.
void write_ninja(Plan&, const BuildOptions&, const std::string& work);

}  // namespace tinec::builder
