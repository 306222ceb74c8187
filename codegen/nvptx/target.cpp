#include "codegen/nvptx/target.hpp"

namespace tine::nvptx {

llvm::ArrayRef<Target> targets() {
  // Compute capabilities' limits: the CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
  static const Target all[] = {
      {80, 80, 163 << 10, 164 << 10, 2048, 32}, {86, 80, 99 << 10, 100 << 10, 1536, 16}, {89, 80, 99 << 10, 100 << 10, 1536, 24},
      {90, 80, 227 << 10, 228 << 10, 2048, 32}, {100, 86, 227 << 10, 228 << 10, 2048, 32}, {120, 87, 99 << 10, 100 << 10, 1536, 24},
  };
  return all;
}

bool parse_target(llvm::StringRef text, Target& target, std::string& why) {
  llvm::StringRef name = text;
  std::string all;
  bool ours = name.consume_front("nvptx") && (name.empty() || name.consume_front(":"));
  for (const Target& t : targets()) {
    if (ours && name == t.cpu()) return target = t, true;
    all += (&t == targets().begin() ? "" : &t == targets().end() - 1 ? " and " : ", ") + ("`nvptx:" + t.cpu() + "`");
  }
  if (ours && name.empty()) why = "target `" + text.str() + "` needs an architecture; there are " + all;
  else why = "target `" + text.str() + "` is unknown; there are " + all;
  return false;
}

}  // namespace tine::nvptx
