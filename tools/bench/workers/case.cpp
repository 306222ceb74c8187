#include "tools/bench/workers/case.hpp"

#include <bit>
#include <sstream>
#include <stdexcept>

namespace bench {

Case parse_case(const std::string& line) {
  std::istringstream words(line);
  Case c;
  words >> c.operation >> c.type;
  for (int64_t n; words >> n;) c.sizes.push_back(n);
  if (c.type.empty()) throw std::runtime_error("a case is `operation type sizes...`");
  return c;
}

std::vector<float> data(int64_t n, uint64_t seed, float scale) {
  std::vector<float> v(static_cast<std::size_t>(n));
  uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
  for (float& x : v) {
    state = state * 6364136223846793005 + 1442695040888963407;
    x = scale * (static_cast<float>(state >> 40) * 0x1p-23f - 1);
  }
  return v;
}

uint16_t to_bf16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
uint16_t to_f16(float x) { return std::bit_cast<uint16_t>(static_cast<_Float16>(x)); }

}  // namespace bench
