// docs/emulator.md holds the table that the code gives. TINE_UPDATE_DOCS=1 writes it anew.
#include <cstdlib>

#include "support.hpp"

TEST_CASE("the table of supported instructions in the document is current", "[unit][docs]") {
  const std::string begin = "<!-- generated from the instruction table: begin -->\n", end = "<!-- generated from the instruction table: end -->\n";
  std::string text = read_text(TINE_EMULATOR_DOCS);
  const std::size_t b = text.find(begin), e = text.find(end);
  REQUIRE(b != std::string::npos);
  REQUIRE(e != std::string::npos);
  const std::string want = emu::supported_markdown();
  if (std::getenv("TINE_UPDATE_DOCS") != nullptr) {
    text = text.substr(0, b + begin.size()) + want + text.substr(e);
    std::ofstream(TINE_EMULATOR_DOCS) << text;
    return;
  }
  CHECK(text.substr(b + begin.size(), e - b - begin.size()) == want);
}

TEST_CASE("the report is well-formed JSON with every finding", "[unit]") {
  Session s(ptx_module(".visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, 0; st.global.u32 [%rd1], 5; ret; }"), "a \"quoted\" name");
  s.run("k", {1, 1, 1}, {1, 1, 1}, 0);
  const std::string j = s.report.to_json();
  CHECK(j.find("\"class\": \"out_of_bounds\", \"module\": \"a \\\"quoted\\\" name\", \"kernel\": \"k\", \"line\": 4") != std::string::npos);
  CHECK(j.find("\"store\": {\"warp\": 1, \"thread\": 1}") != std::string::npos);
}
