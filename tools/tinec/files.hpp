// Files: reading with limits, writing so that a failure leaves the old file, and a temporary directory that always
// goes.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tinec {

/// Contents of a file (or a pipe); a Failure if it cannot be read or is larger than `limit` bytes.
std::string read_text(const std::string& path, std::size_t limit);

/// Where `write_file`'s bytes go.
class Sink {
 public:
  explicit Sink(int fd) : fd_(fd) {}
  /// False once the system has refused.
  bool write(const void* bytes, std::size_t n);

 private:
  int fd_;
};

/// A regular file is replaced only when all of it has been written; a pipe or a device is written as it stands.
/// A Failure if that does not work.
void write_file(const std::string& path, const std::function<bool(Sink&)>& body);
void write_file(const std::string& path, std::string_view text);
/// To standard output; a Failure if that does not work (a full disk, a closed pipe).
void write_stdout(std::string_view text);
/// A Failure if `path` can certainly not be written later.
void check_writable(const std::string& path);

/// A new directory for files that only this process needs.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace tinec
