// Random kernels. A kernel is decided by its seed alone; it is recorded through the front end's core, so that no C++
// compiler is needed. Its arithmetic is such that every target must give the same bits: floats stay small, and no
// product is added to anything before it is clamped.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "tine/detail/api.hpp"

namespace tine::fuzz {

/// The same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t lo, int64_t hi) { return lo + below(hi - lo + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> const T& of(const std::vector<T>& v) {
    return v[static_cast<std::size_t>(below(static_cast<int64_t>(v.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

struct Source {
  DType type;
  bool scalar = false;       ///< a number by value
  std::vector<bool> single;  ///< dims of size 1 that the arrangement expands to the output's
};

struct RandomKernel {
  explicit RandomKernel(uint64_t seed);
  uint64_t seed;
  int rank;
  std::vector<Source> sources;  ///< the last is stored
  bool in_place = false;        ///< source 0 has the output's type and shape: it may be the output's memory
  std::vector<core::SourceType> types;

  /// A definition with one reference; it holds a copy of this.
  core::Definition* define() const;

 private:
  static void run(const void*);
};

}  // namespace tine::fuzz
