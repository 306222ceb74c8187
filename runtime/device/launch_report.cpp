#include "runtime/device/launch_report.hpp"

#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "runtime/diagnostics.hpp"

namespace tine::device {
namespace {

std::string file_name(const std::string& kernel) {
  static std::atomic<unsigned> number{0};
  char text[48];
  std::snprintf(text, sizeof text, "%ld-%05u-", static_cast<long>(::getpid()), ++number);
  std::string name = text;
  for (char c : kernel) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name.substr(0, 120);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) fail(Diag::report_unwritten, {}, {path.string()});
}

}  // namespace

void write_launch_report(const std::string& folder, const std::string& kernel, const std::string& target, const char* ptx,
                         const emulator::LaunchConfig& config, const emulator::Report& report) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path base = std::filesystem::path(folder) / file_name(kernel);
  write(base.string() + ".ptx", ptx);
  write(base.string() + ".json",
        "{\"kernel\": \"" + escaped(kernel) + "\", \"target\": \"" + target + "\", \"grid\": [" + std::to_string(config.grid[0]) +
            ", " + std::to_string(config.grid[1]) + "], \"threads\": " + std::to_string(config.block[0]) +
            ", \"dynamic_shared\": " + std::to_string(config.shared_bytes) + ",\n\"report\": " + report.to_json() + "}\n");
}

}  // namespace tine::device
