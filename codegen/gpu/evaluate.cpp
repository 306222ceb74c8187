// An element of a tile, at the moment that it is asked for.
#include "codegen/gpu/lowering.hpp"
#include "codegen/math/math.hpp"
#include "codegen/math/names.hpp"
#include "compiler/layout/conversion.hpp"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tine::graph::DType;
using tine::layout::Axis;

namespace tine::gpu {

Value Lowering::scalar(Value v) {
  for (auto& scope : llvm::reverse(scopes_))
    if (Value x = scope->scalars.lookup(v)) return x;
  llvm_unreachable("a scalar is used before it was computed");
}
Value Lowering::known(Value tile, int64_t r) {
  for (auto& scope : llvm::reverse(scopes_)) {
    auto it = scope->tiles.find(tile);
    if (it != scope->tiles.end() && it->second[size_t(r)]) return it->second[size_t(r)];
  }
  return {};
}
void Lowering::set(Value tile, int64_t r, Value v) {
  Registers& registers = scopes_.back()->tiles[tile];
  if (registers.empty()) registers.resize(size_t(f.layout(tile).registers));
  registers[size_t(r)] = v;
}
Registers Lowering::all(Value tile) {
  Registers result;
  for (int64_t r = 0; r < f.layout(tile).registers; ++r) result.push_back(at(tile, r));
  return result;
}

Value Lowering::at(Value tile, int64_t r) {
  if (Value v = known(tile, r)) return v;
  Value v = compute(tile, r);
  set(tile, r, v);
  return v;
}

Value Lowering::compute(Value tile, int64_t r) {
  Operation* op = tile.getDefiningOp();
  auto type = cast<ir::TileType>(tile.getType());
  llvm::SaveAndRestore place(f.loc, op->getLoc());
  if (auto x = dyn_cast<ir::LoadOp>(op)) {
    load(x, r);
    return known(tile, r);
  }
  if (isa<ir::ValidOp>(op)) {
    Value mask = access(op).in_range(r);
    return mask ? mask : f.yes();
  }
  if (auto x = dyn_cast<ir::OffsetsOp>(op)) {
    Value c = access(op).coordinate(r, unsigned(x.getDim()));
    return c.getType() == b.getI64Type() ? c : arith::ExtSIOp::create(b, f.loc, b.getI64Type(), c).getResult();
  }
  if (isa<ir::ArangeOp>(op)) {
    Value n = f.add(f.thread_part(f.layout(tile).map, layout::dim(0)), f.i32(f.layout(tile).at[size_t(r)][0]));
    return math::emit_cast(b, f.loc, n, DType::i32, ir::dtypeOf(type.getElementType()));
  }
  Value operand = op->getOperand(0);
  bool from_tile = isa<ir::TileType>(operand.getType());
  if (isa<ir::BroadcastOp>(op)) {
    if (!from_tile) return scalar(operand);
    return at(operand, repeated_registers(type.getLayout(), padded_shape(f.kernel, ir::shapeOf(operand.getType())))[size_t(r)]);
  }
  if (isa<ir::PermuteOp>(op)) return at(operand, r);
  if (isa<ir::ReshapeOp>(op)) return from_tile ? at(operand, r) : scalar(operand);
  if (isa<ir::ConvertLayoutOp>(op)) {  // inside a thread: in other registers
    layout::Conversion c = layout::conversion(cast<ir::TileType>(operand.getType()).getLayout().getLayout(), type.getLayout().getLayout());
    return at(operand, c.map({{Axis::reg, r}}, Axis::reg));
  }
  if (auto x = dyn_cast<ir::ElementwiseOp>(op)) {
    if (int64_t first = r & ~same_.free_bits(tile); first != r) return at(tile, first);
    auto is_short = [&](Value v) { return ir::elementOf(v.getType()).isSignlessInteger(64) && ranges_.fits32(v); };
    if (type.getElementType().isInteger(1) && llvm::all_of(x.getOperands(), is_short)) return compare_low_halves(x, r);
  }
  Registers operands;
  for (Value x : op->getOperands()) operands.push_back(at(x, r));
  return apply(op, operands);
}

Value Lowering::compare_low_halves(ir::ElementwiseOp op, int64_t r) {
  SmallVector<Value> operands;
  for (Value v : op.getOperands()) operands.push_back(low_half(v, r));
  return math::emit_elementwise(b, f.loc, *math::operation_named(op.getKind()), DType::i32, DType::b1, operands, {});
}

Value Lowering::low_half(Value v, int64_t r) {
  bool tile = isa<ir::TileType>(v.getType());
  std::pair key(v, tile ? r : 0);
  for (auto& scope : llvm::reverse(scopes_))
    if (Value x = scope->low_halves.lookup(key)) return x;
  Operation* op = v.getDefiningOp();
  Value low;
  auto x = dyn_cast_or_null<ir::ElementwiseOp>(op);
  if (x && ranges_.fits32(v)) {
    low = math::emit_elementwise(b, f.loc, *math::operation_named(x.getKind()), DType::i32, DType::i32, {low_half(x.getOperands()[0], r), low_half(x.getOperands()[1], r)}, {});
  } else if (tile && isa<ir::BroadcastOp, ir::ReshapeOp>(op) && !isa<ir::TileType>(op->getOperand(0).getType())) {
    low = low_half(op->getOperand(0), 0);
  } else if (tile && isa<ir::BroadcastOp>(op)) {
    low = low_half(op->getOperand(0), repeated_registers(cast<ir::TileType>(v.getType()).getLayout(), padded_shape(f.kernel, ir::shapeOf(op->getOperand(0).getType())))[size_t(r)]);
  } else if (tile && isa<ir::PermuteOp, ir::ReshapeOp>(op)) {
    low = low_half(op->getOperand(0), r);
  } else {
    Value whole = tile ? at(v, r) : scalar(v);
    low = whole.getType().isInteger(32) ? whole : arith::TruncIOp::create(b, f.loc, b.getI32Type(), whole).getResult();
  }
  scopes_.back()->low_halves[key] = low;
  return low;
}

Value Lowering::apply(Operation* op, ValueRange operands) {
  Type element = ir::elementOf(op->getResult(0).getType());
  if (auto x = dyn_cast<ir::ConstantOp>(op)) {
    Type type = f.register_type(element);
    if (auto i = dyn_cast<IntegerAttr>(x.getValue())) return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, i.getValue()));
    auto v = cast<FloatAttr>(x.getValue());
    if (isa<FloatType>(type)) return arith::ConstantOp::create(b, f.loc, v);
    return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, v.getValue().bitcastToAPInt()));  // fp8
  }
  if (auto x = dyn_cast<ir::SymbolOp>(op)) return f.symbol(int64_t(x.getNumber()));
  if (auto x = dyn_cast<ir::ProgramIndexOp>(op)) {
    Value p = f.program[size_t(x.getDim())];
    return p.getType() == b.getI64Type() ? p : arith::ExtUIOp::create(b, f.loc, b.getI64Type(), p).getResult();
  }
  if (isa<ir::BroadcastOp, ir::ReshapeOp>(op)) return operands[0];
  if (auto x = dyn_cast<ir::CastOp>(op)) {
    math::CastOptions options;
    if (x.getIeee()) options.overflow = math::Overflow::ieee;
    return math::emit_cast(b, f.loc, operands[0], ir::dtypeOf(ir::elementOf(x.getOperand().getType())), ir::dtypeOf(element), options);
  }
  if (auto x = dyn_cast<ir::ForeignOp>(op)) return f.target.call(b, x, operands);
  auto x = cast<ir::ElementwiseOp>(op);
  if (element.isF32())
    if (Value v = f.target.special(b, f.loc, x.getKind(), operands)) return v;
  math::MathOptions options;
  options.fast_math = f.options.fast_math;
  DType type = ir::dtypeOf(ir::elementOf(x.getOperands().back().getType()));  // where: (condition, a, b)
  return math::emit_elementwise(b, f.loc, *math::operation_named(x.getKind()), type, ir::dtypeOf(element), operands, options);
}

}  // namespace tine::gpu
