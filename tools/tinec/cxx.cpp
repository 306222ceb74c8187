#include "tools/tinec/cxx.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/locate.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

// As in makefiles, a compiler may come with options or a wrapper: `ccache g++ -m64`.
std::vector<std::string> words_of(const std::string& text) {
  if (is_program(text)) return {text};  // a path with blanks
  std::vector<std::string> out;
  std::istringstream words(text);
  for (std::string w; words >> w;) out.push_back(w);
  return out;
}

}  // namespace

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_program((folder.empty() ? "." : folder) + "/" + program)) return true;
  return false;
}

std::vector<std::string> compiler_words(const CxxOptions& o) {
  if (!o.compiler.empty()) return words_of(o.compiler);
  if (const char* cxx = std::getenv("CXX"))
    if (auto words = words_of(cxx); !words.empty()) return words;
  const std::vector<std::string> known = {"g++", "clang++", "clang++-22"};
  for (const std::string& program : known)
    if (on_path(program)) return {program};
  throw Failure("no C++ compiler was found; there is none of " + list_of(known) + ", name one with `--cxx` or `$CXX`");
}

std::vector<std::string> cxx_command(const CxxOptions& o) {
  std::vector<std::string> words = compiler_words(o);
  if (words.empty()) throw Failure("`--cxx` names no compiler");
  words.push_back("-std=" + o.standard);
  // -O1: the code runs once, to record the kernel. Warnings about the user's header stay as the compiler has them by
  // default.
  for (const char* w : {"-O1", "-g0", "-fPIC", "-fvisibility=hidden", "-x", "c++"}) words.push_back(w);
  for (const std::string& d : o.defines) words.push_back("-D" + d);
  for (const std::string& i : o.includes) words.push_back("-I" + i);
  for (const std::string& i : include_folders()) words.push_back("-isystem" + i);
  return words;
}

}  // namespace tinec
