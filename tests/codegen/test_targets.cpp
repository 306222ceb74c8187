// Targets and stages by name.
#include <catch2/catch.hpp>

#include "codegen/cpu/pipeline.hpp"
#include "codegen/nvptx/pipeline.hpp"

namespace {

std::string why_nvptx(const char* text) {
  tine::nvptx::Target t;
  std::string why;
  return tine::nvptx::parse_target(text, t, why) ? "" : why;
}

const std::string all = "`nvptx:sm_80`, `nvptx:sm_86`, `nvptx:sm_89`, `nvptx:sm_90`, `nvptx:sm_100` and `nvptx:sm_120`";

}  // namespace

TEST_CASE("NVIDIA architectures have their limits") {
  // Shared memory that a block can have: CUDA C++ Programming Guide, technical specifications per compute capability.
  const struct { const char* name; int arch, ptx, kilobytes; } rows[] = {
      {"nvptx:sm_80", 80, 80, 163}, {"nvptx:sm_86", 86, 80, 99}, {"nvptx:sm_89", 89, 80, 99},
      {"nvptx:sm_90", 90, 80, 227}, {"nvptx:sm_100", 100, 86, 227}, {"nvptx:sm_120", 120, 87, 99}};
  for (auto& row : rows) {
    tine::nvptx::Target t;
    std::string why;
    REQUIRE(tine::nvptx::parse_target(row.name, t, why));
    CHECK(t.arch == row.arch);
    CHECK(t.ptx == row.ptx);
    CHECK(t.max_shared == row.kilobytes * 1024);
    CHECK(t.shared_per_sm == t.max_shared + t.shared_reserved);
  }
}

TEST_CASE("unknown targets are refused with those there are") {
  CHECK(why_nvptx("nvptx") == "target `nvptx` needs an architecture; there are " + all);
  CHECK(why_nvptx("nvptx:") == "target `nvptx:` needs an architecture; there are " + all);
  CHECK(why_nvptx("nvptx:sm_75") == "target `nvptx:sm_75` is unknown; there are " + all);
  CHECK(why_nvptx("nvptx:sm_90a") == "target `nvptx:sm_90a` is unknown; there are " + all);
  CHECK(why_nvptx("nvptxsm_80") == "target `nvptxsm_80` is unknown; there are " + all);
}

TEST_CASE("unknown stages are refused with those there are") {
  tine::nvptx::Stage gpu;
  tine::cpu::Stage cpu;
  std::string why;
  CHECK_FALSE(tine::nvptx::parse_stage("asm", gpu, why));
  CHECK(why == "stage `asm` is unknown; GPU targets have tine, layouts, llvm, ptx, cubin, resources and artefact");
  CHECK_FALSE(tine::cpu::parse_stage("ptx", cpu, why));
  CHECK(why == "stage `ptx` is unknown; there are tine, loops, llvm, asm and artefact");
  CHECK((tine::nvptx::parse_stage("ptx", gpu, why) && gpu == tine::nvptx::Stage::ptx));
  CHECK((tine::cpu::parse_stage("asm", cpu, why) && cpu == tine::cpu::Stage::assembly));
}
