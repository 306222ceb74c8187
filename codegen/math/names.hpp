// Operations by the names that the dialect gives them.
#pragma once
#include <optional>
#include "dsl/graph/graph.hpp"
#include "llvm/ADT/StringRef.h"

namespace tine::math {

/// The operation of the graph with this name.
std::optional<graph::Op> operation_named(llvm::StringRef name);
/// The reduction of a `tine.reduce` kind: "max" is `rmax`.
std::optional<graph::Op> reduction_named(llvm::StringRef kind);

}  // namespace tine::math
