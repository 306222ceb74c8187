#include "compiler/layout/layout.hpp"
#include <algorithm>
#include <cassert>
#include "compiler/layout/span.hpp"

namespace tine::layout {
namespace {

constexpr Word low(int bits) { return bits >= 64 ? ~Word(0) : (Word(1) << bits) - 1; }

int find(const std::vector<Extent>& list, Axis axis) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].axis == axis) return int(i);
  return -1;
}
int start(const std::vector<Extent>& list, Axis axis) {
  int bits = 0;
  for (const Extent& e : list) {
    if (e.axis == axis) return bits;
    bits += e.bits;
  }
  return bits;
}
int width(const std::vector<Extent>& list, Axis axis) {
  int i = find(list, axis);
  return i < 0 ? 0 : list[size_t(i)].bits;
}
int total(const std::vector<Extent>& list) {
  int bits = 0;
  for (const Extent& e : list) bits += e.bits;
  return bits;
}
Word field(Word w, const std::vector<Extent>& list, Axis axis) { return w >> start(list, axis) & low(width(list, axis)); }

/// A word over `from`, written over `to`: axes by name; what `to` has no room for is cut off.
Word rewrite(Word w, const std::vector<Extent>& from, const std::vector<Extent>& to) {
  Word result = 0;
  int at = 0;
  for (const Extent& e : to) {
    if (e.bits) result |= (field(w, from, e.axis) & low(e.bits)) << at;
    at += e.bits;
  }
  return result;
}

}  // namespace

std::string name(Axis axis) {
  switch (axis) {
    case Axis::reg: return "register";
    case Axis::lane: return "lane";
    case Axis::warp: return "warp";
    case Axis::block: return "block";
    case Axis::offset: return "offset";
    default: return "dim" + std::to_string(dim_of(axis));
  }
}

// ---- construction

Layout::Layout(std::vector<Extent> outs, const std::vector<Input>& ins) : outs_(std::move(outs)) {
  for (const Input& in : ins) {
    ins_.push_back({in.axis, int(in.bases.size())});
    for (const std::vector<int64_t>& basis : in.bases) {
      assert(basis.size() == outs_.size() && "a basis has one number for each output");
      Word column = 0;
      for (size_t o = 0; o < basis.size(); ++o) column |= pack_out(outs_[o].axis, basis[o]);
      columns_.push_back(column);
    }
  }
}
Layout Layout::from_columns(std::vector<Extent> ins, std::vector<Extent> outs, std::vector<Word> columns) {
  assert(int(columns.size()) == total(ins) && total(outs) <= 64);
  Layout l;
  l.ins_ = std::move(ins), l.outs_ = std::move(outs), l.columns_ = std::move(columns);
  return l;
}
Layout Layout::identity(Axis in, Axis out, int bits) {
  std::vector<Word> columns;
  for (int i = 0; i < bits; ++i) columns.push_back(Word(1) << i);
  return from_columns({{in, bits}}, {{out, bits}}, std::move(columns));
}
Layout Layout::zeros(Axis in, int bits) { return from_columns({{in, bits}}, {}, std::vector<Word>(size_t(bits))); }
Layout Layout::unreached(Axis out, int bits) { return from_columns({}, {{out, bits}}, {}); }
Layout Layout::identity(const std::vector<Extent>& axes) {
  Layout l;
  for (const Extent& e : axes) l = l * identity(e.axis, e.axis, e.bits);
  return l;
}

// ---- what it is

int Layout::position(const std::vector<Extent>& list, Axis axis) { return find(list, axis); }
int Layout::shift(const std::vector<Extent>& list, Axis axis) { return start(list, axis); }
int Layout::in_bits(Axis axis) const { return width(ins_, axis); }
int Layout::out_bits(Axis axis) const { return width(outs_, axis); }
int Layout::out_bits() const { return total(outs_); }
int64_t Layout::basis(Axis in, int bit, Axis out) const {
  assert(bit >= 0 && bit < in_bits(in));
  return unpack_out(columns_[size_t(shift(ins_, in) + bit)], out);
}
std::vector<Word> Layout::columns(Axis in) const {
  auto first = columns_.begin() + shift(ins_, in);
  return {first, first + in_bits(in)};
}

std::string Layout::str() const {
  std::string s;
  for (const Extent& in : ins_) {
    s += name(in.axis) + ":";
    for (int i = 0; i < in.bits; ++i) {
      s += " (";
      for (size_t o = 0; o < outs_.size(); ++o) s += (o ? ", " : "") + std::to_string(basis(in.axis, i, outs_[o].axis));
      s += ")";
    }
    s += "\n";
  }
  s += "-> (";
  for (size_t o = 0; o < outs_.size(); ++o)
    s += (o ? ", " : "") + name(outs_[o].axis) + " " + std::to_string(int64_t(1) << outs_[o].bits);
  return s + ")\n";
}

// ---- values

Word Layout::image(Word in) const {
  Word out = 0;
  for (; in; in &= in - 1) out ^= columns_[size_t(__builtin_ctzll(in))];
  return out;
}
std::vector<int64_t> Layout::operator()(const std::vector<Index>& at) const {
  Word in = 0;
  for (auto [axis, value] : at) in |= pack_in(axis, value);
  Word out = image(in);
  std::vector<int64_t> result;
  for (const Extent& e : outs_) result.push_back(unpack_out(out, e.axis));
  return result;
}
std::vector<int64_t> Layout::operator()(std::initializer_list<Index> at) const { return (*this)(std::vector<Index>(at)); }
int64_t Layout::operator()(std::initializer_list<Index> at, Axis out) const {
  Word in = 0;
  for (auto [axis, value] : at) in |= pack_in(axis, value);
  return unpack_out(image(in), out);
}
Word Layout::pack_in(Axis axis, int64_t value) const {
  assert((Word(value) & ~low(in_bits(axis))) == 0 && "the index lies within the input");
  return Word(value) << shift(ins_, axis);
}
Word Layout::pack_out(Axis axis, int64_t value) const {
  assert((Word(value) & ~low(out_bits(axis))) == 0 && "the index lies within the output");
  return Word(value) << shift(outs_, axis);
}
int64_t Layout::unpack_in(Word in, Axis axis) const { return int64_t(field(in, ins_, axis)); }
int64_t Layout::unpack_out(Word out, Axis axis) const { return int64_t(field(out, outs_, axis)); }

std::vector<Run> Layout::runs() const {
  std::vector<Run> result;
  for (const Extent& in : ins_)
    for (const Extent& out : outs_) {
      auto set = [&](int i, int j) { return i < in.bits && j < out.bits && (basis(in.axis, i, out.axis) >> j & 1); };
      for (int i = 0; i < in.bits; ++i)
        for (int j = 0; j < out.bits; ++j) {
          if (!set(i, j) || (i > 0 && j > 0 && set(i - 1, j - 1))) continue;  // only where a run starts
          int count = 1;
          while (set(i + count, j + count)) ++count;
          result.push_back({in.axis, i, count, out.axis, j});
        }
    }
  return result;
}
bool Layout::disjoint(Axis out) const {
  Word seen = 0;
  for (Word c : columns_) {
    Word bits = field(c, outs_, out);
    if (seen & bits) return false;
    seen |= bits;
  }
  return true;
}

// ---- the algebra

Layout Layout::operator*(const Layout& above) const {
  auto joined = [](std::vector<Extent> list, const std::vector<Extent>& more) {
    for (const Extent& e : more) {
      int i = find(list, e.axis);
      if (i < 0) list.push_back(e);
      else list[size_t(i)].bits += e.bits;
    }
    return list;
  };
  std::vector<Extent> ins = joined(ins_, above.ins_), outs = joined(outs_, above.outs_);
  auto placed = [&](const Layout& l, Word w, bool shifted) {
    Word result = 0;
    for (const Extent& e : l.outs_)
      if (e.bits) result |= field(w, l.outs_, e.axis) << (start(outs, e.axis) + (shifted ? out_bits(e.axis) : 0));
    return result;
  };
  std::vector<Word> columns;
  for (const Extent& e : ins) {
    for (Word c : this->columns(e.axis)) columns.push_back(placed(*this, c, false));
    for (Word c : above.columns(e.axis)) columns.push_back(placed(above, c, true));
  }
  return from_columns(std::move(ins), std::move(outs), std::move(columns));
}

Layout compose(const Layout& outer, const Layout& inner) {
  for (const Extent& e : inner.outs()) {
    assert(e.bits <= outer.in_bits(e.axis) && "the outer layout takes what the inner one gives");
    (void)e;
  }
  std::vector<Word> columns;
  for (Word c : inner.columns()) columns.push_back(outer.image(rewrite(c, inner.outs(), outer.ins())));
  return Layout::from_columns(inner.ins(), outer.outs(), std::move(columns));
}

std::optional<Layout> invert_and_compose(const Layout& wanted, const Layout& holder) {
  Span span;
  for (size_t i = 0; i < holder.columns().size(); ++i) span.add(holder.columns()[i], Word(1) << i);
  for (const Extent& e : wanted.outs())
    if (e.bits > holder.out_bits(e.axis)) return std::nullopt;
  std::vector<Word> columns;
  for (Word c : wanted.columns()) {
    std::optional<Word> place = span.solve(rewrite(c, wanted.outs(), holder.outs()));
    if (!place) return std::nullopt;
    columns.push_back(*place);
  }
  return Layout::from_columns(wanted.ins(), holder.ins(), std::move(columns));
}

std::optional<Layout> Layout::right_inverse() const { return invert_and_compose(identity(outs_), *this); }
std::optional<Layout> Layout::inverse() const { return injective() ? right_inverse() : std::nullopt; }

int Layout::rank() const {
  Span span;
  for (Word c : columns_) span.add(c);
  return span.rank();
}

int64_t Layout::free_bits(Axis in) const {
  Span span;
  int64_t free = 0;
  int first = shift(ins_, in), bits = in_bits(in);
  for (int i = 0; i < first + bits; ++i)
    if (!span.add(columns_[size_t(i)]) && i >= first) free |= int64_t(1) << (i - first);
  return free;
}

// ---- inputs and outputs alone

Layout Layout::with_ins(const std::vector<Axis>& axes) const {
  std::vector<Extent> ins;
  std::vector<Word> chosen;
  for (Axis a : axes) {
    ins.push_back({a, in_bits(a)});
    std::vector<Word> its = columns(a);
    chosen.insert(chosen.end(), its.begin(), its.end());
  }
  return from_columns(std::move(ins), outs_, std::move(chosen));
}
Layout Layout::with_outs(const std::vector<Axis>& axes) const {
  std::vector<Extent> outs;
  for (Axis a : axes) outs.push_back({a, out_bits(a)});
  std::vector<Word> columns;
  for (Word c : columns_) columns.push_back(rewrite(c, outs_, outs));
  return from_columns(ins_, std::move(outs), std::move(columns));
}
Layout Layout::without_out(Axis axis) const {
  std::vector<Axis> rest;
  for (const Extent& e : outs_)
    if (e.axis != axis) rest.push_back(e.axis);
  return with_outs(rest);
}
Layout Layout::without_free(Axis in) const {
  int64_t free = free_bits(in);
  std::vector<Extent> ins = ins_;
  std::vector<Word> columns;
  for (Extent& e : ins) {
    std::vector<Word> its = this->columns(e.axis);
    for (size_t i = 0; i < its.size(); ++i) {
      if (e.axis == in && (free >> i & 1)) --e.bits;
      else columns.push_back(its[i]);
    }
  }
  return from_columns(std::move(ins), outs_, std::move(columns));
}
Layout Layout::renamed_out(Axis from, Axis to) const {
  Layout l = *this;
  for (Extent& e : l.outs_)
    if (e.axis == from) e.axis = to;
  return l;
}

// ---- tiles

std::vector<int64_t> Layout::tile_shape() const {
  std::vector<int64_t> shape;
  for (const Extent& e : outs_) {
    if (!is_dim(e.axis)) continue;
    if (int(shape.size()) <= dim_of(e.axis)) shape.resize(size_t(dim_of(e.axis)) + 1, 1);
    shape[size_t(dim_of(e.axis))] = int64_t(1) << e.bits;
  }
  return shape;
}
namespace {
std::vector<Axis> dims(int rank) {
  std::vector<Axis> axes;
  for (int d = 0; d < rank; ++d) axes.push_back(dim(d));
  return axes;
}
std::vector<Extent> row_major(const std::vector<int64_t>& shape) {  // the last dim lowest
  std::vector<Extent> outs;
  for (int d = int(shape.size()) - 1; d >= 0; --d) outs.push_back({dim(d), log2_ceil(shape[size_t(d)])});
  return outs;
}
}  // namespace
Layout Layout::with_dims(int rank) const { return with_outs(dims(rank)); }
Layout Layout::cropped(const std::vector<int64_t>& shape) const {
  std::vector<Extent> outs = row_major(shape);
  std::reverse(outs.begin(), outs.end());
  std::vector<Word> columns;
  for (Word c : columns_) columns.push_back(rewrite(c, outs_, outs));
  return from_columns(ins_, std::move(outs), std::move(columns));
}
Layout Layout::reshaped(const std::vector<int64_t>& shape) const {
  std::vector<Extent> from = row_major(tile_shape()), to = row_major(shape);
  assert(total(from) == total(to) && total(from) == out_bits() && "a reshape keeps the number of elements");
  std::vector<Word> columns;
  for (Word c : columns_) columns.push_back(rewrite(c, outs_, from));  // the word now is the row-major position
  return from_columns(ins_, std::move(to), std::move(columns)).with_dims(int(shape.size()));
}
Layout Layout::permuted(const std::vector<int64_t>& order) const {
  Layout l = *this;
  for (Extent& e : l.outs_)
    if (is_dim(e.axis)) e.axis = dim(int(std::find(order.begin(), order.end(), dim_of(e.axis)) - order.begin()));
  return l.with_dims(int(order.size()));
}
Layout Layout::reduced(int d) const {
  Layout l = without_out(dim(d));
  for (Extent& e : l.outs_)
    if (is_dim(e.axis) && dim_of(e.axis) > d) e.axis = dim(dim_of(e.axis) - 1);
  return l;
}
Layout Layout::broadcast_from(const std::vector<int64_t>& shape) const {
  int rank = int(tile_shape().size()), missing = rank - int(shape.size());
  assert(missing >= 0);
  std::vector<Axis> kept;
  for (int d = missing; d < rank; ++d) kept.push_back(dim(d));
  Layout l = with_outs(kept);
  for (Extent& e : l.outs_) e.axis = dim(dim_of(e.axis) - missing);
  std::vector<int64_t> own = l.tile_shape();
  own.resize(shape.size(), 1);
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == 1) own[d] = 1;
  return l.cropped(own);
}
std::vector<int> Layout::contiguous_bits(int d) const {
  std::vector<int> result;
  int first = shift(ins_, Axis::reg), registers = in_bits(Axis::reg);
  for (int i = 0; i < out_bits(dim(d)); ++i) {
    Word unit = pack_out(dim(d), int64_t(1) << i);
    int found = -1;
    bool alone = true;
    for (int c = 0; c < int(columns_.size()); ++c) {
      if (!(columns_[size_t(c)] & unit)) continue;
      if (found < 0 && columns_[size_t(c)] == unit && c >= first && c < first + registers) found = c - first;
      else alone = false;
    }
    if (found < 0 || !alone) break;
    result.push_back(found);
  }
  return result;
}

}  // namespace tine::layout
