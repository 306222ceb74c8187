// Every memory access passes here: window, bounds, alignment; then, as asked, unwritten bytes, pending copies and races.
#include <algorithm>
#include <cstdio>

#include "machine/exec.hpp"

namespace tine::emulator::detail {

std::string hex(std::uint64_t v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

namespace {

const char* verb(const Access& a) { return a.kind == Access::load ? "load" : a.kind == Access::store ? "store" : "atomic operation"; }
std::string what(const Access& a) { return std::string(verb(a)) + " of " + std::to_string(a.size) + " bytes"; }

// --- global race stamps: [63:56] launch, [55:32] block, [31:12] line, [11:4] fences of the block then, [3:0] bytes of the granule
std::uint64_t pack(std::uint32_t launch, std::uint32_t block, std::uint32_t line, std::uint8_t fences, std::uint32_t mask) {
  return (std::uint64_t{launch & 0xFF} << 56) | (std::uint64_t{block & 0xFFFFFF} << 32) | (std::uint64_t{std::min(line, 0xFFFFFu)} << 12) | (std::uint64_t{fences} << 4) | mask;
}

std::atomic<std::uint64_t>* race_table(Allocation& a, Launch& l) {
  std::atomic<std::uint64_t>* t = a.race.load(std::memory_order_acquire);
  if (t != nullptr) return t;
  const std::lock_guard<std::mutex> lock(l.mutex);
  t = a.race.load(std::memory_order_acquire);
  if (t == nullptr) {
    t = static_cast<std::atomic<std::uint64_t>*>(zeros(a.race_bytes()));
    a.race.store(t, std::memory_order_release);
  }
  return t;
}

std::uint32_t granule_mask(std::uint64_t at, std::uint32_t size, std::uint64_t granule) {
  const std::uint64_t b = granule * 4, lo = std::max(at, b), hi = std::min(at + size, b + 4);
  return ((1u << (hi - lo)) - 1u) << (lo - b);
}

}  // namespace

void Exec::enter(Group& g) {
  group = &g;
  linked = &launch->kernel->functions[g.frame.function];
  base[kRegister] = warp->slots.data() + static_cast<std::size_t>(g.frame.slots) * 32;
  base[kConstant] = const_cast<std::uint64_t*>(linked->constants.data());
  base[kSpecial] = warp->special.data();
  preds = warp->preds.data() + g.frame.preds;
}

Place Exec::resolve(const Instr& in, std::uint64_t address, int lane, const Access& access) {
  Place p;
  Space space = in.space;
  std::uint64_t at = address;
  if (space == Space::generic) {
    if (in_window(address, kSharedWindow)) {
      space = Space::shared;
      at = address - kSharedWindow;
    } else if (in_window(address, kLocalWindow)) {
      space = Space::local;
      at = address - kLocalWindow;
    } else if (in_window(address, kParamWindow)) {
      space = Space::param_entry;
      at = address - kParamWindow;
    } else
      space = Space::global;
  }
  const std::uint32_t align = access.align != 0 ? access.align : access.size;
  p.space = space;
  auto misaligned = [&] {
    report(DiagnosticClass::misaligned, in, lane, what(access) + " at " + hex(at) + ", which is not a multiple of " + std::to_string(align));
    return Place{};
  };
  switch (space) {
    case Space::shared: {
      const std::uint64_t limit = launch->shared_bytes;
      if (at + access.size > limit || at > limit) {
        if (in.space == Space::shared && (in_window(address, kSharedWindow) || in_window(address & 0xFFFFFFFF, kSharedWindow & 0xFFFFFFFF)))
          report(DiagnosticClass::wrong_window, in, lane, what(access) + ": the address " + hex(address) + " is a generic pointer, used as a shared one without cvta.to.shared");
        else if (in.space == Space::shared && address >= kGlobalStart)
          report(DiagnosticClass::wrong_window, in, lane, what(access) + ": the address " + hex(address) + " is a generic or global pointer, used as a shared one");
        else
          report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at shared offset " + hex(at) + ", beyond the block's shared memory");
        return Place{};
      }
      // Static variables lie apart from each other: the gaps belong to nobody.
      const LinkedKernel& k = *launch->kernel;
      if (at + access.size > k.dynamic_base || !k.uses_dynamic) {
        if (at < k.dynamic_base) {
          const auto it = std::upper_bound(k.shared.begin(), k.shared.end(), at, [](std::uint64_t v, const SharedRange& r) { return v < r.begin; });
          if (it == k.shared.begin() || at + access.size > std::prev(it)->end) {
            const std::string whose = it == k.shared.begin() ? std::string() : " of `" + std::prev(it)->name.substr(0, std::prev(it)->name.find('$', std::prev(it)->name.find('$') + 1)) + "`";
            report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at shared offset " + hex(at) + ", beyond the end" + whose);
            return Place{};
          }
        }
      } else {
        const auto it = std::upper_bound(k.shared.begin(), k.shared.end(), at, [](std::uint64_t v, const SharedRange& r) { return v < r.begin; });
        if (it == k.shared.begin() || at + access.size > std::prev(it)->end) {
          report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at shared offset " + hex(at) + ", in a gap between variables");
          return Place{};
        }
      }
      if (at % align != 0) return misaligned();
      if (const auto it = std::upper_bound(k.shared.begin(), k.shared.end(), at, [](std::uint64_t v, const SharedRange& r) { return v < r.begin; }); it != k.shared.begin() && at < std::prev(it)->end) {
        shared_begin = std::prev(it)->begin;
        shared_end = std::prev(it)->end;
      } else if (at >= k.dynamic_base) {
        shared_begin = k.dynamic_base;
        shared_end = limit;
      }
      p.host = block->shared.data() + at;
      p.offset = at;
      return p;
    }
    case Space::local:
    case Space::frame: {
      const std::uint64_t limit = group->frame.local + linked->fn->local_bytes;
      if (at + access.size > limit || at > limit) {
        if (in.space == Space::local && in_window(address, kLocalWindow))
          report(DiagnosticClass::wrong_window, in, lane, what(access) + ": a generic pointer used as a local one");
        else
          report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at local offset " + hex(at) + ", beyond the thread's " + std::to_string(limit) + " bytes");
        return Place{};
      }
      if (at % align != 0) return misaligned();
      p.host = warp->local[static_cast<std::size_t>(lane)].data() + at;
      p.offset = at;
      return p;
    }
    case Space::param_entry: {
      if (access.kind != Access::load) {
        report(DiagnosticClass::wrong_window, in, lane, "kernel parameters cannot be written");
        return Place{};
      }
      if (in.space == Space::param_entry && in_window(at, kParamWindow)) at -= kParamWindow;
      if (at + access.size > launch->parameters.size() || at > launch->parameters.size()) {
        report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at parameter offset " + hex(at) + " of " + std::to_string(launch->parameters.size()) + " bytes");
        return Place{};
      }
      if (at % align != 0) return misaligned();
      p.host = launch->parameters.data() + at;
      p.offset = at;
      return p;
    }
    default: break;
  }
  // global and constant
  Allocation* a = last;
  if (a == nullptr || at - a->base >= a->size) {
    a = launch->memory->find(at);
    if (a == nullptr) {
      if (at < 4096)
        report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " through a null pointer (" + hex(at) + ")");
      else if (in_window(at, kSharedWindow) || in_window(at, kLocalWindow) || in_window(at, kParamWindow))
        report(DiagnosticClass::wrong_window, in, lane, what(access) + ": the address " + hex(at) + " is not a global one");
      else {
        std::string where;
        if (const Allocation* n = launch->memory->nearest(at); n != nullptr && at - n->base - n->size < (1u << 20))
          where = ", " + std::to_string(at - n->base - n->size) + " bytes behind " + (n->name.empty() ? "an allocation" : "`" + n->name + "`") + " of " + std::to_string(n->size) + " bytes";
        report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at " + hex(at) + where);
      }
      return Place{};
    }
    last = a;
  }
  const std::uint64_t off = at - a->base;
  if (access.size > a->size - off) {
    report(DiagnosticClass::out_of_bounds, in, lane, what(access) + " at " + hex(at) + ": it ends " + std::to_string(access.size - (a->size - off)) + " bytes behind " + (a->name.empty() ? "an allocation" : "`" + a->name + "`") + " of " + std::to_string(a->size) + " bytes");
    return Place{};
  }
  if (at % align != 0) return misaligned();
  if (space == Space::constant ? !a->read_only : (in.space == Space::global && a->read_only)) {
    report(DiagnosticClass::wrong_window, in, lane, space == Space::constant ? "a global address used as a constant one" : "a constant address used as a global one");
    return Place{};
  }
  if (access.kind != Access::load && a->read_only) {
    report(DiagnosticClass::wrong_window, in, lane, "constant memory `" + a->name + "` cannot be written");
    return Place{};
  }
  p.space = Space::global;
  p.allocation = a;
  p.offset = off;
  p.host = a->host + off;
  return p;
}

// --- vector clocks: may access `s` and one of this lane now be reordered?

namespace {
bool unordered(const Exec& x, const Stamp& s, std::uint32_t tid) {
  Block& b = *x.block;
  if (s.mask == 0 || s.clock < b.base_clock || s.tid == tid) return false;
  const std::uint32_t other = s.tid / 32;
  if (other != x.warp->index) return b.clock(other, x.warp->index) < s.clock;
  if (s.sync < x.warp->full_sync) return false;
  return !x.warp->partial_sync || (*x.warp->partial_sync)[tid % 32][s.tid % 32] <= s.sync;
}
}  // namespace

// Words of global memory that threads of one block touch, as for shared memory. Copies and .nc loads leave no stamp: what they read
// is stored by nobody.
void Exec::race_in_block(const Instr& in, const Place& place, int lane, const Access& access, const std::uint8_t* data) {
  const std::uint64_t at = place.allocation->base + place.offset;
  const std::uint32_t tid = thread(lane), now = block->clock(warp->index, warp->index);
  const bool stores = access.kind != Access::load, leaves = stores || (!access.constant && in.cls != InstrClass::async_copy);
  if (!leaves && block->words.empty()) return;
  const bool same_bytes = data != nullptr && std::memcmp(data, place.host, access.size) == 0;
  const auto race = [&](const Stamp& s, std::uint8_t m, const char* did) {
    if ((s.mask & m) != 0 && !same_bytes && unordered(*this, s, tid))
      report(DiagnosticClass::global_race, in, lane, what(access) + " at " + hex(at) + ", which thread " + std::to_string(s.tid) + " of the block" + did + " with no barrier in between", s.line);
  };
  for (std::uint64_t g = at / 4; g * 4 < at + access.size; ++g) {
    const auto m = static_cast<std::uint8_t>(granule_mask(at, access.size, g));
    if (!leaves) {
      const auto it = block->words.find(g);
      if (it == block->words.end()) continue;
      const Stamp& w = it->second.write;
      if (access.constant && (w.mask & m) != 0 && w.clock >= block->base_clock)
        report(DiagnosticClass::global_race, in, lane, "a .nc load at " + hex(at) + ", which thread " + std::to_string(w.tid) + " of the block stored in the same launch", w.line);
      else race(w, m, " stored");
      continue;
    }
    Granule& q = block->words[g];
    race(q.write, m, " stored");
    if (stores) race(q.read, m, " loaded"), race(q.other_read, m, " loaded");
    Stamp& own = stores ? q.write : (q.read.mask == 0 || q.read.tid / 32 == warp->index || !unordered(*this, q.read, tid)) ? q.read : q.other_read;
    const bool same = own.tid == tid && own.clock == now && own.sync == warp->sync;
    own = Stamp{now, warp->sync, in.line, static_cast<std::uint16_t>(tid), static_cast<std::uint8_t>(same ? own.mask | m : m), false};
  }
}

void Exec::before_load(const Instr& in, const Place& place, int lane, const Access& access) {
  const std::uint32_t size = access.size;
  if (place.space == Space::shared) {
    const std::uint8_t* st = block->shared_state.data() + place.offset;
    for (std::uint32_t i = 0; i < size; ++i)
      if (st[i] != kWritten) {
        if (st[i] == kPending) {
          if (!launch->check_pending) continue;
          std::uint32_t other = 0;
          for (const auto& w : block->warps)
            for (const AsyncCopy& c : w->copies)
              if (place.offset + i - c.to < c.size) other = c.line;
          report(DiagnosticClass::async_pending, in, lane, what(access) + " at shared offset " + hex(place.offset) + " while the cp.async to it has not been waited for", other);
        } else if (launch->check_unwritten)
          report(DiagnosticClass::unwritten_read, in, lane, what(access) + " at shared offset " + hex(place.offset) + ": byte " + std::to_string(i) + " was never written");
        break;
      }
    if (!launch->check_shared_race) return;
    const std::uint32_t tid = thread(lane);
    for (std::uint64_t g = place.offset / 4; g * 4 < place.offset + size; ++g) {
      Granule& q = block->granules[g];
      const auto m = static_cast<std::uint8_t>(granule_mask(place.offset, size, g));
      if ((q.write.mask & m) != 0 && !(q.write.strong && access.strong) && unordered(*this, q.write, tid))
        report(DiagnosticClass::shared_race, in, lane, what(access) + " at shared offset " + hex(place.offset) + ", which thread " + std::to_string(q.write.tid) + " wrote with no barrier in between", q.write.line);
      const std::uint32_t now = block->clock(warp->index, warp->index);
      Stamp& r = (q.read.mask == 0 || q.read.clock < block->base_clock || q.read.tid / 32 == warp->index || !unordered(*this, q.read, tid)) ? q.read : q.other_read;
      const bool same = r.tid == tid && r.clock == now && r.sync == warp->sync;
      r = Stamp{now, warp->sync, in.line, static_cast<std::uint16_t>(tid), static_cast<std::uint8_t>(same ? r.mask | m : m), access.strong};
    }
    return;
  }
  if (place.space == Space::local) {
    if (!launch->check_unwritten) return;
    const std::uint8_t* st = warp->local_state[static_cast<std::size_t>(lane)].data() + place.offset;
    for (std::uint32_t i = 0; i < size; ++i)
      if (st[i] == kUnwritten) {
        report(DiagnosticClass::unwritten_read, in, lane, what(access) + " at local offset " + hex(place.offset) + ": byte " + std::to_string(i) + " was never written");
        break;
      }
    return;
  }
  if (place.allocation == nullptr) return;
  Allocation& a = *place.allocation;
  if (launch->check_unwritten && a.written) {
    const std::uint8_t* st = a.written.get() + place.offset;
    for (std::uint32_t i = 0; i < size; ++i)
      if (peek<std::uint8_t>(st + i) == 0) {
        report(DiagnosticClass::unwritten_read, in, lane, what(access) + " at " + hex(a.base + place.offset) + " (byte " + std::to_string(place.offset) + " of " + (a.name.empty() ? "its allocation" : "`" + a.name + "`") + "): byte " + std::to_string(i) + " was never written");
        break;
      }
  }
  if (launch->check_thread_race && !access.strong) race_in_block(in, place, lane, access, nullptr);
  if (launch->check_global_race && !access.strong) {
    std::atomic<std::uint64_t>* t = a.race.load(std::memory_order_acquire);
    if (t == nullptr) return;
    for (std::uint64_t g = place.offset / 4; g * 4 < place.offset + size; ++g) {
      const std::uint64_t s = t[g].load(std::memory_order_relaxed);
      if ((s >> 56) != (launch->id & 0xFF) || (s & granule_mask(place.offset, size, g)) == 0) continue;
      const auto other = static_cast<std::uint32_t>(s >> 32) & 0xFFFFFF;
      if (other == (block->linear & 0xFFFFFF)) continue;
      const bool published = launch->fences[other % launch->fences.size()].load(std::memory_order_relaxed) != static_cast<std::uint8_t>(s >> 4);
      if (published && block->acquired) continue;
      report(DiagnosticClass::global_race, in, lane, what(access) + " at " + hex(a.base + place.offset) + ", which block " + std::to_string(other) + " stored in the same launch with nothing to order the two", static_cast<std::uint32_t>(s >> 12) & 0xFFFFF);
    }
  }
}

void Exec::before_store(const Instr& in, const Place& place, int lane, const Access& access, const std::uint8_t* data) {
  const std::uint32_t size = access.size;
  const bool atomic = access.kind == Access::atomic;
  if (place.space == Space::shared) {
    std::uint8_t* st = block->shared_state.data() + place.offset;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (st[i] == kPending) {
        if (launch->check_pending) report(DiagnosticClass::async_pending, in, lane, what(access) + " at shared offset " + hex(place.offset) + " while a cp.async to it has not been waited for");
        break;
      }
      if (atomic && st[i] == kUnwritten && launch->check_unwritten) {
        report(DiagnosticClass::unwritten_read, in, lane, what(access) + " at shared offset " + hex(place.offset) + ": byte " + std::to_string(i) + " was never written");
        break;
      }
    }
    for (std::uint32_t i = 0; i < size; ++i)
      if (st[i] != kPending) st[i] = kWritten;
    if (!launch->check_shared_race) return;
    const std::uint32_t tid = thread(lane);
    const bool same_bytes = data != nullptr && std::memcmp(data, place.host, size) == 0;
    for (std::uint64_t g = place.offset / 4; g * 4 < place.offset + size; ++g) {
      Granule& q = block->granules[g];
      const auto m = static_cast<std::uint8_t>(granule_mask(place.offset, size, g));
      if ((q.write.mask & m) != 0 && !same_bytes && !(q.write.strong && access.strong) && unordered(*this, q.write, tid))
        report(DiagnosticClass::shared_race, in, lane, what(access) + " at shared offset " + hex(place.offset) + ", which thread " + std::to_string(q.write.tid) + " wrote with no barrier in between", q.write.line);
      for (const Stamp* r : {&q.read, &q.other_read})
        if ((r->mask & m) != 0 && !(r->strong && access.strong) && !same_bytes && unordered(*this, *r, tid))
          report(DiagnosticClass::shared_race, in, lane, what(access) + " at shared offset " + hex(place.offset) + ", which thread " + std::to_string(r->tid) + " read with no barrier in between", r->line);
      const std::uint32_t now = block->clock(warp->index, warp->index);
      const bool same = q.write.tid == tid && q.write.clock == now && q.write.sync == warp->sync;
      q.write = Stamp{now, warp->sync, in.line, static_cast<std::uint16_t>(tid), static_cast<std::uint8_t>(same ? q.write.mask | m : m), access.strong};
    }
    return;
  }
  if (place.space == Space::local || place.space == Space::frame) {
    std::memset(warp->local_state[static_cast<std::size_t>(lane)].data() + place.offset, kWritten, size);
    return;
  }
  if (place.allocation == nullptr) return;
  Allocation& a = *place.allocation;
  if (a.written) {
    std::uint8_t* st = a.written.get() + place.offset;
    if (atomic && launch->check_unwritten)
      for (std::uint32_t i = 0; i < size; ++i)
        if (peek<std::uint8_t>(st + i) == 0) {
          report(DiagnosticClass::unwritten_read, in, lane, what(access) + " at " + hex(a.base + place.offset) + ": byte " + std::to_string(i) + " was never written");
          break;
        }
    for (std::uint32_t i = 0; i < size; ++i) poke<std::uint8_t>(st + i, 1);
  }
  if (launch->check_thread_race && !access.strong) race_in_block(in, place, lane, access, data);
  if (launch->check_global_race && !access.strong) {
    std::atomic<std::uint64_t>* t = race_table(a, *launch);
    const std::uint8_t fences = launch->fences[block->linear % launch->fences.size()].load(std::memory_order_relaxed);
    for (std::uint64_t g = place.offset / 4; g * 4 < place.offset + size; ++g) {
      std::uint32_t m = granule_mask(place.offset, size, g);
      const std::uint64_t s = t[g].load(std::memory_order_relaxed);
      if ((s >> 56) == (launch->id & 0xFF) && s != 0) {
        const auto other = static_cast<std::uint32_t>(s >> 32) & 0xFFFFFF;
        if (other == (block->linear & 0xFFFFFF))
          m |= static_cast<std::uint32_t>(s & 15);
        else if ((s & m) != 0) {
          const bool published = launch->fences[other % launch->fences.size()].load(std::memory_order_relaxed) != static_cast<std::uint8_t>(s >> 4);
          bool differs = data == nullptr;
          for (std::uint32_t i = 0; i < size && !differs; ++i) differs = peek<std::uint8_t>(place.host + i) != data[i];
          if (!(published && block->acquired) && differs)
            report(DiagnosticClass::global_race, in, lane, what(access) + " at " + hex(a.base + place.offset) + ", which block " + std::to_string(other) + " stored in the same launch with nothing to order the two", static_cast<std::uint32_t>(s >> 12) & 0xFFFFF);
        }
      }
      t[g].store(pack(launch->id, block->linear, in.line, fences, m), std::memory_order_relaxed);
    }
  }
}

// --- strong accesses order what stands around them, once a fence was used

void Exec::fence() {
  warp->fenced = true;
  auto& f = launch->fences[block->linear % launch->fences.size()];
  f.fetch_add(1, std::memory_order_relaxed);
}
void Exec::sync_release(const Place& place, std::uint64_t address) {
  if (!warp->fenced || !launch->check_shared_race) return;
  const std::uint64_t key = place.space == Space::shared ? kSharedWindow + place.offset : address;
  std::vector<std::uint32_t>& v = block->released[key];
  const std::size_t n = block->warps.size();
  v.resize(n, 0);
  for (std::uint32_t w = 0; w < n; ++w) v[w] = std::max(v[w], block->clock(w, warp->index));
  ++block->clock(warp->index, warp->index);
  block->top_clock = std::max(block->top_clock, block->clock(warp->index, warp->index));
}
void Exec::sync_acquire(const Place& place, std::uint64_t address) {
  block->acquired = true;
  if (!launch->check_shared_race || block->released.empty()) return;
  const std::uint64_t key = place.space == Space::shared ? kSharedWindow + place.offset : address;
  const auto it = block->released.find(key);
  if (it == block->released.end()) return;
  for (std::uint32_t w = 0; w < it->second.size(); ++w)
    if (w != warp->index) block->clock(w, warp->index) = std::max(block->clock(w, warp->index), it->second[w]);
}

// --- cp.async: applied when waited for, not before; until then the destination holds poison

void Exec::start_copy(const Instr& in, int lane, std::uint32_t to, std::uint64_t from, std::uint32_t size, std::uint32_t source_size) {
  const auto l = static_cast<std::size_t>(lane);
  AsyncCopy c;
  c.source = from;
  c.to = to;
  c.group = warp->copy_group[l];
  c.line = in.line;
  c.size = static_cast<std::uint8_t>(size);
  c.source_size = static_cast<std::uint8_t>(source_size);
  c.lane = static_cast<std::uint8_t>(lane);
  std::memset(block->shared.data() + to, 0xFF, size);
  std::memset(block->shared_state.data() + to, kPending, size);
  warp->copies.push_back(c);
  if (fault == Fault::early_cp_async) finish_copies(1u << lane, 0, true);
}

void Exec::finish_copies(std::uint32_t mask, std::uint32_t keep, bool all) {
  auto& copies = warp->copies;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const AsyncCopy c = copies[i];
    // Groups older than the `keep` most recent committed ones are done.
    const bool due = (mask >> c.lane & 1u) != 0 && (all || c.group + keep < warp->copy_group[c.lane]);
    if (!due) {
      copies[kept++] = c;
      continue;
    }
    std::uint8_t data[16] = {};
    Allocation* a = c.source_size != 0 ? launch->memory->find(c.source) : nullptr;
    if (a != nullptr)
      for (std::uint32_t k = 0; k < c.source_size; ++k) data[k] = peek<std::uint8_t>(a->host + (c.source - a->base) + k);
    const std::uint32_t n = fault == Fault::cp_async_no_zero_fill ? c.source_size : c.size;
    std::memcpy(block->shared.data() + c.to, data, n);
    std::memset(block->shared_state.data() + c.to, kWritten, c.size);
    if (launch->check_shared_race) {
      const std::uint32_t now = block->clock(warp->index, warp->index);
      for (std::uint32_t g = c.to / 4; g * 4 < c.to + c.size; ++g)
        block->granules[g].write = Stamp{now, warp->sync, c.line, static_cast<std::uint16_t>(warp->index * 32 + c.lane), 15, false};
    }
  }
  copies.resize(kept);
}

// --- bank conflicts and sectors

void Exec::count_access(const Instr& in, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t size) {
  const std::uint64_t first = addresses[std::countr_zero(mask)];
  bool shared = in.space == Space::shared;
  std::uint64_t bias = 0;
  if (in.space == Space::generic) {
    shared = in_window(first, kSharedWindow);
    if (shared)
      bias = kSharedWindow;
    else if (in_window(first, kLocalWindow) || in_window(first, kParamWindow))
      return;
  } else if (in.space != Space::shared && in.space != Space::global)
    return;
  LineCounter& c = block->lines[(std::uint64_t{group->frame.function} << 32) | in.line];
  if (shared) {
    // A pass serves 32 banks of 4 bytes. 8-byte accesses go by half warps, 16-byte ones by quarters; equal words are one access.
    ++c.shared_requests;
    const int lanes_each = size <= 4 ? 32 : size == 8 ? 16 : 8;
    for (int from = 0; from < 32; from += lanes_each) {
      std::uint64_t words[32];
      int n = 0;
      std::uint8_t per_bank[32] = {};
      std::uint8_t most = 0;
      for (int l = from; l < from + lanes_each; ++l) {
        if ((mask >> l & 1u) == 0) continue;
        const std::uint64_t w0 = (addresses[l] - bias) / 4;
        for (std::uint64_t w = w0; w < w0 + (size + 3) / 4; ++w) {
          if (n > 0 && words[n - 1] == w) continue;
          bool seen = false;
          for (int k = 0; k < n && !seen; ++k) seen = words[k] == w;
          if (seen || n == 32) continue;
          words[n++] = w;
          most = std::max(most, ++per_bank[w % 32]);
        }
      }
      if (n == 0) continue;
      c.shared_wavefronts += most;
      ++c.shared_ideal;
    }
    return;
  }
  ++c.global_requests;
  std::uint64_t sectors[64];
  std::uint32_t bytes[64];  // of each sector, which are used
  std::size_t n = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const int l = std::countr_zero(m);
    const std::uint64_t a = addresses[l], end = a + size;
    for (std::uint64_t s = a / 32; s <= (end - 1) / 32; ++s) {
      std::size_t k = n > 0 && sectors[n - 1] == s ? n - 1 : 0;
      while (k < n && sectors[k] != s) ++k;
      if (k == n) {
        if (n == 64) continue;
        sectors[n] = s;
        bytes[n++] = 0;
      }
      const std::uint64_t from = std::max(a, s * 32) - s * 32, to = std::min(end, s * 32 + 32) - s * 32;
      bytes[k] |= static_cast<std::uint32_t>(((1ull << to) - 1) & ~((1ull << from) - 1));
    }
  }
  c.global_sectors += n;
  for (std::size_t k = 0; k < n; ++k) c.global_bytes += static_cast<std::uint64_t>(std::popcount(bytes[k]));
}

}  // namespace tine::emulator::detail
