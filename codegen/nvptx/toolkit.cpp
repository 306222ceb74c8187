#include "codegen/nvptx/toolkit.hpp"
#include <dlfcn.h>
#include <cstdlib>
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace tine::nvptx {

Toolkit find_toolkit() {
  Toolkit found;
  auto add = [&](llvm::StringRef folder) {
    if (!folder.empty() && llvm::sys::fs::is_directory(folder) && !llvm::is_contained(found.folders, folder)) found.folders.push_back(folder.str());
  };
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(name)) add(folder);
  if (auto program = llvm::sys::findProgramByName("ptxas")) {
    llvm::SmallString<256> real;
    if (!llvm::sys::fs::real_path(*program, real)) add(llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)));
  }
  for (const char* folder : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"}) add(folder);
  for (const std::string& folder : found.folders)
    if (found.ptxas.empty() && llvm::sys::fs::can_execute(folder + "/bin/ptxas")) found.ptxas = folder + "/bin/ptxas";
  return found;
}

void* open_library(const Toolkit& toolkit, llvm::StringRef name, std::string& path) {
  std::vector<std::string> files;
  for (const char* release : {".13", ".12", ""}) files.push_back("lib" + name.str() + ".so" + release);
  auto open = [&](const std::string& file) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library) path = file;
    return library;
  };
  for (const std::string& folder : toolkit.folders)
    for (const char* sub : {"/lib64/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/", "/lib/"})
      for (const std::string& file : files)
        if (llvm::sys::fs::exists(folder + sub + file))
          if (void* library = open(folder + sub + file)) return library;
  if (toolkit.system_libraries)
    for (const std::string& file : files)
      if (void* library = open(file)) return library;
  return nullptr;
}

std::string describe(const Toolkit& toolkit) {
  std::string text = "ptxas\t" + toolkit.ptxas + "\t\n";
  auto library = [&](llvm::StringRef name, auto version) {
    std::string path, number;
    if (void* handle = open_library(toolkit, name, path)) number = version(handle);
    text += name.str() + "\t" + path + "\t" + number + "\n";
  };
  auto dotted = [](auto major, auto minor) { return std::to_string(major) + "." + std::to_string(minor); };
  library("nvJitLink", [&](void* handle) -> std::string {
    unsigned major = 0, minor = 0;
    auto ask = reinterpret_cast<int (*)(unsigned*, unsigned*)>(symbol(handle, "nvJitLinkVersion"));
    return ask && ask(&major, &minor) == 0 ? dotted(major, minor) : "of a release before 12.3";
  });
  library("nvrtc", [&](void* handle) -> std::string {
    int major = 0, minor = 0;
    auto ask = reinterpret_cast<int (*)(int*, int*)>(symbol(handle, "nvrtcVersion"));
    return ask && ask(&major, &minor) == 0 ? dotted(major, minor) : "of unknown version";
  });
  return text;
}

std::string places(const Toolkit& toolkit) {
  std::string text = toolkit.system_libraries ? "CUDA_HOME, PATH, the system's libraries" : "no system libraries";
  for (const std::string& folder : toolkit.folders) text += ", `" + folder + "`";
  return text;
}

void* symbol(void* library, const char* name) { return dlsym(library, name); }

}  // namespace tine::nvptx
