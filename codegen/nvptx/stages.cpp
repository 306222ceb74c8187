// Stages by name.
#include "codegen/nvptx/pipeline.hpp"

namespace tine::nvptx {

bool parse_stage(llvm::StringRef name, Stage& stage, std::string& why) {
  static constexpr std::pair<const char*, Stage> all[] = {
      {"tine", Stage::tine}, {"layouts", Stage::layouts}, {"llvm", Stage::llvm}, {"ptx", Stage::ptx},
      {"cubin", Stage::cubin}, {"resources", Stage::resources}, {"artefact", Stage::artefact}};
  for (auto [n, s] : all)
    if (name == n) return stage = s, true;
  why = "stage `" + name.str() + "` is unknown; GPU targets have tine, layouts, llvm, ptx, cubin, resources and artefact";
  return false;
}

}  // namespace tine::nvptx
