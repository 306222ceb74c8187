// Code for buffers: addresses within them, loops over their entries, and whole buffers filled and copied.
#pragma once
#include "codegen/cpu/frame.hpp"

namespace tine::cpu {

/// Address of element `index` of an array.
mlir::Value element_at(Frame& frame, mlir::Value base, mlir::Type storage, mlir::Value index);

/// for (i = lo; i < hi; i += step) body(i); at most one round, if that is known, is no loop.
void emit_loop(Frame& frame, mlir::Value lo, mlir::Value hi, int64_t step, llvm::function_ref<void(mlir::Value)> body);

/// if (condition) yes(); else no();
void either(Frame& frame, mlir::Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);

/// Calls `body` with the index of each entry: all dims of `shape` but the last two.
void each_entry(Frame& frame, llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

/// Where an entry of a buffer (a matrix of its last two dims) starts.
mlir::Value entry_of(Frame& frame, const Buffer& buffer, llvm::ArrayRef<mlir::Value> at);
/// Column n of an entry, where n is a multiple of the lanes that divide a panel. Rows follow at `row_pitch`.
mlir::Value column_of(Frame& frame, const Buffer& buffer, mlir::Value entry, mlir::Value n);
mlir::Value row_pitch(Frame& frame, const Buffer& buffer);

// In vectors of 64 bytes, which buffers start and end on. No memset or memcpy: artefacts cannot import them.
void each_vector(Frame& frame, const Buffer& buffer, llvm::function_ref<void(mlir::Value byte_offset)> body);
void fill_zero(Frame& frame, const Buffer& buffer);
void copy_buffer(Frame& frame, const Buffer& from, const Buffer& to);

}  // namespace tine::cpu
