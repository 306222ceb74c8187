// Where Tine lies, seen from this program: in a build folder or installed.
#pragma once
#include <string>
#include <vector>

namespace tinec {

/// Folders with Tine's headers, for the C++ compiler. A Failure that says where they were looked for if there are none.
std::vector<std::string> include_folders();

}  // namespace tinec
