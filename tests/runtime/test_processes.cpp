// BR-31: many processes, one empty disk cache; some of them are killed in the middle.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <vector>

#include "environment.hpp"

using namespace tine;

namespace {

pid_t start(int rounds, const char* more = nullptr) {
  const pid_t child = fork();
  if (child != 0) return child;
  const std::string n = std::to_string(rounds);
  execl(TINE_TEST_PROCESS, TINE_TEST_PROCESS, n.c_str(), more, nullptr);
  _exit(99);
}

int result(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<std::filesystem::path> files(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& e : std::filesystem::directory_iterator(folder)) out.push_back(e.path());
  return out;
}

}  // namespace

TEST_CASE("BR-31: processes share an empty cache", "[processes]") {
  const test::TemporaryFolder folder;
  const test::Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) children.push_back(start(50));
  for (pid_t child : children) CHECK(result(child) == 0);
  CHECK(files(folder.path()).size() == 3);  // the compiler's identity and two specialisations
  CHECK(result(start(2, "cached")) == 0);
}

TEST_CASE("BR-31: entries come and go under readers' feet", "[processes]") {
  const test::TemporaryFolder folder;
  const test::Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(start(50));
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    usleep(200);
    const auto all = files(folder.path());
    if (all.empty()) continue;
    const auto& victim = all[random() % all.size()];
    std::error_code ignored;
    if (i % 3 == 0)
      std::filesystem::remove(victim, ignored);
    else
      std::filesystem::resize_file(victim, random() % 500, ignored);
  }
  for (pid_t child : children) CHECK(result(child) == 0);
}

TEST_CASE("BR-31: a process killed in the middle leaves nothing that is believed", "[processes]") {
  std::mt19937 random(4);
  for (int round = 0; round < 12; ++round) {
    const test::TemporaryFolder folder;
    const test::Environment env({{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}});
    const pid_t child = start(1000);
    usleep(500 + random() % 6000);
    kill(child, SIGKILL);
    CHECK(result(child) == -1);
    CHECK(result(start(2)) == 0);
    CHECK(result(start(1, "cached")) == 0);
  }
}

TEST_CASE("a build of the compiler has entries of its own", "[processes]") {
  const test::TemporaryFolder folder;
  const test::Environment env(
      {{"TINE_CACHE", "on"}, {"TINE_CACHE_DIR", folder.path()}, {"STANDIN_LOG", folder.path() + "/log"}});
  const auto compiles = [&] {
    std::ifstream log(folder.path() + "/log");
    int n = 0;
    for (std::string line; std::getline(log, line);) ++n;
    return n;
  };
  CHECK(result(start(2)) == 0);
  CHECK(compiles() == 2);
  CHECK(result(start(2)) == 0);
  CHECK(compiles() == 2);
  // What the cache knows of the compiler is kept with its file; a new file is asked again.
  const std::string copy = folder.path() + "/newer.so";
  std::filesystem::copy_file(std::getenv("TINE_COMPILER_LIBRARY"), copy);
  const test::Environment newer({{"TINE_COMPILER_LIBRARY", copy}, {"STANDIN_BUILD_ID", "standin-2"}});
  CHECK(result(start(1)) == 0);
  CHECK(compiles() == 4);
  CHECK(result(start(1, "cached")) == 0);
  CHECK(compiles() == 4);
}
