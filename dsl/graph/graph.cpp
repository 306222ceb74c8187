#include "dsl/graph/graph.hpp"

namespace tine::graph {

const char* name(DType t) {
  static constexpr const char* names[] = {"bool", "i8",  "i16", "i32",      "i64",     "u8",  "u16", "u32",
                                          "u64",  "f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64"};
  return names[int(t)];
}

const char* name(Op op) {
  static constexpr const char* names[] = {
#define X(n) #n,
      TINE_GRAPH_OPS(X)
#undef X
  };
  return names[int(op)];
}

}  // namespace tine::graph
