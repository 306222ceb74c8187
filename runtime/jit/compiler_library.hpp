// libtine-compiler, opened when the first kernel must be compiled.
#pragma once
#include <string>

#include "codegen/abi/compiler_abi.h"

namespace tine::jit {

/// The functions of codegen/abi/compiler_abi.h.
struct CompilerLibrary {
  decltype(&tine_compiler_compile) compile = nullptr;
  decltype(&tine_compiler_free) free = nullptr;
  decltype(&tine_compiler_build_id) build_id = nullptr;
  decltype(&tine_compiler_host_target) host_target = nullptr;
  decltype(&tine_compiler_toolkit) toolkit = nullptr;
};

/// Opens a file as the compiler; a RuntimeError if it is none.
CompilerLibrary open_compiler(const std::string& file);
/// The compiler of this process. Opens it at the first call; a RuntimeError that says where it is looked for if that
/// fails. Thread-safe.
const CompilerLibrary& compiler_library();
/// Whether `compiler_library` has succeeded in this process.
bool compiler_is_open();
/// Its file; "" if there is none. Does not open it.
std::string compiler_file();

}  // namespace tine::jit
