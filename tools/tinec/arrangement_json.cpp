#include "tools/tinec/arrangement_json.hpp"

#include "tools/tinec/failure.hpp"

namespace tinec {
namespace {

void nest(std::string& out, const std::vector<int64_t>& axes, std::size_t axis, const int64_t*& next) {
  if (axis == axes.size()) {
    out += std::to_string(*next++);
    return;
  }
  out += '[';
  for (int64_t i = 0; i < axes[axis]; ++i) {
    if (i > 0) out += ", ";
    nest(out, axes, axis + 1, next);
  }
  out += ']';
}

std::vector<int64_t> joined(const std::vector<std::vector<int64_t>>& levels) {
  std::vector<int64_t> axes;
  for (const auto& level : levels) axes.insert(axes.end(), level.begin(), level.end());
  return axes;
}

}  // namespace

void check_listable(const std::vector<std::vector<int64_t>>& levels) {
  int64_t lists = 1;
  for (const int64_t n : joined(levels)) {
    if (__builtin_mul_overflow(lists, n, &lists) || lists > max_listed)
      throw Failure("the arrangement has more than " + std::to_string(max_listed) +
                    " elements, too many to list; try smaller sizes");
    if (lists == 0) return;
  }
}

std::string shape_json(const std::vector<int64_t>& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + "]";
}

std::string arrangement_json(const tine::core::Evaluated& e) {
  std::string out = "\"level_shapes\": [";
  for (std::size_t i = 0; i < e.level_shapes.size(); ++i) out += (i ? ", " : "") + shape_json(e.level_shapes[i]);
  out += "], \"num_programs\": " + std::to_string(e.programs) + ", \"indices\": ";
  const int64_t* next = e.indices.data();
  nest(out, joined(e.level_shapes), 0, next);
  return out;
}

}  // namespace tinec
