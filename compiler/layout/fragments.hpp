// Which element of a matrix-unit instruction's operand each lane holds in which place. The tables agree with the vendors' documents
// as cross-checked in tests/data/fragments.
//
// The register axis counts *elements* of a lane: sub-elements of a 32-bit register lowest, then registers. A is (m, k),
// B is (k, n), D is (m, n): dims 0 and 1.
#pragma once
#include "compiler/layout/layout.hpp"

namespace tine::layout {

struct MatrixUnit {
  int m, n, k;
  int operand_bits;  ///< of an element of a and b
  Layout a, b, d;    ///< (register, lane) -> (m, k), (k, n), (m, n)
};

/// mma.sync m16n8: k16 for 16-bit types, k8 for tf32, k32 for 8-bit types.
MatrixUnit mma_m16n8(int operand_bits);
/// mma.sync m8n8k4 of f64.
MatrixUnit mma_f64();

/// AMD mfma (64 lanes): 16 or 32 rows and columns, k in all; of f64 16x16x4.
MatrixUnit mfma(int mn, int k, int operand_bits);
/// AMD wmma 16x16 (32 lanes). gfx11: k 16, both halves of a wave hold all of a and b. gfx12: k 16, or 32 for 4-bit types.
MatrixUnit wmma_gfx11(int operand_bits);
MatrixUnit wmma_gfx12(int k, int operand_bits);

}  // namespace tine::layout
