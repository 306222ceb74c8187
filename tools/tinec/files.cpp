#include "tools/tinec/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

std::string reason() { return std::strerror(errno); }

[[noreturn]] void cannot(const char* what, const std::string& path) {
  throw Failure(ticked(path) + " cannot be " + what + ": " + reason());
}

struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// Where a link leads, so that a new file replaces the file and not the link. A link to nothing stays as it is.
std::string resolved(const std::string& path) {
  char buffer[PATH_MAX];
  return ::realpath(path.c_str(), buffer) ? buffer : path;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool is_special(const std::string& path) {
  struct stat s;
  return ::stat(path.c_str(), &s) == 0 && !S_ISREG(s.st_mode);
}

void write_in_place(const std::string& path, const std::function<bool(Sink&)>& body) {
  const Descriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.fd < 0) cannot("written", path);
  Sink sink(out.fd);
  if (!body(sink)) cannot("written", path);
}

}  // namespace

std::string read_text(const std::string& path, std::size_t limit) {
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.fd < 0) cannot("read", path);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(in.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot("read", path);
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > limit) throw Failure(ticked(path) + " is larger than " + std::to_string(limit >> 20) + " MiB");
  }
}

bool Sink::write(const void* bytes, std::size_t n) {
  const char* p = static_cast<const char*>(bytes);
  while (n > 0) {
    const ssize_t k = ::write(fd_, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= static_cast<std::size_t>(k);
  }
  return true;
}

void write_file(const std::string& path, const std::function<bool(Sink&)>& body) {
  if (is_special(path)) return write_in_place(path, body);
  const std::string target = resolved(path);
  std::string temporary = target + ".XXXXXX";
  const Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
  if (out.fd < 0)
    return write_in_place(path, body);  // a folder that takes no new files may hold one that can be written
  Sink sink(out.fd);
  struct stat old;
  mode_t mode;
  if (::stat(target.c_str(), &old) == 0) {
    mode = old.st_mode & 07777;
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (!body(sink) || ::fchmod(out.fd, mode) != 0 || ::rename(temporary.c_str(), target.c_str()) != 0) {
    const int why = errno;
    ::unlink(temporary.c_str());
    errno = why;
    cannot("written", path);
  }
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](Sink& sink) { return sink.write(text.data(), text.size()); });
}

void write_stdout(std::string_view text) {
  Sink sink(STDOUT_FILENO);
  if (!sink.write(text.data(), text.size())) throw Failure("standard output cannot be written: " + reason());
}

void check_writable(const std::string& path) {
  struct stat s;
  if (::stat(path.c_str(), &s) == 0) {
    if (S_ISDIR(s.st_mode))
      errno = EISDIR;
    else if (::access(path.c_str(), W_OK) == 0)
      return;
    cannot("written", path);
  }
  if (errno != ENOENT || ::access(folder_of(path).c_str(), W_OK | X_OK) != 0) cannot("written", path);
}

TemporaryDirectory::TemporaryDirectory() {
  const char* tmp = std::getenv("TMPDIR");
  path_ = std::string(tmp && *tmp ? tmp : "/tmp") + "/tinec-XXXXXX";
  if (!::mkdtemp(path_.data()))
    throw Failure("no temporary directory can be made as " + ticked(path_) + ": " + reason());
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tinec
