// NumPy files of f32 matrices, as far as the tour needs them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tour {

void write_npy(const std::string& path, const std::vector<float>&, int64_t rows, int64_t columns);
/// Throws if the file does not hold an f32 matrix of this shape.
std::vector<float> read_npy(const std::string& path, int64_t rows, int64_t columns);

}  // namespace tour
