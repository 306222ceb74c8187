// Where the elements of matrix operands lie: (lane, element) -> (row, column). Element = register * elements-per-register + sub, lowest bits first.
// Checked against the tables in tests/data/fragments.
#pragma once
#include <cstdint>
#include <utility>

namespace tine::emulator::detail {

struct Coord {
  std::uint16_t row, col;
};

// mma.sync with m16 or m8 rows and n8 columns (not the Volta shape). `per`: elements in one register (32 / bits; 1 for f64).
// Register by register a lane walks rows first (g, then g + 8), then k; the k of one register are `per` consecutive ones.
inline Coord mma_a(int lane, int element, int per, int rows) {
  const int reg = element / per, sub = element % per, t = lane % 4, g = lane / 4;
  const int row_steps = rows / 8;
  return {static_cast<std::uint16_t>(g + 8 * (reg % row_steps)), static_cast<std::uint16_t>(per * t + sub + 4 * per * (reg / row_steps))};
}
// row = k, col = n
inline Coord mma_b(int lane, int element, int per) {
  const int reg = element / per, sub = element % per;
  return {static_cast<std::uint16_t>(per * (lane % 4) + sub + 4 * per * reg), static_cast<std::uint16_t>(lane / 4)};
}
inline Coord mma_d(int lane, int element) { return {static_cast<std::uint16_t>(lane / 4 + 8 * (element / 2)), static_cast<std::uint16_t>(2 * (lane % 4) + element % 2)}; }

// ldmatrix and stmatrix: element of matrix `register`; row addresses come from lane 8 * matrix + row.
inline Coord ldmatrix_element(int lane, int sub, bool trans) {
  const int g = lane / 4, c = 2 * (lane % 4) + sub;
  return trans ? Coord{static_cast<std::uint16_t>(c), static_cast<std::uint16_t>(g)} : Coord{static_cast<std::uint16_t>(g), static_cast<std::uint16_t>(c)};
}

// Volta's m8n8k4 for f16: lanes 4q..4q+3 and 16+4q..16+4q+3 (q = 0..3) make a product of their own each.
inline int volta_quad(int lane) { return lane % 16 / 4; }
inline Coord volta_a(int lane, int i, bool row_major) {
  const int high = lane < 16 ? 0 : 4;
  return row_major ? Coord{static_cast<std::uint16_t>(lane % 4 + high), static_cast<std::uint16_t>(i)} : Coord{static_cast<std::uint16_t>(i % 4 + high), static_cast<std::uint16_t>(lane % 4)};
}
inline Coord volta_b(int lane, int i, bool row_major) {
  const int high = lane < 16 ? 0 : 4;
  return row_major ? Coord{static_cast<std::uint16_t>(lane % 4), static_cast<std::uint16_t>(i + high)} : Coord{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(lane % 4 + high)};
}
inline Coord volta_d(int lane, int i, bool f32) {
  const int high = lane < 16 ? 0 : 4;
  if (!f32) return {static_cast<std::uint16_t>(lane % 4 + high), static_cast<std::uint16_t>(i)};
  return {static_cast<std::uint16_t>((lane & 1) + (i & 2) + high), static_cast<std::uint16_t>((i & 4) + (lane & 2) + (i & 1))};
}

}  // namespace tine::emulator::detail
