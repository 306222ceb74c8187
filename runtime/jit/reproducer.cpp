#include "runtime/jit/reproducer.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "runtime/cache/hash.hpp"
#include "runtime/diagnostics.hpp"
#include "runtime/knobs.hpp"

namespace tine::jit {
namespace {

// The file: this line, then each field as its length on a line of its own and its bytes.
constexpr std::string_view first_line = "tine reproducer 1\n";

std::string_view text(const std::vector<std::byte>& v) { return {reinterpret_cast<const char*>(v.data()), v.size()}; }

void put(std::string& out, std::string_view field) {
  out += std::to_string(field.size()) + "\n" + std::string(field) + "\n";
}

std::string take(std::string_view& in) {
  const std::size_t newline = in.find('\n');
  if (newline == in.npos || newline > 20)
    throw std::runtime_error("not a reproducer file: a field's length is missing");
  const std::size_t size = std::strtoull(std::string(in.substr(0, newline)).c_str(), nullptr, 10);
  in.remove_prefix(newline + 1);
  if (size >= in.size()) throw std::runtime_error("not a reproducer file: it ends within a field");
  std::string field(in.substr(0, size));
  in.remove_prefix(size + 1);
  return field;
}

std::vector<std::byte> bytes(const std::string& s) {
  std::vector<std::byte> out(s.size());
  if (!s.empty()) std::memcpy(out.data(), s.data(), s.size());
  return out;
}

}  // namespace

std::string write_reproducer(const Reproducer& r) {
  std::string folder = knobs::get().reproducer_dir;
  if (const char* tmp = std::getenv("TMPDIR"); folder.empty()) folder = tmp && *tmp ? tmp : "/tmp";
  std::string out(first_line);
  for (std::string_view field : std::array<std::string_view, 7>{r.message, r.stage, r.target, r.options, r.compiler,
                                                                text(r.graph), text(r.specialization)})
    put(out, field);
  const std::string path = folder + "/tine-reproducer-" + cache::hex(cache::hash(out)).substr(0, 12) + "-" +
                           std::to_string(::getpid()) + ".bin";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(out.data(), static_cast<std::streamsize>(out.size()));
  file.close();
  return file ? ticked(path) : "that could not be written to " + ticked(folder) + " (set `TINE_REPRODUCER_DIR`)";
}

Reproducer read_reproducer(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  const std::string all = content.str();
  std::string_view in = all;
  if (!in.starts_with(first_line)) throw std::runtime_error("`" + path + "` is not a reproducer file");
  in.remove_prefix(first_line.size());
  Reproducer r;
  r.message = take(in);
  r.stage = take(in);
  r.target = take(in);
  r.options = take(in);
  r.compiler = take(in);
  r.graph = bytes(take(in));
  r.specialization = bytes(take(in));
  return r;
}

}  // namespace tine::jit
