// Matrix fragments and swizzles against the cross-checked tables of tests/data/fragments.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include "compiler/layout/fragments.hpp"
#include "compiler/layout/shared.hpp"
#include "tests/layout/random.hpp"

using namespace tine::layout;
using nlohmann::json;

namespace {

json read(const std::string& file) { return json::parse(std::ifstream(std::string(TINE_FRAGMENTS) + "/" + file)); }

int check_unit(const json& entries, const std::string& family, const MatrixUnit& unit) {
  int checked = 0;
  for (const json& e : entries) {
    std::string id = e["id"];
    if (id.rfind(family + ".", 0) != 0) continue;
    INFO(id);
    std::string operand = e["operand"];
    const Layout& l = operand == "A" ? unit.a : operand == "B" ? unit.b : unit.d;
    // f16 results of mma pack two elements in a register: the same places.
    const json& table = e["map"]["table"];
    CHECK(table.size() == size_t(l.in_size(Axis::lane)));
    CHECK(l.tile_shape() == e["shape"].get<std::vector<int64_t>>());
    CHECK((&l == &unit.d || e["element_bits"] == unit.operand_bits));
    for (size_t lane = 0; lane < table.size(); ++lane) {
      CHECK(table[lane].size() == size_t(l.in_size(Axis::reg)));
      for (size_t i = 0; i < table[lane].size(); ++i) {
        std::vector<int64_t> c = l({{Axis::lane, int64_t(lane)}, {Axis::reg, int64_t(i)}});
        REQUIRE(c[0] * l.out_size(dim(1)) + c[1] == table[lane][i].get<int64_t>());
      }
    }
    CHECK(l.surjective());
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("NVIDIA's fragments") {
  json entries = read("fragments_nvidia.json")["entries"];
  CHECK(check_unit(entries, "mma.m16n8k16.f16", mma_m16n8(16)) == 4);
  CHECK(check_unit(entries, "mma.m16n8k8.tf32", mma_m16n8(32)) == 3);
  CHECK(check_unit(entries, "mma.m16n8k32.s8", mma_m16n8(8)) == 3);
  CHECK(check_unit(entries, "mma.m16n8k32.e4m3", mma_m16n8(8)) >= 3);
  CHECK(check_unit(entries, "mma.m8n8k4.f64", mma_f64()) == 3);
}

TEST_CASE("AMD's fragments") {
  json entries = read("fragments_amd.json")["entries"];
  int checked = 0;
  std::map<std::string, MatrixUnit> units;
  for (const json& e : entries) {
    std::string id = e["id"], family = id.substr(0, id.rfind('.'));
    if (e["operand"] != "A") continue;
    int bits = e["element_bits"], mn = e["shape"][0], k = e["shape"][1];
    if (id.rfind("mfma", 0) == 0) units[family] = mfma(mn, k, bits);
    else if (id.rfind("wmma_gfx11", 0) == 0) units[family] = wmma_gfx11(bits);
    else units[family] = wmma_gfx12(k, bits);
  }
  for (auto& [family, unit] : units) checked += check_unit(entries, family, unit);
  CHECK(checked == int(entries.size()));
}

TEST_CASE("swizzles of 32, 64 and 128 byte rows are NVIDIA's") {
  json swizzles = read("smem_layouts.json")["swizzles"];
  for (int bits : {8, 16, 32})
    for (auto [name, bytes] : {std::pair{"32B", 32}, {"64B", 64}, {"128B", 128}}) {
      INFO(name << ", elements of " << bits << " bits");
      int64_t columns = bytes * 8 / bits;
      Layout shared = swizzled_shared({32, columns}, {1, 0}, bits);
      CHECK(shared.bijective());
      const json& chunks = swizzles[name]["chunk_table"];
      for (int64_t row = 0; row < 32; ++row)
        for (int64_t column = 0; column < columns; ++column) {
          int64_t a = row * bytes + column * bits / 8, line = a / 128 % 8;
          int64_t stored = a / 128 * 128 + chunks[size_t(line)][size_t(a % 128 / 16)].get<int64_t>() * 16 + a % 16;
          std::vector<int64_t> c = shared({{Axis::offset, stored * 8 / bits}});
          REQUIRE(c == std::vector<int64_t>{row, column});
        }
    }
}

TEST_CASE("an accumulator is the next product's operand") {
  // 16 rows of probabilities: four warps below each other, 64 columns. No value changes its register.
  MatrixUnit unit = mma_m16n8(16);
  Layout d = repeated(unit.d, {64, 64}, {1, 0}, {0, 0}), a = repeated(unit.a, {64, 64}, {1, 0}, {0, 0});
  CHECK(d == a);
}

TEST_CASE("fragments over a tile: contiguous parts of warps, copies along the dim of the others") {
  MatrixUnit unit = mma_m16n8(16);
  Layout a = repeated(unit.a, {128, 32}, {1, 0}, {0, -1}), b = repeated(unit.b, {32, 128}, {1, 0}, {-1, 1});
  CHECK(a({{Axis::warp, 1}}) == std::vector<int64_t>{64, 0});
  CHECK(a({{Axis::warp, 2}}) == std::vector<int64_t>{0, 0});
  CHECK(b({{Axis::warp, 2}}) == std::vector<int64_t>{0, 64});
  CHECK(a.free_bits(Axis::warp) == 2);
  CHECK(b.free_bits(Axis::warp) == 1);
  CHECK((a.surjective() && b.surjective()));
}
