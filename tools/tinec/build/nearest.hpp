// The way out for a config that is too large for a target.
#pragma once
#include "tools/tinec/build/compile.hpp"

namespace tinec::builder {

/// Searches below the config of a program for one that the compiler takes, by tracing and compiling. Holds on to both.
Nearest nearest_by_trial(const Plan&, Tracer&);

}  // namespace tinec::builder
