#include "runtime/launch/call.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/knobs.hpp"
#include "runtime/launch/checks.hpp"
#include "runtime/launch/device.hpp"
#include "runtime/launch/facts.hpp"
#include "runtime/launch/footprint.hpp"
#include "runtime/launch/gpu_facts.hpp"
#include "runtime/launch/run_programs.hpp"
#include "runtime/launch/thread_pool.hpp"

namespace tine::launch {

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  const int64_t knob = knobs::get().num_threads;
  return knob > 0 ? static_cast<int>(std::min<int64_t>(knob, 1024)) : available_cpus();
}

namespace {

// ---- what one thread knows about calls with certain sizes and strides

struct SourceState {
  Footprint footprint;
  uint32_t element = 1;
  bool tensor = false, stored = false, overlaps_itself = false;
};

struct CallState {
  uint64_t kernel = 0;  // TracedKernel::id
  uint64_t hash = 0;
  uint64_t place = 0;         // Visit::place
  uint32_t alignment = 1;     // CommonAlignment::common
  std::vector<int64_t> dims;  // sizes and strides of all sources, in order
  std::vector<SourceState> sources;
  std::vector<uint8_t> overlapping;  // for each of TracedKernel::pairs
  std::vector<int64_t> slots;        // all but the sources' are filled for good
  std::vector<void*> parameters;     // of GPU code: where the slots are
  std::vector<TensorRange> ranges;   // of GPU code
  Programs programs;
};

constexpr std::size_t recent_count = 64, state_count = 256;

struct ThreadStates {
  CallState* recent[recent_count] = {};            // of the last call of a kernel, by its id
  std::unique_ptr<CallState> states[state_count];  // by hash; a newer one takes the place
};
thread_local ThreadStates thread_states;

uint64_t hash_of(const TracedKernel& k, std::span<const Argument> arguments, uint32_t alignment, uint64_t place) {
  uint64_t h = k.id * 0x9e3779b97f4a7c15 + place * 0xd6e8feb86659fd93 + alignment;
  for (const Argument& a : arguments)
    for (int i = 0; i < 2 * a.rank; ++i) {
      h = (h ^ static_cast<uint64_t>(a.dims[i])) * 0xe7037ed1a0b428db;
      h ^= h >> 32;
    }
  return h;
}

bool same_dims(const CallState& state, std::span<const Argument> arguments) {
  const int64_t* known = state.dims.data();
  int64_t different = 0;
  for (const Argument& a : arguments)
    for (int i = 0; i < 2 * a.rank; ++i) different |= *known++ ^ a.dims[i];
  return different == 0;
}

// ---- what depends on the base pointers

// Whether the pairs of the state overlap as they did when it was made.
bool same_overlaps(const TracedKernel& k, const CallState& state, std::span<const Argument> arguments) {
  for (std::size_t p = 0; p < k.pairs.size(); ++p) {
    const auto a = static_cast<std::size_t>(k.pairs[p].first), b = static_cast<std::size_t>(k.pairs[p].second);
    const Footprint &x = state.sources[a].footprint, &y = state.sources[b].footprint;
    bool meet = ranges_meet(x, arguments[a].data, y, arguments[b].data);
    if (meet) meet = may_overlap(x, arguments[a].data, y, arguments[b].data);
    if (meet != (state.overlapping[p] != 0)) return false;
  }
  return true;
}

void check_memory(const TracedKernel& k, int source, uint8_t memory, const Device* device) {
  if (memory == 0 || memory == on_cuda_host || memory == on_cuda_managed) return;
  if (device ? memory == device->memory_kind() || (memory == on_host && device->reads_host()) : memory == on_host) return;
  fail(Diag::wrong_memory, k.where_param(source),
       {k.name(), k.source_name(source),
        memory == on_host ? "the host"
        : memory == on_cuda ? "a CUDA device"
                            : "`emulated:sm_" + std::to_string(memory - on_emulated) + "`",
        device ? device->name() : "cpu"});
}

void check_pointers(const TracedKernel& k, const CallState& state, std::span<const Argument> arguments,
                    const Device* device) {
  for (std::size_t s = 0; s < arguments.size(); ++s) {
    const SourceState& source = state.sources[s];
    if (!source.tensor) continue;
    const int i = static_cast<int>(s);
    if (!arguments[s].data && !source.footprint.empty)
      fail(Diag::null_data, k.where_param(i),
           {k.name(), k.source_name(i), shape_text({arguments[s].dims, arguments[s].rank})});
    if (arguments[s].is_const && source.stored) fail(Diag::read_only, k.where_param(i), {k.name(), k.source_name(i)});
    check_memory(k, i, arguments[s].memory, device);
  }
}

// ---- making a state

// Stores pass by the caches where a line would be read for nothing before it is overwritten: results larger than the
// caches, of a program that loads as much at least twice. A core has few buffers for such stores, which a single pass
// feels (one thread, against plain stores: add 1.3, rms_norm 1.3, silu 0.85).
void find_streamed(const TracedKernel& k, std::span<const Argument> arguments, const CallState& state,
                   graph::Specialization& facts) {
  int large_loads = 0;
  for (const graph::Region& region : k.graph.regions)
    for (const int32_t id : region.nodes) {
      const graph::Node& node = k.graph.nodes[static_cast<std::size_t>(id)];
      if (node.op != graph::Op::load) continue;
      const auto s = static_cast<std::size_t>(k.graph.params[static_cast<std::size_t>(node.attr)].source);
      large_loads += larger_than_caches(arguments[s], state.sources[s].element);
    }
  for (std::size_t s = 0; s < arguments.size(); ++s)
    facts.sources[s].streamed = large_loads >= 2 && k.graph.sources[s].stored && !k.graph.sources[s].loaded &&
                                larger_than_caches(arguments[s], state.sources[s].element) &&
                                rows_at_16_bytes(arguments[s], facts.sources[s], state.sources[s].element);
}

std::unique_ptr<CallState> make_state(const TracedKernel& k, std::span<const Argument> arguments,
                                      const CommonAlignment& alignment, uint64_t hash, uint64_t place,
                                      const CodeSource& code) {
  auto state = std::make_unique<CallState>();
  state->kernel = k.id;
  state->hash = hash;
  state->place = place;
  state->alignment = alignment.common();
  check_sizes(k, arguments);
  graph::Specialization facts;
  for (std::size_t s = 0; s < arguments.size(); ++s) {
    const Argument& a = arguments[s];
    const graph::Source& source = k.graph.sources[s];
    SourceState known;
    graph::SourceFacts fact;
    known.element = static_cast<uint32_t>(graph::bytes(source.type));
    known.stored = source.stored;
    if (source.rank > 0) {
      const std::optional<Footprint> f = footprint(a, known.element);
      if (!f) {
        const int i = static_cast<int>(s);
        const std::string strides = shape_text({a.dims + a.rank, a.rank});
        fail(Diag::address_overflow, k.where_param(i),
             {k.name(), k.source_name(i), shape_text({a.dims, a.rank}), strides});
      }
      known.tensor = true;
      known.footprint = *f;
      known.overlaps_itself = source.stored && may_overlap_itself(a);
      fact = stride_facts(a);
      fact.alignment = alignment.of(a.data, known.element);
      if (code.device && reinterpret_cast<uintptr_t>(a.data) % known.element != 0)
        fail(Diag::misaligned_data, k.where_param(static_cast<int>(s)),
             {k.name(), k.source_name(static_cast<int>(s)), std::to_string(known.element), code.device->name()});
    }
    state->dims.insert(state->dims.end(), a.dims, a.dims + 2 * a.rank);
    state->sources.push_back(known);
    facts.sources.push_back(fact);
    if (known.overlaps_itself) facts.overlaps.emplace_back(static_cast<int>(s), static_cast<int>(s));
  }
  if (!code.device) find_streamed(k, arguments, *state, facts);
  check_pointers(k, *state, arguments, code.device);
  for (std::size_t s = 0; s < arguments.size() && code.device; ++s)
    if (state->sources[s].tensor && !state->sources[s].footprint.empty && !code.device->reads(arguments[s].data))
      check_memory(k, static_cast<int>(s), on_host, code.device);
  for (const auto& [a, b] : k.pairs) {
    const bool meet =
        may_overlap(state->sources[a].footprint, arguments[a].data, state->sources[b].footprint, arguments[b].data);
    state->overlapping.push_back(meet);
    if (meet) facts.overlaps.emplace_back(a, b);
  }
  std::sort(facts.overlaps.begin(), facts.overlaps.end());
  state->programs.count = count_programs(k, arguments);
  if (state->programs.count == 0) return state;  // nothing runs, so nothing is compiled
  if (code.device) add_gpu_facts(k, arguments, facts);

  state->slots.assign(static_cast<std::size_t>(k.plan.slots), 0);
  for (std::size_t s = 0; s < arguments.size(); ++s)
    std::copy_n(arguments[s].dims + arguments[s].rank, arguments[s].rank,
                state->slots.begin() + k.plan.first_stride[s]);
  for (std::size_t i = 0; i < k.plan.symbols.size(); ++i)
    state->slots[static_cast<std::size_t>(k.plan.first_symbol) + i] = value_of(k, k.plan.symbols[i], arguments);
  state->programs.code = code.code(k, facts);
  if (!code.device) {
    state->programs.scratch = state->programs.code.scratch(state->slots.data());
    return state;
  }
  for (int64_t& slot : state->slots) state->parameters.push_back(&slot);
  for (std::size_t s = 0; s < arguments.size(); ++s) {
    const SourceState& source = state->sources[s];
    if (source.tensor && !source.footprint.empty)
      state->ranges.push_back(
          {static_cast<int>(s), source.footprint.lo, source.footprint.hi, source.stored, k.graph.sources[s].loaded});
  }
  return state;
}

// ---- running

void fill_and_run(const TracedKernel& k, CallState& state, std::span<const Argument> arguments, How how) {
  if (state.programs.count == 0) return;
  for (std::size_t s = 0; s < arguments.size(); ++s)
    state.slots[s] = static_cast<int64_t>(state.sources[s].tensor ? reinterpret_cast<uintptr_t>(arguments[s].data)
                                                                  : arguments[s].scalar);
  if (GpuFunction* gpu = state.programs.code.gpu)
    return gpu->launch({k, state.slots, state.parameters.data(), state.programs.count, state.ranges, how.stream,
                        thread_count(how.threads)});
  if (!run_programs(state.programs, state.slots.data(), thread_count(how.threads), knobs::get().spin))
    fail(Diag::out_of_memory, {}, {k.name(), std::to_string(state.programs.scratch)});
}

}  // namespace

void call(const TracedKernel& k, std::span<const Argument> arguments, How how, const CodeSource& code) {
  const Visit visit(code.device, how.stream);
  ThreadStates& known = thread_states;
  CommonAlignment alignment;
  for (std::size_t s = 0; s < arguments.size(); ++s)
    if (arguments[s].rank > 0)
      alignment.add(arguments[s].data, static_cast<uint32_t>(graph::bytes(k.graph.sources[s].type)));

  CallState*& recent = known.recent[k.id % recent_count];
  const auto fits = [&](const CallState* state) {
    return state && state->kernel == k.id && state->alignment == alignment.common() &&
           state->place == visit.place() && same_dims(*state, arguments) && same_overlaps(k, *state, arguments);
  };
  if (fits(recent) && alignment.natural()) {
    check_pointers(k, *recent, arguments, code.device);
    return fill_and_run(k, *recent, arguments, how);
  }
  const uint64_t hash = hash_of(k, arguments, alignment.common(), visit.place());
  std::unique_ptr<CallState>& place = known.states[hash % state_count];
  if (!fits(place.get()) || !alignment.natural()) {
    auto made = make_state(k, arguments, alignment, hash, visit.place(), code);
    if (!alignment.natural()) return fill_and_run(k, *made, arguments, how);  // too rare to be kept
    for (CallState*& r : known.recent)
      if (r == place.get()) r = nullptr;
    place = std::move(made);
  } else {
    check_pointers(k, *place, arguments, code.device);
  }
  recent = place.get();
  fill_and_run(k, *recent, arguments, how);
}

}  // namespace tine::launch
