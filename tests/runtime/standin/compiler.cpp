// A compiler for tests of the run time: implements the C ABI and returns artefacts that were compiled from C at build
// time, chosen by the kernel's name. Has no LLVM, so it can be run under ThreadSanitizer, and it can be told to be slow
// or to fail.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "codegen/abi/compiler_abi.h"
#include "dsl/graph/graph.hpp"
#include "dsl/graph/specialization.hpp"

namespace {

char* copy(const std::string& s) {
  char* p = static_cast<char*>(std::malloc(s.size() + 1));
  std::memcpy(p, s.c_str(), s.size() + 1);
  return p;
}

tine_compile_result* result(int status, const std::string& data, const std::string& message, const char* file = "",
                            int line = 0) {
  return new tine_compile_result{status, copy(data), data.size(), copy(message), copy(file), line};
}

}  // namespace

extern "C" {

tine_compile_result* tine_compiler_compile(const tine_compile_request* r) {
  const auto graph = tine::graph::deserialize({static_cast<const std::byte*>(r->graph), r->graph_size});
  if (const char* delay = std::getenv("STANDIN_DELAY_MS"))
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(delay)));
  if (const char* log = std::getenv("STANDIN_LOG")) std::ofstream(log, std::ios::app) << graph.kernel << "\n";
  if (graph.kernel == "RefusedByCompiler")
    return result(TINE_COMPILE_USER_ERROR, "", "kernel `RefusedByCompiler`: tiles of 7 bytes are beyond this target",
                  "user.hpp", 42);
  if (graph.kernel == "CompilerBug") return result(TINE_COMPILE_INTERNAL_ERROR, "", "assertion of a pass failed");
  if (graph.kernel == "NotElf") return result(TINE_COMPILE_OK, "these are not the bytes of a shared object", "");
  if (std::string(r->stage) != "artefact") return result(TINE_COMPILE_OK, std::string("text of stage ") + r->stage, "");
  std::string name = graph.kernel;
  // Code that differs between targets, to show that they do not mix in a cache.
  if (name == "Target") name += std::string(r->target) == "cpu:x86-64-v3" ? "V3" : "Host";
  // BR-27: a constant of the graph goes into the code.
  if (name == "AddConstant")
    for (const auto& n : graph.nodes)
      if (n.op == tine::graph::Op::literal) name = "AddConstant" + std::to_string(n.integer);
  std::ifstream file(std::string(STANDIN_ARTEFACTS) + "/" + name + ".so", std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  if (!file) return result(TINE_COMPILE_INTERNAL_ERROR, "", "no canned artefact " + name);
  return result(TINE_COMPILE_OK, bytes.str(), "");
}

void tine_compiler_free(tine_compile_result* r) {
  std::free(const_cast<void*>(r->data));
  std::free(const_cast<char*>(r->message));
  std::free(const_cast<char*>(r->file));
  delete r;
}

const char* tine_compiler_build_id() {
  const char* id = std::getenv("STANDIN_BUILD_ID");
  return id ? id : "standin-1";
}
const char* tine_compiler_host_target() { return "standin"; }
}
