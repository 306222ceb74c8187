// A warp: groups of lanes with a program counter each. Lanes part at branches, wait for each other where the branch's sides meet,
// and rendezvous at .sync and .aligned instructions. Every ready group gets its turn, so a spinning one cannot starve the one it waits for.
#include <algorithm>

#include "machine/exec.hpp"

namespace tine::emulator::detail {
namespace {

constexpr std::uint32_t kMaxDepth = 512;            // calls
constexpr std::uint32_t kMaxFrameSlots = 1u << 19;  // 32 lanes of 8 bytes each: 128 MiB of registers per warp
constexpr std::uint64_t kParkedLimit = 2'000'000;   // instructions after which parked lanes go on alone: their partners may be spinning for them

std::uint32_t depth(const Group& g) { return static_cast<std::uint32_t>(g.callers.size()); }

std::uint32_t new_token(Warp& w, std::uint32_t pc, std::uint32_t d, std::uint32_t expected) {
  std::uint32_t id = 0;
  while (id < w.tokens.size() && w.tokens[id].used) ++id;
  if (id == w.tokens.size()) w.tokens.emplace_back();
  w.tokens[id] = Token{pc, d, expected, 0, true};
  return id;
}

// All lanes the token still waits for have come: the parked groups become one again.
void settle(Warp& w, std::uint32_t id) {
  Token& t = w.tokens[id];
  if (!t.used || (t.expected & ~t.arrived) != 0) return;
  Group* first = nullptr;
  for (Group& g : w.groups) {
    if (g.state != State::parked || g.tokens.empty() || g.tokens.back() != id) continue;
    if (first == nullptr) {
      first = &g;
      g.state = State::ready;
    } else {
      first->mask |= g.mask;
      g.state = State::free;
    }
  }
  t.used = false;
  if (first != nullptr) first->tokens.pop_back();
}

// Lanes that will never come to the tokens they hold.
void drop(Warp& w, const std::vector<std::uint32_t>& tokens, std::uint32_t mask) {
  for (auto it = tokens.rbegin(); it != tokens.rend(); ++it) {
    Token& t = w.tokens[*it];
    t.expected &= ~mask;
    t.arrived &= ~mask;
  }
  for (auto it = tokens.rbegin(); it != tokens.rend(); ++it) settle(w, *it);
}

Group* free_group(Warp& w) {
  for (Group& g : w.groups)
    if (g.state == State::free) return &g;
  return nullptr;  // cannot be: 32 groups for 32 lanes
}

// Parts `mask` from g; the new group starts at `pc`.
Group* part(Warp& w, Group& g, std::uint32_t mask, std::uint32_t pc) {
  Group* n = free_group(w);
  n->state = State::ready;
  n->mask = mask;
  n->pc = pc;
  n->frame = g.frame;
  n->callers = g.callers;
  n->tokens = g.tokens;
  n->forced = false;
  g.mask &= ~mask;
  return n;
}

void push_token(Warp& w, Group& g, std::uint32_t join) {
  if (join == kNoPc) return;
  if (!g.tokens.empty()) {
    const Token& top = w.tokens[g.tokens.back()];
    if (top.pc == join && top.depth == depth(g)) return;  // these lanes meet there anyway
  }
  g.tokens.push_back(new_token(w, join, depth(g), g.mask));
}

// At an instruction where branches meet: true when the group has to wait for others.
bool arrive(Warp& w, Group& g) {
  while (!g.tokens.empty()) {
    const std::uint32_t id = g.tokens.back();
    Token& t = w.tokens[id];
    if (t.pc != g.pc || t.depth != depth(g)) return false;
    t.arrived |= g.mask;
    g.state = State::parked;
    if ((t.expected & ~t.arrived) != 0) return true;
    settle(w, id);
    if (g.state != State::ready) return true;  // another group carries our lanes on
  }
  return false;
}

bool same_place(const Group& a, const Group& b) {
  if (a.pc != b.pc || a.frame.function != b.frame.function || a.frame.slots != b.frame.slots || a.callers.size() != b.callers.size()) return false;
  for (std::size_t i = 0; i < a.callers.size(); ++i)
    if (a.callers[i].function != b.callers[i].function || a.callers[i].return_pc != b.callers[i].return_pc) return false;
  return true;
}

// b's lanes join a. Tokens that only one of them holds are given up.
void merge(Warp& w, Group& a, Group& b) {
  std::size_t common = 0;
  while (common < a.tokens.size() && common < b.tokens.size() && a.tokens[common] == b.tokens[common]) ++common;
  const std::vector<std::uint32_t> ta(a.tokens.begin() + static_cast<std::ptrdiff_t>(common), a.tokens.end());
  const std::vector<std::uint32_t> tb(b.tokens.begin() + static_cast<std::ptrdiff_t>(common), b.tokens.end());
  a.tokens.resize(common);
  b.tokens.resize(common);
  const std::uint32_t ma = a.mask, mb = b.mask;
  a.mask |= mb;
  a.forced = false;
  b.state = State::free;
  drop(w, ta, ma);
  drop(w, tb, mb);
}

bool merge_waiting(Warp& w, Group& g, State state) {
  bool any = false;
  for (Group& o : w.groups)
    if (&o != &g && o.state == state && same_place(o, g)) {
      merge(w, g, o);
      any = true;
    }
  return any;
}

void end_lanes(Exec& x, Group& g, std::uint32_t mask) {
  Warp& w = *x.warp;
  const std::vector<std::uint32_t> tokens = g.tokens;
  w.live &= ~mask;
  x.block->live -= static_cast<std::uint32_t>(std::popcount(mask));
  g.mask &= ~mask;
  if (g.mask == 0) g.state = State::free;
  drop(w, tokens, mask);
  // Others of this warp may have waited for the lanes that are gone.
  for (Group& o : w.groups)
    if (o.state == State::wait_aligned || o.state == State::wait_mask || o.state == State::wait_warp) o.state = State::ready;
  check_barriers(*x.block);
}

// The lanes of `group` with one value of the member mask. True when that set may execute.
bool members_present(Exec& x, const Instr& in, Group& g, std::uint32_t mask) {
  const std::uint64_t* m = x.slot(in.mask_ref);
  std::uint32_t rest = mask;
  while (rest != 0) {
    const auto value = static_cast<std::uint32_t>(m[std::countr_zero(rest)]);
    std::uint32_t same = 0;
    for (std::uint32_t r = rest; r != 0; r &= r - 1)
      if (static_cast<std::uint32_t>(m[std::countr_zero(r)]) == value) same |= r & (0u - r);
    rest &= ~same;
    const std::uint32_t missing = value & x.warp->live & ~same;
    if (missing != 0 && (missing & g.mask) == 0 && !g.forced) {
      g.waiting_for = value;
      return false;
    }
  }
  return true;
}

void run_members(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t* m = x.slot(in.mask_ref);
  while (mask != 0) {
    const int lane = std::countr_zero(mask);
    const auto value = static_cast<std::uint32_t>(m[lane]);
    std::uint32_t same = 0;
    for (std::uint32_t r = mask; r != 0; r &= r - 1)
      if (static_cast<std::uint32_t>(m[std::countr_zero(r)]) == value) same |= r & (0u - r);
    mask &= ~same;
    if ((same & ~value) != 0)
      x.report(DiagnosticClass::wrong_mask, in, std::countr_zero(same & ~value), "lane " + std::to_string(std::countr_zero(same & ~value)) + " executes this with member mask " + hex(value) + ", which does not name it");
    if (const std::uint32_t missing = value & x.warp->live & ~same; missing != 0)
      x.report(DiagnosticClass::wrong_mask, in, lane, "member mask " + hex(value) + " names lanes " + hex(missing) + ", which do not execute this");
    in.run(x, in, same);
  }
}

// --- calls

bool push_frame(Exec& x, Group& g, const Instr& in, std::int32_t target, const CallSite& site, std::uint32_t return_pc) {
  Warp& w = *x.warp;
  const LinkedKernel& k = *x.launch->kernel;
  const Function& from = *x.linked->fn;
  const Function& to = *k.functions[static_cast<std::size_t>(target)].fn;
  Frame f;
  f.function = static_cast<std::uint32_t>(target);
  f.slots = g.frame.slots + from.slots;
  f.preds = g.frame.preds + from.preds;
  f.local = (g.frame.local + from.local_bytes + to.local_align - 1) / to.local_align * to.local_align;
  const int lane = std::countr_zero(g.mask);
  if (depth(g) >= kMaxDepth || f.slots + to.slots > kMaxFrameSlots || f.local + to.local_bytes > x.launch->options.local_bytes) {
    x.report(DiagnosticClass::stack_overflow, in, lane, "calling `" + to.name + "` at depth " + std::to_string(depth(g)) + " needs more stack than there is", 0, true);
    x.block->ended = true;
    return false;
  }
  if (site.arguments.size() != to.params.size() || site.results.size() != to.results.size()) {
    x.report(DiagnosticClass::bad_call, in, lane, "`" + to.name + "` takes other parameters than this call gives", 0, true);
    x.block->ended = true;
    return false;
  }
  if (w.slots.size() < static_cast<std::size_t>(f.slots + to.slots) * 32) w.slots.resize(static_cast<std::size_t>(f.slots + to.slots) * 32, 0);
  if (w.preds.size() < f.preds + to.preds) w.preds.resize(f.preds + to.preds, 0);
  w.preds[f.preds + kPredTrue] |= g.mask;
  each(g.mask, [&](int l) {
    auto& local = w.local[static_cast<std::size_t>(l)];
    auto& state = w.local_state[static_cast<std::size_t>(l)];
    if (local.size() < f.local + to.local_bytes) {
      local.resize(f.local + to.local_bytes);
      state.resize(f.local + to.local_bytes);
    }
    if (to.local_bytes != 0) {
      std::memset(local.data() + f.local, 0xCD, to.local_bytes);
      std::memset(state.data() + f.local, kUnwritten, to.local_bytes);
    }
    const std::uint64_t* from_slots = w.slots.data() + static_cast<std::size_t>(g.frame.slots) * 32;
    std::uint64_t* to_slots = w.slots.data() + static_cast<std::size_t>(f.slots) * 32;
    for (std::size_t i = 0; i < site.arguments.size(); ++i) {
      const Actual& a = site.arguments[i];
      const Formal& p = to.params[i];
      std::uint8_t bytes[8] = {};
      if (a.in_register) {
        const std::uint64_t v = (a.slot >> 30) == kConstant ? x.slot(a.slot)[l] : from_slots[static_cast<std::size_t>(a.slot & 0x3FFFFFFF) * 32 + static_cast<std::size_t>(l)];
        if (p.in_register)
          to_slots[static_cast<std::size_t>(p.slot & 0x3FFFFFFF) * 32 + static_cast<std::size_t>(l)] = v;
        else {
          std::memcpy(bytes, &v, 8);
          std::memcpy(local.data() + f.local + p.offset, bytes, std::min(p.size, 8u));
          std::memset(state.data() + f.local + p.offset, kWritten, std::min(p.size, 8u));
        }
      } else if (p.in_register) {
        std::memcpy(bytes, local.data() + g.frame.local + a.offset, std::min(a.size, 8u));
        std::uint64_t v = 0;
        std::memcpy(&v, bytes, 8);
        to_slots[static_cast<std::size_t>(p.slot & 0x3FFFFFFF) * 32 + static_cast<std::size_t>(l)] = v;
      } else {
        const std::uint32_t n = std::min(a.size, p.size);
        std::memcpy(local.data() + f.local + p.offset, local.data() + g.frame.local + a.offset, n);
        std::memcpy(state.data() + f.local + p.offset, state.data() + g.frame.local + a.offset, n);
      }
    }
    w.special[kLocalBase * 32 + static_cast<std::size_t>(l)] = f.local;
  });
  Frame back = g.frame;
  back.return_pc = return_pc;
  g.callers.push_back(back);
  g.frame = f;
  g.pc = 0;
  x.enter(g);
  return true;
}

void pop_frame(Exec& x, Group& g) {
  Warp& w = *x.warp;
  const Function& from = *x.linked->fn;
  const Frame callee = g.frame;
  g.frame = g.callers.back();
  g.callers.pop_back();
  g.pc = g.frame.return_pc;
  x.enter(g);
  const Instr& call = x.linked->fn->code[g.pc - 1];
  const CallSite& site = x.linked->fn->calls[call.aux];
  each(g.mask, [&](int l) {
    auto& local = w.local[static_cast<std::size_t>(l)];
    auto& state = w.local_state[static_cast<std::size_t>(l)];
    const std::uint64_t* from_slots = w.slots.data() + static_cast<std::size_t>(callee.slots) * 32;
    for (std::size_t i = 0; i < site.results.size() && i < from.results.size(); ++i) {
      const Actual& a = site.results[i];
      const Formal& p = from.results[i];
      std::uint8_t bytes[8] = {};
      if (p.in_register) {
        const std::uint64_t v = from_slots[static_cast<std::size_t>(p.slot & 0x3FFFFFFF) * 32 + static_cast<std::size_t>(l)];
        std::memcpy(bytes, &v, 8);
      } else
        std::memcpy(bytes, local.data() + callee.local + p.offset, std::min(p.size, 8u));
      if (a.in_register) {
        std::uint64_t v = 0;
        std::memcpy(&v, bytes, std::min(p.size, 8u));
        x.slot(a.slot)[l] = v;
      } else if (p.in_register) {
        std::memcpy(local.data() + g.frame.local + a.offset, bytes, std::min(a.size, 8u));
        std::memset(state.data() + g.frame.local + a.offset, kWritten, std::min(a.size, 8u));
      } else {
        const std::uint32_t n = std::min(a.size, p.size);
        std::memcpy(local.data() + g.frame.local + a.offset, local.data() + callee.local + p.offset, n);
        std::memcpy(state.data() + g.frame.local + a.offset, state.data() + callee.local + p.offset, n);
      }
    }
    w.special[kLocalBase * 32 + static_cast<std::size_t>(l)] = g.frame.local;
  });
}

void trace(Exec& x, const Group& g, const Instr& in, std::uint32_t mask) {
  const Options& o = x.launch->options;
  if (!o.trace || static_cast<std::uint64_t>(o.trace_warp) != std::uint64_t{x.block->linear} * x.block->warps.size() + x.warp->index) return;
  std::string s = "line " + std::to_string(in.line) + " pc " + std::to_string(g.pc) + " mask " + hex(mask) + " of " + hex(g.mask);
  if (in.kind == Kind::plain && mask != 0 && in.d != kSinkRef && (in.d >> 30) == kRegister) {
    const int l = std::countr_zero(mask);
    s += " -> " + hex(x.slot(in.d)[l]);
  }
  const std::lock_guard<std::mutex> lock(x.launch->mutex);
  o.trace(s);
}

}  // namespace

bool run_warp(Block& b, Warp& w, std::uint64_t budget) {
  Group* chosen = nullptr;
  bool parked = false;
  for (std::uint32_t i = 0; i < 32; ++i) {
    Group& g = w.groups[(w.next_group + i) % 32];
    if (g.state == State::ready && chosen == nullptr) chosen = &g;
    parked |= g.state == State::parked;
  }
  if (chosen == nullptr) return unblock(b, w, false);
  w.next_group = static_cast<std::uint32_t>(chosen - w.groups.data() + 1) % 32;
  if (parked) {
    w.parked_since += w.strong ? budget * 200 : budget;  // spinning lanes are let go soon, long loops are not
    if (w.parked_since > kParkedLimit) {
      w.parked_since = 0;
      for (Group& g : w.groups)
        if (g.state == State::parked) {
          const std::vector<std::uint32_t> t{g.tokens.back()};
          g.tokens.pop_back();
          g.state = State::ready;
          drop(w, t, g.mask);
        }
    }
  } else
    w.parked_since = 0;
  w.strong = false;

  Group& g = *chosen;
  Exec x;
  x.warp = &w;
  x.block = &b;
  x.launch = b.launch;
  x.fault = b.launch->options.fault;
  x.enter(g);
  const bool tracing = b.launch->options.trace_warp >= 0;
  const Instr* code = x.linked->fn->code.data();
  std::uint64_t left = budget;
  for (; left > 0; --left) {
    if (g.state != State::ready || b.ended) break;
    const Instr& in = code[g.pc];
    if (in.is_join && !g.tokens.empty() && arrive(w, g)) break;
    const std::uint32_t mask = g.mask & x.pred(in.guard);
    if (mask == 0) {
      ++g.pc;
      continue;
    }
    if (in.rendezvous != Rendezvous::none) {
      if (in.rendezvous == Rendezvous::aligned) {
        if (mask != w.live && !g.forced) {
          if ((w.live & ~g.mask) == 0 || !merge_waiting(w, g, State::wait_aligned) || (g.mask & x.pred(in.guard)) != w.live) {
            if ((w.live & ~g.mask) == 0) {  // the others are here, but their guard is false
              x.report(DiagnosticClass::barrier_divergence, in, std::countr_zero(mask), "lanes " + hex(mask) + " execute this, the others of the warp (" + hex(w.live & ~mask) + ") do not: it must be the whole warp");
              g.forced = true;
            } else {
              g.state = State::wait_aligned;
              break;
            }
          }
          ++left;
          continue;
        }
      } else if (!members_present(x, in, g, mask)) {
        if (merge_waiting(w, g, State::wait_mask)) {
          ++left;
          continue;
        }
        g.state = State::wait_mask;
        break;
      }
    }
    // Matrix instructions need 32 lanes, also where a warp has fewer or some have ended.
    if (in.rendezvous == Rendezvous::aligned && in.kind == Kind::plain && mask != kFull && !g.forced)
      x.report(DiagnosticClass::barrier_divergence, in, std::countr_zero(mask), "only lanes " + hex(mask) + " execute this, the others have ended or never were: it must be the whole warp");
    ++b.executed;
    ClassCount& count = b.counts[static_cast<std::size_t>(in.cls)];
    ++count.warp_instructions;
    count.thread_instructions += static_cast<std::uint32_t>(std::popcount(mask));
    switch (in.kind) {
      case Kind::plain:
        if (in.rendezvous == Rendezvous::member_mask)
          run_members(x, in, mask);
        else
          in.run(x, in, mask);
        if (tracing) trace(x, g, in, mask);
        g.forced = false;
        ++g.pc;
        break;
      case Kind::yield:
        ++g.pc;
        left = 1;
        break;
      case Kind::branch: {
        if (tracing) trace(x, g, in, mask);
        const auto to = static_cast<std::uint32_t>(in.imm);
        if (mask == g.mask) {
          g.pc = to;
          break;
        }
        push_token(w, g, in.join);
        // The side that is not taken goes on here, the taken one gets a group of its own.
        part(w, g, mask, to);
        ++g.pc;
        break;
      }
      case Kind::branch_index: {
        const std::vector<std::uint32_t>& targets = x.linked->fn->targets[in.aux];
        const std::uint64_t* index = x.slot(in.a);
        push_token(w, g, in.join);
        std::uint32_t rest = mask;
        const std::uint32_t not_taken = g.mask & ~mask;
        bool moved = false;
        const std::uint32_t old = g.pc;
        while (rest != 0 && !b.ended) {
          const int lane = std::countr_zero(rest);
          const auto v = static_cast<std::uint32_t>(index[lane]);
          if (v >= targets.size()) {
            x.report(DiagnosticClass::bad_call, in, lane, "brx.idx with index " + std::to_string(v) + " into " + std::to_string(targets.size()) + " targets", 0, true);
            b.ended = true;
            break;
          }
          std::uint32_t same = 0;
          for (std::uint32_t r = rest; r != 0; r &= r - 1)
            if (static_cast<std::uint32_t>(index[std::countr_zero(r)]) == v) same |= r & (0u - r);
          rest &= ~same;
          if (rest == 0 && not_taken == 0) {
            g.pc = targets[v];
            moved = true;
          } else
            part(w, g, same, targets[v]);
        }
        if (!moved) g.pc = old + 1;
        break;
      }
      case Kind::call:
      case Kind::call_indirect: {
        const CallSite& site = x.linked->fn->calls[in.aux];
        std::int32_t target = in.kind == Kind::call ? x.linked->call_targets[in.aux] : 0;
        if (in.kind == Kind::call && target < 0) {
          call_builtin(x, in, mask, target);
          ++g.pc;
          break;
        }
        std::uint32_t going = mask;
        if (in.kind == Kind::call_indirect) {
          const int lane = std::countr_zero(mask);
          const std::uint64_t address = x.slot(in.a)[lane];
          const auto& known = x.launch->kernel->code_addresses;
          const auto it = known.find(address);
          bool allowed = it != known.end();
          if (allowed && !site.targets.empty()) {
            const std::string& name = x.launch->kernel->functions[static_cast<std::size_t>(it->second)].fn->name;
            allowed = std::find(site.targets.begin(), site.targets.end(), name) != site.targets.end();
          }
          if (!allowed) {
            x.report(DiagnosticClass::bad_call, in, lane, "indirect call of " + hex(address) + ", which is no function this call may reach", 0, true);
            b.ended = true;
            break;
          }
          target = it->second;
          going = 0;
          for (std::uint32_t r = mask; r != 0; r &= r - 1)
            if (x.slot(in.a)[std::countr_zero(r)] == address) going |= r & (0u - r);
        }
        const std::uint32_t resume = g.pc + 1;
        if (going != g.mask) {
          // The lanes not called now wait behind the call, or make their own.
          push_token(w, g, resume);
          Group* stay = part(w, g, g.mask & ~going, g.pc);
          const std::uint32_t others = stay->mask & mask;
          if (others == 0)
            stay->pc = resume;
          else if (others != stay->mask)
            part(w, *stay, stay->mask & ~others, resume);
        }
        if (!push_frame(x, g, in, target, site, resume)) break;
        code = x.linked->fn->code.data();
        break;
      }
      case Kind::ret:
        if (g.callers.empty()) {
          end_lanes(x, g, mask);
          break;
        }
        pop_frame(x, g);
        code = x.linked->fn->code.data();
        break;
      case Kind::exit:
        ++g.pc;
        end_lanes(x, g, mask);
        break;
      case Kind::trap:
        x.report(DiagnosticClass::trap, in, std::countr_zero(mask), "trap executed", 0, true);
        b.ended = true;
        b.launch->abort.store(true, std::memory_order_relaxed);
        break;
      case Kind::breakpoint:
        ++g.pc;
        break;
      case Kind::barrier:
        if (tracing) trace(x, g, in, mask);
        // A partial guard: those who do not take part go on, parted.
        if (mask != g.mask) part(w, g, g.mask & ~mask, g.pc + 1);
        arrive_at_barrier(x, g, in, mask);
        g.forced = false;
        break;
      case Kind::warp_sync: {
        const auto members = static_cast<std::uint32_t>(x.slot(in.a)[std::countr_zero(mask)]);
        if ((mask & ~members) != 0) {
          x.report(DiagnosticClass::wrong_mask, in, std::countr_zero(mask & ~members), "lane " + std::to_string(std::countr_zero(mask & ~members)) + " waits with member mask " + hex(members) + ", which does not name it");
          ++g.pc;
          break;
        }
        // Lanes meet here from any bar.warp.sync with the same mask.
        std::uint32_t present = mask;
        for (const Group& o : w.groups)
          if (&o != &g && o.state == State::wait_warp && o.waiting_for == members) present |= o.mask;
        if ((members & w.live & ~present) != 0 && !g.forced) {
          g.waiting_for = members;
          g.state = State::wait_warp;
          --b.executed;
          break;
        }
        if (g.forced) x.report(DiagnosticClass::wrong_mask, in, std::countr_zero(mask), "member mask " + hex(members) + " names lanes " + hex(members & w.live & ~present) + ", which do not come");
        g.forced = false;
        ++w.sync;
        if ((w.live & ~present) == 0)
          w.full_sync = w.sync;
        else {
          if (!w.partial_sync) w.partial_sync = std::make_unique<std::array<std::array<std::uint32_t, 32>, 32>>();
          each(present, [&](int p) { each(present, [&](int q) { (*w.partial_sync)[static_cast<std::size_t>(p)][static_cast<std::size_t>(q)] = w.sync; }); });
        }
        for (Group& o : w.groups)
          if (&o != &g && o.state == State::wait_warp && o.waiting_for == members) {
            o.state = State::ready;
            ++o.pc;
          }
        ++g.pc;
        break;
      }
    }
  }
  return true;
}

bool unblock(Block& b, Warp& w, bool last_resort) {
  bool at_barrier = false;
  for (const Group& g : w.groups) at_barrier |= g.state == State::at_barrier;
  if (at_barrier && !last_resort) return false;  // other warps may still open the barrier
  auto release = [&](std::uint32_t lanes) {
    bool any = false;
    for (Group& g : w.groups)
      if (g.state == State::parked && (g.mask & lanes) != 0) {
        const std::vector<std::uint32_t> t{g.tokens.back()};
        g.tokens.pop_back();
        g.state = State::ready;
        drop(w, t, g.mask);
        any = true;
      }
    return any;
  };
  // bar.warp.sync waits for lanes that are parked behind us: they may come to one of their own.
  for (Group& g : w.groups)
    if (g.state == State::wait_warp && release(g.waiting_for & ~g.mask)) return true;
  // Nobody else will come: the instruction reports what is missing and goes on with those who are here.
  for (Group& g : w.groups)
    if (g.state == State::wait_mask || g.state == State::wait_warp) {
      g.forced = true;
      g.state = State::ready;
      return true;
    }
  for (Group& g : w.groups) {
    if (g.state != State::wait_aligned) continue;
    Exec x;
    x.warp = &w;
    x.block = &b;
    x.launch = b.launch;
    x.enter(g);
    const Instr& in = x.linked->fn->code[g.pc];
    x.report(DiagnosticClass::barrier_divergence, in, std::countr_zero(g.mask), "lanes " + hex(g.mask) + " execute this apart from the rest of their warp (" + hex(w.live & ~g.mask) + "): it must be the whole warp");
    g.forced = true;
    g.state = State::ready;
    return true;
  }
  return release(kFull);
}

}  // namespace tine::emulator::detail
