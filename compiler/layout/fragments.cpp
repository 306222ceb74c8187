#include "compiler/layout/fragments.hpp"
#include <cassert>

namespace tine::layout {
namespace {

/// Identities along two dims, by bits.
Layout along(Axis in, int d, int bits) { return Layout::identity(in, dim(d), bits); }

Layout turned(const Layout& l) { return l.renamed_out(dim(0), Axis::block).renamed_out(dim(1), dim(0)).renamed_out(Axis::block, dim(1)).with_dims(2); }

/// Register, lane; m (or n), k.
Layout ordered(const Layout& l) { return l.with_ins({Axis::reg, Axis::lane}).with_dims(2); }

}  // namespace

MatrixUnit mma_m16n8(int operand_bits) {
  assert(operand_bits == 8 || operand_bits == 16 || operand_bits == 32);
  int within = log2_ceil(32 / operand_bits);  // a register holds 2^within neighbours along k
  // Four lanes go along k, eight along rows or columns; a's registers walk rows first, then k.
  Layout row = along(Axis::reg, 1, within) * along(Axis::lane, 1, 2) * along(Axis::lane, 0, 3);
  Layout a = row * along(Axis::reg, 0, 1) * along(Axis::reg, 1, 1);
  Layout b = turned(ordered(row * along(Axis::reg, 1, 1)));
  Layout d = along(Axis::reg, 1, 1) * along(Axis::lane, 1, 2) * along(Axis::lane, 0, 3) * along(Axis::reg, 0, 1);
  return {16, 8, 256 / operand_bits, operand_bits, ordered(a), b, ordered(d)};
}

MatrixUnit mma_f64() {
  Layout a = ordered(along(Axis::lane, 1, 2) * along(Axis::lane, 0, 3));
  Layout d = ordered(along(Axis::reg, 1, 1) * along(Axis::lane, 1, 2) * along(Axis::lane, 0, 3));
  return {8, 8, 4, 64, a, turned(a), d};
}

MatrixUnit mfma(int mn, int k, int operand_bits) {
  assert(mn == 16 || mn == 32);
  int rows = log2_ceil(mn), groups = 6 - rows;  // groups of lanes along k
  Layout a = ordered(along(Axis::lane, 0, rows) * along(Axis::reg, 1, log2_ceil(k) - groups) * along(Axis::lane, 1, groups));
  Layout d = along(Axis::lane, 1, rows);
  if (operand_bits == 64) d = d * along(Axis::lane, 0, 2) * along(Axis::reg, 0, 2);  // the odd one
  else d = d * along(Axis::reg, 0, 2) * along(Axis::lane, 0, groups) * along(Axis::reg, 0, rows - 2 - groups);
  return {mn, mn, k, operand_bits, a, turned(a), ordered(d)};
}

MatrixUnit wmma_gfx11(int operand_bits) {
  Layout a = ordered(along(Axis::lane, 0, 4) * Layout::zeros(Axis::lane, 1) * along(Axis::reg, 1, 4));
  Layout d = ordered(along(Axis::lane, 1, 4) * along(Axis::lane, 0, 1) * along(Axis::reg, 0, 3));
  return {16, 16, 16, operand_bits, a, turned(a), d};
}

MatrixUnit wmma_gfx12(int k, int operand_bits) {
  int elements = log2_ceil(k) - 1, below = operand_bits == 16 ? 2 : elements;  // of 16-bit types the lanes' k bit stands among the registers'
  Layout a = ordered(along(Axis::lane, 0, 4) * along(Axis::reg, 1, below) * along(Axis::lane, 1, 1) * along(Axis::reg, 1, elements - below));
  Layout d = ordered(along(Axis::lane, 1, 4) * along(Axis::reg, 0, 3) * along(Axis::lane, 0, 1));
  return {16, 16, k, operand_bits, a, turned(a), d};
}

}  // namespace tine::layout
