// cp.async: asynchronous copies from global to shared memory, in groups.
#include "decode/builder.hpp"
#include "isa/table.hpp"
#include "ops/access_space.hpp"
#include "ops/lanes.hpp"

namespace tine::emulator::detail {
namespace {

enum : std::uint16_t { kSourceSize = 1, kIgnoreSource = 2 };

void copy(Exec& x, const Instr& in, std::uint32_t mask) {
  const std::uint64_t *to = x.slot(in.d), *from = x.slot(in.a), *given = x.slot(in.b);
  const std::uint32_t ignored = (in.flags & kIgnoreSource) != 0 ? x.pred(in.q) : 0;
  std::uint64_t at[32], source[32];
  each(mask, [&](int l) {
    at[l] = in.address(to[l]);
    source[l] = from[l] + static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(in.mask_ref)));
  });
  Instr shared = in, global = in;  // the same instruction seen in its two spaces
  shared.space = Space::shared;
  global.space = Space::global;
  if (x.launch->count_lines) {
    x.count_access(shared, at, mask, in.n);
    x.count_access(global, source, mask, in.n);
  }
  each(mask, [&](int l) {
    std::uint32_t size = in.n;
    if ((in.flags & kSourceSize) != 0) size = static_cast<std::uint32_t>(given[l]);
    if ((ignored >> l & 1u) != 0) size = 0;
    if (size > in.n) {
      x.report(DiagnosticClass::out_of_bounds, in, l, "cp.async of " + std::to_string(in.n) + " bytes with a source size of " + std::to_string(size), 0);
      return;
    }
    Access store, load;
    store.kind = Access::store;
    store.size = in.n;
    load.size = size;
    load.align = in.n;
    const Place p = x.resolve(shared, at[l], l, store);
    if (size != 0) {
      const Place q = x.resolve(global, source[l], l, load);
      if (q.host == nullptr) return;
      x.before_load(global, q, l, load);
    }
    if (p.host == nullptr) return;
    x.before_store(shared, p, l, store, nullptr);
    x.start_copy(in, l, static_cast<std::uint32_t>(p.offset), source[l], in.n, size);
  });
}

void build_copy(Builder& b, const Match& m) {
  const auto& ops = b.statement().operands;
  const bool hint = m.has("L2::cache_hint");
  if (ops.size() < 3u + hint || ops.size() > 4u + hint) b.fail(ErrorKind::semantic, "cp.async has a destination, a source, a size and at most a source size");
  const Operand to = b.address(ops[0]), from = b.address(ops[1]);
  const std::uint64_t size = b.integer_constant(ops[2], 4, 16, "copy size");
  if (size != 4 && size != 8 && size != 16) b.fail(ErrorKind::semantic, "cp.async copies 4, 8 or 16 bytes");
  if (m.has("cg") && size != 16) b.fail(ErrorKind::semantic, "cp.async.cg copies 16 bytes");
  if (to.absolute || from.absolute) b.fail(ErrorKind::semantic, "a constant address is for .local only");
  if (to.by_name && !to.shared) b.fail(ErrorKind::semantic, "the destination of cp.async lies in shared memory");
  if (from.by_name && from.space != Space::global) b.fail(ErrorKind::semantic, "the source of cp.async lies in global memory");
  if (!from.by_name && !from.wide) b.fail(ErrorKind::semantic, "a global address has 64 bits");
  std::uint16_t flags = 0;
  Ref given = b.constant(0);
  PredRef ignore = kPredSink;
  if (ops.size() == 4u + hint) {
    std::uint64_t index = 0;
    const Symbol* s = ops[3].kind == AstOperand::name ? b.find(ops[3].text, index) : nullptr;
    if (ops[3].negated || (s != nullptr && s->kind == Symbol::predicate)) {
      flags = kIgnoreSource;
      ignore = b.predicate_source(ops[3]).pred;
      b.need(83, 80, "the ignore-src predicate of cp.async");
    } else {
      flags = kSourceSize;
      const Operand v = b.source(ops[3], Type::u32);
      if (v.constant && v.bits > size) b.fail(ErrorKind::semantic, "the source size exceeds the copy size");
      given = v.ref;
    }
  }
  if (hint) (void)b.source(ops.back(), Type::b64);
  Instr& in = b.emit(m, copy);
  in.d = to.base;
  in.imm = to.offset;
  in.narrow = !to.wide;
  in.a = from.base;
  in.mask_ref = static_cast<Ref>(static_cast<std::int32_t>(from.offset));  // the source's offset: 32 bits
  in.b = given;
  in.q = ignore;
  in.n = static_cast<std::uint8_t>(size);
  in.flags = flags;
}

void commit(Exec& x, const Instr&, std::uint32_t mask) {
  each(mask, [&](int l) { ++x.warp->copy_group[static_cast<std::size_t>(l)]; });
}
void build_commit(Builder& b, const Match& m) { b.emit(m, commit); }
void wait_group(Exec& x, const Instr& in, std::uint32_t mask) { x.finish_copies(mask, static_cast<std::uint32_t>(in.imm), false); }
void build_wait_group(Builder& b, const Match& m) {
  const std::uint64_t n = b.op(0).bits;
  if (n > 0x7FFFFFFF) b.fail(ErrorKind::semantic, "the number of groups is out of range");
  b.emit(m, wait_group).imm = static_cast<std::int64_t>(n);
}
void wait_all(Exec& x, const Instr&, std::uint32_t mask) {
  x.finish_copies(mask, 0, true);
  each(mask, [&](int l) { ++x.warp->copy_group[static_cast<std::size_t>(l)]; });
}
void build_wait_all(Builder& b, const Match& m) { b.emit(m, wait_all); }

constexpr InstrClass C = InstrClass::async_copy;
const Form kForms[] = {
    {"cp", "async ca|cg shared global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "*", 74, 80, C, build_copy},
    {"cp", "async ca|cg shared global", "*", 70, 80, C, build_copy},
    {"cp", "async ca|cg shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "*", 78, 80, C, build_copy},
    {"cp", "async commit_group", "", 70, 80, C, build_commit},
    {"cp", "async wait_group", "i", 70, 80, C, build_wait_group},
    {"cp", "async wait_all", "", 70, 80, C, build_wait_all},
};

}  // namespace

std::span<const Form> async_forms() { return kForms; }

}  // namespace tine::emulator::detail
