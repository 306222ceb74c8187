// Bytes on disk by key, shared by any number of processes. One file an entry, named by the hash of its key:
//   payload | key | footer {magic, payload size, key size, checksum of payload and key}
// (payload first, so that an ELF payload stays a valid ELF file for debuggers). A file is written under a name of its
// own and renamed into place, so readers see whole entries or none; what a killed process or a bad disk leaves fails
// the checksum and counts as absent. A read-only or full disk costs speed only: no function here throws or reports
// failure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tine::cache {

class DiskCache {
 public:
  /// `limit` in bytes. The folder is made when something is stored. An empty path is a cache that holds nothing.
  DiskCache(std::string folder, int64_t limit);

  std::optional<std::string> load(std::string_view key) const;
  void store(std::string_view key, std::string_view payload);
  /// Drops what was used longest ago until the files take no more than 3/4 of the limit, if they take more than the
  /// limit; and staged files that a killed process left more than 10 minutes ago.
  void evict() const;

  const std::string& folder() const { return folder_; }
  std::string file_of(std::string_view key) const;

 private:
  std::string folder_;
  int64_t limit_;
  int64_t until_scan_ = 0;  // bytes that may still be stored before the folder is measured; approximate among threads
};

/// The folder that the knobs and the environment name; "" if the cache is off or there is no home.
std::string default_folder();

}  // namespace tine::cache
