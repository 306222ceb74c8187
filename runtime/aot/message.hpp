// The thread's message: why its last failed call failed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "runtime/aot/diagnostics.hpp"
#include "runtime/diagnostics.hpp"

namespace tine::aot {

enum class AotDiag : uint8_t {
#define X(name, status, text) name,
  TINE_AOT_DIAGNOSTICS(X)
#undef X
};

/// Text of bounded length; what does not fit is left out, and the end says so.
template <std::size_t N>
class Words {
 public:
  Words& add(std::string_view text) {
    for (const char c : text) {
      if (size_ + 4 >= N) return cut();
      text_[size_++] = c;
    }
    text_[size_] = 0;
    return *this;
  }
  Words& add(int64_t number) {
    char digits[24];
    int n = 0;
    uint64_t rest = number < 0 ? -static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    do digits[n++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) digits[n++] = '-';
    while (n > 0) add(std::string_view(&digits[--n], 1));
    return *this;
  }
  Words& tick(std::string_view text) { return add("`").add(text).add("`"); }
  Words& shape(std::span<const int64_t> sizes) {
    if (sizes.empty()) return add("scalar");
    for (std::size_t d = 0; d < sizes.size(); ++d) add(d ? "x" : "").add(sizes[d]);
    return *this;
  }
  bool empty() const { return size_ == 0; }
  void clear() { text_[size_ = 0] = 0; }
  std::string_view view() const { return {text_, size_}; }
  const char* c_str() const { return text_; }

 private:
  Words& cut() {
    for (std::size_t i = 0; i < 3; ++i) text_[N - 4 + i] = '.';
    text_[N - 1] = 0;
    size_ = N - 1;
    return *this;
  }
  char text_[N] = {};
  std::size_t size_ = 0;
};

/// Writes the sentence into the thread's message; returns the call's status. `place` is "file:line" or empty.
int refuse(AotDiag, std::initializer_list<std::string_view> arguments);
int refuse(Diag, std::string_view place, std::span<const std::string_view> arguments);
inline int refuse(Diag d, std::initializer_list<std::string_view> arguments) {
  return refuse(d, {}, {arguments.begin(), arguments.size()});
}
/// `what` is "kernel" or "library"; `wanted` what the memory was for.
int refuse_memory(std::string_view what, std::string_view name, std::string_view wanted);
const char* last_message();

}  // namespace tine::aot
