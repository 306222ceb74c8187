// The kernel cases of tests/data/cases/kernels: read from their files, laid out in memory, compared when a kernel has
// run.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "compare.hpp"
#include "memory.hpp"
#include "tine/view.hpp"

namespace tine::test {

struct Parameter {
  Array array;  ///< without data for pure outputs
  bool output = false, scalar = false;
  double value = 0;                     ///< of scalars
  std::vector<int64_t> shape, strides;  ///< of the view
  int64_t base = 0;
  double fill = 0;  ///< of outputs with a view of their own
  bool filled = false;
};

struct Variant {
  std::string id;
  std::map<std::string, Parameter> parameters;
  std::map<std::string, Array> expected;
  Tolerance tolerance;
  nlohmann::json json;  ///< the rest: "axis", "stride", ...
};

/// All variants of a case, in the order of its file.
std::vector<Variant> load_case(const std::string& name);
/// One of them.
Variant load_variant(const std::string& name, const std::string& id);

/// The memory of one call. Outputs are poisoned, everything lies between guards.
class Run {
 public:
  explicit Run(const Variant&, Placement = Placement::guarded);

  /// The view of a parameter; const elements for what the kernel may only read.
  template <class T, int R>
  View<T, R> view(const std::string& name) {
    return {reinterpret_cast<T*>(pointer(name, dtype<std::remove_const_t<T>>, R)), shape(name).data(),
            strides(name).data()};
  }
  /// The same memory in another view.
  template <class T, int R>
  View<T, R> view(const std::string& name, const Extent (&shape)[R], const Extent (&strides)[R]) {
    return {reinterpret_cast<T*>(pointer(name, dtype<std::remove_const_t<T>>, -1)), shape, strides};
  }
  template <class T, int R>
  View<T, R> view(const std::string& name, const Extent (&shape)[R]) {
    return {reinterpret_cast<T*>(pointer(name, dtype<std::remove_const_t<T>>, -1)), shape};
  }
  double scalar(const std::string& name) const;
  int64_t size(const std::string& name, int dim) { return shape(name).at(static_cast<std::size_t>(dim)); }

  /// "" if outputs are as expected, inputs as they were and the guards untouched; else what is wrong.
  std::string wrong() const;

 private:
  struct Tensor {
    Parameter parameter;
    Memory memory;
    std::vector<std::byte> before;
  };
  std::byte* pointer(const std::string& name, DType, int rank);
  const std::vector<int64_t>& shape(const std::string& name) const { return tensors_.at(name).parameter.shape; }
  const std::vector<int64_t>& strides(const std::string& name) const { return tensors_.at(name).parameter.strides; }

  const Variant& variant_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace tine::test
