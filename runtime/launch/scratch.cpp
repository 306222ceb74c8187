#include "runtime/launch/scratch.hpp"

#include <cstdlib>

namespace tine::launch {
namespace {

struct Buffer {
  void* data = nullptr;
  int64_t size = 0;
  ~Buffer() { std::free(data); }
};
thread_local Buffer buffer;

}  // namespace

void* thread_scratch(int64_t bytes) {
  if (bytes <= 0) return nullptr;
  if (buffer.size >= bytes) return buffer.data;
  constexpr int64_t unit = 4096;  // growth in whole pages, so that nearby sizes share one buffer
  if (bytes > INT64_MAX - unit) return nullptr;
  const int64_t size = (bytes + unit - 1) / unit * unit;
  std::free(buffer.data);
  buffer.data = std::aligned_alloc(64, static_cast<size_t>(size));
  buffer.size = buffer.data ? size : 0;
  return buffer.data;
}

}  // namespace tine::launch
