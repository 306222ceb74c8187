#include "codegen/cpu/element.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tine::cpu {
namespace {
Type with_element(Type like, Type element) {
  auto v = dyn_cast<VectorType>(like);
  return v ? Type(VectorType::get(v.getShape(), element)) : element;
}
}  // namespace

Value to_register(OpBuilder& b, Location loc, Value v, Type element) {
  if (isa<Float16Type, BFloat16Type>(element)) return arith::BitcastOp::create(b, loc, with_element(v.getType(), element), v);
  if (!element.isInteger(1)) return v;
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v, arith::ConstantOp::create(b, loc, b.getZeroAttr(v.getType())));
}
Value to_storage(OpBuilder& b, Location loc, Value v, Type element) {
  if (isa<Float16Type, BFloat16Type>(element)) return arith::BitcastOp::create(b, loc, with_element(v.getType(), b.getI16Type()), v);
  if (!element.isInteger(1)) return v;
  return arith::ExtUIOp::create(b, loc, with_element(v.getType(), b.getI8Type()), v);
}

}  // namespace tine::cpu
