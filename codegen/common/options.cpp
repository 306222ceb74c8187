#include "codegen/common/options.hpp"
#include "llvm/Support/MathExtras.h"

namespace tine::codegen {
namespace {

bool parse_order(llvm::StringRef text, Options& options) {
  if (text == "rows") return options.persistent = false, options.group = 0, true;
  for (bool first = true; first || !text.empty(); first = false) {
    auto [item, rest] = text.split(',');
    if (item == "persistent") options.persistent = true;
    else if (!item.consume_front("grouped:") || item.getAsInteger(10, options.group) || options.group < 1 || options.group > 1024) return false;
    text = rest;
  }
  return true;
}

/// An empty text, or the values that the key takes.
std::string wrong_value(llvm::StringRef key, llvm::StringRef value, bool gpu, Options& o, bool& known) {
  auto flag = [&](bool& to) { return value == "0" || value == "1" ? (to = value == "1", "") : "0 or 1"; };
  known = true;
  if (key == "fast_math") return flag(o.fast_math);
  if (key == "log") return flag(o.log);
  if (!gpu && key == "l2") return !value.getAsInteger(10, o.l2) && o.l2 >= 64 && o.l2 <= 1 << 20 ? "" : "a number of KiB from 64 to 1048576";
  if (gpu) {
    if (key == "line_tables") return flag(o.line_tables);
    if (key == "warps") return !value.getAsInteger(10, o.warps) && o.warps >= 1 && o.warps <= 32 && llvm::isPowerOf2_32(uint32_t(o.warps)) ? "" : "1, 2, 4, 8, 16 or 32";
    if (key == "stages") return !value.getAsInteger(10, o.stages) && o.stages >= 1 && o.stages <= 8 ? "" : "1 to 8";
    if (key == "split") return !value.getAsInteger(10, o.split) && o.split >= 32 && o.split <= 1 << 20 && llvm::isPowerOf2_32(uint32_t(o.split)) ? "" : "a power of two from 32 to 1048576";
    if (key == "order") return parse_order(value, o) ? "" : "rows, grouped:N (N from 1 to 1024), persistent, or persistent,grouped:N";
    if (key == "code") return value == "ptx" || value == "cubin" ? (o.cubin = value == "cubin", "") : "ptx or cubin";
  }
  known = false;
  return "";
}

}  // namespace

bool parse_options(llvm::StringRef text, bool gpu, Options& options, std::string& why) {
  while (!text.empty()) {
    auto [item, rest] = text.split(';');
    text = rest;
    if (item.empty()) continue;
    auto [key, value] = item.split('=');
    bool known;
    std::string takes = wrong_value(key, value, gpu, options, known);
    if (!known) {
      bool elsewhere = false;
      Options ignored;
      wrong_value(key, value, !gpu, ignored, elsewhere);
      why = "option `" + key.str() + "` is " + (!elsewhere ? "unknown" : gpu ? "for CPU targets" : "for GPU targets") + "; there are " +
            (gpu ? "fast_math, log, line_tables, warps, stages, split, order and code" : "fast_math, log and l2");
      return false;
    }
    if (!takes.empty()) return why = "option `" + key.str() + "` is `" + value.str() + "`; it takes " + takes, false;
  }
  return true;
}

}  // namespace tine::codegen
