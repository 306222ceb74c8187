// Cutting what does the work out of a function's code.
#pragma once
#include <string>

namespace tour {

/// The innermost loop with the most instructions whose name begins with `instruction` and that use the widest registers
/// seen; "" if there is none. A loop is a label and the lines up to a jump back to it.
std::string main_loop(const std::string& assembly, const std::string& instruction);

/// The lines of PTX that move 16 bytes at once or add floats: a tile's way through registers.
std::string wide_lines(const std::string& ptx);

}  // namespace tour
