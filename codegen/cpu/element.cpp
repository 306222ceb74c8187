#include "codegen/cpu/element.hpp"
#include "llvm/ADT/StringMap.h"
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

std::optional<graph::Op> operation_named(StringRef name) {
  static const llvm::StringMap<graph::Op> table = [] {
    llvm::StringMap<graph::Op> t;
#define X(n) t[graph::name(graph::Op::n)] = graph::Op::n;
    TINE_GRAPH_OPS(X)
#undef X
    return t;
  }();
  auto it = table.find(name);
  if (it == table.end()) return {};
  return it->second;
}
std::optional<graph::Op> reduction_named(StringRef kind) {
  if (kind == "max") return graph::Op::rmax;
  if (kind == "min") return graph::Op::rmin;
  if (kind == "xor") return graph::Op::rxor;
  return operation_named(kind);
}

}  // namespace tine::cpu
