// The running machine: launch, block, warp, group. Handlers get an Exec, which is a warp seen through one group of its lanes.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/program.hpp"
#include "isa/specials.hpp"
#include "machine/allocation.hpp"
#include "machine/windows.hpp"
#include "tine/emulator/machine.hpp"

namespace tine::emulator::detail {

constexpr std::uint32_t kFull = 0xFFFFFFFFu;

// --- a kernel with everything it can reach, addresses filled in

enum Builtin : std::int32_t { kVprintf = -2, kAssertFail = -3, kUnresolved = -1 };

struct LinkedFunction {
  const Function* fn = nullptr;
  std::vector<std::uint64_t> constants;    // 32 lanes each
  std::vector<std::int32_t> call_targets;  // by call site: index into LinkedKernel::functions, or a Builtin
};
struct SharedRange {
  std::string name;
  std::uint32_t begin = 0, end = 0;
};
struct LinkedKernel {
  const Function* entry = nullptr;
  std::string module;
  std::vector<LinkedFunction> functions;   // 0: the kernel
  std::vector<SharedRange> shared;         // static variables, with gaps between them
  std::uint32_t static_shared = 0;         // bytes as the hardware would count them
  std::uint32_t dynamic_base = 0;          // where dynamic shared memory starts
  bool uses_dynamic = false;
  std::map<std::uint64_t, std::int32_t> code_addresses;  // of functions whose address is taken
  std::vector<const std::string*> module_of;             // per function
  std::vector<const AstModule*> ast_of;
};

// --- shadow state of shared memory

enum ByteState : std::uint8_t { kUnwritten = 0, kWritten = 1, kPending = 2 };

struct Stamp {               // one access of one thread
  std::uint32_t clock = 0;   // of its warp, in block barriers
  std::uint32_t sync = 0;    // of its warp, in warp synchronisations
  std::uint32_t line = 0;
  std::uint16_t tid = 0;
  std::uint8_t mask = 0;     // bytes of the 4-byte granule
  bool strong = false;       // atomic or volatile
};
struct Granule {
  Stamp write, read, other_read;
};

struct AsyncCopy {
  std::uint64_t source;      // global address
  std::uint32_t to;          // shared offset
  std::uint32_t group;
  std::uint32_t line;
  std::uint8_t size, source_size, lane;
};

// --- groups: lanes of a warp that run together

struct Frame {
  std::uint32_t function = 0, return_pc = 0, slots = 0, preds = 0, local = 0;
};
enum class State : std::uint8_t { free, ready, parked, at_barrier, wait_mask, wait_aligned, wait_warp };

struct Group {
  State state = State::free;
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
  Frame frame;                      // the running one (return_pc unused)
  std::vector<Frame> callers;
  std::vector<std::uint32_t> tokens;  // where these lanes will wait for lanes they were parted from, innermost last
  std::uint32_t waiting_for = 0;    // wait_mask, wait_warp: the member mask
  bool forced = false;              // go on although not everybody is there
};
struct Token {
  std::uint32_t pc = 0, depth = 0, expected = 0, arrived = 0;
  bool used = false;
};

struct Block;
struct Launch;

struct Warp {
  Block* block = nullptr;
  std::uint32_t index = 0;
  std::uint32_t lanes = 0;            // lanes that exist
  std::uint32_t live = 0;             // and have not ended
  std::array<Group, 32> groups;
  std::vector<Token> tokens;
  std::vector<std::uint64_t> slots;
  std::vector<std::uint32_t> preds;
  std::array<std::uint64_t, kSpecialSlots * 32> special;
  std::array<std::vector<std::uint8_t>, 32> local, local_state;
  std::uint32_t carry = 0;            // the CC flag
  std::uint32_t next_group = 0;       // round robin
  std::uint64_t parked_since = 0;     // instructions run while someone was parked
  bool strong = false;                // did a volatile or atomic access in the last slice: it may be spinning
  std::vector<AsyncCopy> copies;
  std::array<std::uint32_t, 32> copy_group;
  // race detection
  std::uint32_t sync = 1, full_sync = 0;
  std::unique_ptr<std::array<std::array<std::uint32_t, 32>, 32>> partial_sync;  // [lane][other]: last sync both took part in
  bool fenced = false;
};

struct Barrier {
  std::uint32_t arrived = 0;          // threads
  std::uint32_t expected = 0;         // 0: all threads of the block
  bool in_use = false;
  std::uint32_t count = 0;            // bar.red: predicates that were true
  bool all = true, any = false;
  std::uint32_t voters = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiters;  // warp, group
  std::vector<std::uint32_t> clock;   // joined
  std::vector<std::uint32_t> arrivals;  // warps that arrived without waiting
};

struct LineCounter {
  std::uint64_t global_requests = 0, global_sectors = 0, global_bytes = 0, shared_requests = 0, shared_wavefronts = 0, shared_ideal = 0;
};

struct BlockResult {
  std::uint32_t linear = 0;
  std::vector<Diagnostic> diagnostics;
  std::string output;
};

struct Block {
  Launch* launch = nullptr;
  std::uint32_t linear = 0;
  std::array<std::uint32_t, 3> id{};
  std::vector<std::unique_ptr<Warp>> warps;
  std::uint32_t threads = 0, live = 0;
  std::vector<std::uint8_t> shared, shared_state;
  std::vector<Granule> granules;
  std::unordered_map<std::uint64_t, Granule> words;  // of global memory, by address / 4: plain accesses of this block
  std::array<Barrier, 16> barriers;
  std::vector<std::uint32_t> clocks;  // [warp][warp]
  std::uint32_t base_clock = 0, top_clock = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> released;  // by address: clocks published by strong stores
  bool acquired = false;              // did an atomic or strong load
  std::uint64_t executed = 0;
  bool ended = false;
  BlockResult result;
  std::map<std::pair<std::uint8_t, std::uint32_t>, std::size_t> seen;
  std::array<ClassCount, kInstrClasses> counts{};
  std::unordered_map<std::uint64_t, LineCounter> lines;  // (function << 32 | line)

  std::uint32_t& clock(std::uint32_t of, std::uint32_t seen_by) { return clocks[seen_by * warps.size() + of]; }
};

struct Launch {
  const LinkedKernel* kernel = nullptr;
  Options options;
  LaunchConfig config;
  std::vector<std::uint8_t> parameters;
  Memory* memory = nullptr;
  std::uint32_t id = 0;
  std::uint32_t block_threads = 0;
  std::uint32_t shared_bytes = 0;     // all, with gaps
  std::atomic<bool> abort{false};
  std::vector<std::atomic<std::uint8_t>> fences;  // per block (hashed): how often it fenced
  std::mutex mutex;                   // over everything below
  std::vector<BlockResult> results;
  std::array<ClassCount, kInstrClasses> counts{};
  std::unordered_map<std::uint64_t, LineCounter> lines;
  std::mutex wide_atomics;            // for 128-bit ones
  bool check_unwritten = true, check_shared_race = true, check_global_race = true, check_thread_race = true, count_lines = true, check_pending = true;
  explicit Launch(std::size_t fence_slots) : fences(fence_slots) {}
};

struct Access {
  enum Kind : std::uint8_t { load, store, atomic } kind = load;
  bool strong = false;               // volatile, relaxed, acquire, release, atomic
  bool constant = false;             // .nc: of memory that nobody stores to during the launch
  std::uint32_t size = 0;
  std::uint32_t align = 0;           // 0: size
};

// What a resolved address points to.
struct Place {
  std::uint8_t* host = nullptr;      // null: refused
  Space space = Space::global;
  std::uint64_t offset = 0;          // into shared or local memory
  Allocation* allocation = nullptr;
};

struct Exec {
  std::uint64_t* base[3] = {nullptr, nullptr, nullptr};
  std::uint32_t* preds = nullptr;
  Warp* warp = nullptr;
  Block* block = nullptr;
  Launch* launch = nullptr;
  Group* group = nullptr;
  const LinkedFunction* linked = nullptr;
  Allocation* last = nullptr;        // the allocation found last
  std::uint64_t shared_begin = 1, shared_end = 0;  // the shared variable found last
  Fault fault = Fault::none;

  std::uint64_t* slot(Ref r) const { return base[r >> 30] + static_cast<std::size_t>(r & 0x3FFFFFFFu) * 32; }
  std::uint32_t pred(PredRef r) const { const std::uint32_t v = preds[r & ~kPredNegated]; return (r & kPredNegated) != 0 ? ~v : v; }
  void set_pred(PredRef r, std::uint32_t value, std::uint32_t mask) const { preds[r] = (preds[r] & ~mask) | (value & mask); }
  const std::vector<Ref>& list(std::uint32_t aux) const { return linked->fn->lists[aux]; }
  void enter(Group& g);

  // --- memory, in access.cpp
  Place resolve(const Instr& in, std::uint64_t address, int lane, const Access& access);
  // Before a load / after a store has been resolved: unwritten bytes, races, pending copies.
  void before_load(const Instr& in, const Place& place, int lane, const Access& access);
  void race_in_block(const Instr& in, const Place& place, int lane, const Access& access, const std::uint8_t* data);
  void before_store(const Instr& in, const Place& place, int lane, const Access& access, const std::uint8_t* data);
  void count_access(const Instr& in, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t size);
  void finish_copies(std::uint32_t mask, std::uint32_t keep, bool all);
  void start_copy(const Instr& in, int lane, std::uint32_t to, std::uint64_t from, std::uint32_t size, std::uint32_t source_size);
  void sync_release(const Place& place, std::uint64_t address);
  void sync_acquire(const Place& place, std::uint64_t address);
  void fence();

  // --- findings
  void report(DiagnosticClass cls, const Instr& in, int lane, const std::string& message, std::uint32_t other_line = 0, bool always = false);
  bool wants(DiagnosticClass cls) const { return launch->options.mode(cls) != Mode::off; }
  std::uint32_t thread(int lane) const { return warp->index * 32 + static_cast<std::uint32_t>(lane); }
};

// Calls f(lane) for every lane of the mask; the full mask is the fast, vectorisable case.
template <class F> inline void each(std::uint32_t mask, F&& f) {
  if (mask == kFull) {
    for (int l = 0; l < 32; ++l) f(l);
  } else
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

// Memory as other host threads may touch it at the same time: relaxed, so that races of the kernel are no races of ours.
template <class T> inline T peek(const std::uint8_t* p) { return __atomic_load_n(reinterpret_cast<const T*>(p), __ATOMIC_RELAXED); }
template <class T> inline void poke(std::uint8_t* p, T v) { __atomic_store_n(reinterpret_cast<T*>(p), v, __ATOMIC_RELAXED); }

// Bytes as a hexadecimal text for messages.
std::string hex(std::uint64_t v);

// --- scheduling, in block.cpp and warp.cpp
void start_block(Block& b, Launch& l, std::uint32_t linear);
// Runs about `budget` warp instructions; true when the block has ended.
bool run_block(Block& b, std::uint64_t budget);
void finish_block(Block& b);
// One slice of a warp: true when anything ran.
bool run_warp(Block& b, Warp& w, std::uint64_t budget);
// Nothing in this warp can run. Tries to get it going: lets parked lanes go on, reports impossible rendezvous. True when something changed.
bool unblock(Block& b, Warp& w, bool last_resort);
void arrive_at_barrier(Exec& x, Group& g, const Instr& in, std::uint32_t mask);
void check_barriers(Block& b);
void call_builtin(Exec& x, const Instr& in, std::uint32_t mask, std::int32_t which);
std::string where_is(const Block& b, const Warp& w);

}  // namespace tine::emulator::detail
