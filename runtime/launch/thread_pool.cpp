#include "runtime/launch/thread_pool.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

#include "runtime/launch/clock.hpp"
#include "runtime/launch/futex.hpp"
#include "runtime/launch/mutex.hpp"

namespace tine::launch {
namespace {

// One call in progress; lives on the caller's stack. A worker enters under the pool's mutex while the job is listed, so
// once the caller has taken it off the list and seen `inside` at 0, nobody knows of it.
struct Job {
  const Work* work;
  int64_t end, chunk;
  int room;  // workers that may still enter; under the mutex
  Job* next_job = nullptr;
  alignas(64) std::atomic<int64_t> next;
  alignas(64) std::atomic<uint32_t> inside{0};  // workers in it, and `caller_sleeps`
};
constexpr uint32_t caller_sleeps = 1u << 31;

void run_ranges(Job& job) {
  for (;;) {
    const int64_t begin = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
    if (begin >= job.end) return;
    job.work->run(job.work->context, begin, std::min(job.end, begin + job.chunk));
  }
}

class Pool {
 public:
  void run(Job& job, int threads, int64_t spin_us) {
    spin_ns_.store(spin_us * 1000, std::memory_order_relaxed);
    int helpers;
    {
      std::lock_guard lock(mutex_);
      job.room = helpers = std::min(threads - 1, started(threads - 1));
      Job** last = &jobs_;
      while (*last) last = &(*last)->next_job;
      *last = &job;
      signals_.fetch_add(1, std::memory_order_seq_cst);
    }
    if (helpers > 0 && sleepers_.load(std::memory_order_seq_cst) > 0) futex_wake(&signals_, helpers);
    run_ranges(job);
    {
      std::lock_guard lock(mutex_);
      Job** at = &jobs_;
      while (*at != &job) at = &(*at)->next_job;
      *at = job.next_job;
    }
    wait(job);
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  static void wait(Job& job) {
    for (int i = 0; i < 2000; ++i) {  // the last ranges end at about the same time
      if (job.inside.load(std::memory_order_acquire) == 0) return;
      pause();
    }
    uint32_t seen = job.inside.fetch_or(caller_sleeps, std::memory_order_acquire) | caller_sleeps;
    while (seen != caller_sleeps) {
      futex_wait(job.inside, seen);
      seen = job.inside.load(std::memory_order_acquire);
    }
  }

  // Makes sure that `wanted` workers exist, or as many as the system gives. Under the mutex.
  int started(int wanted) {
    for (; workers_ < wanted && !exhausted_; ++workers_) {
      // Signals are for the host's own threads, but for a thread's own faults: where those are blocked, the system ends the process
      // past the host's handlers.
      sigset_t others, old;
      sigfillset(&others);
      for (const int fault : {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS}) sigdelset(&others, fault);
      pthread_sigmask(SIG_SETMASK, &others, &old);
      pthread_t thread;
      const int failed = pthread_create(
          &thread, nullptr,
          [](void* pool) -> void* {
            pthread_setname_np(pthread_self(), "tine-worker");
            static_cast<Pool*>(pool)->work();
            return nullptr;
          },
          this);
      pthread_sigmask(SIG_SETMASK, &old, nullptr);
      if (failed) {
        exhausted_ = true;
        break;
      }
      pthread_detach(thread);
    }
    return workers_;
  }

  Job* enter() {
    std::lock_guard lock(mutex_);
    for (Job* job = jobs_; job; job = job->next_job) {
      if (job->room <= 0 || job->next.load(std::memory_order_relaxed) >= job->end) continue;
      --job->room;
      job->inside.fetch_add(1, std::memory_order_relaxed);
      return job;
    }
    return nullptr;
  }

  static void leave(Job* job) {
    const uint32_t before = job->inside.fetch_sub(1, std::memory_order_acq_rel);
    if (before == (caller_sleeps | 1)) futex_wake(&job->inside, 1);  // the job may be gone by now
  }

  [[noreturn]] void work() {
    for (;;) {
      const uint32_t seen = signals_.load(std::memory_order_acquire);
      if (Job* job = enter()) {
        if (!job->work->prepare || job->work->prepare(job->work->context)) run_ranges(*job);
        leave(job);
        continue;
      }
      const int64_t until = now_ns() + spin_ns_.load(std::memory_order_relaxed);
      bool called = false;
      while (!called && now_ns() < until) {
        for (int i = 0; i < 32 && !called; ++i) {
          called = signals_.load(std::memory_order_acquire) != seen;
          if (!called) pause();
        }
      }
      if (called) continue;
      sleepers_.fetch_add(1, std::memory_order_seq_cst);
      futex_wait(signals_, seen);
      sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    }
  }

  Mutex mutex_;
  Job* jobs_ = nullptr;
  int workers_ = 0;
  bool exhausted_ = false;
  std::atomic<int64_t> spin_ns_{0};
  alignas(64) std::atomic<uint32_t> signals_{0};  // grows with every job
  alignas(64) std::atomic<uint32_t> sleepers_{0};
};

// Never destroyed: workers may outlive what ends with the process. A child of `fork` has no workers, so it gets another
// pool.
std::atomic<Pool*> pool_now{nullptr};

void watch_forks() {
  pthread_atfork(
      [] {
        if (Pool* p = pool_now.load()) p->lock();
      },
      [] {
        if (Pool* p = pool_now.load()) p->unlock();
      },
      [] { pool_now.store(nullptr); });
}

// Null if there is no memory for one.
Pool* pool() {
  if (Pool* p = pool_now.load(std::memory_order_acquire)) return p;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  static Mutex mutex;
  std::lock_guard lock(mutex);
  if (!pool_now.load())
    if (void* memory = std::aligned_alloc(alignof(Pool), sizeof(Pool))) pool_now.store(new (memory) Pool);
  return pool_now.load();
}

int allowed_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

void parallel_for(int64_t begin, int64_t end, int64_t chunk, int threads, const Work& work, int64_t spin_us) {
  if (begin >= end) return;
  Pool* workers = threads <= 1 || end - begin <= chunk ? nullptr : pool();
  if (!workers) return work.run(work.context, begin, end);
  Job job{&work, end, chunk, 0, nullptr, begin, 0};
  const int64_t ranges = (end - begin - 1) / chunk + 1;
  workers->run(job, static_cast<int>(std::min<int64_t>(threads, ranges)), spin_us);
}

int available_cpus() {
  static std::atomic<int> known{0};
  int count = known.load(std::memory_order_relaxed);
  if (count == 0) known.store(count = std::min(allowed_cpus(), cpu_quota("/sys/fs/cgroup/cpu.max")));
  return count;
}

int cpu_quota(const char* file) {
  long long quota = 0, period = 0;
  if (std::FILE* f = std::fopen(file, "r")) {
    const int read = std::fscanf(f, "%lld %lld", &quota, &period);  // "max 100000" where there is no quota
    std::fclose(f);
    if (read == 2 && quota > 0 && period > 0)
      return static_cast<int>(std::min<long long>((quota - 1) / period + 1, INT_MAX));
  }
  return INT_MAX;
}

}  // namespace tine::launch
