// Loads that give the same tile in every round of a loop stand before it.
#pragma once
#include "compiler/dialect/tine_dialect.hpp"

namespace tine::gpu {

/// Using a parameter loads it where it is used; inside a loop that would be each round's work, and on a GPU nothing else
/// would take it out: the operand of a product, for one, goes through shared memory first. What only moves such a tile
/// (permute, reshape, broadcast) and casts of it go with it.
/// Before: scf.for { %q = tine.load %x[]; %d = tine.dot %q, ... }
/// After:  %q = tine.load %x[]; scf.for { %d = tine.dot %q, ... }
/// Loads that a store of the loop may change stay. Numbers are not changed; a load whose loop has no round reads in vain.
void hoist_loads(ir::KernelOp kernel);

}  // namespace tine::gpu
