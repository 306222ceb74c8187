// The stand-in driver's state, one for the process, behind one lock; and what every entry point does first.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tine/emulator/emulator.hpp"
#include "tine/stand_in/cuda.h"

#define TINE_EXPORT extern "C" __attribute__((visibility("default")))

namespace tine::stand_in {

namespace emu = tine::emulator;

// Work of a stream, in order. Run at once, or recorded by a capture.
using Work = std::function<CUresult()>;

struct Module;
struct Function {
  Module* module = nullptr;
  std::string name;
  int max_dynamic_shared = 48 * 1024;
};
struct Context;
struct Module {
  Context* context = nullptr;
  std::unique_ptr<emu::Machine> machine;  // one per module: modules of a driver do not see each other, but share the context's memory
  std::map<std::string, std::unique_ptr<Function>> functions;
};
struct Graph {
  std::vector<Work> nodes;
};
struct GraphExec {
  std::vector<Work> nodes;
  Context* context = nullptr;
};
struct Stream {
  Context* context = nullptr;
  int capture = CU_STREAM_CAPTURE_STATUS_NONE;
  int mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::uint64_t thread = 0;         // that began the capture
  bool origin = false;              // began it, rather than joined it
  bool joined_back = false;         // a forked stream whose work the origin waited for
  std::shared_ptr<Graph> graph;     // what the capture has recorded
  bool legacy = false;              // the null stream
};
struct Event {
  Context* context = nullptr;
  bool recorded = false;
  double time = 0;                  // seconds
  std::shared_ptr<Graph> captured;  // recorded inside this capture
  Stream* captured_in = nullptr;
  bool timing = true;
};
struct Context {
  CUdevice device = 0;
  unsigned long long id = 0;        // never given again
  bool primary = false;
  int references = 0;
  CUresult sick = CUDA_SUCCESS;     // after a failed kernel everything fails, as on a device
  std::set<std::unique_ptr<Stream>> streams;
  std::set<std::unique_ptr<Event>> events;
  std::set<std::unique_ptr<GraphExec>> graph_execs;
  std::shared_ptr<emu::Memory> memory;  // declared before the modules that use it; addresses of contexts differ
  std::map<CUdeviceptr, std::size_t> allocations;
  std::set<std::unique_ptr<Module>> modules;
  Stream null_stream;
};
struct State {
  std::recursive_mutex mutex;
  bool initialized = false;
  int devices = 1;
  int capability = 89;              // of all devices
  bool reads_host = false;          // kernels could read all of the host's memory, says the device
  std::size_t memory_limit = std::size_t{8} << 30, memory_used = 0;
  std::map<CUdevice, std::unique_ptr<Context>> primary;
  unsigned long long contexts_made = 0;
  std::set<std::unique_ptr<Context>> contexts;
  std::set<std::shared_ptr<Graph>> graphs;
  struct Failure {
    std::string function;
    unsigned nth;
    CUresult code;
  };
  std::vector<Failure> failures;
  std::string report;
};
State& state();
void read_limits(State& s);  // from the environment, or their defaults
std::vector<Context*>& context_stack();  // of the calling thread
std::uint64_t this_thread();
int& capture_mode();  // of the calling thread: what unsafe calls it refrains from
std::unique_ptr<Context> make_context(CUdevice device);
bool alive(Context* c);

// The planned failure of this call, or success. Call it first in every entry point, with the exported name.
CUresult planned(const char* function);
// The current context, usable; otherwise the error.
CUresult current(Context*& out);
Stream* stream_of(CUstream s, Context* c);  // null: not a stream of this context
// Calls that wait or allocate are unsafe while this thread captures in a strict mode, or anybody does in global mode. Invalidates those captures.
CUresult unsafe_call();
// Runs the work now, or records it when the stream captures.
CUresult submit(Stream* s, Work work);

template <class T> T* find(const std::set<std::unique_ptr<T>>& set, const void* handle) {
  for (const auto& p : set)
    if (p.get() == handle) return p.get();
  return nullptr;
}
template <class T> bool erase(std::set<std::unique_ptr<T>>& set, const void* handle) {
  for (auto it = set.begin(); it != set.end(); ++it)
    if (it->get() == handle) {
      set.erase(it);
      return true;
    }
  return false;
}

}  // namespace tine::stand_in

// Every entry point: the lock, the planned failure.
#define TINE_ENTER(name)                                                                  \
  const std::lock_guard<std::recursive_mutex> lock(tine::stand_in::state().mutex);        \
  if (const CUresult planned_failure = tine::stand_in::planned(name); planned_failure != 0) return planned_failure; \
  if (!tine::stand_in::state().initialized) return CUDA_ERROR_NOT_INITIALIZED
#define TINE_CONTEXT(c)                    \
  tine::stand_in::Context* c = nullptr;    \
  if (const CUresult wrong = tine::stand_in::current(c); wrong != 0) return wrong
