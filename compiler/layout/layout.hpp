// Layouts: who holds which element of a tile, and where an element lies in shared memory.
//
// ## What a layout is
//
// A GPU block keeps a tile in the registers of its threads. Element e of the tile lives in some register of some lane of
// some warp, maybe in several. Sizes here are powers of two, so an index is a row of bits, and a *layout* is a function
//
//     L: (register, lane, warp) -> (dim0, dim1, ...)
//
// that is linear over F2, the field of the bits 0 and 1, whose addition is xor:  L(x ^ y) = L(x) ^ L(y).  Such a
// function is known by its values at single bits, its *bases*; any other value is the xor of the bases of the bits set.
//
// ## An example
//
// A tile of 4 x 8 over four lanes of one warp, eight elements each, two neighbours per lane, lanes first along a row:
//
//                  dim1  0  1  2  3  4  5  6  7        register 0 -> (0, 1)      lane 0 -> (0, 2)
//            dim0  0    0a 0b 1a 1b 2a 2b 3a 3b        register 1 -> (1, 0)      lane 1 -> (0, 4)
//                  1    0c 0d 1c 1d 2c 2d 3c 3d        register 2 -> (2, 0)
//                  2    0e 0f 1e 1f 2e 2f 3e 3f
//                  3    0g 0h 1g 1h 2g 2h 3g 3h        (0a: lane 0, register 0; 0c: register 2; 0h: register 7)
//
// "register 0 -> (0, 1)" reads: bit 0 of the register index moves one column. Element 2f is lane 2 = bit 1, register 5 =
// bits 0 and 2: (0, 4) ^ (0, 1) ^ (2, 0) = (2, 5). Bases are all there is; five of them describe 32 places.
//
// More that the same few numbers say:
//   - lane 1 -> (0, 0): lanes that differ in bit 1 hold the same element: *replication*. The bit is *free*.
//   - the accumulator of NVIDIA's m16n8 products: register (0, 1) (8, 0), lane (0, 2) (0, 4) (1, 0) (2, 0) (4, 0).
//   - shared memory whose 16-byte chunks are swizzled, rows of 8 chunks: offset -> (row, chunk) with bases
//     (0, 1) (0, 2) (0, 4) (1, 1) (2, 2) (4, 4): chunk c of row r lies at place c ^ r of its row. A swizzle is no more than
//     a basis with two ones.
//
// ## Why from the hardware to the tile
//
// The other direction, from an element to its place, is not a function where an element is held twice, and replication is
// common: the result of a reduction is replicated over the lanes that took part, operands of a product over the warps that
// share them. From the hardware's side replication is plain (a zero basis), slicing a dim off is dropping a row of the
// matrix, and code generation asks this question anyway: "I am lane 5 of warp 2, which element is my register 3?" For
// shared memory, where nothing is replicated, the direction is a matter of taste; offset -> coordinates keeps it the same.
//
// ## What follows from linearity
//
// Let A be a layout that every element is reached by (*surjective*), and B another of the same tile.
//   - "Where does my element live in A?" is one linear system: X with A X = B, `invert_and_compose`. Register moves,
//     shuffles inside a warp and trips through shared memory differ only in which blocks of X are not the identity
//     (`conversion.hpp`).
//   - Lanes with a dependent basis repeat others: masks of free bits make an element act exactly once.
//   - Registers 0 to 2^v - 1 are neighbours along a dim iff register bits 0 to v - 1 are its unit bases: vector width.
//   - A warp's access has no bank conflict iff the bases of its lanes are independent in the bits of the bank (`shared.hpp`).
//   - Reshape, permute and broadcast relabel or drop rows; data does not move.
// Each is Gaussian elimination on at most a few dozen machine words.
//
// ## Beside others
//
// Triton's linear layouts are the same mathematics with named dims as strings and vectors of bases. Here an axis is a small
// number, all outputs of a basis are packed into one word, and solving works on words. CuTe's layouts (shape and stride,
// composed as functions of integers) also describe sizes that are no powers of two, but cannot state a swizzle or solve for
// a conversion without leaving the algebra; our tiles are padded to powers of two anyhow. Blocked, sliced, matrix-unit and
// swizzled layouts are not kinds here, only different bases.
//
// Plain C++; wrong use (an axis that is not there, sizes that differ) is an internal error and stops with an assertion.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tine::layout {

/// The names of a layout's inputs and outputs. `offset` counts elements of shared memory; `dim(d)` is dim d of the tile.
enum class Axis : uint8_t { reg, lane, warp, block, offset, dim0 = 16 };
constexpr Axis dim(int d) { return Axis(int(Axis::dim0) + d); }
constexpr bool is_dim(Axis a) { return a >= Axis::dim0; }
constexpr int dim_of(Axis a) { return int(a) - int(Axis::dim0); }
/// "register", "lane", "warp", "block", "offset", "dim0", ...
std::string name(Axis axis);

/// log2 of a power of two; the next one's, if n is none.
constexpr int log2_ceil(int64_t n) {
  int bits = 0;
  while ((int64_t(1) << bits) < n) ++bits;
  return bits;
}

/// An axis of 2^bits indices.
struct Extent {
  Axis axis;
  int bits;
  bool operator==(const Extent&) const = default;
};

/// The bits of several axes side by side, the first axis lowest: a vector over F2.
using Word = uint64_t;

/// A run of bits that a layout hands on unchanged: bits [from, from + count) of the input, shifted to bit `to` of the output.
struct Run {
  Axis in;
  int from, count;
  Axis out;
  int to;
  bool operator==(const Run&) const = default;
};

class Layout {
 public:
  using Index = std::pair<Axis, int64_t>;
  /// The bases of one input, lowest bit first; each lists one number per output.
  struct Input {
    Axis axis;
    std::vector<std::vector<int64_t>> bases;
  };

  // ---- construction

  /// No inputs, no outputs: the 1 of the product.
  Layout() = default;
  /// From bases, e.g. Layout({{dim(0), 2}, {dim(1), 3}}, {{Axis::reg, {{0, 1}, {1, 0}, {2, 0}}}, {Axis::lane, {{0, 2}, {0, 4}}}}).
  Layout(std::vector<Extent> outs, const std::vector<Input>& ins);
  /// From columns: the image of each input bit, in the order of `ins`, as a word over `outs`.
  static Layout from_columns(std::vector<Extent> ins, std::vector<Extent> outs, std::vector<Word> columns);
  /// in -> out, index i to index i.
  static Layout identity(Axis in, Axis out, int bits);
  /// An input that moves nothing: 2^bits copies.
  static Layout zeros(Axis in, int bits);
  /// An output that nothing reaches but 0.
  static Layout unreached(Axis out, int bits);
  /// The identity on several axes at once.
  static Layout identity(const std::vector<Extent>& axes);

  // ---- what it is

  const std::vector<Extent>& ins() const { return ins_; }
  const std::vector<Extent>& outs() const { return outs_; }
  bool has_in(Axis axis) const { return position(ins_, axis) >= 0; }
  bool has_out(Axis axis) const { return position(outs_, axis) >= 0; }
  /// 0 for an axis that is not there.
  int in_bits(Axis axis) const;
  int out_bits(Axis axis) const;
  int64_t in_size(Axis axis) const { return int64_t(1) << in_bits(axis); }
  int64_t out_size(Axis axis) const { return int64_t(1) << out_bits(axis); }
  int in_bits() const { return int(columns_.size()); }
  int out_bits() const;
  /// The image of bit `bit` of `in`, along `out` (0 if `out` is not there).
  int64_t basis(Axis in, int bit, Axis out) const;
  /// The images of all input bits, in the order of the inputs, as words over the outputs.
  const std::vector<Word>& columns() const { return columns_; }
  /// The images of an input's bits.
  std::vector<Word> columns(Axis in) const;
  bool operator==(const Layout&) const = default;
  std::string str() const;

  // ---- values

  /// The image of an input word.
  Word image(Word in) const;
  /// The image of the indices given (others 0), one number per output in their order.
  std::vector<int64_t> operator()(std::initializer_list<Index> at) const;
  std::vector<int64_t> operator()(const std::vector<Index>& at) const;
  /// The same along one output.
  int64_t operator()(std::initializer_list<Index> at, Axis out) const;
  /// Packs and unpacks words.
  Word pack_in(Axis axis, int64_t value) const;
  Word pack_out(Axis axis, int64_t value) const;
  int64_t unpack_in(Word in, Axis axis) const;
  int64_t unpack_out(Word out, Axis axis) const;
  /// For run-time values: the image along `out` is the xor over all runs of ((in >> from) & (2^count - 1)) << to. Runs of one
  /// output whose target bits do not overlap (`disjoint`) may be added or or-ed instead.
  std::vector<Run> runs() const;
  bool disjoint(Axis out) const;

  // ---- the algebra

  /// Side by side: bits of the axes that both have are this one's below, the other's above.  (a * b)(x, y) = (a(x), b(y)).
  Layout operator*(const Layout& above) const;
  /// outer(inner(x)). The outputs of `inner` are inputs of `outer`, with at most as many bits.
  friend Layout compose(const Layout& outer, const Layout& inner);
  /// X with holder(X(i)) == wanted(i): where `holder` keeps what `wanted` asks for. Every element `wanted` names must be held
  /// (else nothing). Where several places hold it, the one with the lowest inputs: earlier inputs of `holder` are preferred.
  friend std::optional<Layout> invert_and_compose(const Layout& wanted, const Layout& holder);
  /// The inverse of a bijection.
  std::optional<Layout> inverse() const;
  /// R with *this(R(x)) == x, if every element is reached.
  std::optional<Layout> right_inverse() const;

  int rank() const;
  bool surjective() const { return rank() == out_bits(); }
  bool injective() const { return rank() == in_bits(); }
  bool bijective() const { return injective() && surjective(); }
  /// The bits of `in` that only repeat what lower inputs give, in the order register, lane, warp, ...: with these bits 0,
  /// each element occurs exactly once. `act only where (lane & free_bits(lane)) == 0` lets an element act once.
  int64_t free_bits(Axis in) const;

  // ---- inputs and outputs alone

  /// Only these inputs (others 0), in this order.
  Layout with_ins(const std::vector<Axis>& axes) const;
  /// Only these outputs, in this order.
  Layout with_outs(const std::vector<Axis>& axes) const;
  /// Without one output: what remains of a tile when a dim is reduced or broadcast along. Inputs stay, some become free.
  Layout without_out(Axis axis) const;
  /// Drops bits of `in` that are free; the others move down. For registers: holds each element once in a lane.
  Layout without_free(Axis in) const;
  Layout renamed_out(Axis from, Axis to) const;

  // ---- tiles

  /// Sizes of the outputs dim0, dim1, ...
  std::vector<int64_t> tile_shape() const;
  /// The outputs in the order dim0, dim1, ..., none missing up to `rank`.
  Layout with_dims(int rank) const;
  /// Indices modulo another shape (powers of two): what lies beyond it falls onto elements within; new room is not reached.
  Layout cropped(const std::vector<int64_t>& shape) const;
  /// The same elements, in row-major order, under another shape (powers of two, same number of elements).
  Layout reshaped(const std::vector<int64_t>& shape) const;
  /// Result dim k is dim order[k].
  Layout permuted(const std::vector<int64_t>& order) const;
  /// dim d disappears and those behind it move down (the tile after a reduction).
  Layout reduced(int d) const;
  /// For a tile that is to be read along broadcast dims: the layout that gives every thread the operand's element for each of
  /// its own. `shape` is the operand's: dims of size 1 are dropped to bit 0.
  Layout broadcast_from(const std::vector<int64_t>& shape) const;
  /// How registers hold neighbours along dim d: register bit `bits[i]` moves 2^i along d and nothing else, and no other input
  /// changes the lowest bits.size() bits of d. 2^bits.size() elements are a vector.
  std::vector<int> contiguous_bits(int d) const;

 private:
  std::vector<Extent> ins_, outs_;
  std::vector<Word> columns_;
  static int position(const std::vector<Extent>& list, Axis axis);
  static int shift(const std::vector<Extent>& list, Axis axis);
};

Layout compose(const Layout& outer, const Layout& inner);
std::optional<Layout> invert_and_compose(const Layout& wanted, const Layout& holder);

}  // namespace tine::layout
