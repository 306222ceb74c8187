#include "codegen/gpu/shuffles.hpp"
#include "codegen/gpu/lowering.hpp"
#include "compiler/layout/span.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;
using tine::layout::Word;

namespace tine::gpu {
namespace {

/// Bits of an output that lane or warp change.
int64_t changed(const Layout& map, Axis out) {
  int64_t bits = 0;
  for (Axis in : {Axis::lane, Axis::warp})
    for (int i = 0; i < map.in_bits(in); ++i) bits |= map.basis(in, i, out);
  return bits;
}

/// For each register the one with all free bits 0 that holds the same element.
SmallVector<int64_t> without_copies(const Layout& tile) {
  int64_t free = tile.free_bits(Axis::reg);
  std::vector<Word> columns = tile.columns(Axis::reg);
  layout::Span span;
  SmallVector<int64_t> instead(columns.size(), 0);
  for (size_t i = 0; i < columns.size(); ++i) {
    if (free >> i & 1) instead[i] = int64_t(*span.solve(columns[i]));
    else span.add(columns[i], Word(1) << i), instead[i] = int64_t(1) << i;
  }
  SmallVector<int64_t> result;
  for (int64_t r = 0; r < tile.in_size(Axis::reg); ++r) {
    int64_t x = 0;
    for (size_t i = 0; i < columns.size(); ++i)
      if (r >> i & 1) x ^= instead[i];
    result.push_back(x);
  }
  return result;
}

}  // namespace

std::optional<layout::ShufflePlan> shuffles(ir::LayoutAttr from, ir::LayoutAttr to, Type element) {
  Layout source = from.getLayout(), wanted = to.getLayout();
  layout::Conversion c = layout::conversion(source, wanted);
  if (c.move != layout::Move::lanes) return {};
  std::optional<layout::ShufflePlan> plan = layout::shuffle_plan(wanted, c);
  if (!plan) return {};
  constexpr int64_t most_words = 16;
  constexpr int most_choices = 2;  // bits
  int64_t rounds = wanted.in_size(Axis::reg) >> llvm::popcount(uint64_t(wanted.free_bits(Axis::reg)));
  int64_t words = rounds * std::max<int64_t>(ir::bytesOf(element) / 4, 1);
  bool few = llvm::popcount(uint64_t(changed(plan->give, Axis::reg))) <= most_choices && llvm::popcount(uint64_t(changed(plan->keep, Axis::reg))) <= most_choices;
  return words <= most_words && few ? plan : std::nullopt;
}

void Lowering::convert_by_shuffles(ir::ConvertLayoutOp op, const layout::ShufflePlan& plan) {
  const LayoutInfo& info = f.layout(op.getResult());
  int64_t free = info.map.free_bits(Axis::reg);
  // The value of register (which ^ what this thread's part of `map` says).
  auto chosen = [&](const Layout& map, int64_t which, llvm::function_ref<Value(int64_t)> value) {
    int64_t bits = changed(map, Axis::reg);
    Value part = bits ? f.thread_part(map, Axis::reg) : Value();
    std::function<Value(int64_t, int64_t)> choose = [&](int64_t at, int64_t left) -> Value {
      if (!left) return value(at);
      int64_t bit = left & -left;
      Value yes = choose(at ^ bit, left ^ bit), no = choose(at, left ^ bit);
      Value set = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::ne, arith::AndIOp::create(b, f.loc, part, f.i32(bit)), f.i32(0));
      return arith::SelectOp::create(b, f.loc, set, yes, no);
    };
    return choose(which, bits);
  };
  bool own_lane = changed(plan.source, Axis::lane) == f.target.warp - 1;  // source(l) = l ^ a constant
  for (int i = 0; i < plan.source.in_bits(Axis::lane); ++i) own_lane &= plan.source.basis(Axis::lane, i, Axis::lane) == int64_t(1) << i;
  for (int i = 0; i < plan.source.in_bits(Axis::warp); ++i) own_lane &= plan.source.basis(Axis::warp, i, Axis::lane) == 0;

  Registers got(static_cast<size_t>(info.registers));
  for (int64_t round = 0; round < info.registers; ++round) {
    if (round & free) continue;
    Value given = chosen(plan.give, plan.give({{Axis::reg, round}}, Axis::reg), [&](int64_t r) { return at(op.getOperand(), r); });
    int64_t lane = plan.source({{Axis::reg, round}}, Axis::lane);
    if (own_lane) got[size_t(round)] = lane ? shuffled(given, [&](Value w) { return f.target.shuffle_xor(b, f.loc, w, lane); }) : given;
    else {
      Value from = f.thread_part(plan.source, Axis::lane, lane);
      got[size_t(round)] = shuffled(given, [&](Value w) { return f.target.shuffle_from(b, f.loc, w, from); });
    }
  }
  Registers result;
  SmallVector<int64_t> same = without_copies(info.map);
  for (int64_t r = 0; r < info.registers; ++r)
    result.push_back(r & free ? Value() : chosen(plan.keep, r, [&](int64_t round) { return got[size_t(round)]; }));
  for (int64_t r = 0; r < info.registers; ++r)
    if (r & free) result[size_t(r)] = result[size_t(same[size_t(r)])];
  set(op.getResult(), result);
}

}  // namespace tine::gpu
