// The user's C++ compiler.
#pragma once
#include <string>
#include <vector>

namespace tinec {

/// What the command line says about it.
struct CxxOptions {
  std::string compiler;  ///< `--cxx`; empty: `$CXX`, else the first of g++, clang++ and clang++-22 that exists
  std::string standard = "c++20";  ///< `--std`
  std::vector<std::string> includes, defines;
};

/// The compiler alone: its name, with what stands before or behind it as in `ccache g++ -m64`.
std::vector<std::string> compiler_words(const CxxOptions&);
/// Whether a program of this name can be started.
bool on_path(const std::string& program);
/// The compiler's words: its name and the options that every compile of a header has.
std::vector<std::string> cxx_command(const CxxOptions&);

}  // namespace tinec
