// The decisions of one random program. A seed gives them, or a list replays them: what generates programs asks here and
// nowhere else, so a failing program is shrunk by shortening and lowering its list. 0 is always the simplest answer.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace tine::fuzz {

class Choices {
 public:
  explicit Choices(uint64_t seed) : random_(seed), drawing_(true) {}
  explicit Choices(std::vector<uint32_t> list) : list_(std::move(list)) {}

  /// A number below n. Beyond the end of a replayed list: 0.
  int64_t below(int64_t n) {
    if (n <= 1) return 0;
    if (at_ == list_.size()) {
      if (!drawing_ || list_.size() > limit) return 0;
      list_.push_back(static_cast<uint32_t>(random_() % static_cast<uint64_t>(n)));
    }
    return list_[at_++] % n;
  }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  /// True about once in n times.
  bool once_in(int64_t n) { return below(n) == n - 1; }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(static_cast<int64_t>(from.size()))];
  }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int64_t>(from.size())))];
  }

  std::size_t position() const { return at_; }
  void rewind(std::size_t to) { at_ = to; }
  const std::vector<uint32_t>& list() const { return list_; }

 private:
  static constexpr std::size_t limit = 4000;
  std::vector<uint32_t> list_;
  std::mt19937_64 random_;
  bool drawing_ = false;
  std::size_t at_ = 0;
};

}  // namespace tine::fuzz
