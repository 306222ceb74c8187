#include <catch2/catch.hpp>

#include "codegen/common/options.hpp"

using tine::codegen::Options;

namespace {

std::string why(const char* text, bool gpu) {
  Options o;
  std::string reason;
  return tine::codegen::parse_options(text, gpu, o, reason) ? "" : reason;
}

Options parsed(const char* text) {
  Options o;
  std::string reason;
  REQUIRE(tine::codegen::parse_options(text, true, o, reason));
  return o;
}

}  // namespace

TEST_CASE("options take their values") {
  Options o = parsed("fast_math=1;line_tables=1;log=0;order=persistent,grouped:8;stages=3;warps=16");
  CHECK(o.fast_math);
  CHECK(o.line_tables);
  CHECK_FALSE(o.log);
  CHECK(o.persistent);
  CHECK(o.group == 8);
  CHECK(o.stages == 3);
  CHECK(o.warps == 16);
  CHECK(parsed("order=rows").group == 0);
  CHECK_FALSE(parsed("order=grouped:4").persistent);
  CHECK(parsed("code=cubin").cubin);
  CHECK(parsed("").warps == 0);
}

TEST_CASE("wrong options are refused with what there is") {
  CHECK(why("fastmath=1", false) == "option `fastmath` is unknown; there are fast_math, log and l2");
  CHECK(why("warps=4", false) == "option `warps` is for GPU targets; there are fast_math, log and l2");
  CHECK(why("l2=512", true) == "option `l2` is for CPU targets; there are fast_math, log, line_tables, warps, stages, split, order and code");
  CHECK(why("l2=512", false) == "");
  for (const char* text : {"l2=", "l2=0", "l2=63", "l2=1048577", "l2=1M"}) CHECK(why(text, false).find("it takes a number of KiB from 64 to 1048576") != std::string::npos);
  CHECK(why("fastmath=1", true) == "option `fastmath` is unknown; there are fast_math, log, line_tables, warps, stages, split, order and code");
  CHECK(why("log", true) == "option `log` is ``; it takes 0 or 1");
  for (const char* text : {"warps=3", "warps=0", "warps=64", "warps=", "warps=x", "warps=-4", "warps=4294967300"})
    CHECK(why(text, true).find("it takes 1, 2, 4, 8, 16 or 32") != std::string::npos);
  for (const char* text : {"stages=0", "stages=9", "stages=2.5"}) CHECK(why(text, true).find("it takes 1 to 8") != std::string::npos);
  for (const char* text : {"order=", "order=columns", "order=grouped", "order=grouped:0", "order=persistent,rows", "order=grouped:8x"})
    CHECK(why(text, true).find("it takes rows, grouped:N") != std::string::npos);
  CHECK(why("code=elf", true) == "option `code` is `elf`; it takes ptx or cubin");
}
