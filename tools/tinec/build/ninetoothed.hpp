// NineToothed's ABI: the headers and entry points that its own ahead-of-time builds give, with our code behind them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// `ninetoothed.h`, and one header for each kernel, as NineToothed 0.26 writes them.
std::vector<std::pair<std::string, std::string>> ninetoothed_headers(const Plan&);
/// The functions `launch_NAME`.
std::string ninetoothed_source(const Plan&);

}  // namespace tinec::builder
