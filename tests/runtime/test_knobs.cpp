// Knobs, and their table in the documentation.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "environment.hpp"
#include "runtime/knobs.hpp"

using namespace tine;

TEST_CASE("knobs have types, and those that change code are told apart", "[knobs]") {
  {
    const test::Environment env({{"TINE_CACHE", "off"}, {"TINE_NUM_THREADS", "3"}, {"TINE_TARGET", "cpu:x86-64-v3"}});
    CHECK_FALSE(knobs::get().cache);
    CHECK(knobs::get().num_threads == 3);
    CHECK(knobs::code_text() == "TINE_TARGET=cpu:x86-64-v3;");
  }
  CHECK(knobs::code_text().empty());
}

TEST_CASE("docs/runtime.md shows the knobs as they are", "[knobs]") {
  std::ifstream file(std::string(TINE_SOURCE_DIR) + "/docs/runtime.md");
  std::stringstream text;
  text << file.rdbuf();
  INFO("the table should be:\n" << knobs::markdown());
  CHECK(text.str().find(knobs::markdown()) != std::string::npos);
}
