// Operations on whole tiles that are not element-wise.
#pragma once
#include "runtime/reference/tile.hpp"

namespace tine::reference {

/// Over the axes in `axes`, which disappear. The result has the type `result`.
Tile reduce(graph::Op, const Tile&, const std::vector<int64_t>& axes, DType result);
/// a[..., m, k] with b[..., k, n]; leading dims broadcast.
Tile dot(const Tile& a, const Tile& b, DType result);
Tile broadcast(const Tile&, const Dims& shape);
Tile permute(const Tile&, const std::vector<int64_t>& order);

}  // namespace tine::reference
