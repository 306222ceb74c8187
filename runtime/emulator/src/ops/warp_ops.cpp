// Exchange between the lanes of a warp: shfl, vote, match, redux, activemask, elect.
#include <algorithm>

#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

enum Mode : std::uint8_t { kUp, kDown, kBfly, kIdx };

void shfl(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t *a = x.slot(in.a), *b = x.slot(in.b), *c = x.slot(in.c);
  std::uint64_t result[32] = {};
  std::uint32_t in_range = 0;
  each(mask, [&](int l) {
    const auto bv = static_cast<int>(b[l] & 31), cv = static_cast<int>(c[l] & 31);
    int segment = static_cast<int>(c[l] >> 8 & 31);
    if (x.fault == Fault::shfl_ignores_segment) segment = 0;
    const int most = (l & segment) | (cv & ~segment), least = l & segment;
    int j = l;
    bool p = false;
    switch (static_cast<Mode>(in.n)) {
      case kUp: j = l - bv; p = j >= most; break;
      case kDown: j = l + bv; p = j <= most; break;
      case kBfly: j = l ^ bv; p = j <= most; break;
      case kIdx: j = least | (bv & ~segment); p = j <= most; break;
    }
    if (!p) j = l;
    in_range |= std::uint32_t{p} << l;
    if ((mask >> j & 1u) == 0) {
      x.report(DiagnosticClass::wrong_mask, in, l, "lane " + std::to_string(l) + " reads lane " + std::to_string(j) + ", which does not take part");
      result[l] = 0;
    } else
      result[l] = a[j] & 0xFFFFFFFF;
  });
  each(mask, [&](int l) { d[l] = result[l]; });
  if (in.flags != 0) x.set_pred(in.p, in_range, mask);
}
void build_shfl(Builder& b, const Match& m) {
  if (b.op(0).kind == Operand::sink) b.fail(ErrorKind::semantic, "the value shfl reads cannot be dropped");
  Instr& in = b.emit(m, shfl);
  in.d = b.ref(0);
  in.flags = b.op(0).has_second;
  in.p = b.op(0).second;
  in.a = b.ref(1);
  in.b = b.ref(2);
  in.c = b.ref(3);
  in.mask_ref = b.ref(4);
  in.rendezvous = Rendezvous::member_mask;
  in.n = m.has("up") ? kUp : m.has("down") ? kDown : m.has("bfly") ? kBfly : kIdx;
}

enum Vote : std::uint8_t { kAll, kAny, kUni, kBallot };
void vote(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint32_t v = x.pred(in.q) & mask;
  if (x.fault == Fault::ballot_ignores_mask) v = x.pred(in.q);
  if (in.n == kBallot) {
    std::uint64_t* d = x.slot(in.d);
    each(mask, [&](int l) { d[l] = v; });
    return;
  }
  const bool r = in.n == kAll ? v == mask : in.n == kAny ? v != 0 : v == 0 || v == mask;
  x.set_pred(in.p, r ? kFull : 0, mask);
}
void build_vote(Builder& b, const Match& m) {
  Instr& in = b.emit(m, vote);
  in.n = m.has("ballot") ? kBallot : m.has("all") ? kAll : m.has("any") ? kAny : kUni;
  if (in.n == kBallot)
    in.d = b.ref(0);
  else
    in.p = b.op(0).pred;
  in.q = b.op(1).pred;
  in.mask_ref = b.ref(2);
  in.rendezvous = Rendezvous::member_mask;
}

void match(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const std::uint64_t keep = bits_of(in.t0) == 64 ? ~std::uint64_t{0} : 0xFFFFFFFF;
  std::uint64_t result[32] = {};
  each(mask, [&](int l) {
    std::uint32_t same = 0;
    each(mask, [&](int k) { same |= std::uint32_t{((a[l] ^ a[k]) & keep) == 0} << k; });
    result[l] = in.n == 0 ? same : same == mask ? mask : 0;
  });
  const std::uint32_t all = result[std::countr_zero(mask) & 31] == mask ? kFull : 0;
  each(mask, [&](int l) { d[l] = result[l]; });
  if (in.flags != 0) x.set_pred(in.p, all, mask);
}
void build_match(Builder& b, const Match& m) {
  Instr& in = b.emit(m, match);
  in.d = b.op(0).kind == Operand::sink ? kSinkRef : b.ref(0);
  in.flags = b.op(0).has_second;
  in.p = b.op(0).second;
  in.a = b.ref(1);
  in.mask_ref = b.ref(2);
  in.n = m.has("all");
  in.rendezvous = Rendezvous::member_mask;
}

enum Redux : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor };
void redux(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  const std::uint64_t* a = x.slot(in.a);
  const bool sign = in.t0 == Type::s32;
  auto r = static_cast<std::uint32_t>(a[std::countr_zero(mask)]);
  for (std::uint32_t m = mask & (mask - 1); m != 0; m &= m - 1) {
    const auto v = static_cast<std::uint32_t>(a[std::countr_zero(m)]);
    const auto rs = static_cast<std::int32_t>(r), vs = static_cast<std::int32_t>(v);
    switch (static_cast<Redux>(in.n)) {
      case kAdd: r += v; break;
      case kMin: r = sign ? static_cast<std::uint32_t>(std::min(rs, vs)) : std::min(r, v); break;
      case kMax: r = sign ? static_cast<std::uint32_t>(std::max(rs, vs)) : std::max(r, v); break;
      case kAnd: r &= v; break;
      case kOr: r |= v; break;
      case kXor: r ^= v; break;
    }
  }
  each(mask, [&](int l) { d[l] = r; });
}
void build_redux(Builder& b, const Match& m) {
  Instr& in = b.emit(m, redux);
  in.d = b.ref(0);
  in.a = b.ref(1);
  in.mask_ref = b.ref(2);
  in.n = m.has("add") ? kAdd : m.has("min") ? kMin : m.has("max") ? kMax : m.has("and") ? kAnd : m.has("or") ? kOr : kXor;
  in.rendezvous = Rendezvous::member_mask;
}

void activemask(Exec& x, const Instr& in, std::uint32_t mask) {
  std::uint64_t* d = x.slot(in.d);
  each(mask, [&](int l) { d[l] = mask; });
}
void build_activemask(Builder& b, const Match& m) { b.emit(m, activemask).d = b.ref(0); }

void elect(Exec& x, const Instr& in, std::uint32_t mask) {
  const int leader = std::countr_zero(mask);
  std::uint64_t* d = x.slot(in.d);
  each(mask, [&](int l) { d[l] = static_cast<std::uint64_t>(leader); });
  x.set_pred(in.p, 1u << leader, mask);
}
void build_elect(Builder& b, const Match& m) {
  if (!b.op(0).has_second) b.fail(ErrorKind::semantic, "elect.sync writes `d|p`");
  Instr& in = b.emit(m, elect);
  in.d = b.op(0).kind == Operand::sink ? kSinkRef : b.ref(0);
  in.p = b.op(0).second;
  in.mask_ref = b.ref(1);
  in.rendezvous = Rendezvous::member_mask;
}

constexpr InstrClass W = InstrClass::warp;
const Form kForms[] = {
    {"shfl", "sync up|down|bfly|idx b32", "=0|p? 0 u32 u32 u32", 60, 30, W, build_shfl},
    {"vote", "sync all|any|uni pred", "=p p u32", 60, 30, W, build_vote},
    {"vote", "sync ballot b32", "=0 p u32", 60, 30, W, build_vote},
    {"match", "any sync b32|b64", "=b32 0 u32", 60, 70, W, build_match},
    {"match", "all sync b32|b64", "=b32|p? 0 u32", 60, 70, W, build_match},
    {"redux", "sync add|min|max u32|s32", "=0 0 u32", 70, 80, W, build_redux},
    {"redux", "sync and|or|xor b32", "=0 0 u32", 70, 80, W, build_redux},
    {"activemask", "b32", "=0", 62, 30, W, build_activemask},
    {"elect", "sync", "=b32|p? u32", 80, 90, W, build_elect},
};

}  // namespace

std::span<const Form> warp_forms() { return kForms; }

}  // namespace tine::emulator::detail
