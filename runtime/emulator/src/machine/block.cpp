// A thread block: its start, the round robin over its warps, its barriers, its end.
#include <algorithm>

#include "machine/exec.hpp"

namespace tine::emulator::detail {
namespace {

// Local memory and registers of the kernel's own frame.
void start_warp(Block& b, Warp& w, std::uint32_t index) {
  const Launch& l = *b.launch;
  const Function& fn = *l.kernel->functions[0].fn;
  w.block = &b;
  w.index = index;
  const std::uint32_t count = std::min(32u, b.threads - index * 32);
  w.lanes = w.live = count == 32 ? kFull : (1u << count) - 1;
  for (Group& g : w.groups) {
    g.state = State::free;
    g.callers.clear();
    g.tokens.clear();
    g.forced = false;
  }
  w.tokens.clear();
  w.copies.clear();
  w.copy_group.fill(0);
  w.carry = 0;
  w.next_group = 0;
  w.parked_since = 0;
  w.sync = 1;
  w.full_sync = 0;
  w.partial_sync.reset();
  w.fenced = false;
  w.slots.assign(static_cast<std::size_t>(fn.slots) * 32, 0);
  w.preds.assign(fn.preds, 0);
  w.preds[kPredTrue] = kFull;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    w.local[lane].assign(fn.local_bytes, 0xCD);
    w.local_state[lane].assign(fn.local_bytes, kUnwritten);
  }
  Group& g = w.groups[0];
  g.state = State::ready;
  g.mask = w.lanes;
  g.pc = 0;
  g.frame = Frame{};

  auto set = [&](std::uint32_t slot, auto value) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) w.special[slot * 32 + lane] = value(lane);
  };
  auto same = [&](std::uint32_t slot, std::uint64_t v) { set(slot, [v](std::uint32_t) { return v; }); };
  const auto& bd = l.config.block;
  const auto& gd = l.config.grid;
  same(kLocalBase, 0);
  set(kTidX, [&](std::uint32_t lane) { return std::uint64_t{(index * 32 + lane) % bd[0]}; });
  set(kTidY, [&](std::uint32_t lane) { return std::uint64_t{(index * 32 + lane) / bd[0] % bd[1]}; });
  set(kTidZ, [&](std::uint32_t lane) { return std::uint64_t{(index * 32 + lane) / bd[0] / bd[1]}; });
  for (std::uint32_t k = 0; k < 3; ++k) {
    same(kNtidX + k, bd[k]);
    same(kCtaidX + k, b.id[k]);
    same(kNctaidX + k, gd[k]);
  }
  set(kLaneid, [](std::uint32_t lane) { return std::uint64_t{lane}; });
  same(kWarpid, index);
  same(kNwarpid, b.warps.size());
  same(kSmid, b.linear % 132);
  same(kNsmid, 132);
  same(kGridid, l.id);
  set(kMaskEq, [](std::uint32_t lane) { return std::uint64_t{1} << lane; });
  set(kMaskLt, [](std::uint32_t lane) { return (std::uint64_t{1} << lane) - 1; });
  set(kMaskLe, [](std::uint32_t lane) { return (std::uint64_t{2} << lane) - 1; });
  set(kMaskGe, [](std::uint32_t lane) { return 0xFFFFFFFFull & ~((std::uint64_t{1} << lane) - 1); });
  set(kMaskGt, [](std::uint32_t lane) { return 0xFFFFFFFFull & ~((std::uint64_t{2} << lane) - 1); });
  same(kDynamicShared, l.config.shared_bytes);
  same(kTotalShared, l.config.shared_bytes + l.kernel->static_shared);
  same(kZero, 0);
  same(kOne, 1);
}

}  // namespace

void start_block(Block& b, Launch& l, std::uint32_t linear) {
  b.launch = &l;
  b.linear = linear;
  const auto& g = l.config.grid;
  b.id = {linear % g[0], linear / g[0] % g[1], linear / g[0] / g[1]};
  b.threads = b.live = l.block_threads;
  const std::uint32_t warps = (b.threads + 31) / 32;
  while (b.warps.size() < warps) b.warps.push_back(std::make_unique<Warp>());
  b.warps.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) start_warp(b, *b.warps[w], w);
  b.shared.assign(l.shared_bytes, 0xCD);
  b.shared_state.assign(l.shared_bytes, kUnwritten);
  b.words.clear();
  if (l.check_shared_race) {
    b.granules.resize((l.shared_bytes + 3) / 4);
    // Stamps of earlier blocks are told apart by their clocks, which only grow.
    if (b.top_clock > 0xF0000000u) {
      std::fill(b.granules.begin(), b.granules.end(), Granule{});
      b.top_clock = 0;
    }
    b.base_clock = b.top_clock + 1;
    b.clocks.assign(std::size_t{warps} * warps, b.base_clock - 1);
    for (std::uint32_t w = 0; w < warps; ++w) b.clock(w, w) = b.base_clock;
    b.top_clock = b.base_clock;
  } else
    b.clocks.assign(std::size_t{warps} * warps, 0);
  for (Barrier& x : b.barriers) x = Barrier{};
  b.released.clear();
  b.acquired = false;
  b.executed = 0;
  b.ended = false;
  b.result = BlockResult{};
  b.result.linear = linear;
  b.seen.clear();
}

std::string where_is(const Block& b, const Warp& w) {
  std::string s;
  const LinkedKernel& k = *b.launch->kernel;
  for (const Group& g : w.groups) {
    if (g.state == State::free) continue;
    static const char* const names[] = {"", "ready", "waiting for its other lanes", "at a barrier", "waiting for the lanes of its mask", "waiting for its whole warp", "at bar.warp.sync"};
    const Function& fn = *k.functions[g.frame.function].fn;
    s += (s.empty() ? "" : ", ") + std::string("lanes ") + hex(g.mask) + " " + names[static_cast<int>(g.state)] + " at line " + std::to_string(fn.code[g.pc].line);
  }
  return "warp " + std::to_string(w.index) + ": " + (s.empty() ? "ended" : s);
}

bool run_block(Block& b, std::uint64_t budget) {
  const std::uint64_t stop = b.executed + budget;
  constexpr std::uint64_t kSlice = 512;
  while (b.live != 0 && !b.ended) {
    if (b.launch->abort.load(std::memory_order_relaxed)) {
      b.ended = true;
      break;
    }
    bool ran = false;
    for (auto& w : b.warps) {
      if (w->live == 0 || b.ended) continue;
      ran |= run_warp(b, *w, kSlice);
    }
    if (b.ended || b.live == 0) break;
    if (!ran) {
      bool moved = false;
      for (auto& w : b.warps)
        if (w->live != 0) moved |= unblock(b, *w, true);
      if (!moved) {
        std::string where;
        std::size_t listed = 0;
        const Instr* at = nullptr;
        Warp* first = nullptr;
        for (auto& w : b.warps) {
          if (w->live == 0) continue;
          if (first == nullptr) first = w.get();
          if (listed++ < 8) where += "; " + where_is(b, *w);
        }
        if (listed > 8) where += "; and " + std::to_string(listed - 8) + " more warps";
        Exec x;
        x.warp = first;
        x.block = &b;
        x.launch = b.launch;
        for (Group& g : first->groups)
          if (g.state != State::free) {
            x.enter(g);
            at = &x.linked->fn->code[g.pc];
            break;
          }
        x.report(DiagnosticClass::deadlock, *at, std::countr_zero(first->live), "no thread of the block can go on" + where, 0, true);
        b.ended = true;
        break;
      }
    }
    const std::uint64_t limit = b.launch->options.max_warp_instructions;
    if (limit != 0 && b.executed >= limit) {
      Exec x;
      for (auto& w : b.warps) {
        if (w->live == 0) continue;
        x.warp = w.get();
        x.block = &b;
        x.launch = b.launch;
        for (Group& g : w->groups)
          if (g.state != State::free) {
            x.enter(g);
            x.report(DiagnosticClass::step_limit, x.linked->fn->code[g.pc], std::countr_zero(g.mask), "the block ran " + std::to_string(b.executed) + " warp instructions without ending; " + where_is(b, *w), 0, true);
            break;
          }
        break;
      }
      b.ended = true;
      break;
    }
    if (b.executed >= stop) return false;
  }
  return true;
}

void finish_block(Block& b) {
  Launch& l = *b.launch;
  const std::lock_guard<std::mutex> lock(l.mutex);
  if (!b.result.diagnostics.empty() || !b.result.output.empty()) l.results.push_back(std::move(b.result));
  for (std::size_t c = 0; c < kInstrClasses; ++c) {
    l.counts[c].warp_instructions += b.counts[c].warp_instructions;
    l.counts[c].thread_instructions += b.counts[c].thread_instructions;
  }
  b.counts = {};
  if (l.count_lines)
    for (const auto& [key, v] : b.lines) {
      LineCounter& t = l.lines[key];
      t.global_requests += v.global_requests;
      t.global_sectors += v.global_sectors;
      t.global_bytes += v.global_bytes;
      t.shared_requests += v.shared_requests;
      t.shared_wavefronts += v.shared_wavefronts;
      t.shared_ideal += v.shared_ideal;
    }
  b.lines.clear();
}

void Exec::report(DiagnosticClass cls, const Instr& in, int lane, const std::string& message, std::uint32_t other_line, bool always) {
  Launch& l = *launch;
  const Mode mode = l.options.mode(cls);
  if (mode == Mode::off && !always) return;
  BlockResult& r = block->result;
  const auto key = std::make_pair(static_cast<std::uint8_t>(cls), in.line);
  const auto it = block->seen.find(key);
  if (it != block->seen.end()) {
    ++r.diagnostics[it->second].count;
  } else {
    block->seen.emplace(key, r.diagnostics.size());
    Diagnostic d;
    d.cls = cls;
    d.kernel = l.kernel->entry->name;
    d.module = *l.kernel->module_of[group->frame.function];
    d.line = in.line;
    d.other_line = other_line;
    d.block = block->id;
    const std::uint32_t t = thread(lane);
    const auto& bd = l.config.block;
    d.thread = {t % bd[0], t / bd[0] % bd[1], t / bd[0] / bd[1]};
    d.message = message;
    // The source line: the last .loc at or before the instruction.
    const Function& fn = *linked->fn;
    const auto pc = static_cast<std::uint32_t>(&in - fn.code.data());
    auto loc = std::upper_bound(fn.locations.begin(), fn.locations.end(), pc, [](std::uint32_t v, const auto& e) { return v < e.first; });
    if (loc != fn.locations.begin() && pc < fn.code.size()) {
      --loc;
      d.source_line = loc->second.second;
      for (const auto& [n, name] : l.kernel->ast_of[group->frame.function]->files)
        if (n == loc->second.first) d.source_file = name;
    }
    r.diagnostics.push_back(std::move(d));
  }
  if (mode == Mode::fatal) {
    l.abort.store(true, std::memory_order_relaxed);
    block->ended = true;
  }
}

// --- barriers

namespace {

void complete(Block& b, Barrier& bar) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiters;
  waiters.swap(bar.waiters);
  if (b.launch->check_shared_race) {
    // Everybody who waited now knows what everybody who arrived had done.
    std::vector<char> done(b.warps.size(), 0);
    for (const auto& [wi, gi] : waiters) {
      if (done[wi]) continue;
      done[wi] = 1;
      for (std::uint32_t o = 0; o < b.warps.size(); ++o)
        if (o != wi) b.clock(o, wi) = std::max(b.clock(o, wi), bar.clock[o]);
    }
    for (const std::uint32_t wi : bar.arrivals) done[wi] = 1;
    for (std::uint32_t wi = 0; wi < b.warps.size(); ++wi)
      if (done[wi]) b.top_clock = std::max(b.top_clock, ++b.clock(wi, wi));
  }
  for (const auto& [wi, gi] : waiters) {
    Warp& w = *b.warps[wi];
    Group& g = w.groups[gi];
    w.full_sync = ++w.sync;
    Exec x;
    x.warp = &w;
    x.block = &b;
    x.launch = b.launch;
    x.enter(g);
    const Instr& in = x.linked->fn->code[g.pc];
    if (in.n != 0) {  // a reduction
      const std::uint32_t mask = g.mask & x.pred(in.guard);
      if (in.n == 1)
        each(mask, [&](int l) { x.slot(in.d)[l] = bar.count; });
      else
        x.set_pred(in.p, (in.n == 2 ? bar.all : bar.any) ? kFull : 0, mask);
    }
    ++g.pc;
    g.state = State::ready;
  }
  const std::vector<std::uint32_t> keep = std::move(bar.clock);
  bar = Barrier{};
  bar.clock = keep;
}

bool full(const Block& b, const Barrier& bar) { return bar.in_use && (bar.expected == 0 ? bar.arrived >= b.live : bar.arrived >= bar.expected); }

}  // namespace

void check_barriers(Block& b) {
  for (Barrier& bar : b.barriers)
    if (full(b, bar) && bar.expected == 0) complete(b, bar);
}

// in.a: barrier number; in.b: thread count (flags bit 0: given); flags bit 1: arrive only; in.n: 0 none, 1 popc, 2 and, 3 or; in.q: the predicate reduced.
void arrive_at_barrier(Exec& x, Group& g, const Instr& in, std::uint32_t mask) {
  Block& b = *x.block;
  Warp& w = *x.warp;
  const int lane = std::countr_zero(mask);
  const std::uint64_t number = x.slot(in.a)[lane] & 0xFFFFFFFF;
  std::uint32_t count = (in.flags & 1) != 0 ? static_cast<std::uint32_t>(x.slot(in.b)[lane]) : 0;
  if (number >= 16) {
    x.report(DiagnosticClass::barrier_misuse, in, lane, "barrier " + std::to_string(number) + " does not exist: there are 0 to 15", 0, true);
    b.ended = true;
    return;
  }
  if ((in.flags & 1) != 0 && (count == 0 || count % 32 != 0 || count > (b.threads + 31) / 32 * 32)) {
    x.report(DiagnosticClass::barrier_misuse, in, lane, "a barrier of " + std::to_string(count) + " threads: the count must be a multiple of 32 and no more than the block has", 0, true);
    count = 0;
  }
  Barrier& bar = b.barriers[number];
  if (bar.in_use && bar.expected != count) x.report(DiagnosticClass::barrier_misuse, in, lane, "barrier " + std::to_string(number) + " is in use with " + (bar.expected == 0 ? "all threads" : std::to_string(bar.expected) + " threads") + ", here with " + (count == 0 ? "all" : std::to_string(count)));
  if (!bar.in_use) {
    bar.in_use = true;
    bar.expected = count;
    bar.clock.assign(b.warps.size(), 0);
  }
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  bar.arrived += bar.expected != 0 && in.rendezvous == Rendezvous::aligned && !g.forced ? 32 : lanes;
  if (b.launch->check_shared_race)
    for (std::uint32_t o = 0; o < b.warps.size(); ++o) bar.clock[o] = std::max(bar.clock[o], b.clock(o, w.index));
  if (in.n != 0) {
    const std::uint32_t votes = x.pred(in.q) & mask;
    bar.count += static_cast<std::uint32_t>(std::popcount(votes));
    bar.all = bar.all && votes == mask;
    bar.any = bar.any || votes != 0;
  }
  const bool passes = x.fault == Fault::barrier_does_not_wait;
  if ((in.flags & 2) != 0 || passes) {
    bar.arrivals.push_back(w.index);
    ++g.pc;
    // What this warp does from now on comes after the arrival.
    if (b.launch->check_shared_race && !passes) b.top_clock = std::max(b.top_clock, ++b.clock(w.index, w.index));
  } else {
    g.state = State::at_barrier;
    bar.waiters.emplace_back(w.index, static_cast<std::uint32_t>(&g - w.groups.data()));
  }
  if (full(b, bar)) complete(b, bar);
}

}  // namespace tine::emulator::detail
