#include "compiler/layout/conversion.hpp"
#include <algorithm>
#include <cassert>
#include "compiler/layout/span.hpp"

namespace tine::layout {
namespace {

Word bits_of(const Layout& l, Axis axis) {
  return l.in_bits(axis) ? l.pack_in(axis, l.in_size(axis) - 1) : 0;
}

/// The span of some inputs of a layout; tags are input words.
Span span_of(const Layout& l, Word inputs) {
  Span span;
  for (size_t i = 0; i < l.columns().size(); ++i)
    if (inputs >> i & 1) span.add(l.columns()[i], Word(1) << i);
  return span;
}

}  // namespace

Conversion conversion(const Layout& from_any, const Layout& to_any) {
  const std::vector<Axis> threads{Axis::reg, Axis::lane, Axis::warp};
  assert(from_any.in_bits(Axis::lane) == to_any.in_bits(Axis::lane) && from_any.in_bits(Axis::warp) == to_any.in_bits(Axis::warp));
  std::vector<int64_t> shape = from_any.tile_shape(), other = to_any.tile_shape();
  assert(shape.size() == other.size() && "layouts of one tile");
  for (size_t d = 0; d < shape.size(); ++d) shape[d] = std::min(shape[d], other[d]);
  Layout from = from_any.with_ins(threads), to = to_any.with_ins(threads).cropped(shape);
  // What `from` has beyond `to` is wanted by nobody, but its holders must not be taken for others: cut there, they would hold
  // two elements in one place. So `to` is written over all of `from`'s tile.
  to = to.cropped(from.tile_shape());

  Word registers = bits_of(from, Axis::reg), lanes = bits_of(from, Axis::lane), warps = bits_of(from, Axis::warp);
  Span own = span_of(from, registers), warp = span_of(from, registers | lanes), block = span_of(from, registers | lanes | warps);
  bool none = true, in_lane = true, in_warp = true;
  std::vector<Word> columns;
  for (Axis axis : threads)
    for (int i = 0; i < to.in_bits(axis); ++i) {
      Word wanted = to.columns(axis)[size_t(i)];
      // The input bit that stays where it is, and what then is still to be made up for.
      Word stay = i < from.in_bits(axis) ? from.pack_in(axis, int64_t(1) << i) : 0;
      if (axis == Axis::reg && from.image(stay) != wanted) stay = 0;
      Word rest = wanted ^ from.image(stay);
      std::optional<Word> found = own.solve(rest);
      if (found) *found ^= stay;
      if (found && axis != Axis::reg && *found != stay) in_lane = false;
      if (!found) {
        in_lane = false;
        Word keep = axis == Axis::warp ? stay : 0;
        if ((found = warp.solve(wanted ^ from.image(keep)))) *found ^= keep;
      }
      if (!found) {
        in_warp = false;
        found = block.solve(wanted);
        assert(found && "every element of the tile is held somewhere");
      }
      if (axis == Axis::reg && (i >= from.in_bits(Axis::reg) || *found != from.pack_in(Axis::reg, int64_t(1) << i))) none = false;
      columns.push_back(*found);
    }
  // Where lanes hold copies, lanes of `to` read from different ones of them: what two want of one lane may not be the same.
  if (in_warp && !in_lane) {
    std::vector<Word> copies;  // places that add nothing
    Span held;
    for (size_t i = 0; i < from.columns().size(); ++i) {
      if (!((registers | lanes) >> i & 1)) continue;
      if (std::optional<Word> same = held.solve(from.columns()[i])) copies.push_back(*same ^ Word(1) << i);
      else held.add(from.columns()[i], Word(1) << i);
    }
    Span read;
    std::vector<size_t> open;
    for (int i = 0; i < to.in_bits(Axis::lane); ++i) {
      size_t at = size_t(to.in_bits(Axis::reg) + i);
      if (!read.add(columns[at] & lanes)) open.push_back(at);
    }
    for (size_t at : open)
      for (Word copy : copies)
        if (read.add((columns[at] ^ copy) & lanes)) {
          columns[at] ^= copy;
          break;
        }
  }
  none = none && in_lane && from.in_bits(Axis::reg) == to.in_bits(Axis::reg);
  Move move = none ? Move::none : in_lane ? Move::registers : in_warp ? Move::lanes : Move::shared;
  return {move, Layout::from_columns(to.ins(), from.ins(), std::move(columns))};
}

std::optional<ShufflePlan> shuffle_plan(const Layout& to, const Conversion& c) {
  assert(c.move != Move::shared);
  const Layout& m = c.map;
  int registers = m.in_bits(Axis::reg), lanes = m.in_bits(Axis::lane), warps = m.in_bits(Axis::warp);
  int64_t free = to.with_ins({Axis::reg, Axis::lane, Axis::warp}).free_bits(Axis::reg);
  auto reg_part = [&](Axis in, int i) { return m.basis(in, i, Axis::reg); };
  auto lane_part = [&](Axis in, int i) { return m.basis(in, i, Axis::lane); };

  // In round r lane l keeps register r ^ turn(l), so that no two lanes read from the same lane. `turn` is chosen bit by bit:
  // the lanes read, lane_part(l) ^ lane_part(turn(l)), are to be independent.
  std::vector<int64_t> turn(size_t(lanes), 0), read(size_t(lanes), 0);
  Span seen;
  std::vector<int> open;
  for (int i = 0; i < lanes; ++i) {
    read[size_t(i)] = lane_part(Axis::lane, i);
    if (!seen.add(Word(read[size_t(i)]))) open.push_back(i);
  }
  for (int i : open)
    for (int r = 0; r < registers; ++r) {
      int64_t candidate = read[size_t(i)] ^ lane_part(Axis::reg, r);
      if ((free >> r & 1) || !seen.add(Word(candidate))) continue;
      turn[size_t(i)] = int64_t(1) << r, read[size_t(i)] = candidate;
      break;
    }

  std::vector<Extent> ins{{Axis::reg, registers}, {Axis::lane, lanes}, {Axis::warp, warps}};
  std::vector<Word> source, keep, give;
  for (int r = 0; r < registers; ++r) source.push_back(Word(lane_part(Axis::reg, r))), keep.push_back(Word(1) << r);
  for (int i = 0; i < lanes; ++i) source.push_back(Word(read[size_t(i)])), keep.push_back(Word(turn[size_t(i)]));
  for (int w = 0; w < warps; ++w) source.push_back(Word(lane_part(Axis::warp, w))), keep.push_back(0);

  // What lane s gives in round r is what its reader wants: the reader l has read(l) = s ^ (source of r) ^ (source of w).
  Span readers;
  for (int i = 0; i < lanes; ++i) readers.add(Word(read[size_t(i)]), Word(1) << i);
  auto wants = [&](Word l) {  // the register that lane l wants, beside the round's part
    Word result = 0;
    for (; l; l &= l - 1) {
      int i = __builtin_ctzll(l);
      result ^= Word(reg_part(Axis::lane, i));
      for (Word t = Word(turn[size_t(i)]); t; t &= t - 1) result ^= Word(reg_part(Axis::reg, __builtin_ctzll(t)));
    }
    return result;
  };
  // Lanes that read from one lane must want the same of it.
  Span check;
  for (int i = 0; i < lanes; ++i) {
    Word both = Word(read[size_t(i)]) | wants(Word(1) << i) << 32;
    check.add(both, 0);
  }
  if (check.rank() != readers.rank()) return std::nullopt;
  // A lane that nobody reads gives what its projection onto the lanes read gives.
  Span all = readers;
  for (int i = 0; i < lanes; ++i) all.add(Word(1) << i, 0);
  auto given = [&](Word lane) { return wants(*all.solve(lane)); };
  for (int r = 0; r < registers; ++r) give.push_back(Word(reg_part(Axis::reg, r)) ^ given(Word(lane_part(Axis::reg, r))));
  for (int i = 0; i < lanes; ++i) give.push_back(given(Word(1) << i));
  for (int w = 0; w < warps; ++w) give.push_back(Word(reg_part(Axis::warp, w)) ^ given(Word(lane_part(Axis::warp, w))));

  std::vector<Extent> to_reg{{Axis::reg, registers}}, from_reg{{Axis::reg, m.out_bits(Axis::reg)}}, to_lane{{Axis::lane, lanes}};
  return ShufflePlan{Layout::from_columns(ins, from_reg, std::move(give)), Layout::from_columns(ins, to_lane, std::move(source)),
                     Layout::from_columns(ins, to_reg, std::move(keep))};
}

}  // namespace tine::layout
