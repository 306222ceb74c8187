// What the writer and the reader of serialised graphs agree on.
#pragma once
#include "dsl/graph/graph.hpp"

namespace tine::graph {

inline constexpr char serial_mark[] = {'T', 'I', 'N', 'E', 'G', 'R', 'P', 'H'};

/// Operations that have regions.
inline bool is_structure(Op op) { return op == Op::for_ || op == Op::if_ || op == Op::while_; }

}  // namespace tine::graph
