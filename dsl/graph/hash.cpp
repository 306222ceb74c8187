#include <bit>

#include "dsl/graph/graph.hpp"

namespace tine::graph {
namespace {

uint64_t mix(uint64_t k) {
  k = (k ^ (k >> 33)) * 0xff51afd7ed558ccdull;
  k = (k ^ (k >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return k ^ (k >> 33);
}

}  // namespace

// MurmurHash3, x64, 128 bits.
std::string hash(const Graph& g) {
  std::vector<std::byte> b = canonical_bytes(g);
  std::size_t size = b.size();
  b.resize((size + 15) / 16 * 16);
  uint64_t h1 = 0, h2 = 0;
  constexpr uint64_t c1 = 0x87c37b91114253d5ull, c2 = 0x4cf5ad432745937full;
  auto word = [&](std::size_t at) {
    uint64_t v = 0;
    for (int i = 0; i < 8; ++i) v |= uint64_t(b[at + std::size_t(i)]) << (8 * i);
    return v;
  };
  auto first = [&](uint64_t k) { return std::rotl(k * c1, 31) * c2; };
  auto second = [&](uint64_t k) { return std::rotl(k * c2, 33) * c1; };
  std::size_t at = 0;
  for (; at + 16 <= size; at += 16) {
    h1 = (std::rotl(h1 ^ first(word(at)), 27) + h2) * 5 + 0x52dce729;
    h2 = (std::rotl(h2 ^ second(word(at + 8)), 31) + h1) * 5 + 0x38495ab5;
  }
  if (at < size) {
    h2 ^= second(word(at + 8));
    h1 ^= first(word(at));
  }
  h1 ^= size, h2 ^= size;
  h1 += h2, h2 += h1;
  h1 = mix(h1), h2 = mix(h2);
  h1 += h2, h2 += h1;
  std::string s;
  for (uint64_t h : {h1, h2})
    for (int i = 60; i >= 0; i -= 4) s += "0123456789abcdef"[h >> i & 15];
  return s;
}

}  // namespace tine::graph
