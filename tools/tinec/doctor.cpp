#include <cstdio>
#include <filesystem>

#include "runtime/cache/disk_cache.hpp"
#include "runtime/device/cuda.hpp"
#include "runtime/device/devices.hpp"
#include "runtime/jit/compiler_library.hpp"
#include "runtime/knobs.hpp"
#include "tine/error.hpp"
#include "tools/tinec/commands.hpp"
#include "tools/tinec/cxx.hpp"
#include "tools/tinec/files.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

class Findings {
 public:
  void there(const std::string& what, const std::string& text) { add("yes", what, text); }
  void missing(const std::string& what, const std::string& text) { add("no ", what, text); }
  void note(const std::string& what, const std::string& text) { add("   ", what, text); }
  std::string text;

 private:
  void add(const char* mark, std::string what, const std::string& found) {
    what.resize(std::max<std::size_t>(what.size(), 14), ' ');
    text += std::string(mark) + "  " + what + " " + printable(found) + "\n";
  }
};

// The last word of what a program says of its version: "V13.0.88" of ptxas.
std::string version_of(const std::string& program) {
  std::string all, quoted;
  for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  if (std::FILE* out = popen(("'" + quoted + "' --version 2>/dev/null").c_str(), "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof buffer, out)) all += buffer;
    pclose(out);
  }
  const std::size_t at = all.rfind(", V");
  return at == all.npos ? "of unknown version" : all.substr(at + 3, all.find('\n', at) - at - 3);
}

void compiler(Findings& f) {
  try {
    const tine::jit::CompilerLibrary& c = tine::jit::compiler_library();
    f.there("compiler", tine::jit::compiler_file() + ", build " + c.build_id());
    const std::string host = c.host_target();  // triple, processor, a long list of features
    f.note("", "`cpu` is " + host.substr(0, host.find("-+")));
    f.there("nvptx", "PTX for `emulated` and for NVIDIA GPUs; needs nothing else");
  } catch (const tine::Error& e) {
    f.missing("compiler", e.message());
  }
}

void cxx(Findings& f) {
  try {
    f.there("C++ compiler", cxx_command({})[0] + ", for headers that `tinec` is given");
  } catch (const std::exception& e) {
    f.missing("C++ compiler", e.what());
  }
}

void driver(Findings& f) {
  try {
    f.there("NVIDIA driver", tine::device::cuda_driver_text());
    for (int i = 0, n = tine::device::count_cuda_devices(); i < n; ++i) {
      const std::string name = "cuda:" + std::to_string(i);
      f.there(name, tine::device::find(name)->description());
    }
  } catch (const tine::Error& e) {
    f.missing("cuda", e.message());
  }
}

// The parts of the CUDA toolkit, as the compiler finds them: "name TAB file TAB version" a line.
void toolkit(Findings& f) {
  std::string lines;
  try {
    lines = tine::jit::compiler_library().toolkit();
  } catch (const tine::Error&) {
    return;  // said already
  }
  for (std::size_t at = 0; at < lines.size();) {
    const std::string line = lines.substr(at, lines.find('\n', at) - at);
    at += line.size() + 1;
    const std::size_t tab = line.find('\t'), second = line.find('\t', tab + 1);
    const std::string name = line.substr(0, tab), file = line.substr(tab + 1, second - tab - 1);
    const std::string version = line.substr(second + 1);
    const char* use = name == "nvrtc" ? "CUDA C++ functions in kernels" : "machine code (`code=cubin`) and resource reports";
    if (file.empty())
      f.missing(name, std::string("not found; only for ") + use + ": install NVIDIA's CUDA toolkit, or set `CUDA_HOME`");
    else
      f.there(name, file + ", " + (name == "ptxas" ? version_of(file) : version) + ", for " + use);
  }
}

void cache(Findings& f) {
  const std::string folder = tine::cache::default_folder();
  if (folder.empty()) return f.missing("disk cache", "off (`TINE_CACHE`), or there is no `HOME`");
  std::error_code error;
  uintmax_t bytes = 0, files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const uintmax_t size = entry.file_size(error);
    if (!error) bytes += size, ++files;
  }
  f.there("disk cache", folder + ", " + std::to_string(files) + " files, " + std::to_string(bytes >> 20) + " MiB of at most " +
                            std::to_string(tine::knobs::get().cache_limit));
}

}  // namespace

void doctor() {
  Findings f;
  f.there("tine", version_text().substr(0, version_text().find('\n')));
  compiler(f);
  cxx(f);
  driver(f);
  toolkit(f);
  cache(f);
  for (const tine::knobs::Knob& k : tine::knobs::all())
    if (const char* value = std::getenv(k.variable); value && *value) f.note("", std::string(k.variable) + "=" + value);
  write_stdout(f.text);
}

}  // namespace tinec
