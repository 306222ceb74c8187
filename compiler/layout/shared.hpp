// Tiles in shared memory: swizzled layouts, their bank conflicts, and what ldmatrix can load.
//
// A shared layout is a bijection offset (in elements) -> (dim0, dim1, ...).
#pragma once
#include "compiler/layout/layout.hpp"

namespace tine::layout {

/// A target's shared memory: words of 4 bytes, as many neighbours as there are banks in as many banks (a line). An access of more
/// than 4 bytes a lane is served in phases of one line.
struct Banks {
  int count = 32;  ///< a power of two
  int line_bytes() const { return 4 * count; }
};

/// Without swizzle: elements along order[0] first.
Layout plain_shared(const std::vector<int64_t>& shape, const std::vector<int>& order);
/// Rows along order[0] in chunks of `chunk_bytes` (16), whose number within a line of banks is xor-ed with the number of
/// the line (modulo the number of chunks). Eight rows of one column of chunks then lie in eight different chunks of banks:
/// neither 16-byte copies along rows nor ldmatrix conflict. For 32, 64 and 128 byte rows these are NVIDIA's swizzles.
/// `rows`: the bits of a row's number in which the rows that are read at once differ.
Layout swizzled_shared(const std::vector<int64_t>& shape, const std::vector<int>& order, int element_bits, int chunk_bytes = 16,
                       const std::vector<int>& rows = {0, 1, 2}, Banks banks = {});
/// The rows of one matrix of 8-bit pairs (`MatrixLoad`): 0, 1, 4, 5, 8, 9, 12, 13.
inline const std::vector<int> paired_rows{0, 2, 3};
/// A layout for data written by `from` and read by `to` (distributed layouts of one tile), both in vectors as wide as both
/// allow and without bank conflict. With `along` >= 0, in the vectors that `from` has along that dim (up to 16 bytes), as
/// asynchronous copies are written; `to` reads what of them it can at once.
Layout exchange_shared(const Layout& from, const Layout& to, int element_bits, int along = -1, Banks banks = {});

/// How a distributed tile and a shared one meet: `offsets` maps (register, lane, warp) to offsets; registers
/// `vector` (bits of the register index, lowest element first) are neighbours in memory, at most 16 bytes in all.
struct SharedAccess {
  Layout offsets;
  std::vector<int> vector;
  int64_t vector_bytes(int element_bits) const { return (int64_t(element_bits) << vector.size()) / 8; }
};
SharedAccess shared_access(const Layout& shared, const Layout& tile, int element_bits);
/// Requests that one access takes beyond the fewest (0: no conflict), for the worst register.
int bank_conflicts(const SharedAccess& access, int element_bits, Banks banks = {});

/// A tile that ldmatrix can load from shared memory.
/// `within`: register bits that number the elements of one 32-bit word that it gives.
/// `matrices`: register bits that number the 8x8 matrices of one instruction (0, 1 or 2 of them: x1, x2, x4).
/// `rows`: (register, lane, warp) -> byte offset of the row that this lane points at; register bits of `within` and `matrices`
/// have no effect. Loop over the others.
///
/// With `trans` a lane gets two rows of a column of 16-bit units. Units are elements, or pairs of 8-bit elements: then the
/// tile must want both columns of the pair in one lane (`paired_columns`).
struct MatrixLoad {
  bool trans;
  std::vector<int> within, matrices;
  Layout rows;
};
std::optional<MatrixLoad> matrix_load(const Layout& shared, const Layout& tile, int element_bits);
/// A tile whose columns (indices of dim d, at least 16) are dealt to lanes in pairs: column c of 8 and column c of the next 8
/// change places with columns 2c and 2c + 1. So that fragments of 8-bit elements can be loaded with `trans`.
Layout paired_columns(const Layout& tile, int d);
/// Conflicts of one such instruction.
int bank_conflicts(const MatrixLoad& load, Banks banks = {});

}  // namespace tine::layout
