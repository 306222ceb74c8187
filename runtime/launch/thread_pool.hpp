// Persistent worker threads that share the programs of a call. Needs the C library alone: linked AOT libraries have it
// too. A call hands out ranges of programs from a counter; the caller works too and never waits for a worker that has
// not begun. Any number of threads may call at the same time.
#pragma once
#include <cstdint>

namespace tine::launch {

/// What a call wants done. Both functions run on several threads at once and must not throw.
struct Work {
  /// Called once on each worker thread before its first range; false: this thread cannot take part. May be null.
  bool (*prepare)(void* context) = nullptr;
  void (*run)(void* context, int64_t begin, int64_t end) = nullptr;
  void* context = nullptr;
};

/// Runs `work` on [begin, end) in ranges of `chunk`, on the calling thread and up to `threads - 1` workers, and returns
/// when all of it is done. Workers are started as they are first needed and live as long as the process; where none can
/// be started the caller does the work alone. After `fork` the child starts workers of its own. Workers that find
/// nothing more to do spin for `spin_us` microseconds before they sleep.
void parallel_for(int64_t begin, int64_t end, int64_t chunk, int threads, const Work& work, int64_t spin_us = 20);

/// CPUs this process may use, at least 1: by its affinity and, in a container, by its quota of time.
int available_cpus();
/// The quota that a `cpu.max` file of cgroups states, in whole CPUs; INT_MAX if there is none.
int cpu_quota(const char* file);

}  // namespace tine::launch
