// PTX modules as text: what stands at their outermost level, and two modules made one.
#pragma once
#include <string>
#include <vector>
#include "llvm/ADT/StringRef.h"

namespace tine::nvptx {

/// A function, variable or declaration at the outermost level of a module.
struct PtxItem {
  llvm::StringRef text;
  llvm::StringRef name;                 ///< empty for what has none: .file, .section
  bool external = false;                ///< .extern: a declaration of what another module defines
  std::vector<llvm::StringRef> symbols; ///< identifiers that occur in it, its own name included
};

/// The items, in order; the version and target directives are left out. Views into `ptx`.
std::vector<PtxItem> ptx_items(llvm::StringRef ptx);

/// Puts into `kernel` what its external declarations name and `library` defines, with all that this needs, and drops those
/// declarations. Names of the library that `kernel` has too, all but the wanted ones, get a suffix. The version becomes the
/// later one of the two.
/// Before: kernel `.extern .func (.param .b32 r) f (...);`, library `.visible .func (.param .b32 r) f (...) { ... call g ... }`, ...
/// After:  `.func g`, `.visible .func f` stand in the kernel's module before everything else.
void link_ptx(std::string& kernel, llvm::StringRef library);

}  // namespace tine::nvptx
