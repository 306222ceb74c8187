#include "compiler/layout/shared.hpp"
#include <algorithm>
#include <cassert>
#include "compiler/layout/span.hpp"

namespace tine::layout {
namespace {

int bits_for_bytes(int64_t bytes, int element_bits) { return std::max(0, log2_ceil(bytes * 8 / element_bits)); }  // of an offset in elements

std::vector<Extent> dims_of(const std::vector<int64_t>& shape) {
  std::vector<Extent> outs;
  for (int d = 0; d < int(shape.size()); ++d) outs.push_back({dim(d), log2_ceil(shape[size_t(d)])});
  return outs;
}

/// Requests of one phase: lanes whose byte addresses have these bases, each touching `bytes` from there.
int requests(std::vector<Word> addresses, int64_t bytes, Banks banks) {
  for (Word b = 4; b < Word(bytes); b *= 2) addresses.push_back(b);
  Span words, touched;
  for (Word a : addresses) words.add(a >> 2), touched.add(a >> 2 & Word(banks.count - 1));
  return 1 << (words.rank() - touched.rank());
}

/// Bits of the lanes that one phase serves.
size_t phase_bits(int64_t bytes, Banks banks) { return size_t(log2_ceil(banks.count) - std::max(0, log2_ceil(bytes) - 2)); }

/// Of these vectors, those that are independent of each other and of a span.
std::vector<Word> independent(Span span, const std::vector<Word>& vectors) {
  std::vector<Word> result;
  for (Word w : vectors)
    if (span.add(w)) result.push_back(w);
  return result;
}

}  // namespace

Layout plain_shared(const std::vector<int64_t>& shape, const std::vector<int>& order) {
  Layout l;
  for (int d : order) l = l * Layout::identity(Axis::offset, dim(d), log2_ceil(shape[size_t(d)]));
  return l.with_dims(int(shape.size()));
}

Layout swizzled_shared(const std::vector<int64_t>& shape, const std::vector<int>& order, int element_bits, int chunk_bytes, const std::vector<int>& rows, Banks banks) {
  Layout l = plain_shared(shape, order);
  int chunk = bits_for_bytes(chunk_bytes, element_bits), line = bits_for_bytes(banks.line_bytes(), element_bits);
  int row = order.empty() ? 0 : log2_ceil(shape[size_t(order[0])]);
  int swizzled = std::min(line, row) - chunk;  // bits of the chunk's number that change
  std::vector<Word> columns = l.columns();
  int i = 0;
  for (int r : rows)  // rows within a line of banks are apart anyway
    if (row + r >= line && i < swizzled && row + r < int(columns.size())) columns[size_t(row + r)] ^= columns[size_t(chunk + i++)];
  return Layout::from_columns(l.ins(), l.outs(), std::move(columns));
}

Layout exchange_shared(const Layout& from_any, const Layout& to_any, int element_bits, int along, Banks banks) {
  std::vector<int64_t> shape = from_any.tile_shape();
  Layout from = from_any.with_dims(int(shape.size())), to = to_any.cropped(shape);
  int total = from.out_bits();

  // Offsets are built from their lowest bit: the vector, what shares a bank's word with it, the bank, then lines.
  std::vector<Word> columns;
  Span taken;
  auto put = [&](Word w) {
    if (int(columns.size()) == total || !taken.add(w)) return false;
    columns.push_back(w);
    return true;
  };
  // The vector: register bits that both move alike, and that no lane or other register disturbs; or `from`'s alone.
  auto alone = [](const Layout& l, Word w) {
    int users = 0;
    for (Word c : l.columns()) users += (c & w) != 0;
    return users == 1;
  };
  std::vector<Word> registers = from.columns(Axis::reg), others = to.columns(Axis::reg);
  int vector = 0, widest = bits_for_bytes(16, element_bits);
  if (along >= 0) {
    for (int i : from.contiguous_bits(along))
      if (vector < widest && put(registers[size_t(i)])) ++vector;
  } else {
    for (Word w : registers)
      if (vector < widest && w && std::find(others.begin(), others.end(), w) != others.end() && alone(from, w) && alone(to, w) && put(w)) ++vector;
  }
  // What one lane of `to` reads at once: the lowest bits of the vector that its registers move along.
  int read = 0;
  while (read < vector && std::find(others.begin(), others.end(), columns[size_t(read)]) != others.end() && alone(to, columns[size_t(read)])) ++read;
  auto lanes = [&](const Layout& l, int bits) {
    std::vector<Word> all = l.columns(Axis::lane);
    int64_t bytes = (int64_t(element_bits) << bits) / 8;
    all.resize(std::min(all.size(), phase_bits(bytes, banks)));
    return all;
  };
  std::vector<Word> a = lanes(from, vector), b = lanes(to, read);
  // Lanes that read from one word do not conflict.
  for (Word w : b)
    if (int(columns.size()) < bits_for_bytes(4, element_bits)) put(w);
  for (Word w : a)
    if (int(columns.size()) < bits_for_bytes(4, element_bits)) put(w);

  // The lines are to meet neither the lanes of a phase of `from` nor those of `to`: then each such lane has a bank of its own.
  // Beside what both share, pairs a + b meet neither; then comes what lies outside both.
  std::vector<Word> only_a, only_b, meet;  // a = meet + only_a, b = meet + only_b
  std::vector<Word> basis_b = independent(taken, b);
  Span sum = taken;  // tags: which of b's vectors took part
  for (Word w : a) sum.add(w);
  for (size_t i = 0; i < basis_b.size(); ++i) {
    Word w = basis_b[i];
    if (sum.add(w, Word(1) << i)) {
      only_b.push_back(w);
      continue;
    }
    for (Word t = *sum.solve(w); t; t &= t - 1) w ^= basis_b[size_t(__builtin_ctzll(t))];
    meet.push_back(w);
  }
  Span inside = taken;
  for (Word w : meet) inside.add(w);
  only_a = independent(inside, a);
  std::vector<Word> lines;
  for (size_t i = 0; i < std::min(only_a.size(), only_b.size()); ++i) lines.push_back(only_a[i] ^ only_b[i]);
  for (int i = 0; i < total; ++i)
    if (sum.add(Word(1) << i)) lines.push_back(Word(1) << i);
  for (size_t i = only_b.size(); i < only_a.size(); ++i) lines.push_back(only_a[i]);
  for (size_t i = only_a.size(); i < only_b.size(); ++i) lines.push_back(only_b[i]);
  size_t banks_end = size_t(std::min(total, std::max(vector, bits_for_bytes(banks.line_bytes(), element_bits))));
  lines.resize(std::min(lines.size(), size_t(total) - banks_end));

  // Banks: all that is no line.
  Span line_span = taken;
  for (Word w : lines) line_span.add(w);
  auto bank = [&](Word w) {
    if (columns.size() < banks_end && line_span.add(w)) columns.push_back(w);
  };
  for (Word w : meet) bank(w);
  for (Word w : only_a) bank(w);
  for (Word w : only_b) bank(w);
  for (int i = 0; i < total; ++i) bank(Word(1) << i);
  columns.insert(columns.end(), lines.begin(), lines.end());
  assert(int(columns.size()) == total);
  return Layout::from_columns({{Axis::offset, total}}, dims_of(shape), std::move(columns));
}

SharedAccess shared_access(const Layout& shared, const Layout& tile, int element_bits) {
  std::optional<Layout> offsets = invert_and_compose(tile.cropped(shared.tile_shape()).with_ins({Axis::reg, Axis::lane, Axis::warp}), shared);
  assert(offsets && "a shared layout holds every element");
  SharedAccess access{*offsets, {}};
  const std::vector<Word>& columns = offsets->columns();
  for (int i = 0; i < bits_for_bytes(16, element_bits); ++i) {
    int found = -1, users = 0;
    for (int c = 0; c < int(columns.size()); ++c) {
      if (!(columns[size_t(c)] >> i & 1)) continue;
      ++users;
      if (columns[size_t(c)] == Word(1) << i && c < offsets->in_bits(Axis::reg)) found = c;
    }
    if (found < 0 || users != 1) break;
    access.vector.push_back(found);
  }
  return access;
}

int bank_conflicts(const SharedAccess& access, int element_bits, Banks banks) {
  int64_t bytes = access.vector_bytes(element_bits);
  std::vector<Word> lanes = access.offsets.columns(Axis::lane);
  lanes.resize(std::min(lanes.size(), phase_bits(bytes, banks)));
  for (Word& w : lanes) w = w * Word(element_bits) / 8;
  return requests(lanes, bytes, banks) - 1;
}

std::optional<MatrixLoad> matrix_load(const Layout& shared, const Layout& tile, int element_bits) {
  if (element_bits > 32 || element_bits < 8) return std::nullopt;
  const std::vector<Axis> threads{Axis::reg, Axis::lane, Axis::warp};
  std::optional<Layout> offsets = invert_and_compose(tile.cropped(shared.tile_shape()).with_ins(threads), shared);
  if (!offsets || offsets->in_bits(Axis::lane) != 5) return std::nullopt;
  std::vector<Word> reg = offsets->columns(Axis::reg), lane = offsets->columns(Axis::lane), warp = offsets->columns(Axis::warp);
  for (std::vector<Word>* list : {&reg, &lane, &warp})
    for (Word& w : *list) w = w * Word(element_bits) / 8;  // bytes
  int within = log2_ceil(32 / element_bits);              // bits of the element's number in a 32-bit register
  if (int(reg.size()) < within) return std::nullopt;

  auto unit = [](Word w, int bit) { return w == Word(1) << bit; };
  auto aligned = [](Word w) { return (w & 15) == 0; };
  std::vector<Word> row;  // bases of the three bits of the row's number
  MatrixLoad load;
  bool along = true;
  for (int i = 0; i < within; ++i) along = along && unit(reg[size_t(i)], log2_ceil(element_bits / 8) + i);
  bool columns_of_lanes = unit(lane[2], 1) && unit(lane[3], 2) && unit(lane[4], 3);
  auto pair = std::find_if(reg.begin(), reg.end(), [&](Word w) { return unit(w, 0); });
  if (along && unit(lane[0], 2) && unit(lane[1], 3)) {
    load.trans = false;  // a lane gets neighbours in memory: columns 2t, 2t+1 of row g
    for (int i = 0; i < within; ++i) load.within.push_back(i);
    row = {lane[2], lane[3], lane[4]};
  } else if (element_bits == 16 && columns_of_lanes) {
    load.trans = true;  // rows 2t, 2t+1 of column g
    load.within = {0};
    row = {reg[0], lane[0], lane[1]};
  } else if (element_bits == 8 && columns_of_lanes && pair - reg.begin() >= 2 && pair != reg.end()) {
    load.trans = true;  // the same rows of two columns; two words make the four rows of either column
    load.within = {int(pair - reg.begin()), 0};
    load.matrices = {1};
    row = {reg[0], lane[0], lane[1]};
  } else {
    return std::nullopt;
  }
  auto counted = [&](int i) {
    return std::find(load.within.begin(), load.within.end(), i) != load.within.end() || std::find(load.matrices.begin(), load.matrices.end(), i) != load.matrices.end();
  };
  std::vector<Word> rest = row;
  for (int i = 0; i < int(reg.size()); ++i)
    if (std::find(load.within.begin(), load.within.end(), i) == load.within.end()) rest.push_back(reg[size_t(i)]);
  rest.insert(rest.end(), warp.begin(), warp.end());
  if (!std::all_of(rest.begin(), rest.end(), aligned)) return std::nullopt;
  // Matrices by register bits, not those that only repeat. First those whose bits lanes or warps change too: what is left to
  // the instruction's address is then more often a constant.
  int64_t free = offsets->free_bits(Axis::reg);
  Word changed = 0;
  for (Word w : row) changed |= w;
  for (Word w : warp) changed |= w;
  for (bool meets : {true, false})
    for (int i = 0; i < int(reg.size()) && load.matrices.size() < 2; ++i)
      if (!counted(i) && !(free >> i & 1) && ((reg[size_t(i)] & changed) != 0) == meets) load.matrices.push_back(i);
  std::vector<Word> columns;
  for (int i = 0; i < int(reg.size()); ++i) columns.push_back(counted(i) ? 0 : reg[size_t(i)]);
  columns.insert(columns.end(), row.begin(), row.end());
  for (size_t i = 0; i < 2; ++i) columns.push_back(i < load.matrices.size() ? reg[size_t(load.matrices[i])] : 0);
  columns.insert(columns.end(), warp.begin(), warp.end());
  int bytes = offsets->out_bits() + log2_ceil(element_bits / 8);
  load.rows = Layout::from_columns(offsets->ins(), {{Axis::offset, bytes}}, std::move(columns));
  return load;
}

Layout paired_columns(const Layout& tile, int d) {
  Layout turn = Layout::identity(tile.outs());
  std::vector<Word> columns = turn.columns();
  Word first = turn.pack_in(dim(d), 1);
  size_t at = size_t(__builtin_ctzll(first));
  assert(tile.out_bits(dim(d)) >= 4);
  for (size_t i = 0; i < 4; ++i) columns[at + i] = first << (i + 1) % 4;
  return compose(Layout::from_columns(turn.ins(), turn.outs(), std::move(columns)), tile);
}

int bank_conflicts(const MatrixLoad& load, Banks banks) {
  std::vector<Word> rows = load.rows.columns(Axis::lane);
  rows.resize(3);  // one matrix is served at a time
  return requests(rows, 16, banks) - 1;
}

}  // namespace tine::layout
