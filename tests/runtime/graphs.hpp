// Graphs made by hand, for tests that need no front end.
#pragma once
#include <string>
#include <vector>

#include "dsl/graph/graph.hpp"
#include "tine/argument.hpp"

namespace tine::test {

/// c = a + b on f32 vectors in tiles of `block`.
graph::Graph add_graph(int64_t block = 4);
/// A kernel of this name over `count` f32 matrices without arrangement: one program. The last is stored.
graph::Graph plain_graph(const std::string& name, int count, graph::DType type = graph::DType::f32);
/// Kernel Count: one i32 vector with one program for each element.
graph::Graph count_graph();
/// Kernel AddConstant: out += constant, on a matrix of i32, one program.
graph::Graph constant_graph(int64_t constant);

/// A tensor argument that owns its sizes and strides.
class TestTensor {
 public:
  TestTensor(void* data, graph::DType type, std::vector<int64_t> shape, std::vector<int64_t> strides = {});
  Argument argument() const;
  std::vector<int64_t> dims;  ///< sizes, then strides
  void* data;
  graph::DType type;
  bool is_const = false;
};

}  // namespace tine::test
