// `a.npy[1:, ::2, None, ..., -1]`: Python's slices of an array, as a strided view of the same memory.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/tinec/npy.hpp"

namespace tinec {

/// "FILE[ITEMS]" -> {"FILE", "ITEMS"}; no second part without brackets at the end.
std::pair<std::string, std::optional<std::string>> split_slice(std::string_view text);
/// Throws a Failure that says what is wrong with `items`.
npy::View slice(const npy::View&, std::string_view items);

}  // namespace tinec
