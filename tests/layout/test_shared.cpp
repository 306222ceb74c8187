// Shared memory: swizzles, exchanges and ldmatrix against counts of banks and a model of the instruction.
#include <map>
#include <set>
#include "compiler/layout/fragments.hpp"
#include "compiler/layout/shared.hpp"
#include "tests/layout/random.hpp"

using namespace tine::layout;

namespace {

/// Requests of the worst phase of an access, by counting words per bank.
int count_requests(const SharedAccess& access, int bits, int banks = 32) {
  int64_t bytes = access.vector_bytes(bits), lanes = access.offsets.in_size(Axis::lane), phase = std::min<int64_t>(lanes, bytes <= 4 ? banks : 4 * banks / bytes);
  int64_t skip = 0;
  for (int b : access.vector) skip |= int64_t(1) << b;
  int worst = 0;
  for (int64_t warp = 0; warp < access.offsets.in_size(Axis::warp); ++warp)
    for (int64_t reg = 0; reg < access.offsets.in_size(Axis::reg); ++reg)
      for (int64_t first = 0; first < lanes; first += phase) {
        if (reg & skip) continue;
        std::map<int64_t, std::set<int64_t>> words;
        for (int64_t lane = first; lane < first + phase; ++lane) {
          int64_t address = access.offsets({{Axis::reg, reg}, {Axis::lane, lane}, {Axis::warp, warp}}, Axis::offset) * bits / 8;
          CHECK(address % bytes == 0);
          for (int64_t a = address; a < address + bytes; a += 4) words[a / 4 % banks].insert(a / 4);
        }
        for (auto& [bank, set] : words) worst = std::max(worst, int(set.size()));
      }
  return worst;
}

void check_access(const Layout& shared, const Layout& tile, const SharedAccess& access) {
  Layout back = compose(shared, access.offsets), wanted = tile.with_ins({Axis::reg, Axis::lane, Axis::warp}).cropped(shared.tile_shape());
  for (Word x = 0; x < Word(1) << wanted.in_bits(); ++x)
    for (const Extent& e : wanted.outs()) REQUIRE(back.unpack_out(back.image(x), e.axis) == wanted.unpack_out(wanted.image(x), e.axis));
  for (size_t i = 0; i < access.vector.size(); ++i) CHECK(access.offsets.basis(Axis::reg, access.vector[i], Axis::offset) == int64_t(1) << i);
}

}  // namespace

TEST_CASE("exchanges have no bank conflict") {
  Random r(GENERATE(range(0u, 200u)));
  int bits = 8 << r.up_to(3), lanes = 5 + r.up_to(1);  // warps of 32 and of 64, with as many banks
  std::vector<int64_t> shape{int64_t(1) << (2 + r.up_to(4)), int64_t(1) << (2 + r.up_to(4))};
  Layout from = r.any_blocked(shape, lanes, 2), to = r.any_blocked(shape, lanes, 2);
  const Banks banks{1 << lanes};
  Layout shared = exchange_shared(from, to, bits, -1, banks);
  CHECK(shared.bijective());
  for (const Layout* l : {&from, &to}) {
    SharedAccess access = shared_access(shared, *l, bits);
    check_access(shared, *l, access);
    CHECK(count_requests(access, bits, banks.count) == 1);
    CHECK(bank_conflicts(access, bits, banks) == 0);
  }
}

TEST_CASE("transposes and fragments through shared memory") {
  for (int bits : {8, 16, 32}) {
    Layout rows = blocked({64, 64}, 128 / bits, 32, 4, {1, 0}), columns = blocked({64, 64}, 128 / bits, 32, 4, {0, 1});
    Layout d = repeated(mma_m16n8(16).d, {64, 64}, {1, 0}, {0, 1});
    for (auto [from, to] : {std::pair{rows, columns}, {rows, d}, {d, rows}, {d, columns}, {rows, rows}}) {
      Layout shared = exchange_shared(from, to, bits);
      for (const Layout* l : {&from, &to}) CHECK(count_requests(shared_access(shared, *l, bits), bits) == 1);
    }
    CHECK(shared_access(exchange_shared(rows, rows, bits), rows, bits).vector_bytes(bits) == 16);
    CHECK(shared_access(exchange_shared(rows, d, bits), d, bits).vector_bytes(bits) >= bits * 2 / 8);
  }
}

TEST_CASE("operands that ldmatrix cannot turn are read without conflict from what copies of 16 bytes wrote") {
  struct Case { MatrixUnit unit; int bits; };
  for (const Case& c : {Case{mma_m16n8(32), 32}, {mma_f64(), 64}, {mma_m16n8(8), 8}, {mma_m16n8(16), 16}})
    for (int64_t m : {64, 128})
      for (int64_t k : {32, 64})
        for (int fastest : {0, 1}) {
          Layout a = repeated(c.unit.a, {m, k}, {1, 0}, {0, -1}), b = repeated(c.unit.b, {k, m}, {0, 1}, {-1, 1});
          for (auto [shape, to] : {std::pair{std::vector<int64_t>{m, k}, a}, {std::vector<int64_t>{k, m}, b}}) {
            Layout from = blocked(shape, 128 / c.bits, 32, 4, {fastest, 1 - fastest});
            Layout shared = exchange_shared(from, to, c.bits, fastest);
            INFO(c.bits << " bits, " << shape[0] << " x " << shape[1] << ", fastest " << fastest);
            CHECK(shared.bijective());
            SharedAccess write = shared_access(shared, from, c.bits), read = shared_access(shared, to, c.bits);
            CHECK(write.vector_bytes(c.bits) == 16);
            CHECK(count_requests(write, c.bits) == 1);
            CHECK(count_requests(read, c.bits) == 1);
          }
        }
}

TEST_CASE("conflicts are counted as banks are") {
  Random r(GENERATE(range(0u, 100u)));
  int bits = 8 << r.up_to(3), lanes = 5 + r.up_to(1);
  Layout tile = r.any_blocked({16, 32}, lanes, 1);
  std::vector<Word> columns;
  Layout shared = plain_shared({16, 32}, r.up_to(1) ? std::vector<int>{1, 0} : std::vector<int>{0, 1});
  SharedAccess access = shared_access(shared, tile, bits);
  check_access(shared, tile, access);
  CHECK(bank_conflicts(access, bits, {1 << lanes}) + 1 == count_requests(access, bits, 1 << lanes));
}

TEST_CASE("without a swizzle, columns of 128-byte rows conflict") {
  Layout tile = blocked({64, 64}, 8, 32, 4, {1, 0});  // f16, 16 bytes along rows: fine
  CHECK(bank_conflicts(shared_access(plain_shared({64, 64}, {1, 0}), tile, 16), 16) == 0);
  CHECK(bank_conflicts(*matrix_load(plain_shared({64, 64}, {1, 0}), repeated(mma_m16n8(16).a, {64, 64}, {1, 0}, {0, 0}), 16)) == 7);
}

namespace {

/// Loads a tile as ldmatrix does and compares.
void check_matrix_load(const Layout& shared, const Layout& tile, int bits, const MatrixLoad& load) {
  int within = log2_ceil(32 / bits);
  CHECK(int(load.within.size()) == within);
  int64_t done = 0;
  for (int m : load.within) done |= int64_t(1) << m;
  for (int m : load.matrices) done |= int64_t(1) << m;
  Layout inverse = *shared.inverse();
  for (int64_t warp = 0; warp < tile.in_size(Axis::warp); ++warp)
    for (int64_t outer = 0; outer < tile.in_size(Axis::reg); ++outer) {
      if (outer & done) continue;
      for (int64_t matrix = 0; matrix < int64_t(1) << load.matrices.size(); ++matrix)
        for (int64_t lane = 0; lane < 32; ++lane)
          for (int64_t part = 0; part < int64_t(1) << within; ++part) {
            int64_t reg = outer;
            for (size_t i = 0; i < load.within.size(); ++i) reg |= (part >> i & 1) << load.within[i];
            for (size_t i = 0; i < load.matrices.size(); ++i) reg |= (matrix >> i & 1) << load.matrices[i];
            // Plain: row lane / 4, bytes 4 (lane % 4) on. Turned: 16-bit column lane / 4 of rows 2 (lane % 4) and the next.
            int64_t row = lane / 4, byte = lane % 4 * 4 + part * bits / 8;
            if (load.trans) row = 2 * (lane % 4) + part * bits / 16, byte = lane / 4 * 2 + part * bits / 8 % 2;
            int64_t pointed = load.rows({{Axis::reg, outer}, {Axis::lane, 8 * matrix + row}, {Axis::warp, warp}}, Axis::offset);
            CHECK(pointed % 16 == 0);
            std::vector<int64_t> got = shared({{Axis::offset, (pointed + byte) * 8 / bits}});
            REQUIRE(got == tile({{Axis::reg, reg}, {Axis::lane, lane}, {Axis::warp, warp}}));
          }
    }
}

}  // namespace

TEST_CASE("ldmatrix loads operands of products from swizzled memory, without conflict") {
  struct Case { int bits; std::vector<int64_t> a, b; bool a_rows, b_rows; bool paired = false; };
  for (const Case& c : {Case{16, {128, 32}, {32, 128}, true, true}, {16, {128, 64}, {64, 128}, true, false}, {16, {64, 32}, {32, 64}, false, true},
                        {16, {128, 16}, {16, 64}, true, true}, {16, {128, 128}, {128, 256}, false, false}, {32, {64, 32}, {32, 64}, true, false},
                        {8, {128, 64}, {64, 128}, true, false}, {8, {64, 128}, {128, 64}, true, false}, {8, {128, 64}, {64, 128}, true, true, true}, {8, {128, 32}, {32, 64}, true, true, true}}) {
    MatrixUnit unit = mma_m16n8(c.bits);
    Layout a = repeated(unit.a, c.a, {1, 0}, {0, -1}), b = repeated(unit.b, c.b, {0, 1}, {-1, 1});
    if (c.paired) b = paired_columns(b, 1);
    auto order = [](bool rows) { return rows ? std::vector<int>{1, 0} : std::vector<int>{0, 1}; };
    Layout sa = swizzled_shared(c.a, order(c.a_rows), c.bits), sb = swizzled_shared(c.b, order(c.b_rows), c.bits, 16, c.paired ? paired_rows : std::vector<int>{0, 1, 2});
    CHECK((sa.bijective() && sb.bijective()));
    std::optional<MatrixLoad> la = matrix_load(sa, a, c.bits), lb = matrix_load(sb, b, c.bits);
    REQUIRE((la && lb));
    CHECK(la->trans == !c.a_rows);
    CHECK(lb->trans == c.b_rows);
    CHECK((la->matrices.size() == 2 && lb->matrices.size() == 2));
    check_matrix_load(sa, a, c.bits, *la);
    check_matrix_load(sb, b, c.bits, *lb);
    CHECK(bank_conflicts(*la) == 0);
    CHECK(bank_conflicts(*lb) == 0);
    // The 16-byte copies that fill them do not conflict either.
    for (auto [shared, shape, rows] : {std::tuple{sa, c.a, c.a_rows}, {sb, c.b, c.b_rows}}) {
      SharedAccess copy = shared_access(shared, blocked(shape, 128 / c.bits, 32, 4, order(rows)), c.bits);
      CHECK(copy.vector_bytes(c.bits) == 16);
      CHECK(count_requests(copy, c.bits) == 1);
    }
  }
}

TEST_CASE("what ldmatrix cannot load") {
  MatrixUnit tf32 = mma_m16n8(32), bytes = mma_m16n8(8);
  // It turns 16-bit units only.
  CHECK(!matrix_load(swizzled_shared({32, 64}, {1, 0}, 32), repeated(tf32.b, {32, 64}, {0, 1}, {-1, 1}), 32));
  CHECK(!matrix_load(swizzled_shared({64, 64}, {1, 0}, 8), repeated(bytes.b, {64, 64}, {0, 1}, {-1, 1}), 8));
  CHECK(!matrix_load(swizzled_shared({64, 64}, {1, 0}, 16), blocked({64, 64}, 8, 32, 4, {1, 0}), 16));
  CHECK(!matrix_load(swizzled_shared({64, 64}, {1, 0}, 64), repeated(mma_f64().a, {64, 64}, {1, 0}, {0, 1}), 64));
}
