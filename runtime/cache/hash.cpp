#include "runtime/cache/hash.hpp"

namespace tine::cache {
namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t word(const unsigned char* p, std::size_t n) {  // little-endian whatever the machine is
  uint64_t v = 0;
  for (std::size_t i = 0; i < n; ++i) v |= static_cast<uint64_t>(p[i]) << (8 * i);
  return v;
}

// Two lanes with different constants; each word goes through a 128-bit multiplication in both.
constexpr uint64_t k0 = 0xa0761d6478bd642f, k1 = 0xe7037ed1a0b428db, k2 = 0x8ebc6af09c88c6e3, k3 = 0x589965cc75374cc3;

}  // namespace

Hash hash(const void* data, std::size_t size) {
  const auto* p = static_cast<const unsigned char*>(data);
  uint64_t a = k0 ^ size, b = k2 + size;
  std::size_t left = size;
  for (; left >= 8; left -= 8, p += 8) {
    const uint64_t w = word(p, 8);
    a = mix(a ^ w, k1 + (b | 1));
    b = mix(b + w, k3 ^ a) + w;
  }
  const uint64_t w = word(p, left) | (uint64_t{1} << 63 >> (left == 0 ? 0 : 7 - left));
  a = mix(a ^ w, k1 + (b | 1));
  b = mix(b + w, k3 ^ a) + w;
  return {mix(a ^ k3, b ^ k0), mix(b ^ k1, a + k2)};
}

std::string hex(Hash h) {
  std::string out;
  for (uint64_t v : {h.high, h.low})
    for (int i = 60; i >= 0; i -= 4) out += "0123456789abcdef"[v >> i & 15];
  return out;
}

}  // namespace tine::cache
