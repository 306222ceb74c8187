// Turns an artefact's bytes into functions: a memory file opened by dlopen. Never unloaded: calls on any thread may be
// in it.
#pragma once
#include <string>
#include <string_view>

#include "runtime/launch/code.hpp"
#include "runtime/launch/device.hpp"

namespace tine::jit {

/// `name` is for debuggers and profilers. `missing` names what a loaded file does not export, "" otherwise.
/// On failure `entry` is null and `reason` says why.
launch::Code load(std::string_view elf, std::string_view name, std::string& missing, std::string& reason);

/// GPU code of a kernel with so many slots: checked, kept until the process ends; a device loads it. Null, with the
/// reason, if the bytes are no such artefact.
const launch::Image* keep_image(std::string bytes, int slots, std::string& reason);

}  // namespace tine::jit
