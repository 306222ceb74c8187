// Graph import: the recorded graph becomes one `tine.kernel`. Nothing is decided here; every node becomes its operation,
// implicit broadcasts become `tine.broadcast`, and sizes that the call's checks make equal become one symbol.
#pragma once
#include "dsl/graph/graph.hpp"
#include "dsl/graph/specialization.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tine::compiler {

/// A module with one `tine.kernel`, or null after a diagnostic. Needs the tine and scf dialects loaded.
/// Before: `%2 = add %0, %1 : f32[64, p0.size1]`
/// After: `%2 = tine.elementwise "add"(%0, %1) : (...) -> !tine.tile<[64, s1], f32>`
/// Numerics preserved: yes.
mlir::OwningOpRef<mlir::ModuleOp> import_graph(mlir::MLIRContext& context, graph::Graph& graph,
                                               const graph::Specialization& specialization);

}  // namespace tine::compiler
