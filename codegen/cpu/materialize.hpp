// Which tile values get memory of their own. All others are computed where they are used, inside the nest of their user.
#pragma once
#include "codegen/cpu/nest.hpp"
#include "llvm/ADT/DenseSet.h"

namespace tine::cpu {

/// Values that must or should be written to a buffer where they stand:
/// - must: a load whose memory may be stored to before its last use; the operand of a reshape that moves elements;
/// - should: transposes of what lies in rows (they are turned in registers); costly values with several users, used in a loop that they stand outside of, or repeated by a broadcast.
/// Values of one element, results of reductions, products, loops and branches are not in question: they always have a place.
llvm::DenseSet<mlir::Value> find_materialized(ir::KernelOp kernel);

using compiler::conflicts;
using compiler::same_place;

/// Both of the last two dims are long enough to be turned in squares.
bool worth_turning(mlir::Type tile);

/// Which values a walk over an expression has met, apart for each of two ways to meet them. Expressions share their parts, so
/// that the paths through one can be exponentially many.
class Seen {
 public:
  bool first_time(mlir::Value v, bool way) { return values_[way].insert(v).second; }

 private:
  llvm::DenseSet<mlir::Value> values_[2];
};

/// Loads below a value that is computed where it is used. `identity` is false if some load is reached through an
/// operation that moves elements, so that lane i of the value is not lane i of the load.
struct LoadUse { ir::LoadOp load; bool identity; };
void collect_loads(mlir::Value value, const llvm::DenseSet<mlir::Value>& materialized, llvm::SmallVectorImpl<LoadUse>& loads,
                   bool identity = true);

}  // namespace tine::cpu
