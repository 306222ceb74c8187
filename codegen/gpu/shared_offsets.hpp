// Addresses in shared memory of what a thread's registers stand for.
#pragma once
#include "codegen/gpu/access.hpp"

namespace tine::gpu {

/// By a map (register, lane, warp) -> offset in units of `bytes`. What a register adds to the thread's part is a constant
/// of the instruction where their bits do not meet; else the thread's part has those bits flipped, once for the whole kernel.
class SharedOffsets {
 public:
  SharedOffsets(Thread& f, mlir::Value base, const layout::Layout& map, int64_t bytes);
  Access::Address at(int64_t r);

 private:
  Thread& f_;
  mlir::Value base_;
  layout::Layout map_;  // in bytes
  int64_t met_ = 0;     // bits that lanes or warps change
  llvm::DenseMap<int64_t, mlir::Value> pointers_;
};

}  // namespace tine::gpu
