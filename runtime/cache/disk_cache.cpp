#include "runtime/cache/disk_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "runtime/cache/hash.hpp"
#include "runtime/knobs.hpp"

namespace tine::cache {
namespace {

constexpr char magic[8] = {'T', 'I', 'N', 'E', 'C', '0', '0', '1'};
constexpr std::string_view entry_suffix = ".tine", staged_infix = ".staged.";
constexpr time_t staged_lifetime = 600;

struct Footer {
  char magic[8];
  uint64_t payload_size, key_size;
  Hash checksum;
};
static_assert(sizeof(Footer) == 40);

class File {  // owns a descriptor
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() { if (fd_ >= 0) ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  bool close() { const int fd = fd_; fd_ = -1; return ::close(fd) == 0; }

 private:
  int fd_;
};

bool read_all(int fd, std::string& out) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  out.resize(static_cast<std::size_t>(info.st_size));
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::read(fd, out.data() + done, out.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int fd, const void* data, std::size_t size) {
  const auto* p = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(fd, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) return true;
  const std::size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) return false;
  return make_folders(path.substr(0, slash)) && (::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST);
}

}  // namespace

DiskCache::DiskCache(std::string folder, int64_t limit) : folder_(std::move(folder)), limit_(limit) {}

std::string DiskCache::file_of(std::string_view key) const {
  return folder_ + "/" + hex(hash(key)) + std::string(entry_suffix);
}

std::optional<std::string> DiskCache::load(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = file_of(key);
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string bytes;
  if (!file || !read_all(file.get(), bytes)) return std::nullopt;
  Footer footer;
  bool sound = bytes.size() >= sizeof footer;
  if (sound) {
    std::memcpy(&footer, bytes.data() + bytes.size() - sizeof footer, sizeof footer);
    bytes.resize(bytes.size() - sizeof footer);
    sound = std::memcmp(footer.magic, magic, sizeof magic) == 0 && footer.payload_size <= bytes.size() &&
            footer.key_size == bytes.size() - footer.payload_size && footer.checksum == hash(bytes);
  }
  if (!sound) {  // make room for a good one; that another process replaced it just now costs one compile
    ::unlink(path.c_str());
    return std::nullopt;
  }
  if (std::string_view(bytes).substr(footer.payload_size) != key) return std::nullopt;  // two keys with one hash
  ::futimens(file.get(), nullptr);  // "used now", for `evict`
  bytes.resize(footer.payload_size);
  return bytes;
}

void DiskCache::store(std::string_view key, std::string_view payload) {
  if (folder_.empty() || !make_folders(folder_)) return;
  static std::atomic<unsigned> counter{0};
  const std::string path = file_of(key);
  const std::string staged = path + std::string(staged_infix) + std::to_string(::getpid()) + "." +
                             std::to_string(counter.fetch_add(1, std::memory_order_relaxed));
  File file(::open(staged.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file) return;
  std::string bytes;
  bytes.reserve(payload.size() + key.size() + sizeof(Footer));
  bytes.append(payload).append(key);
  Footer footer{{}, payload.size(), key.size(), hash(bytes)};
  std::memcpy(footer.magic, magic, sizeof magic);
  bytes.append(reinterpret_cast<const char*>(&footer), sizeof footer);
  // No fsync: what a crash of the machine leaves half-written fails the checksum.
  if (!write_all(file.get(), bytes.data(), bytes.size()) || !file.close() ||
      std::rename(staged.c_str(), path.c_str()) != 0)
    ::unlink(staged.c_str());
  std::atomic_ref<int64_t> until_scan(until_scan_);
  if (until_scan.fetch_sub(static_cast<int64_t>(bytes.size())) <= static_cast<int64_t>(bytes.size())) {
    until_scan = limit_ / 16;
    evict();
  }
}

void DiskCache::evict() const {
  struct Entry {
    std::string path;
    int64_t size;
    timespec used;
  };
  std::vector<Entry> entries;
  int64_t total = 0;
  DIR* dir = ::opendir(folder_.c_str());
  if (!dir) return;
  const time_t now = std::time(nullptr);
  while (const dirent* e = ::readdir(dir)) {
    const std::string_view name = e->d_name;
    const bool staged = name.find(staged_infix) != name.npos;
    if (!staged && !name.ends_with(entry_suffix)) continue;
    struct stat info;
    if (::fstatat(::dirfd(dir), e->d_name, &info, 0) != 0) continue;
    const std::string path = folder_ + "/" + e->d_name;
    if (staged) {
      if (now - info.st_mtime > staged_lifetime) ::unlink(path.c_str());
      continue;
    }
    entries.push_back({path, info.st_size, info.st_mtim});
    total += info.st_size;
  }
  ::closedir(dir);
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (const Entry& e : entries) {
    if (total <= limit_ / 4 * 3) break;
    if (::unlink(e.path.c_str()) == 0) total -= e.size;
  }
}

std::string default_folder() {
  const knobs::Values& k = knobs::get();
  if (!k.cache) return "";
  if (!k.cache_dir.empty()) return k.cache_dir;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg == '/') return std::string(xdg) + "/tine";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/tine";
  return "";
}

}  // namespace tine::cache
