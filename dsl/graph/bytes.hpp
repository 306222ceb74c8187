// Writing and reading the serialised forms: variable-length integers, strings, doubles by bits.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tine::graph {

class Writer {
 public:
  std::vector<std::byte> out;
  void byte(uint8_t v) { out.push_back(std::byte{v}); }
  void unsigned_(uint64_t v) {
    for (; v >= 128; v >>= 7) byte(uint8_t(v | 128));
    byte(uint8_t(v));
  }
  void integer(int64_t v) { unsigned_((uint64_t(v) << 1) ^ uint64_t(v >> 63)); }
  void real(double v) {
    uint64_t b = std::bit_cast<uint64_t>(v);
    for (int i = 0; i < 8; ++i) byte(uint8_t(b >> (8 * i)));
  }
  void text(const std::string& s) {
    unsigned_(s.size());
    for (char c : s) byte(uint8_t(c));
  }
};

/// Throws std::runtime_error instead of reading beyond the end.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  [[noreturn]] static void bad(const char* why) { throw std::runtime_error(std::string("not a serialised graph: ") + why); }
  bool at_end() const { return at_ == in_.size(); }
  uint8_t byte() {
    if (at_end()) bad("it ends early");
    return uint8_t(in_[at_++]);
  }
  uint64_t unsigned_() {
    uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      uint8_t b = byte();
      v |= uint64_t(b & 127) << shift;
      if (b < 128) return v;
    }
    bad("a number is too long");
  }
  int64_t integer() {
    uint64_t v = unsigned_();
    return int64_t(v >> 1) ^ -int64_t(v & 1);
  }
  int32_t small() {
    int64_t v = integer();
    if (v < INT32_MIN || v > INT32_MAX) bad("a number is too large");
    return int32_t(v);
  }
  /// Number of things that follow, each of at least one byte: so a short input cannot ask for much memory.
  std::size_t count() {
    uint64_t n = unsigned_();
    if (n > in_.size() - at_) bad("a count exceeds the input");
    return std::size_t(n);
  }
  template <class E>
  E enumerator(E last) {
    uint8_t v = byte();
    if (v > uint8_t(last)) bad("an unknown enumerator");
    return E(v);
  }
  bool flag() {
    uint8_t v = byte();
    if (v > 1) bad("a flag is neither 0 nor 1");
    return v;
  }
  double real() {
    uint64_t b = 0;
    for (int i = 0; i < 8; ++i) b |= uint64_t(byte()) << (8 * i);
    return std::bit_cast<double>(b);
  }
  std::string text() {
    std::size_t n = count();
    std::string s(n, '\0');
    for (char& c : s) c = char(byte());
    return s;
  }

 private:
  std::span<const std::byte> in_;
  std::size_t at_ = 0;
};

}  // namespace tine::graph
