#include "tools/tinec/shapes.hpp"

#include <algorithm>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {

NamedShapes parse_shapes(const std::vector<std::string>& texts) {
  NamedShapes out;
  for (const std::string& text : texts) {
    const auto pair = parse_assignment(text);
    const auto shape = pair ? parse_shape(pair->second) : std::nullopt;
    if (!shape) throw Usage("`--shape` takes `NAME=SHAPE`, as in `a=5x7`, not " + ticked(text));
    out.emplace_back(pair->first, *shape);
  }
  return out;
}

Shapes shapes_for(const tine::core::Definition& kernel, const NamedShapes& given) {
  Shapes out;
  out.sizes.resize(kernel.sources.size());
  std::vector<char> known(kernel.sources.size(), 0);
  for (const auto& [name, shape] : given) {
    const auto at = std::find(kernel.parameters.begin(), kernel.parameters.end(), name);
    if (at == kernel.parameters.end())
      throw Failure("kernel " + ticked(kernel.name) + " has no parameter " + ticked(name) + " for `--shape`; it has " +
                    list_of(nearest_first(name, kernel.parameters)));
    const auto i = static_cast<std::size_t>(at - kernel.parameters.begin());
    const int rank = kernel.sources[i].rank;
    if (rank == 0) throw Failure("parameter " + ticked(name) + " is a scalar and has no shape");
    if (static_cast<int>(shape.size()) != rank)
      throw Failure("parameter " + ticked(name) + " has rank " + std::to_string(rank) + ", but " +
                    ticked(shape_text(shape)) + " has rank " + std::to_string(shape.size()));
    out.sizes[i] = shape;
    known[i] = 1;
  }
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    if (kernel.sources[i].rank > 0 && !known[i])
      throw Failure("the shape of parameter " + ticked(kernel.parameters[i]) + " (rank " +
                    std::to_string(kernel.sources[i].rank) + ") is not given; give it, as in `--shape " +
                    kernel.parameters[i] + "=5x7`");
    std::vector<int64_t> dims = out.sizes[i], strides(dims.size());
    uint64_t step = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      strides[d] = static_cast<int64_t>(step);
      step *= static_cast<uint64_t>(std::max<int64_t>(dims[d], 1));
    }
    dims.insert(dims.end(), strides.begin(), strides.end());
    out.dims.push_back(std::move(dims));
  }
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    tine::Argument a;
    a.type = static_cast<uint8_t>(kernel.sources[i].type);
    a.rank = static_cast<uint8_t>(kernel.sources[i].rank);
    a.dims = out.dims[i].data();
    out.arguments.push_back(a);
  }
  return out;
}

}  // namespace tinec
