// Conversions between distributed layouts, carried out on the host: after the moves each register holds what it should.
#include <map>
#include "compiler/layout/conversion.hpp"
#include "compiler/layout/fragments.hpp"
#include "tests/layout/random.hpp"

using namespace tine::layout;

namespace {

int64_t element(const Layout& l, int64_t reg, int64_t lane, int64_t warp) {
  return int64_t(l.image(l.pack_in(Axis::reg, reg) | l.pack_in(Axis::lane, lane) | l.pack_in(Axis::warp, warp)));
}

void each_place(const Layout& l, auto&& visit) {
  for (int64_t warp = 0; warp < l.in_size(Axis::warp); ++warp)
    for (int64_t lane = 0; lane < l.in_size(Axis::lane); ++lane)
      for (int64_t reg = 0; reg < l.in_size(Axis::reg); ++reg) visit(reg, lane, warp);
}

void check_map(const Layout& from, const Layout& to, const Conversion& c) {
  bool same_lane = true, same_warp = true;
  each_place(to, [&](int64_t reg, int64_t lane, int64_t warp) {
    Layout::Index at[] = {{Axis::reg, reg}, {Axis::lane, lane}, {Axis::warp, warp}};
    auto place = [&](Axis a) { return c.map({at[0], at[1], at[2]}, a); };
    CHECK(element(from, place(Axis::reg), place(Axis::lane), place(Axis::warp)) == element(to, reg, lane, warp));
    same_lane = same_lane && place(Axis::lane) == lane;
    same_warp = same_warp && place(Axis::warp) == warp;
  });
  if (c.move != Move::shared) CHECK(same_warp);
  if (c.move == Move::none || c.move == Move::registers) CHECK(same_lane);
}

/// Runs the rounds.
void check_plan(const Layout& from, const Layout& to, const ShufflePlan& plan) {
  int64_t free = to.free_bits(Axis::reg);
  std::map<std::array<int64_t, 3>, int64_t> result;
  for (int64_t warp = 0; warp < to.in_size(Axis::warp); ++warp)
    for (int64_t round = 0; round < to.in_size(Axis::reg); ++round) {
      if (round & free) continue;
      auto at = [&](const Layout& l, int64_t lane) { return int64_t(l.image(l.pack_in(Axis::reg, round) | l.pack_in(Axis::lane, lane) | l.pack_in(Axis::warp, warp))); };
      std::vector<int64_t> given;
      for (int64_t lane = 0; lane < to.in_size(Axis::lane); ++lane) given.push_back(element(from, at(plan.give, lane), lane, warp));
      for (int64_t lane = 0; lane < to.in_size(Axis::lane); ++lane) {
        bool first = result.insert({{at(plan.keep, lane), lane, warp}, given[size_t(at(plan.source, lane))]}).second;
        CHECK(first);
      }
    }
  each_place(to, [&](int64_t reg, int64_t lane, int64_t warp) {
    if (reg & free) return;
    auto it = result.find({reg, lane, warp});
    REQUIRE(it != result.end());
    CHECK(it->second == element(to, reg, lane, warp));
  });
}

}  // namespace

TEST_CASE("conversions of random layouts") {
  Random r(GENERATE(range(0u, 150u)));
  std::vector<Extent> tile = r.extents({dim(0), dim(1)}, 3);
  Layout from = r.distributed(tile, 3, 1), to = r.distributed(tile, 3, 1);
  check_map(from, to, conversion(from, to));
}

TEST_CASE("conversions that keep the lane or the warp are seen as such") {
  Random r(GENERATE(range(0u, 150u)));
  std::vector<Extent> tile = r.extents({dim(0), dim(1)}, 3);
  Layout from = r.distributed(tile, 3, 2);
  // Permute registers; then also lanes with registers.
  std::vector<Word> columns = from.columns();
  size_t registers = size_t(from.in_bits(Axis::reg));
  std::shuffle(columns.begin(), columns.begin() + long(registers), r.engine);
  Layout permuted = Layout::from_columns(from.ins(), from.outs(), columns);
  Conversion c = conversion(from, permuted);
  CHECK((c.move == Move::none || c.move == Move::registers));
  check_map(from, permuted, c);
  CHECK(conversion(from, from).move == Move::none);
  std::shuffle(columns.begin(), columns.begin() + long(registers) + 3, r.engine);
  Layout shuffled = Layout::from_columns(from.ins(), from.outs(), columns);
  c = conversion(from, shuffled);
  CHECK(c.move != Move::shared);
  check_map(from, shuffled, c);
}

TEST_CASE("shuffles") {
  Random r(GENERATE(range(0u, 300u)));
  std::vector<Extent> tile = r.extents({dim(0), dim(1)}, 3);
  int lanes = 1 + r.up_to(2), warps = r.up_to(2), total = tile[0].bits + tile[1].bits;
  Layout from = r.distributed(tile, lanes, warps, std::max(0, total - lanes - warps));
  // Mix registers and lanes by a random invertible map, and let warps add to them.
  std::vector<Extent> ins = from.ins();
  int inner = ins[0].bits + ins[1].bits;
  Layout mix;
  do {
    mix = r.map({{Axis::reg, ins[0].bits}, {Axis::lane, ins[1].bits}}, {{Axis::reg, ins[0].bits}, {Axis::lane, ins[1].bits}});
  } while (!mix.bijective());
  std::vector<Word> columns;
  for (Word w : mix.columns()) columns.push_back(from.image(w));
  for (int i = 0; i < warps; ++i) columns.push_back(from.image(Word(1) << (inner + i) | r.word(inner)));
  Layout to = Layout::from_columns(ins, from.outs(), columns);
  Conversion c = conversion(from, to);
  REQUIRE(c.move != Move::shared);
  check_map(from, to, c);
  std::optional<ShufflePlan> plan = shuffle_plan(to, c);
  if (from.bijective()) REQUIRE(plan);
  if (plan) check_plan(from, to, *plan);
}

TEST_CASE("shuffles from and to copies") {
  // A column's sums: each of 8 rows held by four lanes, to one row per lane group and back.
  Random r(GENERATE(range(0u, 60u)));
  Layout a = r.any_blocked({8, 4}, 5, 0), b = r.any_blocked({8, 4}, 5, 0);
  Conversion c = conversion(a, b);
  REQUIRE(c.move != Move::shared);
  check_map(a, b, c);
  if (auto plan = shuffle_plan(b, c)) check_plan(a, b, *plan);
}

TEST_CASE("known conversions") {
  MatrixUnit unit = mma_m16n8(16);
  Layout d = repeated(unit.d, {64, 64}, {1, 0}, {0, 0}), a = repeated(unit.a, {64, 64}, {1, 0}, {0, 0});
  CHECK(conversion(d, a).move == Move::none);
  CHECK(conversion(repeated(unit.d, {128, 64}, {0, 1}, {0, 0}), repeated(unit.a, {128, 64}, {1, 0}, {0, 0})).move == Move::registers);
  CHECK(conversion(d, repeated(mma_m16n8(8).a, {64, 64}, {1, 0}, {0, 0})).move == Move::lanes);
  CHECK(conversion(d, blocked({64, 64}, 4, 32, 4, {1, 0})).move == Move::shared);
  // What a row's reduction leaves is read along the row again without a move.
  Layout row = d.reduced(1), again = d.broadcast_from({64, 1}).reduced(1);
  CHECK(conversion(row, again).move == Move::none);
  // A larger tile than held: what lies beyond is any element.
  Layout small = blocked({4, 8}, 1, 32, 1, {1, 0}), large = repeated(mma_m16n8(16).a, {16, 16}, {1, 0}, {});
  CHECK(conversion(small, large * Layout::zeros(Axis::warp, 0)).map.in_bits(Axis::reg) == 3);
}
