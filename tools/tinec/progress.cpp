#include "tools/tinec/progress.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace tinec {
namespace {
bool quiet = false;
}

void Progress::silence() { quiet = true; }
bool Progress::silent() { return quiet; }

Progress::Progress(std::string what) {
  if (quiet || !::isatty(STDERR_FILENO)) return;
  thread_ = std::thread([this, what = std::move(what)] {
    sigset_t all;  // signals are for the thread that cleans up
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    std::unique_lock lock(mutex_);
    if (!wake_.wait_for(lock, std::chrono::seconds(1), [&] { return done_; }))
      std::fprintf(stderr, "tinec: %s ...\n", what.c_str());
  });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

}  // namespace tinec
