#include "tools/tinec/locate.hpp"

#include <filesystem>
#include <sstream>
#include <system_error>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace fs = std::filesystem;
namespace {

// The folder with bin, lib and share that this program lies in.
fs::path root_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

}  // namespace

std::vector<std::string> include_folders() {
  std::error_code error;
  const fs::path root = root_folder();
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

AotFiles aot_files() {
  const fs::path root = root_folder(), folder = root / "share" / "tine" / "aot";
  AotFiles out;
  out.archive = (root / "lib" / "libtine_aot.a").string();
  // Lines of "source FILE" and "include FOLDER"; where Tine is installed they are relative to the list's own folder.
  std::istringstream lines(read_text((folder / "files").string(), 1 << 20));
  for (std::string kind, name; lines >> kind && std::getline(lines >> std::ws, name);)
    (kind == "source" ? out.sources : out.includes).push_back((folder / name).string());
  for (const std::string& i : out.includes)
    if (std::error_code error; fs::exists(i + "/tine/aot.h", error)) out.abi_header = i + "/tine/aot.h";
  std::error_code error;
  if (out.abi_header.empty() || !fs::exists(out.archive, error))
    throw Failure("the run time of libraries is missing: there should be " + ticked(out.archive) +
                  " and the files of " + ticked((folder / "files").string()));
  return out;
}

}  // namespace tinec
