// Of a nest: the value of an expression at the present point.
#include "codegen/cpu/nest_class.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/math/math.hpp"

using namespace mlir;
using tine::graph::DType;

namespace tine::cpu {

Value Nest::evaluate(Value v, const Index& index) {
  if (Value s = values_.scalars.lookup(v)) return s;
  int64_t level = std::min<int64_t>(level_of(index), int64_t(levels_.size()) - 1);
  std::pair<const void*, std::vector<int8_t>> key{v.getAsOpaquePointer(), {index.begin(), index.end()}};
  if (auto it = memo_[level].find(key); it != memo_[level].end()) return it->second;
  Value r;
  {
    AtLevel at(*this, level);
    r = compute(v, index);
  }
  memo_[level][key] = r;
  return r;
}

Value Nest::compute(Value v, const Index& index) {
  bool lanes = has_lanes(index);
  if (auto it = values_.buffers.find(v); it != values_.buffers.end()) {
    Address p = buffer_address(it->second, index);
    Value mask = lanes && masked_ ? lanes_mask_ : Value();
    Type storage = f.storage_type(it->second.element);
    Value other = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(storage));
    return load_memory(p, lanes, mask, it->second.element, other);
  }
  Operation* op = v.getDefiningOp();
  Type element = ir::elementOf(v.getType());
  if (auto x = dyn_cast<ir::LoadOp>(op)) {
    int64_t source = f.kernel.getParam(x.getParamNumber()).getSource();
    if (f.kernel.getSource(source).getRank() == 0) return f.scalar(source);
    Access& a = find_access(op, index);
    Value mask = mask_of(a, lanes);
    Address at = address_of(a, lanes);
    if (!mask && at.unit) prefetch_next_program(a, at);
    return load_memory(at, lanes, mask, element, other_of(a.param));
  }
  if (isa<ir::ValidOp>(op)) {
    Access& a = find_access(op, index);
    Value mask = mask_of(a, lanes);
    return mask ? mask : f.i1(true);
  }
  if (auto x = dyn_cast<ir::OffsetsOp>(op)) return offsets(x, index, lanes);
  if (auto x = dyn_cast<ir::ConstantOp>(op)) return constant(x);
  if (auto x = dyn_cast<ir::SymbolOp>(op)) return f.symbol(x.getNumber());
  if (auto x = dyn_cast<ir::ProgramIndexOp>(op)) return f.program[x.getDim()];
  if (isa<ir::ArangeOp>(op)) {
    if (index[0] == zero) return math::emit_constant(b, f.loc, ir::dtypeOf(element), f.register_type(element), int64_t(0));
    Value n = iv_[index[0]];
    if (lanes) {
      Value lane = arith::ExtSIOp::create(b, f.loc, vector_of(b.getI64Type()), iota());
      n = arith::AddIOp::create(b, f.loc, lane, splat(n));
    }
    return math::emit_cast(b, f.loc, n, DType::i64, ir::dtypeOf(element));
  }
  if (auto inner = operand_index(op, index)) return evaluate(op->getOperand(0), *inner);
  SmallVector<Value> operands;
  bool any = false;
  for (Value x : op->getOperands()) {
    operands.push_back(evaluate(x, index));
    any |= is_vector(operands.back());
  }
  if (any)
    for (Value& x : operands) x = splat(x);
  if (auto x = dyn_cast<ir::CastOp>(op)) {
    math::CastOptions options;
    options.native_i64_to_float = f.target.vector_bytes == 64;
    if (x.getIeee()) options.overflow = math::Overflow::ieee;
    return math::emit_cast(b, f.loc, operands[0], ir::dtypeOf(ir::elementOf(x.getOperand().getType())), ir::dtypeOf(element), options);
  }
  auto x = cast<ir::ElementwiseOp>(op);
  math::MathOptions options;
  options.fast_math = f.target.fast_math;
  options.native_i64_to_float = f.target.vector_bytes == 64;
  Value last = x.getOperands().back();  // where: (condition, a, b)
  return math::emit_elementwise(b, f.loc, *operation_named(x.getKind()), ir::dtypeOf(ir::elementOf(last.getType())), ir::dtypeOf(element), operands, options);
}

Value Nest::constant(ir::ConstantOp x) {
  Type type = f.register_type(x.getType());
  if (auto i = dyn_cast<IntegerAttr>(x.getValue())) return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, i.getValue()));
  auto v = cast<FloatAttr>(x.getValue());
  if (isa<FloatType>(type)) return arith::ConstantOp::create(b, f.loc, v);
  return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, v.getValue().bitcastToAPInt()));  // fp8
}

Value Nest::offsets(ir::OffsetsOp x, const Index& index, bool lanes) {
  Access& a = find_access(x, index);
  AffineMap coords = f.kernel.getParam(a.param).getCoords().getValue();
  SmallVector<Value> at = axis_values(a);
  auto coordinate = [&](AffineExpr e) {
    return lanes && uses_dim(e, *a.vector_axis) ? emit_affine_lanes(f, e, at, *a.vector_axis, lanes_) : emit_affine(f, e, at);
  };
  return coordinate(coords.getResult(unsigned(x.getDim())));
}

}  // namespace tine::cpu
