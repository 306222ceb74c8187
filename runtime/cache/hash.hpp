// A 128-bit hash of bytes, for names of cache files and for checksums. Not against adversaries: whoever can write the
// cache folder can run code anyway. The same on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tine::cache {

struct Hash {
  uint64_t high = 0, low = 0;
  friend bool operator==(const Hash&, const Hash&) = default;
};

Hash hash(const void* data, std::size_t size);
inline Hash hash(std::string_view text) { return hash(text.data(), text.size()); }
/// 32 lower-case hexadecimal digits.
std::string hex(Hash);

}  // namespace tine::cache
