#include "codegen/math/names.hpp"
#include "llvm/ADT/StringMap.h"

namespace tine::math {

std::optional<graph::Op> operation_named(llvm::StringRef name) {
  static const llvm::StringMap<graph::Op> table = [] {
    llvm::StringMap<graph::Op> t;
#define X(n) t[graph::name(graph::Op::n)] = graph::Op::n;
    TINE_GRAPH_OPS(X)
#undef X
    return t;
  }();
  auto it = table.find(name);
  if (it == table.end()) return {};
  return it->second;
}
std::optional<graph::Op> reduction_named(llvm::StringRef kind) {
  if (kind == "max") return graph::Op::rmax;
  if (kind == "min") return graph::Op::rmin;
  if (kind == "xor") return graph::Op::rxor;
  return operation_named(kind);
}

}  // namespace tine::math
