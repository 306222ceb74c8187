// The user's header as code in this process: compiled to a shared object and opened. Running its kernels records their
// graphs.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dsl/core/trace.hpp"
#include "dsl/graph/graph.hpp"
#include "tools/tinec/cxx.hpp"

namespace tinec {

/// Values of meta-parameters, by name, in the order of the command line.
using Config = std::vector<std::pair<std::string, int64_t>>;

/// A kernel of the header.
class Kernel {
 public:
  explicit Kernel(tine::core::Definition* d) : definition_(d) {}  ///< takes over one reference
  Kernel(Kernel&& o) noexcept : definition_(o.definition_) { o.definition_ = nullptr; }
  Kernel& operator=(Kernel&&) = delete;
  ~Kernel();
  const tine::core::Definition& definition() const { return *definition_; }

 private:
  tine::core::Definition* definition_;
};

/// The kernel that the C++ text `expression` gives: a kernel type or a value of one.
/// Throws CompilerRefused when the compiler has said what is wrong, and a Failure with the names that exist when the
/// expression names something that the header does not have.
Kernel open_kernel(const std::string& header, const std::string& expression, const CxxOptions&);

struct Export {
  std::string name;
  Kernel kernel;
};
/// What the header lists with TINE_EXPORT, in its order.
std::vector<Export> open_exports(const std::string& header, const CxxOptions&);

/// Several kernels of one header, compiled at once.
struct Module {
  std::vector<Kernel> kernels;     ///< of the expressions, in their order
  std::vector<Export> exports;     ///< what the header lists with TINE_EXPORT
  std::vector<std::string> files;  ///< that the compiler read
};
/// Throws as `open_kernel` does.
Module open_kernels(const std::string& header, const std::vector<std::string>& expressions, const CxxOptions&);

/// The config for the kernel's core; a Failure for a name that is no meta-parameter.
tine::core::Config config_for(const Kernel&, const Config&);

/// "name=value" pairs of the command line as integers; a Usage for what is none.
Config parse_config(const std::vector<std::string>& settings);

}  // namespace tinec
