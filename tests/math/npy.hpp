// Reads the arrays of tests/data: NumPy's .npy format 1.0, little-endian, C order.
#pragma once
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/math/values.hpp"

namespace tine::math::test {

/// The elements of `path` as `type` (whose width must be the file's).
inline Array read_npy(const std::string& path, graph::DType type) {
  std::ifstream in(path, std::ios::binary);
  std::string s((std::istreambuf_iterator<char>(in)), {});
  if (s.size() < 10 || s.compare(1, 5, "NUMPY")) throw std::runtime_error("not an npy file: " + path);
  const size_t header = size_t(uint8_t(s[8])) + 256 * size_t(uint8_t(s[9]));
  const size_t at = s.find("'descr'");
  const size_t width = size_t(s[s.find_first_of("0123456789", s.find(':', at))] - '0');
  if (width != size_t(graph::bytes(type))) throw std::runtime_error("element width of " + path);
  Array a(type, 0);
  a.bytes.assign(s.begin() + 10 + long(header), s.end());
  return a;
}

}  // namespace tine::math::test
