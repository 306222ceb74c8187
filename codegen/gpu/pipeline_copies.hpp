// Operands of products reach shared memory while earlier rounds of the loop multiply.
#pragma once
#include "codegen/gpu/target_info.hpp"
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// In a loop that loads tiles and puts them into shared memory, the tiles of the next rounds are copied there
/// asynchronously: a ring of `stages` memories for each, filled `stages` - 1 rounds ahead. One wait and one barrier a round:
/// after them this round's copies of all threads are there, and all threads are done with the memory that the round before
/// read, which takes the newest copy. `stages` 0: as many as leave room for a second block, at least 2; 1: nothing changes.
///
/// Tiles that cannot be copied so (memory does not keep them aligned to 4 bytes, elements lie in another order in shared
/// memory or are cast on the way, out of range is not 0) go by way of registers: loaded one round ahead, before the
/// products of this round, and stored to the other one of two memories after them.
///
/// Left as they are: tiles whose indices a round computes from the one before, that the loop stores to, or that are also
/// used otherwise.
///
/// Before: scf.for %k { %a = tine.load %x[%k]; %m = tine.shared_alloc; tine.shared_store %a, %m; %b = tine.shared_load %m ... }
/// After:  %ring = tine.shared_alloc slots 3
///         tine.copy_async %x[0], slot 0; tine.copy_commit; tine.copy_async %x[1], slot 1; tine.copy_commit   (where in the loop)
///         scf.for %k (%read = 0, %write = 2) { tine.copy_wait 1; tine.barrier; tine.copy_async %x[%k + 2], slot %write;
///           tine.copy_commit; %b = tine.shared_load (slot %read) ... }
/// Numbers are not changed. Goes before shared memory is allocated.
void pipeline_copies(ir::KernelOp kernel, const TargetInfo& target, int64_t stages, bool persistent);

}  // namespace tine::gpu
