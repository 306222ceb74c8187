// Turns an artefact's bytes into functions: a memory file opened by dlopen. Never unloaded: calls on any thread may be
// in it.
#pragma once
#include <string>
#include <string_view>

#include "runtime/launch/code.hpp"

namespace tine::jit {

/// `name` is for debuggers and profilers. `missing` names what a loaded file does not export, "" otherwise.
/// On failure `entry` is null and `reason` says why.
launch::Code load(std::string_view elf, std::string_view name, std::string& missing, std::string& reason);

}  // namespace tine::jit
