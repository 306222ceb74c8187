// Tiles that are too large for a block's registers are worked on in parts.
#pragma once
#include "codegen/gpu/target_info.hpp"

namespace tine::gpu {

/// Stores, reductions and products whose tiles have more than `most` elements (padded to powers of two; those of 8 bytes count
/// twice), and products whose operands together, or reductions of which what warps tell each other, have more than `shared`
/// bytes, become loops over pieces of one dim; what such a tile is computed from is computed piece by piece, and again for
/// each of them.
/// Before: %t = tine.load %x[] : <[s0]>                  (s0 up to 2^20)
///         %s = tine.reduce "sum"(%t) axes [0]
/// After:  %p = scf.for %j = 0 to cdiv(s0, 8192) iter_args(%acc = 0 : <[8192]>) {
///           %t = tine.load %x2[%j] : <[8192]>           (%x2: the same elements, in one more level)
///           scf.yield %acc + where(arange + 8192 %j < s0, %t, 0)
///         }
///         %s = tine.reduce "sum"(%p) axes [0]
/// Loops that carry such a tile are made again around its parts. A tile stays as it is where a store between its load and its
/// use may change it, where a loop that carries it also stores, where elements are reshaped and, in products, along block sizes:
/// who chose them can choose better ones. Numbers: sums and products of floats are combined in another order. Whether anything
/// was split.
bool split_tiles(ir::KernelOp kernel, int64_t most, int64_t shared);

/// The most elements of up to 4 bytes that are left whole: one for each register of the largest block, in kernels with products
/// half of what 8 warps have, as operands need the rest; or of a block of `warps` warps if that was chosen (0: not).
int64_t largest_whole_tile(ir::KernelOp kernel, const TargetInfo& target, int64_t warps);

}  // namespace tine::gpu
