// The call of a kernel in a library. Its first call with certain sizes and strides checks them, chooses the variant and
// loads its code; what it found is kept by the calling thread. A later call of that thread with the same sizes and
// strides compares them, looks at the base pointers and runs: no lock, no allocation.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/aot/arguments.hpp"
#include "runtime/aot/cuda.hpp"
#include "runtime/aot/entry.h"
#include "runtime/aot/library.hpp"
#include "runtime/aot/message.hpp"
#include "runtime/aot/select.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/footprint.hpp"
#include "runtime/launch/run_programs.hpp"
#include "runtime/launch/thread_pool.hpp"

namespace tine::aot {
namespace {

std::atomic<int> threads_wanted{-1};  // -1: nobody has said; the environment may

int thread_count() {
  int wanted = threads_wanted.load(std::memory_order_relaxed);
  if (wanted < 0) {
    const char* text = std::getenv("TINE_NUM_THREADS");  // as in runtime/knobs.hpp
    wanted = text ? std::clamp(std::atoi(text), 0, 1024) : 0;
    threads_wanted.store(wanted);
  }
  return wanted > 0 ? wanted : launch::available_cpus();
}

// ---- what one thread knows about calls with certain sizes and strides

// Alignment of each source, in two bits: the classes of `alignment_of`.
using Alignments = unsigned __int128;

Alignments alignments_of(std::span<const Argument> arguments) {
  Alignments out = 0;
  for (const Argument& a : arguments) {
    const auto element = static_cast<uint32_t>(bytes(static_cast<DType>(a.type)));
    const uint32_t is = a.rank > 0 ? alignment_of(a.data, element) : 64;
    out = out << 2 | (is == 64 ? 3u : is == 16 ? 2u : is == element ? 1u : 0u);
  }
  return out;
}

struct State {
  const PackedKernel* kernel;
  const PackedInstance* instance;
  uint32_t device;
  Alignments alignments;
  uint64_t hash;
  uint64_t place;      // of GPUs: the context
  const GpuCode* gpu;  // of GPUs, unless there are no programs
  int sources, words;
  launch::Programs programs;
  // Behind it, in one block of memory:
  int64_t* dims;                  // sizes and strides of all sources, in order
  int64_t* slots;                 // all but the sources' are filled for good
  void** parameters;              // of GPUs: the addresses of the slots
  launch::Footprint* footprints;  // of each source
  uint64_t* overlaps;             // CallFacts::overlaps of each source
};

constexpr std::size_t recent_count = 64, state_count = 256;

struct ThreadStates {
  State* recent[recent_count];  // of the last call of a kernel
  State* states[state_count];   // by hash; a newer one takes the place
};

pthread_key_t ends;
pthread_once_t once = PTHREAD_ONCE_INIT;
thread_local ThreadStates* mine = nullptr;

void forget(void* states) {
  auto* known = static_cast<ThreadStates*>(states);
  for (State* s : known->states) std::free(s);
  std::free(known);
  mine = nullptr;
}

// Null if there is no memory.
ThreadStates* thread_states() {
  if (mine) return mine;
  pthread_once(&once, [] { pthread_key_create(&ends, forget); });
  mine = static_cast<ThreadStates*>(std::calloc(1, sizeof(ThreadStates)));
  pthread_setspecific(ends, mine);
  return mine;
}

// An empty state with its tables; null if there is no memory.
State* new_state(int sources, int words, int slots) {
  const auto n = static_cast<std::size_t>(sources);
  const std::size_t numbers = static_cast<std::size_t>(words) + 2 * static_cast<std::size_t>(slots) + n;
  void* memory = std::calloc(1, sizeof(State) + numbers * sizeof(int64_t) + n * sizeof(launch::Footprint));
  if (!memory) return nullptr;
  auto* state = new (memory) State{};
  state->sources = sources;
  state->words = words;
  state->footprints = reinterpret_cast<launch::Footprint*>(state + 1);
  state->dims = reinterpret_cast<int64_t*>(state->footprints + n);
  state->slots = state->dims + words;
  state->parameters = reinterpret_cast<void**>(state->slots + slots);
  for (int i = 0; i < slots; ++i) state->parameters[i] = &state->slots[i];
  state->overlaps = reinterpret_cast<uint64_t*>(state->parameters + slots);
  return state;
}

uint64_t hash_of(const PackedKernel& k, uint32_t device, uint64_t place, Alignments alignments, const int64_t* dims,
                 int words) {
  uint64_t h = place * 0xd6e8feb86659fd93 + reinterpret_cast<uintptr_t>(&k) * 0x9e3779b97f4a7c15 +
               static_cast<uint64_t>(alignments ^ alignments >> 61) + (uint64_t{device} << 32);
  for (int i = 0; i < words; ++i) {
    h = (h ^ static_cast<uint64_t>(dims[i])) * 0xe7037ed1a0b428db;
    h ^= h >> 32;
  }
  return h;
}

bool same_overlaps(Base base, const State& s, std::span<const Argument> arguments) {
  const auto sources = base[s.instance->sources];
  for (std::size_t a = 0; a < sources.size(); ++a) {
    if (!sources[a].stored || sources[a].rank == 0) continue;
    for (std::size_t b = 0; b < sources.size(); ++b) {
      if (a == b || sources[b].rank == 0) continue;
      bool meet = launch::ranges_meet(s.footprints[a], arguments[a].data, s.footprints[b], arguments[b].data);
      if (meet) meet = launch::may_overlap(s.footprints[a], arguments[a].data, s.footprints[b], arguments[b].data);
      if (meet != ((s.overlaps[a] >> b & 1) != 0)) return false;
    }
  }
  return true;
}

bool data_there(const State& s, std::span<const Argument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].rank > 0 && !arguments[i].data && !s.footprints[i].empty) return false;
  return true;
}

// ---- making a state

struct Call {
  Library& library;
  const PackedKernel& kernel;
  const PackedInstance& instance;
  tine_stream stream;
  uint32_t device;
  uint64_t place;
};

int no_memory(const Call& c, int64_t bytes) {
  Words<32> wanted;
  return refuse_memory("kernel", c.library.base.text(c.kernel.name), wanted.add(bytes).add(" bytes").view());
}

// Status; on TINE_OK `out` is the state.
int make_state(const Call& c, const Arguments& arguments, int words, Alignments alignments, uint64_t hash,
               State*& out) {
  const Base base = c.library.base;
  CallFacts facts;
  if (!find_facts(base, c.kernel, c.instance, arguments.span(), facts)) return TINE_REFUSED;
  const auto programs = base[c.instance.programs];
  // Sizes that no program takes are told of before variants are: the last has no constant sizes, if any has not.
  const PackedProgram& general = programs.back();
  if (general.constants.count == 0 && !check_sizes(base, c.kernel, c.instance, general, arguments.span()))
    return TINE_REFUSED;
  std::span<const bool> can_run = c.library.can_run;
  bool of_device[max_targets];
  if (c.device != device_cpu) {
    std::copy(can_run.begin(), can_run.end(), of_device);
    if (const int status = gpu_can_run(base, c.kernel, {of_device, can_run.size()})) return status;
    can_run = {of_device, can_run.size()};
  }
  const Choice choice = choose(base, c.kernel, c.instance, arguments.span(), facts, c.device, can_run);
  if (!choice.variant) return choice.status;
  const PackedProgram& program = *choice.program;
  if (&program != &general && !check_sizes(base, c.kernel, c.instance, program, arguments.span())) return TINE_REFUSED;
  const int64_t count = count_programs(base, c.kernel, c.instance, program, arguments.span());
  if (count < 0) return TINE_REFUSED;

  State* state = new_state(arguments.count, words, program.slots);
  if (!state) return no_memory(c, program.slots * int64_t{8});
  state->kernel = &c.kernel;
  state->instance = &c.instance;
  state->device = c.device;
  state->place = c.place;
  state->alignments = alignments;
  state->hash = hash;
  std::copy_n(arguments.dims, words, state->dims);
  int slot = arguments.count;
  for (int s = 0; s < arguments.count; ++s) {
    const Argument& a = arguments.of[s];
    state->footprints[s] = facts.footprints[s];
    state->overlaps[s] = facts.overlaps[s];
    for (int d = 0; d < a.rank; ++d) state->slots[slot++] = a.dims[a.rank + d];
  }
  state->programs.count = count;
  if (count > 0) {
    if (!fill_symbols(base, c.kernel, c.instance, program, arguments.span(), state->slots)) {
      std::free(state);
      return TINE_REFUSED;
    }
    if (c.device != device_cpu) {
      state->gpu = load_gpu_code(c.library, c.kernel, choice.variant->code, c.place);
    } else {
      state->programs.code = load_code(c.library, c.kernel, choice.variant->code);
      if (state->programs.code.entry) state->programs.scratch = state->programs.code.scratch(state->slots);
    }
    if (!state->gpu && !state->programs.code.entry) {
      std::free(state);
      return TINE_FAILED;
    }
  }
  out = state;
  return TINE_OK;
}

// ---- running

int run(const Call& c, State& s, const Arguments& arguments) {
  if (s.programs.count == 0) return TINE_OK;
  for (int i = 0; i < s.sources; ++i) {
    const Argument& a = arguments.of[i];
    s.slots[i] = static_cast<int64_t>(a.rank > 0 ? reinterpret_cast<uintptr_t>(a.data) : a.scalar);
  }
  if (s.gpu) return launch_gpu(c.library.base, c.kernel, *s.gpu, s.programs.count, s.parameters, c.stream);
  constexpr int64_t spin_us = 20;
  if (launch::run_programs(s.programs, s.slots, thread_count(), spin_us)) return TINE_OK;
  return no_memory(c, s.programs.scratch);
}

// ---- the call

int call_at(const Call& c, const tine_tensor* const* tensors, ThreadStates& known) {
  const Base base = c.library.base;
  const PackedKernel& kernel = c.kernel;
  const PackedInstance& instance = c.instance;
  Arguments arguments;
  if (!read_arguments(base, kernel, instance, tensors, arguments)) return TINE_REFUSED;
  const Alignments alignments = alignments_of(arguments.span());
  int words = 0;
  for (const Argument& a : arguments.span()) words += 2 * a.rank;
  const auto fits = [&](const State* s) {
    return s && s->kernel == &kernel && s->instance == &instance && s->device == c.device && s->place == c.place &&
           s->alignments == alignments &&
           std::memcmp(s->dims, arguments.dims, static_cast<std::size_t>(words) * sizeof(int64_t)) == 0 &&
           same_overlaps(base, *s, arguments.span()) && data_there(*s, arguments.span());
  };
  State*& recent = known.recent[(reinterpret_cast<uintptr_t>(&kernel) / sizeof(PackedKernel)) % recent_count];
  if (fits(recent)) return run(c, *recent, arguments);
  const uint64_t hash = hash_of(kernel, c.device, c.place, alignments, arguments.dims, words);
  State*& slot = known.states[hash % state_count];
  if (!fits(slot)) {
    State* made = nullptr;
    if (const int status = make_state(c, arguments, words, alignments, hash, made)) return status;
    for (State*& r : known.recent)
      if (r == slot) r = nullptr;
    std::free(slot);
    slot = made;
  }
  recent = slot;
  return run(c, *recent, arguments);
}

int call(Library& library, const PackedKernel& kernel, const PackedInstance& instance, tine_stream stream,
         const tine_tensor* const* tensors, ThreadStates& known) {
  if (!library.has_gpu_code || stream == TINE_STREAM_CPU)
    return call_at({library, kernel, instance, stream, device_cpu, 0}, tensors, known);
  const CudaScope scope(library.base, kernel, stream);
  if (scope.status) return scope.status;
  return call_at({library, kernel, instance, stream, device_cuda, scope.place}, tensors, known);
}

}  // namespace
}  // namespace tine::aot

using namespace tine::aot;

extern "C" {

int tine_aot_call(tine_aot_library* handle, uint32_t index, tine_stream stream, const tine_tensor* const* tensors) {
  Library* library = open_library(*handle);
  if (!library) return TINE_FAILED;
  const Base base = library->base;
  const PackedKernel& kernel = base[base.pack().kernels][index];
  const auto instances = base[kernel.instances];
  const auto sources = base[instances[0].sources];
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!tensors[i]) {
      Words<128> name, argument;
      name.tick(base.text(kernel.name));
      return refuse(AotDiag::null_tensor, {name.view(), argument.tick(base.text(sources[i].name)).view()});
    }
  ThreadStates* known = thread_states();
  if (!known) return refuse_memory("kernel", base.text(kernel.name), "what a thread remembers");
  // The instance of the last call comes first: most calls repeat it.
  const State* recent = known->recent[(reinterpret_cast<uintptr_t>(&kernel) / sizeof(PackedKernel)) % recent_count];
  if (recent && recent->kernel == &kernel && fits(base, *recent->instance, tensors))
    return call(*library, kernel, *recent->instance, stream, tensors, *known);
  const int found = find_instance(base, kernel, tensors);
  if (found < 0) return TINE_REFUSED;
  return call(*library, kernel, instances[static_cast<std::size_t>(found)], stream, tensors, *known);
}

int tine_aot_call_instance(tine_aot_library* handle, uint32_t index, uint32_t which, tine_stream stream,
                           tine_tensor* tensors) {
  Library* library = open_library(*handle);
  if (!library) return TINE_FAILED;
  const Base base = library->base;
  const PackedKernel& kernel = base[base.pack().kernels][index];
  const PackedInstance& instance = base[kernel.instances][which];
  const auto sources = base[instance.sources];
  const tine_tensor* pointers[max_sources];
  for (std::size_t i = 0; i < sources.size(); ++i) {
    tensors[i].rank = sources[i].rank;
    // As NineToothed's launchers read scalars: floats as doubles, integers in their own type.
    const bool real = sources[i].rank == 0 && is_float(static_cast<tine::DType>(sources[i].type));
    tensors[i].dtype = real ? int32_t{TINE_F64} : int32_t{sources[i].type};
    pointers[i] = &tensors[i];
  }
  ThreadStates* known = thread_states();
  if (!known) return refuse_memory("kernel", base.text(kernel.name), "what a thread remembers");
  return call(*library, kernel, instance, stream, pointers, *known);
}

void tine_aot_set_threads(int threads) { threads_wanted.store(std::max(threads, 0)); }

}  // extern "C"
