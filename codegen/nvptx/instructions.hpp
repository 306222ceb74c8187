// What NVIDIA's machines are to the part that all GPU targets share.
#pragma once
#include <memory>
#include "codegen/gpu/target_info.hpp"
#include "codegen/nvptx/target.hpp"

namespace tine::nvptx {

std::unique_ptr<gpu::TargetInfo> target_info(const Target& target);

}  // namespace tine::nvptx
