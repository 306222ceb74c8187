// A compiler for tests of the run time: implements the C ABI and returns artefacts that were compiled from C at build
// time, or for GPU targets PTX written by hand, chosen by the kernel's name. Has no LLVM, so it can be run under ThreadSanitizer, and it can be told to be slow
// or to fail.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "codegen/abi/compiler_abi.h"
#include "codegen/abi/gpu_artefact.h"
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

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  if (file) bytes << file.rdbuf();
  return bytes.str();
}

// Of "threads=4 shared=64" in the text's first line.
uint32_t number(const std::string& text, const std::string& key) {
  const std::size_t at = text.substr(0, text.find('\n')).find(key + "=");
  return at == text.npos ? 0 : static_cast<uint32_t>(std::atoi(text.c_str() + at + key.size() + 1));
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at; (at = text.find(from)) != text.npos;) text.replace(at, from.size(), to);
  return text;
}

tine_compile_result* gpu_result(const std::string& kernel, const std::string& target, const std::string& options) {
  const std::string arch = target.substr(target.find("sm_") + 3);
  const std::string name = kernel.substr(kernel.rfind(':') + 1);  // without namespaces
  std::string text = read(std::string(STANDIN_GPU) + "/" + name + ".ptx");
  tine_gpu_artefact header{};
  header.code = TINE_GPU_PTX;
  header.arch = kernel == "TooNew" ? 120 : static_cast<uint32_t>(std::atoi(arch.c_str()));
  if (kernel == "TooNew" || kernel == "MachineCode") text = read(std::string(STANDIN_GPU) + "/Target.ptx");
  if (kernel == "MachineCode") header.code = TINE_GPU_CUBIN;
  if (text.empty()) return result(TINE_COMPILE_INTERNAL_ERROR, "", "no PTX for " + kernel);
  text = with(with(text, "ARCH", arch), "FAST_MATH", options.find("fast_math=1") != options.npos ? "1" : "0");
  if (kernel == "MachineCode") text = "\x7F" "ELF, in name only";
  header.threads = number(text, "threads");
  if (!header.threads) header.threads = 1;
  header.dynamic_shared = number(text, "shared");
  for (std::size_t at = 0; (at = text.find(".param ", at)) != text.npos; ++at) ++header.slots;
  if (kernel == "MachineCode") header.slots = 5;
  if (text.substr(0, text.find('\n')).find("persistent") != text.npos) header.flags = TINE_GPU_PERSISTENT;
  header.code_size = text.size() + 1;
  std::string bytes(sizeof header, '\0');
  tine_gpu_artefact_write(&header, bytes.data());
  return result(TINE_COMPILE_OK, bytes + text + '\0', "");
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
  if (graph.kernel == "TooLarge")
    return result(TINE_COMPILE_TOO_LARGE, "", "`TooLarge`: a program needs more than there is", "user.hpp", 43);
  if (graph.kernel == "CompilerBug") return result(TINE_COMPILE_INTERNAL_ERROR, "", "assertion of a pass failed");
  if (graph.kernel == "NotElf") return result(TINE_COMPILE_OK, "these are not the bytes of a shared object", "");
  if (std::string(r->stage) != "artefact") return result(TINE_COMPILE_OK, std::string("text of stage ") + r->stage, "");
  std::string name = graph.kernel;
  if (std::string(r->target).starts_with("nvptx:")) return gpu_result(graph.kernel, r->target, r->options);
  // Code that differs between targets, to show that they do not mix in a cache.
  if (name == "Target") name += std::string(r->target) == "cpu:x86-64-v3" ? "V3" : "Host";
  // BR-27: a constant of the graph goes into the code.
  if (name == "AddConstant")
    for (const auto& n : graph.nodes)
      if (n.op == tine::graph::Op::literal) name = "AddConstant" + std::to_string(n.integer);
  const std::string bytes = read(std::string(STANDIN_ARTEFACTS) + "/" + name + ".so");
  if (bytes.empty()) return result(TINE_COMPILE_INTERNAL_ERROR, "", "no canned artefact " + name);
  return result(TINE_COMPILE_OK, bytes, "");
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
const char* tine_compiler_toolkit() { return "ptxas\t\t\n"; }
}
