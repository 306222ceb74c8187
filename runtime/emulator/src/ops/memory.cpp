// ld, st, ldu, prefetch, createpolicy.
#include <algorithm>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/access_space.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

enum : std::uint16_t { kStrong = 1, kAcquire = 2, kRelease = 4, kSigned = 8, kConstant = 16, kRegisterShift = 8 };  // bits 8 up: bits of the destination register

// The common case without a call: an access inside the shared variable or the global allocation used last.
inline Place quick(Exec& x, const Instr& in, std::uint64_t address, int lane, const Access& access) {
  if (in.space == Space::shared && address >= x.shared_begin && address + access.size <= x.shared_end && address + access.size > address && (address & (access.size - 1)) == 0) {
    Place p;
    p.host = x.block->shared.data() + address;
    p.space = Space::shared;
    p.offset = address;
    return p;
  }
  Allocation* a = x.last;
  if (a != nullptr && (in.space == Space::global || in.space == Space::generic) && !a->read_only) {
    const std::uint64_t off = address - a->base;
    if (off < a->size && access.size <= a->size - off && (address & (access.size - 1)) == 0) {
      Place p;
      p.host = a->host + off;
      p.space = Space::global;
      p.offset = off;
      p.allocation = a;
      return p;
    }
  }
  return x.resolve(in, address, lane, access);
}

template <class T> T load_one(const std::uint8_t* p) {
  if ((reinterpret_cast<std::uintptr_t>(p) & (sizeof(T) - 1)) == 0) return peek<T>(p);
  T v;  // bound host memory need not be aligned
  std::memcpy(&v, p, sizeof(T));
  return v;
}
template <class T> void store_one(std::uint8_t* p, T v) {
  if ((reinterpret_cast<std::uintptr_t>(p) & (sizeof(T) - 1)) == 0)
    poke<T>(p, v);
  else
    std::memcpy(p, &v, sizeof(T));
}

bool needs_check(const Exec& x, const Place& p) {
  const Launch& l = *x.launch;
  switch (p.space) {
    case Space::shared: return l.check_unwritten || l.check_shared_race || l.check_pending;
    case Space::global: return (l.check_unwritten && p.allocation->written) || l.check_global_race || l.check_thread_race;
    case Space::local: return l.check_unwritten;
    default: return false;
  }
}

void addresses_of(const Exec& x, const Instr& in, std::uint32_t mask, std::uint64_t* out) {
  const std::uint64_t* a = x.slot(in.a);
  each(mask, [&](int l) { out[l] = in.address(a[l]); });
}

template <class T> void load(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t at[32];
  addresses_of(x, in, mask, at);
  Access access;
  access.size = static_cast<std::uint32_t>(sizeof(T)) * in.n;
  access.strong = (in.flags & kStrong) != 0;
  access.constant = (in.flags & kConstant) != 0;
  if (x.launch->count_lines) x.count_access(in, at, mask, access.size);
  std::uint64_t* const first = x.slot(in.d);
  std::uint64_t* d[4] = {first, first, first, first};
  if (in.n != 1)
    for (std::size_t i = 0; i < in.n; ++i) d[i] = x.slot(x.list(in.aux)[i]);
  const unsigned n = std::min<unsigned>(in.n, 4);
  const unsigned reg = in.flags >> kRegisterShift;
  const std::uint64_t keep = reg >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << reg) - 1;
  const bool sign = (in.flags & kSigned) != 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const int l = std::countr_zero(m);
    const Place p = quick(x, in, at[l], l, access);
    if (p.host == nullptr) {
      for (unsigned i = 0; i < n; ++i) d[i][l] = 0;
      continue;
    }
    if (needs_check(x, p)) x.before_load(in, p, l, access);
    if (access.strong) x.sync_acquire(p, at[l]);
    for (unsigned i = 0; i < n; ++i) {
      const T v = load_one<T>(p.host + i * sizeof(T));
      d[i][l] = sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(v))) & keep : v;
    }
  }
  if ((in.flags & kAcquire) != 0) x.fence();
  x.warp->strong |= access.strong;
}

template <class T> void store(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t at[32];
  addresses_of(x, in, mask, at);
  Access access;
  access.kind = Access::store;
  access.size = static_cast<std::uint32_t>(sizeof(T)) * in.n;
  access.strong = (in.flags & kStrong) != 0;
  if (x.launch->count_lines) x.count_access(in, at, mask, access.size);
  const std::uint64_t* const first = x.slot(in.d);
  const std::uint64_t* s[4] = {first, first, first, first};
  if (in.n != 1)
    for (std::size_t i = 0; i < in.n; ++i) s[i] = x.slot(x.list(in.aux)[i]);
  const unsigned n = std::min<unsigned>(in.n, 4);
  if ((in.flags & kRelease) != 0) x.fence();
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const int l = std::countr_zero(m);
    const Place p = quick(x, in, at[l], l, access);
    if (p.host == nullptr) continue;
    alignas(16) std::uint8_t data[32];
    for (unsigned i = 0; i < n; ++i) {
      const T v = static_cast<T>(s[i][l]);
      std::memcpy(data + i * sizeof(T), &v, sizeof(T));
    }
    if (needs_check(x, p) || p.space == Space::local || p.space == Space::frame || (p.allocation != nullptr && p.allocation->written)) x.before_store(in, p, l, access, data);
    if (p.space == Space::shared && x.launch->check_pending && x.block->shared_state[p.offset] == kPending) continue;
    for (unsigned i = 0; i < n; ++i) {
      T v;
      std::memcpy(&v, data + i * sizeof(T), sizeof(T));
      store_one<T>(p.host + i * sizeof(T), v);
    }
    if (access.strong) x.sync_release(p, at[l]);
  }
}

// 128-bit scalars sit in two slots.
void load128(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t at[32];
  addresses_of(x, in, mask, at);
  Access access;
  access.size = 16;
  access.strong = (in.flags & kStrong) != 0;
  access.constant = (in.flags & kConstant) != 0;
  if (x.launch->count_lines) x.count_access(in, at, mask, 16);
  std::uint64_t* d = x.slot(in.d);
  each(mask, [&](int l) {
    const Place p = x.resolve(in, at[l], l, access);
    d[l] = d[l + 32] = 0;
    if (p.host == nullptr) return;
    x.before_load(in, p, l, access);
    d[l] = load_one<std::uint64_t>(p.host);
    d[l + 32] = load_one<std::uint64_t>(p.host + 8);
  });
}
void store128(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t at[32];
  addresses_of(x, in, mask, at);
  Access access;
  access.kind = Access::store;
  access.size = 16;
  access.strong = (in.flags & kStrong) != 0;
  if (x.launch->count_lines) x.count_access(in, at, mask, 16);
  const std::uint64_t* s = x.slot(in.d);
  each(mask, [&](int l) {
    const Place p = x.resolve(in, at[l], l, access);
    if (p.host == nullptr) return;
    std::uint64_t v[2] = {s[l], s[l + 32]};
    x.before_store(in, p, l, access, reinterpret_cast<const std::uint8_t*>(v));
    store_one(p.host, v[0]);
    store_one(p.host + 8, v[1]);
  });
}

Handler pick(Type t, bool is_store) {
  switch (bytes_of(t)) {
    case 1: return is_store ? store<std::uint8_t> : load<std::uint8_t>;
    case 2: return is_store ? store<std::uint16_t> : load<std::uint16_t>;
    case 4: return is_store ? store<std::uint32_t> : load<std::uint32_t>;
    case 8: return is_store ? store<std::uint64_t> : load<std::uint64_t>;
    default: return is_store ? store128 : load128;
  }
}

}  // namespace

// The state space an access names, checked against the variable it names.
Space space_of(Builder& b, const Match& m, const Operand& address) {
  Space s = Space::generic;
  if (m.has("global"))
    s = Space::global;
  else if (m.starts("shared"))
    s = Space::shared;
  else if (m.has("local"))
    s = Space::local;
  else if (m.has("const"))
    s = Space::constant;
  else if (m.has("param") || m.has("param::entry") || m.has("param::func")) {
    if (address.by_name)
      s = address.space;
    else
      s = b.function().entry ? Space::param_entry : Space::frame;
    if (s != Space::param_entry && s != Space::frame) b.fail(ErrorKind::semantic, "the variable is not in the parameter space");
    if ((m.has("param::entry") && s != Space::param_entry) || (m.has("param::func") && s != Space::frame)) b.fail(ErrorKind::semantic, "the variable is in the other parameter space");
    return s;
  }
  if (address.absolute && s != Space::local) b.fail(ErrorKind::semantic, "a constant address is for .local only");
  if (address.by_name) {
    const bool same = s == address.space || (s == Space::shared && address.shared) || (s == Space::generic && (address.space == Space::global || address.space == Space::constant));
    if (!same) b.fail(ErrorKind::semantic, "the variable lies in another state space than the instruction names");
  } else if (!address.wide && (s == Space::generic || s == Space::global))
    b.fail(ErrorKind::semantic, "a generic or global address has 64 bits");
  return s;
}

namespace {

std::uint16_t order_flags(const Match& m) {
  std::uint16_t f = 0;
  if (m.has("volatile") || m.has("relaxed") || m.has("acquire") || m.has("release") || m.has("mmio")) f |= kStrong;
  if (m.has("acquire")) f |= kAcquire;
  if (m.has("release")) f |= kRelease;
  if (m.has("nc")) f |= kConstant;
  return f;
}

void check_hint(Builder& b, const Match& m, std::size_t index) {
  const bool has = index < b.operand_count() && b.op(index).kind != Operand::absent;
  if (has != m.has("L2::cache_hint")) b.fail(ErrorKind::semantic, has ? "a cache policy without .L2::cache_hint" : ".L2::cache_hint without a cache policy");
}

void build_access(Builder& b, const Match& m) {
  const bool is_store = m.form->name == std::string_view("st");
  const Operand& value = b.op(is_store ? 1 : 0);
  const Operand& address = b.op(is_store ? 0 : 1);
  const Type t = m.type(0);
  const std::size_t n = value.kind == Operand::vector ? value.elements.size() : 1;
  if (n * bytes_of(t) > 16) b.fail(ErrorKind::semantic, "an access of more than 16 bytes");
  const Space space = space_of(b, m, address);
  if (is_store && space == Space::constant) b.fail(ErrorKind::semantic, "constant memory cannot be written");
  if (is_store && space == Space::param_entry) b.fail(ErrorKind::semantic, "kernel parameters cannot be written");
  if ((m.starts("L1::") || m.starts("L2::")) && space != Space::global && space != Space::generic) b.fail(ErrorKind::semantic, "cache hints are for global memory");
  check_hint(b, m, 2);
  Instr& in = b.emit(m, pick(t, is_store));
  in.a = address.base;
  in.imm = address.offset;
  in.narrow = !address.wide;
  in.space = space;
  in.n = static_cast<std::uint8_t>(n);
  in.flags = order_flags(m);
  unsigned reg = 64;
  if (n == 1) {
    in.d = value.ref;
    reg = value.type != Type::none ? bits_of(value.type) : 64;
  } else {
    std::vector<Ref> refs;
    for (const Operand& e : value.elements) {
      refs.push_back(e.kind == Operand::sink ? kSinkRef : e.ref);
      if (e.type != Type::none) reg = bits_of(e.type);
    }
    in.aux = b.list(std::move(refs));
    in.d = kSinkRef;
  }
  if (!is_store) {
    in.cls = InstrClass::load;
    if (is_signed(t)) in.flags |= kSigned;
    in.flags = static_cast<std::uint16_t>((in.flags & 0xFF) | (std::min(reg, 64u) << kRegisterShift));
  } else
    in.cls = InstrClass::store;
}

void nothing(Exec&, const Instr&, std::uint32_t) {}
void build_prefetch(Builder& b, const Match& m) {
  (void)space_of(b, m, b.op(0));
  b.emit(m, nothing);
}
void make_policy(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  each(mask, [&](int l) { d[l] = 0x1000000000000000ull; });
}
void build_policy(Builder& b, const Match& m) { b.emit(m, make_policy).d = b.ref(0); }

constexpr InstrClass L = InstrClass::load, S = InstrClass::store, O = InstrClass::other;
#define TYPES "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
#define SPACES "const|global|local|param|shared"
#define L1 "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"
#define PRE "L2::64B|L2::128B"
const Form kForms[] = {
    {"ld", SPACES "? v2|v4? " TYPES, "=V m", 10, 0, L, build_access},
    {"ld", "param::entry|param::func v2|v4? " TYPES, "=V m", 83, 0, L, build_access},
    {"ld", "shared::cta v2|v4? " TYPES, "=V m", 78, 0, L, build_access},
    {"ld", "weak const|global|local|param|shared? v2|v4? " TYPES, "=V m", 60, 70, L, build_access},
    {"ld", "weak? global|local|shared|const? ca|cg|cs|lu|cv v2|v4? " TYPES, "=V m", 60, 70, L, build_access},
    {"ld", "weak? global? " L1 "? L2::cache_hint? " PRE "? v2|v4? " TYPES, "=V m b64?", 74, 80, L, build_access},
    {"ld", "weak? global? " L1 "? L2::256B v2|v4? " TYPES, "=V m", 74, 80, L, build_access},
    {"ld", "volatile global|shared? v2|v4? " TYPES, "=V m", 10, 0, L, build_access},
    {"ld", "relaxed|acquire cta|gpu|sys global|shared? v2|v4? " TYPES, "=V m", 60, 70, L, build_access},
    {"ld", "relaxed|acquire cta|gpu|sys shared::cta v2|v4? " TYPES, "=V m", 78, 70, L, build_access},
    {"ld", "relaxed|acquire cluster global|shared|shared::cta? v2|v4? " TYPES, "=V m", 78, 90, L, build_access},
    {"ld", "relaxed|acquire cta|gpu|sys global? " L1 " v2|v4? " TYPES, "=V m", 74, 80, L, build_access},
    {"ld", "global ca|cg|cs? nc v2|v4? " TYPES, "=V m", 31, 32, L, build_access},
    {"ld", "global nc " L1 "? L2::cache_hint? L2::64B|L2::128B|L2::256B? v2|v4? " TYPES, "=V m b64?", 74, 80, L, build_access},
    {"ld", "global|shared? b128", "=V m", 83, 70, L, build_access},
    {"ldu", "global? v2|v4? " TYPES, "=V m", 20, 0, L, build_access},
    {"st", "global|local|param|shared? v2|v4? " TYPES, "m V", 10, 0, S, build_access},
    {"st", "param::func v2|v4? " TYPES, "m V", 83, 0, S, build_access},
    {"st", "shared::cta v2|v4? " TYPES, "m V", 78, 0, S, build_access},
    {"st", "weak global|local|param|shared? v2|v4? " TYPES, "m V", 60, 70, S, build_access},
    {"st", "weak? global|local|shared? wb|cg|cs|wt v2|v4? " TYPES, "m V", 60, 70, S, build_access},
    {"st", "weak? global? " L1 "? L2::cache_hint? v2|v4? " TYPES, "m V b64?", 74, 80, S, build_access},
    {"st", "volatile global|shared? v2|v4? " TYPES, "m V", 10, 0, S, build_access},
    {"st", "relaxed|release cta|gpu|sys global|shared? v2|v4? " TYPES, "m V", 60, 70, S, build_access},
    {"st", "relaxed|release cta|gpu|sys shared::cta v2|v4? " TYPES, "m V", 78, 70, S, build_access},
    {"st", "relaxed|release cluster global|shared|shared::cta? v2|v4? " TYPES, "m V", 78, 90, S, build_access},
    {"st", "relaxed|release cta|gpu|sys global? " L1 " v2|v4? " TYPES, "m V", 74, 80, S, build_access},
    {"st", "global|shared? b128", "m V", 83, 70, S, build_access},
    {"prefetch", "global|local? L1|L2", "m", 20, 20, O, build_prefetch},
    {"prefetch", "global L2::evict_last|L2::evict_normal", "m", 74, 80, O, build_prefetch},
    {"prefetchu", "L1", "m", 20, 20, O, build_prefetch},
    {"createpolicy", "fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged L2::evict_first|L2::evict_unchanged? b64", "=b64 f32?", 74, 80, O, build_policy},
};

}  // namespace

std::span<const Form> memory_forms() { return kForms; }

}  // namespace tine::emulator::detail
