// Text to checked, decoded code: the front half of the machine.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "decode/program.hpp"

namespace tine::emulator::detail {
// Throws Error with the line for anything that is not supported PTX.
std::unique_ptr<ModuleCode> decode(std::string_view ptx, const std::string& name);
}
