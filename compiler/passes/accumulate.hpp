// Products accumulate: `acc + dot(a, b)` becomes `dot(a, b, acc)`.
// Why: an accumulator that the product updates itself can stay where the product's registers are.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tine::compiler {

/// Before: %d = tine.dot %a, %b; %s = tine.elementwise "add"(%acc, %d)      (the product has no other use)
/// After:  %s = tine.dot %a, %b, %acc
/// Numerics preserved: no; the sum runs in one order instead of two, as the language allows (language.md, section 6).
void accumulate_products(mlir::ModuleOp module);

/// The same as a pass, for tine-opt: `--tine-accumulate-products`.
std::unique_ptr<mlir::Pass> create_accumulate_products_pass();

}  // namespace tine::compiler
