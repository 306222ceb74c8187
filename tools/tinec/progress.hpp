// A line on standard error for work that takes long, so that nobody wonders; none for quick work or where nobody looks.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tinec {

/// Says `what` if this object lives longer than a second, standard error is a terminal and `--quiet` was not given.
class Progress {
 public:
  explicit Progress(std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  static void silence();
  static bool silent();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace tinec
