// Conversions of layouts inside a warp.
#pragma once
#include <optional>
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"
#include "compiler/layout/conversion.hpp"

namespace tine::gpu {

/// How lanes of a warp bring a tile from one layout into another, if that takes less than a trip through shared memory with its
/// barriers: few words, and few registers among which a lane must choose.
std::optional<layout::ShufflePlan> shuffles(ir::LayoutAttr from, ir::LayoutAttr to, mlir::Type element);

}  // namespace tine::gpu
