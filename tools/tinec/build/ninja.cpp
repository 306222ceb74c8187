#include "tools/tinec/build/ninja.hpp"

#include <filesystem>
#include <set>

#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/files.hpp"

namespace tinec::builder {
namespace {

std::string escaped(const std::string& text) {  // in a path of ninja's
  std::string out;
  for (const char c : text) {
    if (c == '$' || c == ' ' || c == ':') out += '$';
    out += c;
  }
  return out;
}

std::string quoted(const std::string& text) {  // for the shell, in a line of ninja's
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : c == '$' ? std::string("$$") : std::string(1, c);
  return out + "'";
}

std::string one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find('$', at)) != text.npos; at += 2) text.insert(at, 1, '$');
  return text;
}

}  // namespace

void write_ninja(Plan& plan, const BuildOptions& o, const std::string& work) {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const std::string folder = std::filesystem::path(work).filename().string();  // ninja runs in the output folder
  std::string link = quoted(self) + " link " + quoted(folder) + " -o .";
  if (!o.cxx.compiler.empty()) link += " --cxx " + quoted(o.cxx.compiler);
  if (!o.linker.empty()) link += " --linker " + quoted(o.linker);
  if (o.artefacts) link += " --artefacts";
  std::string text =
      "# " + plan.library +
      ": written by tinec build --emit-ninja. Run ninja in this folder.\nrule variant\n  command = " + quoted(self) +
      " variant " + quoted(folder) + " $key -o $out\n  description = $what\nrule link\n  command = " + link +
      "\n  description = link " + plan.library + "\n\n";
  std::string stamps;
  std::set<std::string> seen;
  for (const auto& [p, v] : all_variants(plan)) {
    if (!seen.insert(v->key).second) continue;
    const std::string stamp = escaped(folder + "/stamps/" + v->key);
    text += "build " + stamp + ": variant | " + escaped(self) + "\n  key = " + v->key +
            "\n  what = " + one_line(describe(plan, *p, *v)) + "\n";
    stamps += " $\n    " + stamp;
  }
  const std::string library = "lib" + plan.library;
  text += "build " + library + ".so " + library + ".a manifest.json: link" + stamps + " | " +
          escaped(folder + "/plan.json") + "\n";
  std::filesystem::create_directories(work + "/stamps");
  write_file(o.output + "/build.ninja", text);
}

}  // namespace tinec::builder
