// Where the threads of a block must wait for each other.
#pragma once
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Puts a `tine.barrier` before an access that another thread's earlier access must have ended before: one of the two writes,
/// both may touch the same bytes, and it is not each thread's own element both times. Shared memory by its offsets; global
/// memory as far as the kernel stores to it. What a loop's round leaves open meets the next round's accesses; of a
/// persistent kernel the next program's.
/// Before: tine.shared_store %a, %m; %b = tine.shared_load %m
/// After:  tine.shared_store %a, %m; tine.barrier between "..." and "..."; %b = tine.shared_load %m
void insert_barriers(ir::KernelOp kernel, bool persistent);

}  // namespace tine::gpu
