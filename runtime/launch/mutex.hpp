// A mutex that needs the C library alone; with std::lock_guard.
#pragma once
#include <pthread.h>

namespace tine::launch {

class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace tine::launch
