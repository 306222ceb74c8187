#include "compare.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace tine::test {
namespace {

uint64_t bits_at(const std::byte* p, int n) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, static_cast<std::size_t>(n));
  return bits;
}

bool agree(DType t, const std::byte* got, const std::byte* want, const Tolerance& tolerance) {
  const int n = bytes(t);
  if (bits_at(got, n) == bits_at(want, n)) return true;
  if (!is_float(t)) return false;
  if (is_nan(t, got) || is_nan(t, want)) return is_nan(t, got) && is_nan(t, want);
  if (tolerance.kind == Tolerance::exact) return false;
  const double x = element(t, got), y = element(t, want);
  if (x == y) return true;
  if (std::isinf(x) || std::isinf(y))
    return tolerance.kind == Tolerance::ulp && ulps_between(t, got, want) <= tolerance.max_ulp;
  if (tolerance.kind == Tolerance::abs_rel) return std::fabs(x - y) <= tolerance.atol + tolerance.rtol * std::fabs(y);
  return ulps_between(t, got, want) <= tolerance.max_ulp || std::fabs(x - y) <= tolerance.atol;
}

std::string text(DType t, const std::byte* p) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g (0x%llx)", element(t, p),
                static_cast<unsigned long long>(bits_at(p, bytes(t))));
  return buffer;
}

}  // namespace

int64_t ulps_between(DType t, const std::byte* a, const std::byte* b) {
  // Signed magnitude becomes a number line.
  const auto place = [t](const std::byte* p) {
    const int n = bytes(t);
    const uint64_t bits = bits_at(p, n), sign = uint64_t{1} << (8 * n - 1);
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
  };
  const int64_t x = place(a), y = place(b);
  return (x < 0) != (y < 0) && std::llabs(x / 2 - y / 2) > INT64_MAX / 4 ? INT64_MAX : std::llabs(x - y);
}

std::string difference(DType t, const std::byte* got, const std::byte* want, int64_t count,
                       const Tolerance& tolerance) {
  std::string first;
  int64_t wrong = 0;
  for (int64_t i = 0; i < count; ++i) {
    const std::byte *g = got + i * bytes(t), *w = want + i * bytes(t);
    if (agree(t, g, w, tolerance)) continue;
    if (++wrong <= 3)
      first += (first.empty() ? "element " : ", element ") + std::to_string(i) + " is " + text(t, g) + ", should be " +
               text(t, w);
  }
  if (!wrong) return {};
  return std::to_string(wrong) + " of " + std::to_string(count) + " " + dtype_name(t) + " elements differ: " + first;
}

}  // namespace tine::test
