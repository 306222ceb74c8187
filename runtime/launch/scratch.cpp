#include "runtime/launch/scratch.hpp"

#include <pthread.h>

#include <cstdlib>

namespace tine::launch {
namespace {

// A destructor of a thread-local object would need the C++ library; a key of the C library's frees as well.
pthread_key_t ends;
pthread_once_t once = PTHREAD_ONCE_INIT;
thread_local void* data = nullptr;
thread_local int64_t size = 0;

}  // namespace

void* thread_scratch(int64_t bytes) {
  if (bytes <= 0) return nullptr;
  if (size >= bytes) return data;
  constexpr int64_t unit = 4096;  // growth in whole pages, so that nearby sizes share one buffer
  if (bytes > INT64_MAX - unit) return nullptr;
  pthread_once(&once, [] {
    pthread_key_create(&ends, [](void* memory) {
      std::free(memory);
      data = nullptr;
      size = 0;
    });
  });
  std::free(data);
  const int64_t whole = (bytes + unit - 1) / unit * unit;
  data = std::aligned_alloc(64, static_cast<size_t>(whole));
  size = data ? whole : 0;
  pthread_setspecific(ends, data);
  return data;
}

}  // namespace tine::launch
