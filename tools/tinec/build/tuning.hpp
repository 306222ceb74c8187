// The tuning file: which config was the fastest for which shapes, as `--tune` writes it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dsl/graph/graph.hpp"
#include "tools/tinec/build/request.hpp"
#include "tools/tinec/kernel_module.hpp"

namespace tinec::builder {

struct TuningEntry {
  std::string identity;  ///< hash of the kernel's graph under the first candidate of every meta-parameter
  std::string kernel;    ///< its name, for people
  uint32_t device = 0;   ///< aot::Device
  Named<std::vector<int64_t>> shapes;
  Config metas;
  Named<std::string> options;
  double ns = 0;                ///< of the call that was measured
  std::vector<uint8_t> digits;  ///< class of the shapes, in the order of the kernel's parameters and their dims
};

class Tuning {
 public:
  /// Reads a file; "" gives no entries.
  explicit Tuning(const std::string& path);
  const std::vector<TuningEntry>& all() const { return entries_; }
  /// Entries for a kernel, given by its graph under the default config. Those of an older kernel of this name are left
  /// out, with a note.
  std::vector<TuningEntry> of(const tine::graph::Graph& standard, std::vector<std::string>& notes) const;

 private:
  std::string path_;
  std::vector<TuningEntry> entries_;
};

/// The file's text.
std::string tuning_text(const std::vector<TuningEntry>&);

}  // namespace tinec::builder
