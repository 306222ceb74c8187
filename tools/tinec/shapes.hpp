// `--shape a=5x7`: sizes for parameters where there are no tensors.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dsl/core/definition.hpp"
#include "tine/argument.hpp"

namespace tinec {

/// Sizes of the sources, and arguments without data that have them, row-major without gaps.
struct Shapes {
  std::vector<std::vector<int64_t>> sizes, dims;  // dims: sizes, then strides
  std::vector<tine::Argument> arguments;          // point into dims
};

using NamedShapes = std::vector<std::pair<std::string, std::vector<int64_t>>>;
/// A Usage for texts of another form.
NamedShapes parse_shapes(const std::vector<std::string>& texts);
/// A Failure for a name that is no tensor parameter's, another rank, and a tensor that is left out.
Shapes shapes_for(const tine::core::Definition&, const NamedShapes&);

}  // namespace tinec
