// What there is of the CUDA toolkit on this machine: libraries opened at run time, and ptxas. Nothing of it is needed for PTX.
#pragma once
#include <string>
#include <vector>
#include "llvm/ADT/StringRef.h"

namespace tine::nvptx {

/// Where to look. The default is what `find_toolkit` says; tests give their own.
struct Toolkit {
  std::vector<std::string> folders;  ///< roots of toolkits, the first is asked first
  std::string ptxas;                 ///< path, empty if there is none
  bool system_libraries = true;      ///< also libraries that the dynamic linker finds by name
};

/// CUDA_HOME, CUDA_PATH, the folder of the ptxas on PATH, and the places where installers put toolkits.
Toolkit find_toolkit();

/// A library of the toolkit, opened for good: `open_library(toolkit, "nvJitLink")`. Null if there is none. Releases 13 and 12.
void* open_library(const Toolkit& toolkit, llvm::StringRef name, std::string& path);

/// Its parts, a line each: "name TAB file TAB version"; the file is empty where there is none, the version where only running the
/// file would tell.
std::string describe(const Toolkit& toolkit);

/// The places that were looked at, for messages.
std::string places(const Toolkit& toolkit);

/// A symbol of an open library, null if it has none of that name.
void* symbol(void* library, const char* name);

}  // namespace tine::nvptx
