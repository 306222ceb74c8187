// The arrangement cases: shapes and indices of every level, memory offsets, large indices, program order, and what is refused.
#include <catch2/catch.hpp>

#include "arrange_cases.hpp"

using namespace tine;
using namespace tine::core;
using namespace tine::test;
using Shape64 = std::vector<int64_t>;

namespace {
void check_case(const json& c) {
  INFO(c.at("name"));
  Evaluated e = evaluate(c.at("source_shape").get<Shape64>(), read_ops(c.at("ops")));
  CHECK(e.level_shapes == c.at("level_shapes").get<std::vector<Shape64>>());
  if (c.contains("num_programs")) CHECK(e.programs == c.at("num_programs").get<int64_t>());
  CHECK(e.indices == flatten(c.at("expected")));
}
}  // namespace

TEST_CASE("arrangements") {
  json cases = read_cases("arrangements.json").at("arrangements");
  CHECK(cases.size() == 61);
  for (auto& c : cases) check_case(c);
}

TEST_CASE("random chains of arrangements") {
  json cases = read_cases("arrangements_fuzz.json").at("arrangements");
  CHECK(cases.size() == 96);
  for (auto& c : cases) check_case(c);
}

TEST_CASE("memory offsets through strides") {
  const json cases = read_cases("arrangements.json").at("memory_offsets");
  for (auto& c : cases) {
    INFO(c.at("name"));
    Shape64 shape = c.at("source_shape"), strides = c.at("source_strides");
    Evaluated e = evaluate(shape, read_ops(c.at("ops")));
    CHECK(e.level_shapes == c.at("level_shapes").get<std::vector<Shape64>>());
    Shape64 got;
    for (int64_t i : e.indices) {
      int64_t offset = c.at("base_element");
      for (std::size_t d = shape.size(); i >= 0 && d-- > 0;) {
        int64_t behind = 1;
        for (std::size_t k = d + 1; k < shape.size(); ++k) behind *= shape[k];
        offset += i / behind % shape[d] * strides[d];
      }
      got.push_back(i < 0 ? -1 : offset);
    }
    CHECK(got == flatten(c.at("expected_offset")));
  }
}

TEST_CASE("indices beyond 32 bits") {
  const json cases = read_cases("arrangements.json").at("large_index");
  for (auto& c : cases) {
    INFO(c.at("name"));
    Shape64 shape = c.at("source_shape"), strides = c.at("source_strides"), outer = c.at("outer_shape");
    ArrangeOp tile;
    tile.kind = Step::tile;
    tile.sizes = c.at("tile_shape").get<Shape64>();
    Shape64 at = c.at("outer_index");
    int64_t program = 0;
    for (std::size_t d = 0; d < outer.size(); ++d) program = program * outer[d] + at[d];
    CHECK(program == c.at("program").get<int64_t>());
    for (int64_t i : c.at("inner_index").get<Shape64>()) at.push_back(i);
    Element e = element_at(shape, {tile}, at);
    CHECK(e.source_index == c.at("source_index").get<Shape64>());
    CHECK(e.in_range == c.at("in_range").get<bool>());
    int64_t offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset += e.source_index[d] * strides[d];
    CHECK(offset == c.at("expected_element_offset").get<int64_t>());
  }
}

TEST_CASE("programs unravel row-major over the outermost shape") {
  const json cases = read_cases("arrangements.json").at("program_mapping");
  for (auto& c : cases) {
    INFO(c.at("name"));
    for (std::size_t p = 0; p < c.at("params").size(); ++p) {
      Shape64 outer = c.at("params")[p].at("outer");
      ArrangeOp tile;  // tiles of one element: the source index of a program is its number
      tile.kind = Step::tile;
      tile.sizes.assign(outer.size(), 1);
      Evaluated e = evaluate(outer, {tile});
      CHECK(e.programs == c.at("num_programs").get<int64_t>());
      for (int64_t i = 0; i < e.programs; ++i) {
        Shape64 want = c.at("expected_outer_index")[p][std::size_t(i)], at = want;
        at.resize(2 * outer.size());
        Element x = element_at(outer, {tile}, at);
        CHECK(x.source_index == want);
        CHECK(e.indices[std::size_t(i)] == i);
      }
    }
  }
}

TEST_CASE("arrangements that must be refused, with one sentence") {
  json cases = read_cases("arrangements.json").at("rejected");
  CHECK(cases.size() == 12);
  for (auto& c : cases) {
    INFO(c.at("name"));
    try {
      evaluate(c.at("source_shape").get<Shape64>(), read_ops(c.at("ops")));
      FAIL("accepted");
    } catch (const UserError& e) {
      std::string m = e.message();
      INFO(m);
      CHECK(!m.empty());
      CHECK(m.find('\n') == std::string::npos);
      CHECK(m.back() != '.');
      CHECK(m.find('`') != std::string::npos);
    }
  }
}
