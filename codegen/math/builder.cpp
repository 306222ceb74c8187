#include "codegen/math/builder.hpp"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace tine::math {
namespace arith = mlir::arith;
namespace llvmir = mlir::LLVM;

Type type_like(Type like, Type element) {
  if (auto v = mlir::dyn_cast<mlir::VectorType>(like)) return mlir::VectorType::get(v.getShape(), element);
  return element;
}

mlir::Attribute constant_of(Value v) {
  while (auto b = v.getDefiningOp<mlir::vector::BroadcastOp>()) v = b.getSource();
  mlir::Attribute a;
  if (!mlir::matchPattern(v, mlir::m_Constant(&a))) return {};
  if (auto d = mlir::dyn_cast<mlir::DenseElementsAttr>(a))
    return d.isSplat() ? d.getSplatValue<mlir::Attribute>() : nullptr;
  return a;
}

namespace {
// A splat of an attribute of the element type.
Value splat(mlir::OpBuilder& b, mlir::Location loc, Type type, mlir::Attribute a) {
  if (auto v = mlir::dyn_cast<mlir::VectorType>(type)) a = mlir::DenseElementsAttr::get(v, a);
  return arith::ConstantOp::create(b, loc, type, mlir::cast<mlir::TypedAttr>(a));
}
}  // namespace

Value Emit::f(Type type, double x) { return splat(b, loc, type, b.getFloatAttr(mlir::getElementTypeOrSelf(type), x)); }
Value Emit::i(Type type, int64_t x) {
  auto element = mlir::getElementTypeOrSelf(type);
  auto value = llvm::APInt(element.getIntOrFloatBitWidth(), uint64_t(x), true, true);
  return splat(b, loc, type, b.getIntegerAttr(element, value));
}
Value Emit::f(Value like, double x) { return f(like.getType(), x); }
Value Emit::i(Value like, int64_t x) { return i(like.getType(), x); }

Value Emit::add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y, flags); }
Value Emit::sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y, flags); }
Value Emit::mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y, flags); }
Value Emit::div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y, flags); }
Value Emit::neg(Value x) { return arith::NegFOp::create(b, loc, x); }
Value Emit::fma(Value x, Value y, Value z) { return llvmir::FMAOp::create(b, loc, x.getType(), x, y, z); }
Value Emit::abs(Value x) { return llvmir::FAbsOp::create(b, loc, x.getType(), x); }
Value Emit::copysign(Value m, Value s) { return llvmir::CopySignOp::create(b, loc, m.getType(), m, s); }
Value Emit::sqrt(Value x) { return llvmir::SqrtOp::create(b, loc, x.getType(), x); }
Value Emit::floor(Value x) { return llvmir::FFloorOp::create(b, loc, x.getType(), x); }
Value Emit::ceil(Value x) { return llvmir::FCeilOp::create(b, loc, x.getType(), x); }
Value Emit::trunc(Value x) { return llvmir::FTruncOp::create(b, loc, x.getType(), x); }
Value Emit::round_even(Value x) { return llvmir::RoundEvenOp::create(b, loc, x.getType(), x); }
Value Emit::maxnum(Value x, Value y) { return llvmir::MaxNumOp::create(b, loc, x.getType(), x, y); }
Value Emit::minnum(Value x, Value y) { return llvmir::MinNumOp::create(b, loc, x.getType(), x, y); }
Value Emit::at_least(Value x, double low) {
  Value c = f(x, low);
  return select(cmp(FPred::OGT, c, x), c, x);
}
Value Emit::at_most(Value x, double high) {
  Value c = f(x, high);
  return select(cmp(FPred::OLT, c, x), c, x);
}
Value Emit::poly(Value x, std::span<const double> c) {
  Value s = f(x, c.back());
  for (size_t k = c.size() - 1; k-- > 0;) s = fma(s, x, c[k]);
  return s;
}

Value Emit::iadd(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
Value Emit::isub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
Value Emit::imul(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
Value Emit::band(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
Value Emit::bor(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
Value Emit::bxor(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
Value Emit::shl(Value x, Value n) { return arith::ShLIOp::create(b, loc, x, n); }
Value Emit::lshr(Value x, Value n) { return arith::ShRUIOp::create(b, loc, x, n); }
Value Emit::ashr(Value x, Value n) { return arith::ShRSIOp::create(b, loc, x, n); }
Value Emit::smin(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }
Value Emit::smax(Value x, Value y) { return arith::MaxSIOp::create(b, loc, x, y); }
Value Emit::umin(Value x, Value y) { return arith::MinUIOp::create(b, loc, x, y); }
Value Emit::umax(Value x, Value y) { return arith::MaxUIOp::create(b, loc, x, y); }

Value Emit::cmp(FPred p, Value x, Value y) { return arith::CmpFOp::create(b, loc, p, x, y); }
Value Emit::cmp(IPred p, Value x, Value y) { return arith::CmpIOp::create(b, loc, p, x, y); }
Value Emit::select(Value c, Value x, Value y) { return arith::SelectOp::create(b, loc, c, x, y); }

Value Emit::bits(Value x) { return arith::BitcastOp::create(b, loc, int_like(x, width(x)), x); }
Value Emit::as_float(Value x, Type e) { return arith::BitcastOp::create(b, loc, type_like(x.getType(), e), x); }
Value Emit::sext(Value x, unsigned n) { return arith::ExtSIOp::create(b, loc, int_like(x, n), x); }
Value Emit::zext(Value x, unsigned n) { return arith::ExtUIOp::create(b, loc, int_like(x, n), x); }
Value Emit::itrunc(Value x, unsigned n) { return arith::TruncIOp::create(b, loc, int_like(x, n), x); }
Value Emit::fext(Value x, Type e) { return arith::ExtFOp::create(b, loc, type_like(x.getType(), e), x); }
Value Emit::ftrunc(Value x, Type e) { return arith::TruncFOp::create(b, loc, type_like(x.getType(), e), x); }
Value Emit::si_to_f(Value x, Type e) { return arith::SIToFPOp::create(b, loc, type_like(x.getType(), e), x); }
Value Emit::ui_to_f(Value x, Type e) { return arith::UIToFPOp::create(b, loc, type_like(x.getType(), e), x); }
Value Emit::f_to_si(Value x, unsigned n) { return arith::FPToSIOp::create(b, loc, int_like(x, n), x); }
Value Emit::f_to_ui(Value x, unsigned n) { return arith::FPToUIOp::create(b, loc, int_like(x, n), x); }

}  // namespace tine::math
