// Whole buffers: filled and copied in vectors of 64 bytes, which buffers start and end on. No memset or memcpy: artefacts
// cannot import them.
#pragma once
#include "codegen/cpu/frame.hpp"

namespace tine::cpu {

/// Calls `body` with the byte offset of each vector of the buffer.
void each_vector(Frame& frame, const Buffer& buffer, llvm::function_ref<void(mlir::Value)> body);
void fill_zero(Frame& frame, const Buffer& buffer);
void copy_buffer(Frame& frame, const Buffer& from, const Buffer& to);

}  // namespace tine::cpu
