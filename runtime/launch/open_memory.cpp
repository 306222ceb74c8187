#include "runtime/launch/open_memory.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tine::launch {
namespace {

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

int memory_file(const char* label) {
  const int fd = ::memfd_create(label, MFD_CLOEXEC);
  if (fd >= 0) return fd;
  // A kernel without memory files, or one that forbids executable ones.
  const char* tmp = std::getenv("TMPDIR");
  char path[4096];
  if (std::snprintf(path, sizeof path, "%s/tine-XXXXXX", tmp && *tmp ? tmp : "/tmp") >= static_cast<int>(sizeof path))
    return -1;
  const int file = ::mkostemp(path, O_CLOEXEC);
  if (file >= 0) ::unlink(path);
  return file;
}

// The loader takes two files with one name for one file, and descriptors' numbers come again. So each path gets a
// spelling of its own: slashes written once or twice, as the bits of a counter say.
void unique_path(int fd, char (&path)[128]) {
  static std::atomic<uint32_t> counter{0};
  uint32_t n = counter.fetch_add(1, std::memory_order_relaxed);
  char* at = path + std::snprintf(path, sizeof path, "/proc/self/fd");
  for (int bit = 0; bit < 24; ++bit, n >>= 1)
    for (const char* c = n & 1 ? "//." : "/."; *c; ++c) *at++ = *c;
  std::snprintf(at, static_cast<std::size_t>(path + sizeof path - at), "/%d", fd);
}

}  // namespace

void* open_memory(const void* bytes, std::size_t size, const char* label, char* reason, std::size_t reason_size) {
  const int fd = memory_file(label);
  if (fd < 0 || !write_all(fd, static_cast<const char*>(bytes), size)) {
    std::snprintf(reason, reason_size, "%s", std::strerror(errno));
    if (fd >= 0) ::close(fd);
    return nullptr;
  }
  char path[128];
  unique_path(fd, path);
  void* handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = ::dlerror();
    std::snprintf(reason, reason_size, "%s", why ? why : "unknown reason");
  }
  ::close(fd);
  return handle;
}

}  // namespace tine::launch
