// Tiles to loops: a tine.kernel becomes two functions of scalar loops and hardware-width vectors.
// Why: the CPU has no tiles; chains of element-wise operations must become one loop over memory, with masked tails.
#pragma once
#include "codegen/cpu/frame.hpp"
#include "mlir/Pass/Pass.h"

namespace tine::cpu {

/// Rewrites the module's one `tine.kernel` into `tine_entry` and `tine_scratch` (codegen/abi/compiler_abi.h).
/// Before:
///   %t = tine.load %x[] : !tine.tile<[64], f32>
///   %u = tine.elementwise "neg"(%t) : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
///   tine.store %u, %y[] : !tine.tile<[64], f32>
/// After, in the loop over programs:
///   scf.for %j = %begin to %split step %c16 { load vector<16xf32>; negf; store }
///   scf.for %j = %split to %end step %c16 { masked load; negf; masked store }
/// Precondition: the verifier holds. Numerics preserved: float sums and products run in another order (language.md, 6).
mlir::LogicalResult lower_tiles(mlir::ModuleOp module, const VectorTarget& target);

std::unique_ptr<mlir::Pass> create_lower_tiles_pass(VectorTarget target);

}  // namespace tine::cpu
