#include "runtime/launch/run_programs.hpp"

#include <algorithm>

#include "runtime/launch/clock.hpp"
#include "runtime/launch/scratch.hpp"
#include "runtime/launch/thread_pool.hpp"

namespace tine::launch {
namespace {

// Waking workers and waiting for them costs about this much; a call shorter than that is done sooner without them.
constexpr double wake_ns = 5000;
constexpr uint32_t measure_every = 256;  // calls between two measurements of a program's time, in case it has changed

struct Run {
  const Programs* programs;
  const int64_t* slots;
};

bool prepare(void* context) {
  const Programs& p = *static_cast<Run*>(context)->programs;
  return p.scratch <= 0 || thread_scratch(p.scratch) != nullptr;
}

void run_range(void* context, int64_t begin, int64_t end) {
  const Run& run = *static_cast<Run*>(context);
  run.programs->code.entry(run.slots, begin, end, thread_scratch(run.programs->scratch));
}

}  // namespace

bool run_programs(Programs& p, const int64_t* slots, int threads, int64_t spin_us) {
  void* scratch = nullptr;
  if (p.scratch > 0 && !(scratch = thread_scratch(p.scratch))) return false;
  const int64_t n = p.count;
  if (n == 1 || threads == 1) return p.code.entry(slots, 0, n, scratch), true;

  const bool known = p.program_ns >= 0;
  const bool small = known && p.program_ns * static_cast<double>(n) < wake_ns;
  int64_t done = 0;
  if (!known || ++p.runs % measure_every == 0) {  // time the first program, or all where they are known to be quick
    done = small ? n : 1;
    const int64_t start = now_ns();
    p.code.entry(slots, 0, done, scratch);
    p.program_ns = static_cast<double>(now_ns() - start) / static_cast<double>(done);
    if (done == n) return true;
  }
  if (p.program_ns * static_cast<double>(n - done) < wake_ns) return p.code.entry(slots, done, n, scratch), true;
  Run run{&p, slots};
  constexpr int64_t ranges_per_thread = 8;  // so that a thread that is held up delays the others little
  parallel_for(done, n, std::max<int64_t>(1, (n - done) / (threads * ranges_per_thread)), threads,
               {prepare, run_range, &run}, spin_us);
  return true;
}

}  // namespace tine::launch
