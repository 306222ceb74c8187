// A settled plan as files: the shared and the static library, headers and the manifest.
#pragma once
#include <string>

#include "tools/tinec/build/compile.hpp"
#include "tools/tinec/build/plan.hpp"

namespace tinec::builder {

struct Toolchain {
  CxxOptions cxx;
  std::string linker;  ///< command of a C compiler for the target's machine; "" finds one
};

/// Writes what `folder` shall hold; `work` is for files on the way. False if all was there already, made of the same
/// things.
bool write_library(const Plan&, const Store&, const Toolchain&, const std::string& folder, const std::string& work);
/// Writes each artefact as a file of its own into `folder`/artefacts.
void write_artefacts(const Plan&, const Store&, const std::string& folder);

}  // namespace tinec::builder
