// Reductions: registers of a thread first, then the lanes of a warp that share a result.
#include "codegen/gpu/lowering.hpp"
#include "codegen/math/math.hpp"
#include "codegen/math/names.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tine::graph::DType;
using tine::layout::Axis;

namespace tine::gpu {
namespace {

/// One kind of reduction on elements of one type, in registers.
struct Combiner {
  Thread& f;
  StringRef kind;
  Type element;  ///< in which it runs: narrow floats in f32, which holds each of them exactly
  bool arg;

  Value combine(Value x, Value y) { return math::emit_combine(f.b, f.loc, *math::reduction_named(kind), ir::dtypeOf(element), x, y); }
  Value identity() {
    Type type = f.register_type(element);
    if (!arg) return math::emit_identity(f.b, f.loc, *math::reduction_named(kind), ir::dtypeOf(element), type);
    return kind == "argmax" ? math::emit_lowest(f.b, f.loc, ir::dtypeOf(element), type) : math::emit_highest(f.b, f.loc, ir::dtypeOf(element), type);
  }
  /// Whether (x, xi) comes before (y, yi): NaN first, then the extreme value, then the lower position.
  Value before(Value x, Value xi, Value y, Value yi) {
    DType t = ir::dtypeOf(element);
    auto is = [&](graph::Op op, ValueRange v) { return math::emit_elementwise(f.b, f.loc, op, t, DType::b1, v); };
    auto and_ = [&](Value p, Value q) -> Value { return arith::AndIOp::create(f.b, f.loc, p, q); };
    auto or_ = [&](Value p, Value q) -> Value { return arith::OrIOp::create(f.b, f.loc, p, q); };
    Value better = is(kind == "argmax" ? graph::Op::gt : graph::Op::lt, ValueRange{x, y});
    Value same = is(graph::Op::eq, ValueRange{x, y});
    if (graph::is_float(t)) {
      Value nx = is(graph::Op::isnan, ValueRange{x}), ny = is(graph::Op::isnan, ValueRange{y});
      Value not_ny = arith::XOrIOp::create(f.b, f.loc, ny, f.yes());
      better = or_(and_(nx, not_ny), and_(better, not_ny));
      same = or_(same, and_(nx, ny));
    }
    return or_(better, and_(same, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, xi, yi)));
  }
};

}  // namespace

Value Lowering::shuffled(Value v, llvm::function_ref<Value(Value)> word) {
  Type type = v.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value bits = isa<IntegerType>(type) ? v : arith::BitcastOp::create(b, f.loc, b.getIntegerType(width), v).getResult();
  if (width < 32) bits = arith::ExtUIOp::create(b, f.loc, b.getI32Type(), bits);
  Registers words = f.repack(bits, 32);
  for (Value& w : words) w = word(w);
  bits = width > 32 ? f.repack(words, width)[0] : words[0];
  if (width < 32) bits = arith::TruncIOp::create(b, f.loc, b.getIntegerType(width), bits);
  return isa<IntegerType>(type) ? bits : arith::BitcastOp::create(b, f.loc, type, bits).getResult();
}

std::vector<Lowering::Partial> Lowering::reduce(StringRef kind, Value operand, ArrayRef<int64_t> axes, Value positions, Type result) {
  auto type = cast<ir::TileType>(operand.getType());
  ir::LayoutAttr layout = type.getLayout();
  const LayoutInfo& info = f.layout(layout);
  bool arg = kind.starts_with("arg");
  Type from = type.getElementType(), running = arg ? from : result;
  if (isa<Float16Type, BFloat16Type>(running)) running = b.getF32Type();
  Combiner c{f, kind, running, arg};
  SmallVector<int64_t> to = reduced_registers(layout, axes), sorted(axes);
  llvm::sort(sorted);
  int64_t count = *llvm::max_element(to) + 1;
  Value none = f.i64(INT64_MAX);  // the position of no element

  auto join = [&](Partial& x, const Partial& y) {
    if (!x.value) { x = y; return; }
    if (!arg) { x.value = c.combine(x.value, y.value); return; }
    Value second = c.before(y.value, y.position, x.value, x.position);
    x.value = arith::SelectOp::create(b, f.loc, second, y.value, x.value);
    x.position = arith::SelectOp::create(b, f.loc, second, y.position, x.position);
  };
  // A few running values for each result: the steps of one would wait for each other.
  constexpr size_t chains = 4;
  std::vector<std::array<Partial, chains>> running_values(static_cast<size_t>(count));
  std::vector<size_t> seen(static_cast<size_t>(count));
  for (int64_t r = 0; r < info.registers; ++r) {
    Partial p{at(operand, r), {}};
    if (from != running) p.value = math::emit_cast(b, f.loc, p.value, ir::dtypeOf(from), ir::dtypeOf(running));
    Value real = inside(type, r, sorted);
    if (real) p.value = arith::SelectOp::create(b, f.loc, real, p.value, c.identity());
    if (arg && positions) p.position = at(positions, r);
    else if (arg) {  // row-major within the axes
      Value n = f.index(0);
      for (int64_t d : sorted)
        n = f.add(f.mul(n, f.extent(type.getShape()[size_t(d)])), f.add(f.coordinate(layout, d), f.index(info.at[size_t(r)][size_t(d)])));
      p.position = n.getType() == b.getI64Type() ? n : arith::ExtUIOp::create(b, f.loc, b.getI64Type(), n).getResult();
    }
    if (arg && real) p.position = arith::SelectOp::create(b, f.loc, real, p.position, none);
    size_t k = size_t(to[size_t(r)]);
    join(running_values[k][seen[k]++ % chains], p);
  }
  std::vector<Partial> results;
  int64_t lanes = bits_along(info.map, Axis::lane, sorted);
  for (auto& values : running_values) {
    for (size_t i = 1; i < chains; ++i)
      if (values[i].value) join(values[0], values[i]);
    for (int64_t bits = lanes; bits; bits &= bits - 1) {
      int64_t mask = bits & -bits;
      auto other_lane = [&](Value w) { return f.target.shuffle_xor(b, f.loc, w, mask); };
      Partial theirs{shuffled(values[0].value, other_lane), arg ? shuffled(values[0].position, other_lane) : Value()};
      join(values[0], theirs);
    }
    results.push_back(values[0]);
  }
  for (Partial& p : results)
    if (!arg && running != result) p.value = math::emit_cast(b, f.loc, p.value, ir::dtypeOf(running), ir::dtypeOf(result));
    else if (arg && running != from) p.value = math::emit_cast(b, f.loc, p.value, ir::dtypeOf(running), ir::dtypeOf(from));
  return results;
}

void Lowering::reduce(ir::ReduceOp op) {
  Type element = ir::elementOf(op.getType());
  Registers results;
  for (Partial& p : reduce(op.getKind(), op.getOperand(), op.getAxes(), op.getPositions(), element)) {
    if (!p.position) {
      results.push_back(p.value);
      continue;
    }
    Value none = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, p.position, f.i64(INT64_MAX));  // over nothing: 0
    Value position = arith::SelectOp::create(b, f.loc, none, f.i64(0), p.position);
    results.push_back(math::emit_cast(b, f.loc, position, DType::i64, ir::dtypeOf(element)));
  }
  if (isa<ir::TileType>(op.getType())) set(op.getResult(), results);
  else set(op.getResult(), results[0]);
}

void Lowering::partial_reduce(ir::PartialReduceOp op) {
  Registers values, positions;
  Type element = ir::elementOf(op.getResult(0).getType());
  for (Partial& p : reduce(op.getKind(), op.getOperand(), op.getAxes(), Value(), element)) {
    values.push_back(p.value);
    positions.push_back(p.position);
  }
  set(op.getResult(0), values);
  if (op.getNumResults() > 1) set(op.getResult(1), positions);
}

}  // namespace tine::gpu
