#include <string>

#include "runtime/jit/compiler_library.hpp"
#include "tine/error.hpp"
#include "tools/tinec/commands.hpp"

namespace tinec {

std::string version_text() {
  std::string text = "tinec " TINE_VERSION "\n";
  try {
    std::string compiler = tine::jit::compiler_library().build_id(), llvm;
    if (const std::size_t at = compiler.find("-llvm-"); at != compiler.npos) {
      llvm = compiler.substr(at + 6);
      compiler.resize(at);
    }
    return text + "compiler " + compiler + "\nLLVM " + llvm + "\n";
  } catch (const tine::Error& e) {
    return text + "compiler none: " + e.message() + "\n";
  }
}

}  // namespace tinec
