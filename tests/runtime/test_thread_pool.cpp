// The thread pool: each program once, from any number of threads, also in a child of fork.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <climits>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include "environment.hpp"
#include "runtime/launch/scratch.hpp"
#include "runtime/launch/thread_pool.hpp"

using namespace tine::launch;

namespace {

struct Counts {
  explicit Counts(int64_t n) : hits(static_cast<std::size_t>(n)) {}
  std::vector<std::atomic<int>> hits;
  bool each_once() const {
    for (const auto& h : hits)
      if (h.load() != 1) return false;
    return true;
  }
};

void count(void* context, int64_t begin, int64_t end) {
  auto& hits = static_cast<Counts*>(context)->hits;
  for (int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
}

}  // namespace

TEST_CASE("each program runs once, whatever the chunks and threads", "[threads]") {
  for (int64_t n : {0, 1, 2, 3, 7, 64, 1000, 4097})
    for (int64_t chunk : {1, 3, 64, 5000})
      for (int threads : {1, 2, 3, 8}) {
        Counts c(n);
        parallel_for(0, n, chunk, threads, {nullptr, count, &c});
        REQUIRE(c.each_once());
      }
}

TEST_CASE("workers leave signals to the host's threads, but for their own faults", "[threads]") {
  struct Seen {
    pthread_t caller = pthread_self();
    std::atomic<int> inside{0}, workers{0}, wrong{0};
  } seen;
  const auto look = [](void* context, int64_t, int64_t) {
    auto& s = *static_cast<Seen*>(context);
    // Until a worker has come: the caller would do everything first.
    for (++s.inside; s.inside < 2;) std::this_thread::yield();
    if (pthread_equal(pthread_self(), s.caller)) return;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    ++s.workers;
    for (const int fault : {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS}) s.wrong += sigismember(&blocked, fault);
    for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGPROF, SIGCHLD}) s.wrong += !sigismember(&blocked, signal);
  };
  parallel_for(0, 2, 1, 2, {nullptr, look, &seen});
  CHECK(seen.workers == 1);
  CHECK(seen.wrong == 0);
}

TEST_CASE("many threads may call at the same time", "[threads]") {
  std::vector<std::thread> callers;
  std::atomic<bool> right{true};
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        Counts c(200);
        parallel_for(0, 200, 1 + round % 5, 4, {nullptr, count, &c});
        if (!c.each_once()) right = false;
      }
    });
  for (auto& t : callers) t.join();
  CHECK(right);
}

TEST_CASE("a call from within a program runs too", "[threads]") {
  struct Outer { std::atomic<int> sum{0}; } outer;
  parallel_for(0, 8, 1, 4, {nullptr, [](void* context, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Counts c(50);
      parallel_for(0, 50, 1, 4, {nullptr, count, &c});
      if (c.each_once()) ++static_cast<Outer*>(context)->sum;
    }
  }, &outer});
  CHECK(outer.sum == 8);
}

TEST_CASE("workers that cannot prepare leave the work to others", "[threads]") {
  Counts c(100);
  parallel_for(0, 100, 1, 4, {[](void*) { return false; }, count, &c});
  CHECK(c.each_once());
}

TEST_CASE("a child of fork has threads of its own", "[threads]") {
  Counts warm(100);
  parallel_for(0, 100, 1, 3, {nullptr, count, &warm});
  const pid_t child = fork();
  if (child == 0) {
    Counts c(1000);
    for (int round = 0; round < 20; ++round) {
      Counts again(1000);
      parallel_for(0, 1000, 1, 3, {nullptr, count, &again});
      if (!again.each_once()) _exit(1);
    }
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("scratch memory is aligned, grows and stays", "[threads]") {
  CHECK(thread_scratch(0) == nullptr);
  void* small = thread_scratch(100);
  CHECK(reinterpret_cast<uintptr_t>(small) % 64 == 0);
  CHECK(thread_scratch(4000) == small);
  CHECK(thread_scratch(1 << 20) != nullptr);
  CHECK(thread_scratch(int64_t{1} << 60) == nullptr);
  CHECK(thread_scratch(INT64_MAX) == nullptr);
  CHECK(thread_scratch(10) != nullptr);
}

TEST_CASE("threads by default follow affinity and quota", "[threads]") {
  CHECK(available_cpus() >= 1);
  const tine::test::TemporaryFolder folder;
  const std::string file = folder.path() + "/cpu.max";
  const auto quota = [&](const char* text) {
    std::ofstream(file) << text;
    return cpu_quota(file.c_str());
  };
  CHECK(quota("max 100000\n") == INT_MAX);
  CHECK(quota("200000 100000\n") == 2);
  CHECK(quota("250000 100000\n") == 3);
  CHECK(quota("1000 100000\n") == 1);
  CHECK(quota("nonsense") == INT_MAX);
  CHECK(cpu_quota("/missing") == INT_MAX);
}
