// Tokens to AstModule. Knows the grammar of PTX, not its instructions.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "syntax/ast.hpp"

namespace tine::emulator::detail {
// Throws Error(syntax | unsupported) with the line.
std::unique_ptr<AstModule> parse(std::string_view source, const std::string& name);
}
