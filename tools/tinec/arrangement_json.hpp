// An evaluated arrangement as JSON.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dsl/core/arrange_eval.hpp"

namespace tinec {

/// More elements than this are refused: their text would be of no use to anybody.
constexpr int64_t max_listed = int64_t{1} << 22;

/// A Failure if shapes of these levels would make a longer list than that, be it of empty lists.
void check_listable(const std::vector<std::vector<int64_t>>& levels);

/// "[5, 7]"
std::string shape_json(const std::vector<int64_t>& shape);
/// `"level_shapes": ..., "num_programs": ..., "indices": ...` with the indices as nested lists, level 0 first.
std::string arrangement_json(const tine::core::Evaluated&);

}  // namespace tinec
