// Processors and stages by name.
#include "codegen/cpu/pipeline.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace tine::cpu {

bool parse_target(llvm::StringRef text, Target& target, std::string& why) {
  llvm::StringRef name = text;
  if (!name.consume_front("cpu")) return why = "target `" + text.str() + "` is not a cpu", false;
  if (!name.empty() && !name.consume_front(":")) return why = "target `" + text.str() + "` is unknown; write `cpu` or `cpu:LEVEL`", false;
  target.triple = "x86_64-unknown-linux-gnu";
  bool without_amx = name == "no-amx";  // this machine, whose system does not let the process use the tile unit
  if (name.empty() || name == "native" || without_amx) {
    target.cpu = llvm::sys::getHostCPUName().str();
    llvm::SubtargetFeatures features;
    for (auto& f : llvm::sys::getHostCPUFeatures()) features.AddFeature(f.first(), f.second);
    target.features = features.getString();
    target.vectors.vector_bytes = 16;
    auto host = llvm::sys::getHostCPUFeatures();
    if (host.lookup("avx2") && host.lookup("fma")) target.vectors.vector_bytes = 32;
    if (host.lookup("avx512f") && host.lookup("avx512bw") && host.lookup("avx512dq") && host.lookup("avx512vl")) target.vectors.vector_bytes = 64;
    target.vectors.bf16_dot = target.vectors.vector_bytes == 64 && host.lookup("avx512bf16");
    target.vectors.int8_dot = target.vectors.vector_bytes == 64 && host.lookup("avx512vnni");
    if (target.vectors.vector_bytes == 64 && host.lookup("amx-tile") && host.lookup("amx-bf16") && host.lookup("amx-int8") && !without_amx)
      target.vectors.tiles = TileUnit::amx;
    return true;
  }
  if (name == "amx") {
    target.cpu = "sapphirerapids";
    target.features = "";
    target.vectors = {64, true, true, TileUnit::amx};
    return true;
  }
  if (name == "x86-64-v3") { target.cpu = "x86-64-v3"; target.features = ""; target.vectors.vector_bytes = 32; return true; }
  if (name == "x86-64-v4") { target.cpu = "x86-64-v4"; target.features = ""; target.vectors.vector_bytes = 64; return true; }
  if (name == "aarch64") {  // the base of the architecture: 16-byte vectors
    target.triple = "aarch64-unknown-linux-gnu";
    target.cpu = "generic";
    target.features = "";
    target.vectors.vector_bytes = 16;
    target.vectors.x86 = false;
    return true;
  }
  return why = "target `" + text.str() + "` is unknown; there are `cpu`, `cpu:native`, `cpu:x86-64-v3`, `cpu:x86-64-v4`, `cpu:amx` and `cpu:aarch64`", false;
}

bool parse_stage(llvm::StringRef name, Stage& stage, std::string& why) {
  static constexpr std::pair<const char*, Stage> all[] = {
      {"tine", Stage::tine}, {"loops", Stage::loops}, {"llvm", Stage::llvm}, {"asm", Stage::assembly}, {"artefact", Stage::artefact}};
  for (auto [n, s] : all)
    if (name == n) return stage = s, true;
  return why = "stage `" + name.str() + "` is unknown; there are tine, loops, llvm, asm and artefact", false;
}

}  // namespace tine::cpu
