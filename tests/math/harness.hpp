// Compiles one element-wise operation to a function over vectors and runs it, or shows its assembly.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "codegen/math/math.hpp"

namespace tine::math::test {

struct Spec {
  graph::Op op = graph::Op::add;  ///< Op::cast: a conversion from `in` to `out`; a reduction: its combining step
  graph::DType in{}, out{};
  int operands = 1;
  int width = 1;         ///< 1: scalars
  std::string cpu = "";  ///< "" is the host
  bool fuse = false;     ///< let the code generator contract multiplies and adds
  MathOptions options{};
  CastOptions cast{};
  /// The second operand is this constant, if set.
  bool constant_divisor = false;
  int64_t divisor = 0;
};

mlir::MLIRContext& context();

class Function {
 public:
  Function();
  ~Function();
  Function(Function&&) noexcept;
  /// n elements; arrays may end anywhere. bool is one byte.
  void run(size_t n, void* out, const void* a, const void* b = nullptr, const void* c = nullptr) const;

 private:
  friend Function compile(const Spec&);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

Function compile(const Spec&);

/// Assembly for a target: "x86_64" with `cpu`, "nvptx64", "amdgcn". Empty, with a message on stderr, if it does not
/// select.
std::string assembly(const Spec&, const std::string& triple, const std::string& cpu, const std::string& features);

}  // namespace tine::math::test
