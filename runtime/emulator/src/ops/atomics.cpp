// atom, red, fences. Global atomics are atomic between host threads too.
#include <algorithm>
#include <cmath>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/access_space.hpp"
#include "ops/lanes.hpp"
#include "ops/numbers.hpp"

namespace tine::emulator::detail {
namespace {

enum Op : std::uint8_t { kAnd, kOr, kXor, kExch, kAdd, kInc, kDec, kMin, kMax, kCas };
enum : std::uint16_t { kRelease = 1, kAcquire = 2 };

// One step: what is stored when `old` was there.
template <class T> T apply(const Instr& in, T old, T b, T c) {
  using S = std::make_signed_t<T>;
  switch (static_cast<Op>(in.n)) {
    case kAnd: return old & b;
    case kOr: return old | b;
    case kXor: return old ^ b;
    case kExch: return b;
    case kInc: return old >= b ? T{0} : static_cast<T>(old + 1);
    case kDec: return old == 0 || old > b ? b : static_cast<T>(old - 1);
    case kMin: return is_signed(in.t0) ? static_cast<T>(std::min(static_cast<S>(old), static_cast<S>(b))) : std::min(old, b);
    case kMax: return is_signed(in.t0) ? static_cast<T>(std::max(static_cast<S>(old), static_cast<S>(b))) : std::max(old, b);
    case kCas: return old == b ? c : old;
    case kAdd: break;
  }
  if constexpr (sizeof(T) == 4) {
    if (in.t0 == Type::f32) return static_cast<T>(put(canonical(get<float>(old) + get<float>(b))));
    if (in.t0 == Type::f16x2 || in.t0 == Type::bf16x2) {
      const Format& f = in.t0 == Type::f16x2 ? kF16 : kBf16;
      T r = 0;
      for (int h = 0; h < 32; h += 16) r |= static_cast<T>(from_double(f, add_odd(to_double(f, old >> h & 0xFFFF), to_double(f, b >> h & 0xFFFF)))) << h;
      return r;
    }
  }
  if constexpr (sizeof(T) == 8)
    if (in.t0 == Type::f64) return put(get<double>(old) + get<double>(b));
  if constexpr (sizeof(T) == 2)
    if (in.t0 == Type::f16 || in.t0 == Type::bf16) {
      const Format& f = in.t0 == Type::f16 ? kF16 : kBf16;
      return static_cast<T>(from_double(f, add_odd(to_double(f, old), to_double(f, b))));
    }
  return static_cast<T>(old + b);
}

template <class T> void atomic(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  Access access;
  access.kind = Access::atomic;
  access.strong = true;
  access.size = sizeof(T);
  std::uint64_t at[32];
  each(mask, [&](int l) { at[l] = in.address(a[l]); });
  if (x.launch->count_lines) x.count_access(in, at, mask, sizeof(T));
  if ((in.flags & kRelease) != 0) x.fence();
  each(mask, [&](int l) {
    const std::uint64_t bv = b[l], cv = c[l];
    const Place p = x.resolve(in, at[l], l, access);
    if (p.host == nullptr) {
      d[l] = 0;
      return;
    }
    if (p.space == Space::local || p.space == Space::param_entry) {
      x.report(DiagnosticClass::wrong_window, in, l, "an atomic operation outside global and shared memory");
      d[l] = 0;
      return;
    }
    x.before_store(in, p, l, access, nullptr);
    x.sync_acquire(p, at[l]);
    T old{}, next{};
    if (p.space == Space::global && (reinterpret_cast<std::uintptr_t>(p.host) & (sizeof(T) - 1)) == 0) {
      T* where = reinterpret_cast<T*>(p.host);
      old = __atomic_load_n(where, __ATOMIC_RELAXED);
      do next = apply<T>(in, old, static_cast<T>(bv), static_cast<T>(cv));
      while (!__atomic_compare_exchange_n(where, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    } else {
      const std::lock_guard<std::mutex> lock(x.launch->wide_atomics);
      std::memcpy(&old, p.host, sizeof(T));
      next = apply<T>(in, old, static_cast<T>(bv), static_cast<T>(cv));
      std::memcpy(p.host, &next, sizeof(T));
    }
    x.sync_release(p, at[l]);
    d[l] = x.fault == Fault::atom_returns_new ? next : old;
  });
  if ((in.flags & kAcquire) != 0) x.fence();
  x.warp->strong = true;
}

// In shared memory only one host thread looks: no lock needed.
template <class T> void atomic_shared(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  Access access;
  access.kind = Access::atomic;
  access.strong = true;
  access.size = sizeof(T);
  std::uint64_t at[32];
  each(mask, [&](int l) { at[l] = in.address(a[l]); });
  if (x.launch->count_lines) x.count_access(in, at, mask, sizeof(T));
  if ((in.flags & kRelease) != 0) x.fence();
  each(mask, [&](int l) {
    const std::uint64_t bv = b[l], cv = c[l];
    const Place p = x.resolve(in, at[l], l, access);
    d[l] = 0;
    if (p.host == nullptr) return;
    x.before_store(in, p, l, access, nullptr);
    x.sync_acquire(p, at[l]);
    T old{};
    std::memcpy(&old, p.host, sizeof(T));
    const T next = apply<T>(in, old, static_cast<T>(bv), static_cast<T>(cv));
    std::memcpy(p.host, &next, sizeof(T));
    x.sync_release(p, at[l]);
    d[l] = x.fault == Fault::atom_returns_new ? next : old;
  });
  if ((in.flags & kAcquire) != 0) x.fence();
  x.warp->strong = true;
}

void atomic128(Exec& x, const Instr& in, std::uint32_t mask) {  // cas and exch
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  Access access;
  access.kind = Access::atomic;
  access.strong = true;
  access.size = 16;
  each(mask, [&](int l) {
    const std::uint64_t at = in.address(a[l]);
    const std::uint64_t bv[2] = {b[l], b[l + 32]}, cv[2] = {c[l], c[l + 32]};
    const Place p = x.resolve(in, at, l, access);
    std::uint64_t old[2] = {0, 0};
    if (p.host != nullptr) {
      x.before_store(in, p, l, access, nullptr);
      x.sync_acquire(p, at);
      const std::lock_guard<std::mutex> lock(x.launch->wide_atomics);
      std::memcpy(old, p.host, 16);
      const bool swap = in.n == kExch || (old[0] == bv[0] && old[1] == bv[1]);
      if (swap) std::memcpy(p.host, in.n == kExch ? bv : cv, 16);
      x.sync_release(p, at);
    }
    d[l] = old[0];
    d[l + 32] = old[1];
  });
}

void build(Builder& b, const Match& m) {
  const bool red = m.form->name == std::string_view("red");
  const auto& ops = b.statement().operands;
  const Type t = m.type(0);
  const bool cas = m.has("cas");
  const std::size_t first = red ? 0 : 1, least = first + (cas ? 3 : 2);
  const bool hint = m.has("L2::cache_hint");
  if (ops.size() != least + hint) b.fail(ErrorKind::semantic, hint ? "expected a cache policy as the last operand" : "wrong number of operands");
  Ref d = kSinkRef;
  if (!red) {
    if (ops[0].kind != AstOperand::sink)
      d = b.destination(ops[0], t).ref;
    else if (t == Type::b128)
      b.fail(ErrorKind::semantic, "a 128-bit atomic needs its destination");
  }
  const Operand address = b.address(ops[first]);
  const Ref v = b.source(ops[first + 1], t).ref;
  const Ref w = cas ? b.source(ops[first + 2], t).ref : v;
  if (hint) (void)b.source(ops[least], Type::b64);
  const Space space = space_of(b, m, address);
  if (hint && space == Space::shared) b.fail(ErrorKind::semantic, "cache hints are for global memory");
  Handler h = nullptr;
  const bool shared = space == Space::shared;
  switch (bytes_of(t)) {
    case 2: h = shared ? atomic_shared<std::uint16_t> : atomic<std::uint16_t>; break;
    case 4: h = shared ? atomic_shared<std::uint32_t> : atomic<std::uint32_t>; break;
    case 8: h = shared ? atomic_shared<std::uint64_t> : atomic<std::uint64_t>; break;
    default: h = atomic128;
  }
  Instr& in = b.emit(m, h);
  in.d = d;
  in.a = address.base;
  in.imm = address.offset;
  in.narrow = !address.wide;
  in.b = v;
  in.c = w;
  in.space = space;
  static const struct { const char* name; Op op; } names[] = {{"and", kAnd}, {"or", kOr}, {"xor", kXor}, {"exch", kExch}, {"add", kAdd}, {"inc", kInc}, {"dec", kDec}, {"min", kMin}, {"max", kMax}, {"cas", kCas}};
  for (const auto& n : names)
    if (m.has(n.name)) in.n = n.op;
  in.flags = static_cast<std::uint16_t>((m.has("release") || m.has("acq_rel") ? kRelease : 0) | (m.has("acquire") || m.has("acq_rel") ? kAcquire : 0));
}

void do_fence(Exec& x, const Instr&, std::uint32_t) { x.fence(); }
void build_fence(Builder& b, const Match& m) { b.emit(m, do_fence); }

constexpr InstrClass A = InstrClass::atomic;
#define SEM "relaxed|acquire|release|acq_rel? cta|gpu|sys? global|shared? "
#define SEMR "relaxed|release? cta|gpu|sys? global|shared? "
#define SEM2 "relaxed|acquire|release|acq_rel? cta|gpu|sys|cluster? global|shared|shared::cta? "
#define SEMR2 "relaxed|release? cta|gpu|sys|cluster? global|shared|shared::cta? "
#define HINT " L2::cache_hint? "
const Form kForms[] = {
    {"atom", SEM "and|or|xor b32|b64", "*", 60, 70, A, build},
    {"atom", SEM "exch b32|b64", "*", 60, 70, A, build},
    {"atom", SEM "cas b16|b32|b64", "*", 63, 70, A, build},
    {"atom", SEM "add u32|s32|u64|f32|f64", "*", 60, 70, A, build},
    {"atom", SEM "inc|dec u32", "*", 60, 70, A, build},
    {"atom", SEM "min|max u32|s32|u64|s64", "*", 60, 70, A, build},
    {"atom", SEM "add noftz f16x2", "*", 62, 70, A, build},
    {"atom", SEM "add noftz f16", "*", 63, 70, A, build},
    {"atom", SEM2 "add noftz bf16|bf16x2", "*", 78, 90, A, build},
    {"atom", SEM2 "exch|cas b128", "*", 83, 90, A, build},
    {"atom", SEM2 "and|or|xor|exch b32|b64", "*", 78, 90, A, build},
    {"atom", SEM2 "cas b16|b32|b64", "*", 78, 90, A, build},
    {"atom", SEM2 "add u32|s32|u64|f32|f64", "*", 78, 90, A, build},
    {"atom", SEM2 "inc|dec u32", "*", 78, 90, A, build},
    {"atom", SEM2 "min|max u32|s32|u64|s64", "*", 78, 90, A, build},
    {"atom", "relaxed|acquire|release|acq_rel? cta|gpu|sys? global? and|or|xor|exch" HINT "b32|b64", "*", 74, 80, A, build},
    {"atom", "relaxed|acquire|release|acq_rel? cta|gpu|sys? global? add" HINT "u32|s32|u64|f32|f64", "*", 74, 80, A, build},
    {"red", SEMR "and|or|xor b32|b64", "*", 60, 70, A, build},
    {"red", SEMR "add u32|s32|u64|f32|f64", "*", 60, 70, A, build},
    {"red", SEMR "inc|dec u32", "*", 60, 70, A, build},
    {"red", SEMR "min|max u32|s32|u64|s64", "*", 60, 70, A, build},
    {"red", SEMR "add noftz f16x2", "*", 62, 70, A, build},
    {"red", SEMR "add noftz f16", "*", 63, 70, A, build},
    {"red", SEMR2 "add noftz bf16|bf16x2", "*", 78, 90, A, build},
    {"red", SEMR2 "and|or|xor b32|b64", "*", 78, 90, A, build},
    {"red", SEMR2 "add u32|s32|u64|f32|f64", "*", 78, 90, A, build},
    {"red", SEMR2 "inc|dec u32", "*", 78, 90, A, build},
    {"red", SEMR2 "min|max u32|s32|u64|s64", "*", 78, 90, A, build},
    {"red", "relaxed|release? cta|gpu|sys? global? add" HINT "u32|s32|u64|f32|f64", "*", 74, 80, A, build},
    {"membar", "cta|gl|sys", "", 14, 0, InstrClass::fence, build_fence},
    {"fence", "sc|acq_rel? cta|gpu|sys", "", 60, 70, InstrClass::fence, build_fence},
    {"fence", "sc|acq_rel? cluster", "", 78, 90, InstrClass::fence, build_fence},
};

}  // namespace

std::span<const Form> atomic_forms() { return kForms; }

}  // namespace tine::emulator::detail
