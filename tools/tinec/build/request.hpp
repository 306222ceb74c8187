// What shall be built: the command line and the description file, read and checked, before any header is compiled.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/tinec/commands.hpp"

namespace tinec::builder {

template <class T>
using Named = std::vector<std::pair<std::string, T>>;  ///< in the order of the description

/// What a variant may assume of one tensor.
struct TensorFacts {
  bool contiguous = false;
  int alignment = 0;                               ///< bytes; 0: that of an element; -1: none at all
  std::vector<int> unit_stride, size16, stride16;  ///< dims, negative ones from the end
  bool all16 = false;                              ///< all sizes and strides
};

/// What a variant may assume of a call.
struct VariantRequest {
  std::string name;
  TensorFacts all;             ///< of tensors that are not named
  Named<TensorFacts> tensors;  ///< by parameter
  enum class Overlaps { none, all, listed } overlaps = Overlaps::none;
  std::vector<std::pair<std::string, std::string>> pairs;  ///< (stored parameter, other) whose memory may overlap
  bool narrow_index = false;                               ///< for GPUs
};

struct Size {
  std::string parameter;
  int dim;
  int64_t value;
};

struct KernelRequest {
  std::string name;  ///< of the C function, with {VARIABLE}s; empty: from the kernel's type
  std::string header;
  std::string expression;  ///< with {VARIABLE}s; empty: everything that the header exports
  Named<std::vector<std::string>> variables;
  Named<std::vector<int64_t>> metas;
  Named<std::vector<std::string>> options;
  std::vector<std::vector<Size>> sizes;                  ///< one list for each set of constant sizes
  std::vector<Named<std::vector<std::string>>> exclude;  ///< combinations of variables, metas and options
  std::vector<VariantRequest> variants;                  ///< empty: the default ones
  std::vector<int64_t> capacities;                       ///< for GPUs; empty: the default ones
  std::vector<Named<std::vector<int64_t>>> tune;         ///< shapes to measure
  std::vector<std::string>
      arguments;  ///< of NineToothed's launcher, in its order; constexpr ones, which are no parameters, too
};

enum class Abi { tine, ninetoothed };

struct Request {
  std::string name;
  std::vector<std::string> targets;
  Abi abi = Abi::tine;
  CxxOptions cxx;
  std::vector<KernelRequest> kernels;
  std::string tuning;  ///< file
};

/// The request of a command line, with the description that it names. Throws Usage and Failure.
Request read_request(const BuildOptions&);

/// The kernel's expression for each combination of its variables' values.
std::vector<std::string> expressions_of(const KernelRequest&);
/// One value for each name, in all ways.
template <class T>
std::vector<Named<T>> combinations(const Named<std::vector<T>>& lists) {
  std::vector<Named<T>> out = {{}};
  for (const auto& [name, values] : lists) {
    std::vector<Named<T>> longer;
    for (const Named<T>& so_far : out)
      for (const T& v : values) {
        longer.push_back(so_far);
        longer.back().emplace_back(name, v);
      }
    out = std::move(longer);
  }
  return out;
}
/// "{T}" and the like replaced.
std::string substitute(const std::string& text, const Named<std::string>& values);

}  // namespace tinec::builder
