// The way out for a config that is too large for a GPU.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/jit/kernel.hpp"

namespace tine::jit {

/// Block sizes, and compile options as "key=value;key=value".
struct FullConfig {
  Config metas;
  std::string options;
  bool operator==(const FullConfig&) const = default;
};

/// What there is below the config of a graph: each block size as it is or one of its smaller candidates, and, if `options` ask
/// for stages, as many or fewer; the nearest first (by the product of all ratios, then by how many change), at most 4096.
std::vector<FullConfig> smaller_configs(const graph::Graph&, const std::string& options);

/// The first of them that fits. What `fits` throws means no. It is asked at most 64 + 32 + 126 times: of many, those beyond the
/// first 64 are looked through in stretches.
std::optional<FullConfig> nearest_config(const graph::Graph&, const std::string& options, const std::function<bool(const FullConfig&)>& fits);

/// In words: "bm=64 bn=64 stages=1".
std::string config_text(const FullConfig&);

}  // namespace tine::jit
