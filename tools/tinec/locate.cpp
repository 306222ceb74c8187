#include "tools/tinec/locate.hpp"

#include <climits>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {

std::vector<std::string> include_folders() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = self.parent_path().parent_path();
  const fs::path installed = root / "include";
  if (fs::exists(installed / "tine" / "tine.hpp", error)) return {installed.string()};
  // In a build folder the headers are those of the sources; CMake has written down where they are.
  const fs::path list = root / "share" / "tine" / "include-folders";
  if (fs::exists(list, error)) {
    std::vector<std::string> out;
    std::istringstream lines(read_text(list.string(), 1 << 20));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) out.push_back(line);
    if (!out.empty()) return out;
  }
  throw Failure("Tine's headers are missing: there is neither " + ticked((installed / "tine" / "tine.hpp").string()) +
                " nor " + ticked(list.string()) + "; `-I` cannot replace them");
}

}  // namespace tinec
