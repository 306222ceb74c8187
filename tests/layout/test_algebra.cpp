// Laws: each operation of the algebra against its meaning, index by index, on random layouts.
#include <map>
#include <set>
#include "tests/layout/random.hpp"

using namespace tine::layout;

namespace {

Word all(const Layout& l) { return Word(1) << l.in_bits(); }

/// The value of an index along an axis of a word over a layout's inputs.
int64_t in(const Layout& l, Word w, Axis a) { return l.has_in(a) ? l.unpack_in(w, a) : 0; }
int64_t out(const Layout& l, Word w, Axis a) { return l.has_out(a) ? l.unpack_out(w, a) : 0; }

}  // namespace

TEST_CASE("the example of the header") {
  Layout l({{dim(0), 2}, {dim(1), 3}}, {{Axis::reg, {{0, 1}, {1, 0}, {2, 0}}}, {Axis::lane, {{0, 2}, {0, 4}}}});
  CHECK(l({{Axis::lane, 2}, {Axis::reg, 5}}) == std::vector<int64_t>{2, 5});
  CHECK(l.bijective());
  CHECK(l.contiguous_bits(1) == std::vector<int>{0});
  CHECK(l.contiguous_bits(0) == std::vector<int>{1, 2});
  CHECK(l == blocked({4, 8}, {{4, 2}, {1, 4}, {1, 1}, {1, 0}}).with_ins({Axis::reg, Axis::lane}));
  CHECK(l.str() == "register: (0, 1) (1, 0) (2, 0)\nlane: (0, 2) (0, 4)\n-> (dim0 4, dim1 8)\n");
}

TEST_CASE("every index is the xor of the images of its bits") {
  Random r(GENERATE(range(0u, 50u)));
  Layout l = r.map();
  for (int i = 0; i < 50; ++i) {
    Word x = r.word(l.in_bits()), y = r.word(l.in_bits());
    CHECK(l.image(x ^ y) == (l.image(x) ^ l.image(y)));
    std::vector<Layout::Index> at;
    for (const Extent& e : l.ins()) at.push_back({e.axis, l.unpack_in(x, e.axis)});
    std::vector<int64_t> c = l(at);
    for (size_t o = 0; o < c.size(); ++o) CHECK(c[o] == l.unpack_out(l.image(x), l.outs()[o].axis));
  }
}

TEST_CASE("runs give the same map") {
  Random r(GENERATE(range(0u, 50u)));
  Layout l = r.map();
  std::vector<Run> runs = l.runs();
  for (Word x = 0; x < all(l); ++x) {
    std::map<Axis, int64_t> sum;
    std::map<Axis, int64_t> plain;
    for (const Run& run : runs) {
      int64_t part = (l.unpack_in(x, run.in) >> run.from & ((int64_t(1) << run.count) - 1)) << run.to;
      sum[run.out] ^= part, plain[run.out] += part;
    }
    for (const Extent& e : l.outs()) {
      CHECK(sum[e.axis] == out(l, l.image(x), e.axis));
      if (l.disjoint(e.axis)) CHECK(plain[e.axis] == sum[e.axis]);
    }
  }
}

TEST_CASE("product: each factor acts on its own bits") {
  Random r(GENERATE(range(0u, 60u)));
  Layout a = r.map(r.extents({Axis::lane, Axis::reg}, 2), r.extents({dim(1), dim(0)}, 3));
  Layout b = r.map(r.extents({Axis::reg, Axis::warp}, 2), r.extents({dim(0), dim(2)}, 3));
  Layout p = a * b;
  for (Word x = 0; x < all(a); ++x)
    for (Word y = 0; y < all(b); ++y) {
      Word w = 0;
      for (const Extent& e : p.ins()) w |= p.pack_in(e.axis, in(a, x, e.axis) | in(b, y, e.axis) << a.in_bits(e.axis));
      for (const Extent& e : p.outs())
        CHECK(out(p, p.image(w), e.axis) == (out(a, a.image(x), e.axis) | out(b, b.image(y), e.axis) << a.out_bits(e.axis)));
    }
  CHECK(p.rank() == a.rank() + b.rank());
  CHECK((a * Layout()) == a);
  CHECK((Layout() * a) == a);
  Layout c = r.map();
  CHECK(((a * b) * c) == (a * (b * c)));
}

TEST_CASE("composition: the composed map equals the map of the composition") {
  Random r(GENERATE(range(0u, 60u)));
  std::vector<Extent> middle = r.extents({dim(0), dim(1)}, 3);
  Layout inner = r.map(r.extents({Axis::reg, Axis::lane}, 3), middle);
  std::vector<Extent> room = {{dim(1), middle[1].bits + r.up_to(1)}, {dim(0), middle[0].bits}};  // another order, more room
  Layout outer = r.map(room, r.extents({Axis::offset}, 6));
  Layout c = compose(outer, inner);
  for (Word x = 0; x < all(inner); ++x) {
    std::vector<Layout::Index> between;
    for (const Extent& e : inner.outs()) between.push_back({e.axis, out(inner, inner.image(x), e.axis)});
    CHECK(c.image(x) == outer.image(outer.pack_in(between[0].first, between[0].second) | outer.pack_in(between[1].first, between[1].second)));
  }
  CHECK(compose(Layout::identity(inner.outs()), inner) == inner);
}

TEST_CASE("rank and free bits by counting") {
  Random r(GENERATE(range(0u, 80u)));
  Layout l = r.map();
  std::set<Word> images;
  for (Word x = 0; x < all(l); ++x) images.insert(l.image(x));
  CHECK(images.size() == size_t(1) << l.rank());
  CHECK(l.injective() == (images.size() == all(l)));
  CHECK(l.surjective() == (images.size() == size_t(1) << l.out_bits()));
  // With the free bits 0, each element occurs exactly once.
  std::set<Word> once;
  size_t acting = 0;
  for (Word x = 0; x < all(l); ++x) {
    bool acts = true;
    for (const Extent& e : l.ins()) acts = acts && !(l.unpack_in(x, e.axis) & l.free_bits(e.axis));
    if (acts) once.insert(l.image(x)), ++acting;
  }
  CHECK(once == images);
  CHECK(acting == images.size());
}

TEST_CASE("inverses") {
  Random r(GENERATE(range(0u, 80u)));
  Layout l = r.map();
  std::optional<Layout> right = l.right_inverse();
  CHECK(bool(right) == l.surjective());
  if (right)
    for (Word y = 0; y < all(*right); ++y) CHECK(l.image(right->image(y)) == y);
  std::optional<Layout> inverse = l.inverse();
  CHECK(bool(inverse) == l.bijective());
  if (inverse) {
    for (Word x = 0; x < all(l); ++x) CHECK(inverse->image(l.image(x)) == x);
    CHECK(*inverse->inverse() == l);
  }
}

TEST_CASE("a conversion map finds what is wanted") {
  Random r(GENERATE(range(0u, 80u)));
  std::vector<Extent> tile = r.extents({dim(0), dim(1)}, 3);
  Layout holder = r.distributed(tile, 2, 1), wanted = r.map(r.extents({Axis::reg, Axis::lane}, 3), {tile[1], tile[0]});
  std::optional<Layout> x = invert_and_compose(wanted, holder);
  REQUIRE(x);
  for (Word i = 0; i < all(wanted); ++i) {
    Word place = x->image(i);
    for (const Extent& e : tile) CHECK(out(holder, holder.image(place), e.axis) == out(wanted, wanted.image(i), e.axis));
    for (const Extent& e : holder.ins()) CHECK((holder.unpack_in(place, e.axis) & holder.free_bits(e.axis)) == 0);
  }
  CHECK(!invert_and_compose(Layout::identity(Axis::reg, dim(0), 2), Layout::zeros(Axis::reg, 2) * Layout::unreached(dim(0), 2)));
}

TEST_CASE("parts of inputs and outputs") {
  Random r(GENERATE(range(0u, 40u)));
  Layout l = r.map();
  Layout some = l.with_ins({Axis::warp, Axis::reg}), one = l.with_outs({dim(1)}), other = l.without_out(dim(1));
  for (int64_t reg = 0; reg < l.in_size(Axis::reg); ++reg)
    for (int64_t warp = 0; warp < l.in_size(Axis::warp); ++warp) {
      CHECK(some({{Axis::reg, reg}, {Axis::warp, warp}}) == l({{Axis::warp, warp}, {Axis::reg, reg}}));
      CHECK(one({{Axis::reg, reg}}, dim(1)) == l({{Axis::reg, reg}}, dim(1)));
      CHECK(other({{Axis::warp, warp}}, dim(0)) == l({{Axis::warp, warp}}, dim(0)));
    }
  Layout thin = l.without_free(Axis::reg);
  CHECK(thin.free_bits(Axis::reg) == 0);
  CHECK(thin.rank() == l.rank());
}

TEST_CASE("tiles: reshape, permute, reduce, broadcast") {
  Random r(GENERATE(range(0u, 60u)));
  Layout l = r.map(r.extents({Axis::reg, Axis::lane}, 3), r.extents({dim(0), dim(1), dim(2)}, 3));
  std::vector<int64_t> s = l.tile_shape();
  int bits = l.out_bits(), cut = r.up_to(bits);
  Layout flat = l.reshaped({int64_t(1) << cut, int64_t(1) << (bits - cut)});
  Layout permuted = l.permuted({2, 0, 1}), reduced = l.reduced(1);
  Layout narrow = l.broadcast_from({1, s[2]});  // an operand (1, s2) that is read along dims 0 and 1
  for (Word x = 0; x < all(l); ++x) {
    Word y = l.image(x);
    int64_t a = out(l, y, dim(0)), b = out(l, y, dim(1)), c = out(l, y, dim(2)), position = (a * s[1] + b) * s[2] + c;
    Word f = flat.image(x);
    CHECK((out(flat, f, dim(0)) << (bits - cut) | out(flat, f, dim(1))) == position);
    auto at = [&](const Layout& of, int d) { return out(of, of.image(x), dim(d)); };
    CHECK((at(permuted, 0) == c && at(permuted, 1) == a && at(permuted, 2) == b));
    CHECK((at(reduced, 0) == a && at(reduced, 1) == c));
    CHECK((at(narrow, 0) == 0 && at(narrow, 1) == c));
  }
  CHECK(flat.reshaped(s) == l);
  CHECK(permuted.permuted({1, 2, 0}) == l);
  Layout cropped = l.cropped({1, s[1] * 2, 2});
  for (Word x = 0; x < all(l); ++x) {
    CHECK(out(cropped, cropped.image(x), dim(1)) == out(l, l.image(x), dim(1)));
    CHECK(out(cropped, cropped.image(x), dim(2)) == (out(l, l.image(x), dim(2)) & 1));
  }
}

TEST_CASE("contiguous registers are vectors") {
  Random r(GENERATE(range(0u, 60u)));
  Layout l = r.any_blocked({8, 16}, 3, 1);
  for (int d : {0, 1}) {
    std::vector<int> bits = l.contiguous_bits(d);
    int64_t n = int64_t(1) << bits.size();
    for (Word x = 0; x < all(l); ++x) {
      int64_t reg = in(l, x, Axis::reg), first = 0;
      for (int b : bits) first |= int64_t(1) << b;
      if (reg & first) continue;
      for (int64_t i = 0; i < n; ++i) {
        int64_t moved = reg;
        for (size_t b = 0; b < bits.size(); ++b) moved |= (i >> b & 1) << bits[b];
        Word y = l.image(l.pack_in(Axis::reg, moved) | l.pack_in(Axis::lane, in(l, x, Axis::lane)) | l.pack_in(Axis::warp, in(l, x, Axis::warp)));
        CHECK(out(l, y, dim(d)) == out(l, l.image(x), dim(d)) + i);
        CHECK(out(l, y, dim(1 - d)) == out(l, l.image(x), dim(1 - d)));
      }
      CHECK(out(l, l.image(x), dim(d)) % n == 0);
    }
  }
}

TEST_CASE("blocked layouts hold a tile evenly") {
  Random r(GENERATE(range(0u, 60u)));
  std::vector<int64_t> shape{int64_t(1) << r.up_to(5), int64_t(1) << r.up_to(5)};
  Layout l = r.any_blocked(shape, 5, 2);
  CHECK(l.surjective());
  CHECK(l.tile_shape() == shape);
  CHECK(l.free_bits(Axis::reg) == 0);
  CHECK(l.in_bits(Axis::lane) == 5);
  CHECK(l.in_bits(Axis::warp) == 2);
  Layout chosen = blocked(shape, 4, 32, 4, {1, 0});
  CHECK(chosen.surjective());
  CHECK(chosen.free_bits(Axis::reg) == 0);
  CHECK((chosen.in_bits(Axis::lane) == 5 && chosen.in_bits(Axis::warp) == 2));
  CHECK(chosen.contiguous_bits(1).size() >= size_t(std::min(2, log2_ceil(shape[1]))));
}

TEST_CASE("a warp's rows of a blocked layout") {
  // 64 x 64 over 4 warps in vectors of 4: 16 lanes make a row, two rows a warp, warps below each other.
  Layout l = blocked({64, 64}, 4, 32, 4, {1, 0});
  CHECK(l({{Axis::lane, 1}}) == std::vector<int64_t>{0, 4});
  CHECK(l({{Axis::lane, 16}}) == std::vector<int64_t>{1, 0});
  CHECK(l({{Axis::warp, 1}}) == std::vector<int64_t>{2, 0});
  CHECK(l({{Axis::reg, 4}}) == std::vector<int64_t>{8, 0});
}
