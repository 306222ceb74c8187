// PTX to machine code by whichever tool is here, what the report says, and what is said where there is no tool.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "codegen/nvptx/assemble.hpp"
#include "tests/codegen/skip.hpp"

using namespace tine::nvptx;

namespace {

Target sm(int arch) {
  for (const Target& t : targets())
    if (t.arch == arch) return t;
  FAIL("no such architecture");
  return {};
}

constexpr const char* copy = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry tine_kernel(.param .u64 p) .reqntid 64 {
  .shared .align 4 .b8 tile[512];
  .reg .b32 %r<4>;
  .reg .b64 %d<3>;
  ld.param.u64 %d0, [p];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r1, [%d0];
  mov.u32 %r2, tile;
  shl.b32 %r3, %r0, 2;
  add.u32 %r2, %r2, %r3;
  st.shared.u32 [%r2], %r1;
  bar.sync 0;
  ld.shared.u32 %r1, [%r2+256];
  st.global.u32 [%d0], %r1;
  ret;
}
)";

bool has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

}  // namespace

TEST_CASE("nvJitLink and ptxas make the same machine code", "[toolkit]") {
  Toolkit all = find_toolkit(), library = all, program = all;
  std::string path;
  if (all.ptxas.empty() || !open_library(all, "nvJitLink", path)) return skip("no CUDA toolkit");
  library.ptxas.clear();
  program.folders.clear();
  program.system_libraries = false;
  for (int arch : {80, 86, 89, 90, 100, 120}) {
    MachineCode linked, assembled;
    std::string why;
    REQUIRE(assemble(copy, sm(arch), false, library, linked, why) == AssembleError::none);
    REQUIRE(assemble(copy, sm(arch), true, program, assembled, why) == AssembleError::none);
    CHECK(has(linked.tool, "nvJitLink"));
    CHECK(assembled.tool == "ptxas");
    for (const MachineCode* c : {&linked, &assembled}) {
      CHECK(c->cubin.substr(0, 4) == "\x7f""ELF");
      CHECK(c->resources.registers > 4);
      CHECK(c->resources.registers < 32);
      CHECK(c->resources.static_shared >= 512);   // newer chips keep 1024 bytes for the system
      CHECK(c->resources.barriers == 1);
      CHECK(c->resources.constant % 4 == 0);
      CHECK(c->resources.constant >= 8 + 0x160);  // the parameter, and what stands before it in the bank
      CHECK(c->resources.spill_stores == 0);
    }
    CHECK(linked.resources.registers == assembled.resources.registers);
    MachineCode both;
    REQUIRE(assemble(copy, sm(arch), false, all, both, why) == AssembleError::none);
    CHECK(both.tool == "ptxas");  // nvJitLink's code can be linked, for which large kernels pay with spills
  }
}

TEST_CASE("an assembler's log is read for the kernel alone") {
  Resources r;
  REQUIRE(parse_log("ptxas info    : 0 bytes gmem\n"
                    "ptxas info    : Compiling entry function 'tine_kernel2' for 'sm_80'\n"
                    "ptxas info    : Function properties for tine_kernel2\n"
                    "    8 bytes stack frame, 4 bytes spill stores, 2 bytes spill loads\n"
                    "ptxas info    : Used 99 registers, used 3 barriers, 7 bytes smem, 360 bytes cmem[0]\n"
                    "ptxas info    : Compiling entry function 'tine_kernel' for 'sm_80'\n"
                    "ptxas info    : Function properties for tine_kernel\n"
                    "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
                    "ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 49152 bytes smem, 384 bytes cmem[0], 16 bytes cmem[2]\n",
                    "tine_kernel", r));
  CHECK(r.registers == 255);
  CHECK(r.barriers == 1);
  CHECK(r.stack == 16);
  CHECK(r.spill_stores == 12);
  CHECK(r.spill_loads == 20);
  CHECK(r.static_shared == 49152);
  CHECK_FALSE(parse_log("ptxas info    : 0 bytes gmem\n", "tine_kernel", r));
}

TEST_CASE("occupancy is what the multiprocessor's limits leave") {
  // By hand, from the limits in the CUDA C++ Programming Guide.
  auto blocks = [](int arch, int registers, int threads, int shared) {
    Resources r;
    r.registers = registers;
    return blocks_per_multiprocessor(sm(arch), r, {threads, shared, false, 0});
  };
  CHECK(blocks(80, 32, 128, 0) == 16);        // 2048 threads
  CHECK(blocks(86, 32, 128, 0) == 12);        // 1536 threads
  CHECK(blocks(80, 16, 32, 0) == 32);         // blocks
  CHECK(blocks(80, 255, 128, 0) == 2);        // 65536 / (256 * 128)
  CHECK(blocks(80, 32, 128, 48 << 10) == 3);  // 164 / (48 + 1)
  CHECK(blocks(80, 32, 128, 163 << 10) == 1);
  CHECK(blocks(90, 32, 128, 64 << 10) == 3);  // 228 / 65
}

TEST_CASE("a report is JSON with every number") {
  MachineCode code;
  code.tool = "ptxas";
  code.resources.registers = 40;
  code.cubin = "12345";
  const std::string json = report(sm(90), code, {256, 1024, false, 0});
  for (const char* line : {"\"target\": \"nvptx:sm_90\"", "\"tool\": \"ptxas\"", "\"threads\": 256", "\"registers\": 40", "\"spill_store_bytes\": 0",
                           "\"dynamic_shared_bytes\": 1024", "\"blocks_per_multiprocessor\": 6", "\"code_bytes\": 5\n}"})
    CHECK(has(json, line));
}

TEST_CASE("no toolkit and a program that does not run have their own words") {
  MachineCode code;
  std::string why;
  Toolkit none;
  none.system_libraries = false;
  CHECK(assemble(copy, sm(80), false, none, code, why) == AssembleError::no_toolkit);
  CHECK(has(why, "machine code for sm_80 needs nvJitLink or ptxas of a CUDA toolkit, release 12 or 13, and neither was found"));
  CHECK(has(why, "set CUDA_HOME"));

  none.ptxas = "/nowhere/ptxas";
  CHECK(assemble(copy, sm(80), false, none, code, why) == AssembleError::tool_failed);
  CHECK(has(why, "machine code for sm_80 was not made: `/nowhere/ptxas` does not run"));
}

TEST_CASE("a ptxas that does not know a chip leaves it to nvJitLink") {
  // What ptxas says of a chip that it does not know, and its exit code.
  const std::string old = (std::filesystem::temp_directory_path() / ("tine-old-ptxas-" + std::to_string(getpid()))).string();
  std::ofstream(old) << "#!/bin/sh\necho \"ptxas fatal   : Value 'sm_80' is not defined for option 'gpu-name'\" >&2\nexit 255\n";
  std::filesystem::permissions(old, std::filesystem::perms::owner_all);
  Toolkit toolkit;
  toolkit.system_libraries = false;
  toolkit.ptxas = old;
  MachineCode code;
  std::string why, path;
  CHECK(assemble(copy, sm(80), false, toolkit, code, why) == AssembleError::tool_failed);
  CHECK(why == "machine code for sm_80 was not made: `" + old + "` does not know sm_80");
  toolkit = find_toolkit();
  toolkit.ptxas = old;
  if (open_library(toolkit, "nvJitLink", path)) {
    CHECK(assemble(copy, sm(80), false, toolkit, code, why) == AssembleError::none);
    CHECK(has(code.tool, "nvJitLink"));
  }
  std::filesystem::remove(old);
}

TEST_CASE("wrong PTX is refused in the tool's words", "[toolkit]") {
  MachineCode code;
  std::string why;
  Toolkit here = find_toolkit();
  std::string path;
  if (here.ptxas.empty() && !open_library(here, "nvJitLink", path)) return skip("no CUDA toolkit");
  CHECK(assemble(".version 8.0\n.target sm_80\n.address_size 64\nnonsense\n", sm(80), false, here, code, why) == AssembleError::bad_ptx);
  CHECK(has(why, "refuses the PTX"));
}
