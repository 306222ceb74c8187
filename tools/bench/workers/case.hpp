// What is measured: an operation, an element type and sizes, as one line of text: `matmul f32 512 512 512`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Case {
  std::string operation, type;
  std::vector<int64_t> sizes;
  int64_t operator[](std::size_t i) const { return sizes.at(i); }
};
Case parse_case(const std::string& line);

/// The same data for every contestant: numbers in [-scale, scale).
std::vector<float> data(int64_t n, uint64_t seed, float scale = 1);
/// f32 rounded to nearest even.
uint16_t to_bf16(float);
uint16_t to_f16(float);

}  // namespace bench
