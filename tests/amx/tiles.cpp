#include "tiles.hpp"

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tine::amx {
namespace {

template <class T>
T at(const uint8_t* row, int element) {
  T v;
  std::memcpy(&v, row + element * static_cast<int>(sizeof v), sizeof v);
  return v;
}
template <class T>
void put(uint8_t* row, int element, T v) {
  std::memcpy(row + element * static_cast<int>(sizeof v), &v, sizeof v);
}
float bf16(const uint8_t* row, int element) {
  const uint32_t bits = uint32_t{at<uint16_t>(row, element)} << 16;
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

// One row of sums. Products of even and of odd elements are summed apart, each by FMA; then both sums are added, and
// added to the old one. Its own function, so that no arithmetic moves out of where `tdpbf16ps` sets the rounding.
__attribute__((noinline, target("fma"))) void sum_row(uint8_t* sums, const uint8_t* a, const uint8_t (*b)[64],
                                                      int columns, int deep) {
  float even[16] = {}, odd[16] = {};
  for (int k = 0; k < deep; ++k)
    for (int n = 0; n < columns; ++n) {
      even[n] = __builtin_fmaf(bf16(a, 2 * k), bf16(b[k], 2 * n), even[n]);
      odd[n] = __builtin_fmaf(bf16(a, 2 * k + 1), bf16(b[k], 2 * n + 1), odd[n]);
    }
  for (int n = 0; n < columns; ++n) put(sums, n, at<float>(sums, n) + (even[n] + odd[n]));
}

}  // namespace

Tiles::Fault Tiles::configured(int tile) const {
  if (!configured_) return "#UD: no tile is configured";
  return tiles_[tile].rows ? nullptr : "#UD: the tile has no shape";
}

Tiles::Fault Tiles::ldtilecfg(const uint8_t* shapes) {
  const int palette = shapes[0];
  if (palette == 0) return tilerelease(), nullptr;
  if (palette != 1) return "#GP: a palette that there is not";
  if (shapes[1]) return "a first row that is not 0, which is not emulated";
  const auto zeros = [&](int from, int end) {
    return std::all_of(shapes + from, shapes + end, [](uint8_t v) { return v == 0; });
  };
  if (!zeros(2, 16) || !zeros(32, 48) || !zeros(56, 64)) return "#GP: reserved bytes of the shapes are not 0";
  Tiles next;
  next.configured_ = true;
  for (int t = 0; t < count; ++t) {
    const int bytes = at<uint16_t>(shapes + 16, t), rows = shapes[48 + t];
    if (bytes > row_bytes || rows > most_rows) return "#GP: a shape larger than a tile";
    if (!bytes != !rows) return "#GP: a shape of rows without bytes, or of bytes without rows";
    next.tiles_[t].bytes = bytes, next.tiles_[t].rows = rows;
  }
  *this = next;
  return nullptr;
}

Tiles::Fault Tiles::tilezero(int tile) {
  if (Fault f = configured(tile)) return f;
  std::memset(tiles_[tile].data, 0, sizeof tiles_[tile].data);
  return nullptr;
}

Tiles::Fault Tiles::tileloadd(int tile, const uint8_t* from, int64_t stride) {
  if (Fault f = tilezero(tile)) return f;
  Tile& t = tiles_[tile];
  for (int r = 0; r < t.rows; ++r) std::memcpy(t.data[r], from + r * stride, static_cast<std::size_t>(t.bytes));
  return nullptr;
}

Tiles::Fault Tiles::tilestored(int tile, uint8_t* into, int64_t stride) const {
  if (Fault f = configured(tile)) return f;
  const Tile& t = tiles_[tile];
  for (int r = 0; r < t.rows; ++r) std::memcpy(into + r * stride, t.data[r], static_cast<std::size_t>(t.bytes));
  return nullptr;
}

// Sums are m x n, a is m x k, b is k x n, in units of four bytes.
Tiles::Fault Tiles::fit(int sums, int a, int b) const {
  for (int t : {sums, a, b})
    if (Fault f = configured(t)) return f;
  const Tile &s = tiles_[sums], &x = tiles_[a], &y = tiles_[b];
  if (sums == a || sums == b || a == b) return "#UD: one tile is two operands";
  if (s.bytes % 4 || x.bytes % 4 || y.bytes % 4) return "#UD: rows of a part of four bytes";
  if (s.rows != x.rows || s.bytes != y.bytes || x.bytes / 4 != y.rows) return "#UD: shapes that do not fit each other";
  return nullptr;
}

Tiles::Fault Tiles::tdpbf16ps(int sums, int a, int b) {
  if (Fault f = fit(sums, a, b)) return f;
  Tile& s = tiles_[sums];
  // "DAZ=FTZ=1, RNE rounding. MXCSR neither consulted nor updated. No exceptions raised or denoted."
  constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zeros = 1u << 6, all_masked = 0x1f80;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(all_masked | flush_to_zero | denormals_are_zeros);
  for (int m = 0; m < s.rows; ++m)
    sum_row(s.data[m], tiles_[a].data[m], tiles_[b].data, s.bytes / 4, tiles_[a].bytes / 4);
  _mm_setcsr(before);
  return nullptr;
}

// Products of four neighbours are added to the sum, which wraps.
Tiles::Fault Tiles::tdpb(int sums, int a, int b, bool a_signed, bool b_signed) {
  if (Fault f = fit(sums, a, b)) return f;
  Tile& s = tiles_[sums];
  const auto value = [](uint8_t v, bool is_signed) { return is_signed ? int{static_cast<int8_t>(v)} : int{v}; };
  for (int m = 0; m < s.rows; ++m)
    for (int n = 0; n < s.bytes / 4; ++n) {
      auto sum = at<uint32_t>(s.data[m], n);
      for (int k = 0; k < tiles_[a].bytes; ++k)
        sum += static_cast<uint32_t>(value(tiles_[a].data[m][k], a_signed) *
                                     value(tiles_[b].data[k / 4][4 * n + k % 4], b_signed));
      put(s.data[m], n, sum);
    }
  return nullptr;
}

}  // namespace tine::amx
