// Reads and writes NumPy's .npy files, format 1 to 3, little-endian, C order.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ptx_run {

struct Array {
  std::string descr = "|u1";          // "<f4", "|u1" ...
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> bytes;
};

// Throws std::runtime_error with the path and what is wrong.
Array read_npy(const std::string& path);
void write_npy(const std::string& path, const Array& array);

}  // namespace ptx_run
