// Calls `matmul` of a library for processors with AMX: bf16 and bytes, in whole numbers, whose sums are exact. With the word
// `trap` on processors without AMX.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "mm.h"
#include "tests/amx/trap.hpp"

namespace {

int failures = 0;
uint32_t state = 12345;
int number(int low, int high) {  // never 0
  state = state * 1664525 + 1013904223;
  const int v = low + static_cast<int>(state >> 8) % (high - low + 1);
  return v ? v : high;
}
void set(int8_t& to, int v) { to = static_cast<int8_t>(v); }
void set(uint16_t& to, int v) {  // bf16
  const auto f = static_cast<float>(v);
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  to = static_cast<uint16_t>(bits >> 16);
}

template <class T, class R>
void check(const char* what, int low, int high, int32_t type, int32_t result, int64_t m, int64_t n, int64_t k) {
  std::vector<int> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  std::vector<T> ta(a.size()), tb(b.size());
  std::vector<R> c(static_cast<std::size_t>(m * n), R{-77});
  for (std::size_t i = 0; i < a.size(); ++i) set(ta[i], a[i] = number(low, high));
  for (std::size_t i = 0; i < b.size(); ++i) set(tb[i], b[i] = number(low, high));
  const int64_t as[2] = {m, k}, bs[2] = {k, n}, cs[2] = {m, n};
  const tine_tensor x = {ta.data(), as, nullptr, 2, type}, y = {tb.data(), bs, nullptr, 2, type}, z = {c.data(), cs, nullptr, 2, result};
  if (matmul_launch(TINE_STREAM_CPU, &x, &y, &z) != TINE_OK) ++failures, std::printf("%s: %s\n", what, mm_error());
  int wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
      wrong += c[static_cast<std::size_t>(i * n + j)] != static_cast<R>(sum);
    }
  if (wrong) ++failures, std::printf("%s, %d x %d x %d: %d sums are wrong\n", what, int(m), int(n), int(k), wrong);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "trap") == 0) tine::amx::install_trap();
  struct Sizes {
    int64_t m, n, k;
  };
  for (const auto [m, n, k] : {Sizes{64, 64, 64}, {70, 90, 45}, {33, 17, 130}}) {
    check<uint16_t, float>("bf16", -16, 16, TINE_BF16, TINE_F32, m, n, k);
    check<int8_t, int32_t>("i8", -128, 127, TINE_I8, TINE_I32, m, n, k);
  }
  if (!failures) std::puts("all right");
  return failures != 0;
}
