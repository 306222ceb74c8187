// The disk cache: what it gives back, and what it makes of damage, of full and read-only disks, and of its limit.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <iterator>

#include "environment.hpp"
#include "runtime/cache/disk_cache.hpp"
#include "runtime/cache/hash.hpp"

using namespace tine;
using cache::DiskCache;
namespace fs = std::filesystem;

namespace {

int64_t megabyte = 1 << 20;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

}  // namespace

TEST_CASE("hashes are stable and tell neighbours apart", "[cache]") {
  CHECK(cache::hex(cache::hash("")).size() == 32);
  CHECK(cache::hash("") != cache::hash(std::string_view("\0", 1)));
  std::string text(100, 'x');
  const cache::Hash whole = cache::hash(text);
  for (std::size_t n = 0; n < text.size(); ++n) {
    CHECK(cache::hash(std::string_view(text).substr(0, n)) != whole);
    text[n] ^= 1;
    CHECK(cache::hash(text) != whole);
    CHECK(cache::hash(text).low != whole.low);
    text[n] ^= 1;
  }
}

TEST_CASE("the disk cache gives back what was stored, under its key only", "[cache]") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path() + "/made/when/needed", megabyte);
  CHECK_FALSE(cache.load("key"));
  cache.store("key", std::string("pay\0load", 8));
  cache.store("empty", "");
  CHECK(cache.load("key") == std::string("pay\0load", 8));
  CHECK(cache.load("empty") == "");
  CHECK_FALSE(cache.load("kez"));
  CHECK(DiskCache(cache.folder(), megabyte).load("key"));
  cache.store("key", "newer");
  CHECK(cache.load("key") == "newer");
  // A file under the name of another key, as if the two had one hash.
  fs::copy_file(cache.file_of("key"), cache.file_of("other"));
  CHECK_FALSE(cache.load("other"));
  CHECK(cache.load("key") == "newer");
}

TEST_CASE("a damaged entry counts as absent and makes room", "[cache]") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path(), megabyte);
  const std::string payload(300, 'p');
  cache.store("key", payload);
  const std::string path = cache.file_of("key"), sound = read(path);
  for (std::size_t cut = 0; cut < sound.size(); cut += 7) {
    write(path, sound.substr(0, cut));
    REQUIRE_FALSE(cache.load("key"));
    REQUIRE_FALSE(fs::exists(path));
  }
  for (std::size_t at = 0; at < sound.size(); at += 3) {
    std::string bad = sound;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write(path, bad);
    REQUIRE_FALSE(cache.load("key"));
  }
  write(path, sound + sound);
  CHECK_FALSE(cache.load("key"));
  write(path, sound);
  CHECK(cache.load("key") == payload);
  cache.store("key", payload);
  CHECK(cache.load("key") == payload);
}

TEST_CASE("a cache that cannot be written costs speed only", "[cache]") {
  const test::TemporaryFolder folder;
  write(folder.path() + "/file", "");
  DiskCache blocked(folder.path() + "/file/below", megabyte);
  blocked.store("key", "payload");
  CHECK_FALSE(blocked.load("key"));
  DiskCache none("", megabyte);
  none.store("key", "payload");
  CHECK_FALSE(none.load("key"));
  // A full disk: writes fail after some bytes.
  DiskCache full(folder.path() + "/full", megabyte);
  full.store("small", "payload");
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{500, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  full.store("key", std::string(10000, 'x'));
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(full.load("key"));
  CHECK(full.load("small") == "payload");
  CHECK(std::distance(fs::directory_iterator(full.folder()), fs::directory_iterator()) ==
        1);  // and nothing is left over
  // The super-user writes into read-only folders, so this shows something for others only.
  DiskCache cache(folder.path() + "/ro", megabyte);
  cache.store("key", "payload");
  fs::permissions(cache.folder(), fs::perms::owner_read | fs::perms::owner_exec);
  cache.store("other", "payload");
  CHECK(cache.load("key") == "payload");
  fs::permissions(cache.folder(), fs::perms::owner_all);
}

TEST_CASE("above its limit the cache drops what was used longest ago", "[cache]") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path(), 100000);
  const std::string payload(9000, 'x');
  for (int i = 0; i < 10; ++i) {
    cache.store(std::to_string(i), payload);
    const timespec old[2] = {{1000 + i, 0}, {1000 + i, 0}};
    utimensat(AT_FDCWD, cache.file_of(std::to_string(i)).c_str(), old, 0);
  }
  CHECK(cache.load("0"));  // used now
  cache.store("a", payload);
  cache.store("b", payload);
  cache.evict();
  CHECK(cache.load("0"));
  CHECK(cache.load("a"));
  CHECK(cache.load("b"));
  CHECK_FALSE(cache.load("1"));
  CHECK_FALSE(cache.load("2"));
  int64_t total = 0;
  for (const auto& e : fs::directory_iterator(folder.path())) total += static_cast<int64_t>(e.file_size());
  CHECK(total <= 75000);
}

TEST_CASE("staged files of killed processes are cleaned up once they are old", "[cache]") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path(), megabyte);
  cache.store("key", "payload");
  const std::string stale = cache.file_of("key") + ".staged.1.1", fresh = cache.file_of("key") + ".staged.2.2";
  write(stale, "half an en");
  write(fresh, "half an en");
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  utimensat(AT_FDCWD, stale.c_str(), old, 0);
  cache.evict();
  CHECK_FALSE(fs::exists(stale));
  CHECK(fs::exists(fresh));
  CHECK(cache.load("key") == "payload");
}

TEST_CASE("the folder of the cache follows the environment", "[cache]") {
  {
    const test::Environment e({{"TINE_CACHE_DIR", "/somewhere"}, {"TINE_CACHE", "on"}});
    CHECK(cache::default_folder() == "/somewhere");
  }
  {
    const test::Environment e({{"TINE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/xdg"}, {"TINE_CACHE", "on"}});
    CHECK(cache::default_folder() == "/xdg/tine");
  }
  {
    const test::Environment e({{"TINE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", "/x"}, {"TINE_CACHE", "1"}});
    CHECK(cache::default_folder() == "/x/.cache/tine");
  }
  const test::Environment e({{"TINE_CACHE_DIR", "/somewhere"}, {"TINE_CACHE", "off"}});
  CHECK(cache::default_folder().empty());
}
