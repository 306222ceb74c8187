// A plan and its code as the pack of runtime/aot/pack.hpp.
#pragma once
#include <string>

#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// The pack's bytes; the plan is settled. The same plan and code give the same bytes.
std::string write_pack(const Plan&, const Store&);

}  // namespace tinec::builder
