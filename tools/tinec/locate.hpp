// Where Tine lies, seen from this program: in a build folder or installed.
#pragma once
#include <string>
#include <vector>

namespace tinec {

/// Folders with Tine's headers, for the C++ compiler. A Failure that says where they were looked for if there are none.
std::vector<std::string> include_folders();

/// What `tinec build` links and copies into libraries: the run time's archive for this machine, its sources for others
/// with the folders of their headers, and the text of tine/aot.h. A Failure if they are missing.
struct AotFiles {
  std::string archive;
  std::vector<std::string> sources, includes;
  std::string abi_header;
};
AotFiles aot_files();

}  // namespace tinec
