// The semantics of the tile instructions, against sums on paper and what the manual forbids.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tiles.hpp"

using namespace tine::amx;

namespace {

struct Shapes {
  uint8_t bytes[64] = {1};
  Shapes& tile(int t, int rows, int row_bytes) {
    bytes[16 + 2 * t] = static_cast<uint8_t>(row_bytes & 255), bytes[17 + 2 * t] = static_cast<uint8_t>(row_bytes >> 8);
    bytes[48 + t] = static_cast<uint8_t>(rows);
    return *this;
  }
};
std::string fault(Tiles::Fault f) { return f ? f : ""; }

uint16_t bf16(float f) {  // of values that fit
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

// One sum: c + a . b of two rows of bf16.
float dot(float c, const std::vector<float>& a, const std::vector<float>& b) {
  Tiles t;
  const int n = static_cast<int>(a.size());
  REQUIRE(fault(t.ldtilecfg(Shapes().tile(0, 1, 4).tile(1, 1, 2 * n).tile(2, n / 2, 4).bytes)) == "");
  std::vector<uint16_t> x, y;
  for (float v : a) x.push_back(bf16(v));
  for (float v : b) y.push_back(bf16(v));
  t.tileloadd(0, reinterpret_cast<const uint8_t*>(&c), 0);
  t.tileloadd(1, reinterpret_cast<const uint8_t*>(x.data()), 0);
  t.tileloadd(2, reinterpret_cast<const uint8_t*>(y.data()), 4);
  REQUIRE(fault(t.tdpbf16ps(0, 1, 2)) == "");
  float out = 0;
  t.tilestored(0, reinterpret_cast<uint8_t*>(&out), 0);
  return out;
}

}  // namespace

TEST_CASE("ldtilecfg takes what the manual allows") {
  Tiles t;
  CHECK(fault(t.tilezero(0)) == "#UD: no tile is configured");
  CHECK(fault(t.ldtilecfg(Shapes().tile(3, 16, 64).bytes)) == "");
  CHECK(fault(t.tilezero(3)) == "");
  CHECK(fault(t.tilezero(2)) == "#UD: the tile has no shape");
  CHECK(fault(t.ldtilecfg(Shapes().tile(0, 17, 64).bytes)) == "#GP: a shape larger than a tile");
  CHECK(fault(t.ldtilecfg(Shapes().tile(0, 16, 65).bytes)) == "#GP: a shape larger than a tile");
  CHECK(fault(t.ldtilecfg(Shapes().tile(0, 16, 256).bytes)) == "#GP: a shape larger than a tile");
  CHECK(fault(t.ldtilecfg(Shapes().tile(7, 0, 64).bytes)) ==
        "#GP: a shape of rows without bytes, or of bytes without rows");
  CHECK(fault(t.ldtilecfg(Shapes().tile(7, 1, 0).bytes)) ==
        "#GP: a shape of rows without bytes, or of bytes without rows");
  for (int reserved : {2, 15, 32, 47, 56, 63}) {
    Shapes s;
    s.bytes[reserved] = 1;
    CHECK(fault(t.ldtilecfg(s.bytes)) == "#GP: reserved bytes of the shapes are not 0");
  }
  Shapes other;
  other.bytes[0] = 2;
  CHECK(fault(t.ldtilecfg(other.bytes)) == "#GP: a palette that there is not");
  CHECK(fault(t.tilezero(3)) == "");  // a configuration that is refused changes nothing
  other.bytes[0] = 0;
  CHECK(fault(t.ldtilecfg(other.bytes)) == "");
  CHECK(fault(t.tilezero(3)) == "#UD: no tile is configured");
}

TEST_CASE("loads and stores touch a tile's rows alone, and a load zeroes the rest") {
  Tiles t;
  uint8_t from[4 * 100], into[4 * 100];
  for (int i = 0; i < 400; ++i) from[i] = static_cast<uint8_t>(i % 251 + 1), into[i] = 0xcb;
  t.ldtilecfg(Shapes().tile(5, 3, 7).tile(6, 4, 8).tile(7, 4, 8).bytes);
  CHECK(fault(t.tileloadd(5, from, 100)) == "");
  CHECK(fault(t.tilestored(5, into + 300, -100)) == "");  // strides are signed
  for (int i = 0; i < 400; ++i) {
    const int row = 3 - i / 100, column = i % 100;
    const bool written = row < 3 && column < 7;
    REQUIRE(int(into[i]) == (written ? int(from[row * 100 + column]) : 0xcb));
  }
  t.tilerelease();
  CHECK(fault(t.tilestored(5, into, 100)) == "#UD: no tile is configured");
  // New shapes: all tiles are zeros.
  t.ldtilecfg(Shapes().tile(5, 4, 8).bytes);
  t.tilestored(5, into, 8);
  for (int i = 0; i < 32; ++i) REQUIRE(into[i] == 0);
}

TEST_CASE("products whose shapes the manual forbids") {
  Tiles t;
  const auto configured = [&](Shapes s) { return t.ldtilecfg(s.bytes), fault(t.tdpbf16ps(0, 1, 2)); };
  CHECK(configured(Shapes().tile(0, 3, 20).tile(1, 3, 8).tile(2, 2, 20)) == "");
  CHECK(configured(Shapes().tile(0, 4, 20).tile(1, 3, 8).tile(2, 2, 20)) == "#UD: shapes that do not fit each other");
  CHECK(configured(Shapes().tile(0, 3, 20).tile(1, 3, 12).tile(2, 2, 20)) == "#UD: shapes that do not fit each other");
  CHECK(configured(Shapes().tile(0, 3, 20).tile(1, 3, 8).tile(2, 2, 24)) == "#UD: shapes that do not fit each other");
  CHECK(configured(Shapes().tile(0, 3, 18).tile(1, 3, 8).tile(2, 2, 18)) == "#UD: rows of a part of four bytes");
  CHECK(configured(Shapes().tile(0, 3, 20).tile(1, 3, 8)) == "#UD: the tile has no shape");
  t.ldtilecfg(Shapes().tile(0, 4, 16).tile(1, 4, 16).tile(2, 4, 16).bytes);
  for (auto [sums, a, b] : {std::tuple{0, 0, 1}, {0, 1, 0}, {0, 1, 1}}) {
    CHECK(fault(t.tdpbf16ps(sums, a, b)) == "#UD: one tile is two operands");
    CHECK(fault(t.tdpb(sums, a, b, true, true)) == "#UD: one tile is two operands");
  }
}

TEST_CASE("tdpbf16ps: order of additions and subnormals") {
  CHECK(dot(100, {2, 3, 5, 7}, {11, 13, 17, 19}) == 100 + 22 + 39 + 85 + 133);
  // Products are not rounded to bf16: (1 + 2^-7)^2 - 1 = 2^-6 + 2^-14.
  CHECK(dot(0, {-1, 0, 1.0078125f, 0}, {1, 0, 1.0078125f, 0}) == 0x1p-6f + 0x1p-14f);
  // Even and odd elements are summed apart: 2^24 + 1 stays 2^24 among the even ones, twice; the odd 1s are kept.
  CHECK(dot(0, {0x1p24f, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}) == 0x1p24f + 2);
  // The old sum comes last: (2^24 - 2^24) + 1, not (1 + 2^24) - 2^24.
  CHECK(dot(1, {0x1p24f, -0x1p24f}, {1, 1}) == 1);
  // Subnormal operands are zeros, subnormal results too; the sum in the tile as well.
  const float least = std::numeric_limits<float>::min();
  CHECK(dot(0, {least / 2, 0}, {1024, 0}) == 0);
  CHECK(dot(0, {least, 0}, {0.5f, 0}) == 0);
  CHECK(dot(least / 2, {0, 0}, {1, 1}) == 0);
  CHECK(dot(0, {least, 0}, {1, 0}) == least);
  // FMA: a product that would be subnormal counts where the sum is not.
  CHECK(dot(0, {least * 1.5f, 0, -least, 0}, {1, 0, 0.25f, 0}) == least * 1.25f);
  CHECK(dot(-least * 1.5f, {least, 0}, {1, 0}) == 0);
  CHECK(std::signbit(dot(-0.0f, {-least, 0}, {0.5f, 0})) == false);  // -0 + (-0 + 0)
  CHECK(std::isnan(dot(0, {INFINITY, 0}, {0, 0})));
  CHECK(dot(0, {INFINITY, 0}, {1, 0}) == INFINITY);
}

TEST_CASE("tdpbf16ps: columns beyond the sums stay zeros, also beside infinities") {
  Tiles t;
  uint16_t a[2] = {bf16(INFINITY), 0}, b[2 * 2] = {bf16(1), 0, bf16(1), 0};
  float out[16];
  t.ldtilecfg(Shapes().tile(0, 1, 8).tile(1, 1, 4).tile(2, 1, 8).bytes);
  t.tileloadd(1, reinterpret_cast<const uint8_t*>(a), 4);
  t.tileloadd(2, reinterpret_cast<const uint8_t*>(b), 8);
  REQUIRE(fault(t.tdpbf16ps(0, 1, 2)) == "");
  std::memset(out, 0xff, sizeof out);
  t.tilestored(0, reinterpret_cast<uint8_t*>(out), 64);
  CHECK(out[0] == INFINITY);
  CHECK(out[1] == INFINITY);
  CHECK(std::isnan(out[2]));  // poison
}

TEST_CASE("products of bytes: four signs, sums that wrap") {
  // 2 x 2 sums of 8 products each; a row of b holds four neighbours of a column.
  const uint8_t a[2][8] = {{0x80, 1, 2, 3, 255, 5, 6, 7}, {9, 200, 11, 12, 13, 14, 15, 128}};
  const uint8_t b[2][8] = {{255, 2, 3, 4, 5, 6, 7, 128}, {9, 10, 11, 12, 130, 14, 15, 16}};
  const auto value = [](uint8_t v, bool is_signed) { return is_signed ? int64_t{static_cast<int8_t>(v)} : int64_t{v}; };
  for (bool a_signed : {false, true})
    for (bool b_signed : {false, true}) {
      Tiles t;
      t.ldtilecfg(Shapes().tile(0, 2, 8).tile(1, 2, 8).tile(2, 2, 8).bytes);
      uint32_t sums[2][2] = {{0xfffffff0u, 7}, {0x7fffffffu, 0}};
      t.tileloadd(0, reinterpret_cast<const uint8_t*>(sums), 8);
      t.tileloadd(1, a[0], 8);
      t.tileloadd(2, b[0], 8);
      REQUIRE(fault(t.tdpb(0, 1, 2, a_signed, b_signed)) == "");
      uint32_t out[2][2];
      t.tilestored(0, reinterpret_cast<uint8_t*>(out), 8);
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 2; ++n) {
          int64_t sum = sums[m][n];
          for (int k = 0; k < 8; ++k) sum += value(a[m][k], a_signed) * value(b[k / 4][4 * n + k % 4], b_signed);
          CHECK(out[m][n] == static_cast<uint32_t>(sum));
        }
    }
}
