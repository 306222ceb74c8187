// An object becomes an ELF shared object without imports, by lld in this process.
#pragma once
#include <string>
#include "llvm/ADT/StringRef.h"

namespace tine::cpu {

/// Appends the shared object's bytes to `out`; false with a reason if the object needs a symbol that nobody gives.
/// Serialised by a mutex: lld keeps its state in globals.
bool link_shared_object(llvm::StringRef object, std::string& out, std::string& error);

}  // namespace tine::cpu
