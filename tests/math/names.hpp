// Names of operations and types, and how many operands an operation takes.
#pragma once
#include <cstring>

#include "dsl/graph/graph.hpp"

namespace tine::math::test {

inline constexpr const char* op_names[] = {
#define X(n) #n,
    TINE_GRAPH_OPS(X)
#undef X
};
inline constexpr const char* type_names[] = {"bool", "i8",       "i16",    "i32", "i64",  "u8",  "u16", "u32",
                                             "u64",  "f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64"};
inline graph::Op op_of(const char* name) {
  for (int k = 0; k < int(std::size(op_names)); ++k)
    if (!std::strcmp(op_names[k], name)) return graph::Op(k);
  return graph::Op::literal;
}
inline graph::DType type_of(const char* name) {
  for (int k = 0; k < int(std::size(type_names)); ++k)
    if (!std::strcmp(type_names[k], name)) return graph::DType(k);
  return graph::DType::f32;
}
inline const char* name_of(graph::Op op) { return op_names[int(op)]; }
inline const char* name_of(graph::DType t) { return type_names[int(t)]; }
inline int arity(graph::Op op) {
  if (op >= graph::Op::fma && op <= graph::Op::clamp) return 3;
  if (op >= graph::Op::add && op <= graph::Op::copysign) return 2;
  return 1;
}

}  // namespace tine::math::test
