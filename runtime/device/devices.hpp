// The devices there are, by name: `cpu`, `cuda`, `cuda:1`, `emulated:sm_80`.
#pragma once
#include <string>
#include <vector>

#include "runtime/launch/device.hpp"

namespace tine::device {

/// The GPU device of that name, null for `cpu`. The same object for the same name, until the process ends. A
/// RuntimeError, with the way out, for an unknown name and for a device that cannot be used. Thread-safe.
launch::Device* find(const std::string& name);

/// Names that `find` takes, whether they can be used here or not; further GPUs are `cuda:1` and so on.
std::vector<std::string> names();

}  // namespace tine::device
