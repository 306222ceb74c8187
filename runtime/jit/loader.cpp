#include "runtime/jit/loader.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tine::jit {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// The loader takes two files with one name for one file, and descriptors' numbers come again. So each path gets a
// spelling of its own: slashes written once or twice, as the bits of a counter say.
std::string unique_path(int fd) {
  static std::atomic<uint32_t> counter{0};
  uint32_t n = counter.fetch_add(1, std::memory_order_relaxed);
  std::string path = "/proc/self/fd";
  for (int bit = 0; bit < 24; ++bit, n >>= 1) path += n & 1 ? "//." : "/.";
  return path + "/" + std::to_string(fd);
}

}  // namespace

launch::Code load(std::string_view elf, std::string_view name, std::string& missing, std::string& reason) {
  missing.clear();
  reason.clear();
  const std::string label = "tine:" + std::string(name.substr(0, 200));
  int fd = ::memfd_create(label.c_str(), MFD_CLOEXEC);
  if (fd < 0) {  // a kernel without memory files, or one that forbids executable ones
    const char* tmp = std::getenv("TMPDIR");
    std::string path = std::string(tmp && *tmp ? tmp : "/tmp") + "/tine-XXXXXX";
    fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd >= 0) ::unlink(path.c_str());
  }
  if (fd < 0 || !write_all(fd, elf)) {
    reason = std::strerror(errno);
    if (fd >= 0) ::close(fd);
    return {};
  }
  void* handle = ::dlopen(unique_path(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = ::dlerror();
    reason = why ? why : "unknown reason";
  }
  ::close(fd);
  if (!handle) return {};
  launch::Code a;
  a.entry = reinterpret_cast<tine_cpu_entry_fn>(::dlsym(handle, TINE_CPU_ENTRY));
  a.scratch = reinterpret_cast<tine_cpu_scratch_fn>(::dlsym(handle, TINE_CPU_SCRATCH));
  if (a.entry && a.scratch) return a;
  missing = a.entry ? TINE_CPU_SCRATCH : TINE_CPU_ENTRY;
  reason = "it does not export `" + missing + "`";
  ::dlclose(handle);
  return {};
}

}  // namespace tine::jit
