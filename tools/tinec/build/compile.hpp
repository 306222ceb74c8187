// Compiling a plan's variants, those that are not there yet, on several threads.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

/// Where the code of variants lies: one file for each key, `KEY.code`, or `KEY.refused` with the compiler's reason.
class Store {
 public:
  explicit Store(std::string folder);
  bool has(const std::string& key) const;
  std::string code(const std::string& key) const;  ///< "" if it was refused
  std::string refusal(const std::string& key) const;
  void put(const std::string& key, const std::string& code) const;
  void refuse(const std::string& key, const std::string& reason) const;
  /// Takes over what another folder has of these keys.
  void merge(const Store&, const std::vector<std::string>& keys) const;
  /// Removes what no key names.
  void keep(const std::vector<std::string>& keys) const;
  const std::string& folder() const { return folder_; }

 private:
  std::string file(const std::string& key, const char* kind) const;
  std::string folder_;
};

struct CompileCount {
  int compiled = 0, unchanged = 0, refused = 0;
};

/// The nearest config that fits a variant's target where its program's does not, "bm=64 bn=64".
using Nearest = std::function<std::optional<std::string>(const Program&, const Variant&)>;

/// Compiles one variant into the store. Throws what the compiler says but for refusals of kernels, which are stored,
/// with the way out that `nearest` knows. Milliseconds that it took.
double compile_variant(const Plan&, const Program&, const Variant&, const Store&, const Nearest& nearest = nullptr);

/// All of `wanted` that the store lacks, on `jobs` threads, a line for each on standard error unless quiet. Stops at
/// the first failure, in the order of the plan, and throws it.
CompileCount compile_variants(const Plan&, const std::vector<std::pair<Program*, Variant*>>& wanted, const Store&,
                              int jobs, const Nearest& nearest);

/// Fills in `refused` of each variant from the store. Throws a Failure if code is missing, or if a target has none of a
/// program's variants; notes what calls the library will refuse.
void settle(Plan&, const Store&);

/// "matmul bm=64 bn=64, contiguous, cpu:x86-64-v3"
std::string describe(const Plan&, const Program&, const Variant&);

}  // namespace tinec::builder
