#include "codegen/gpu/index_divisor.hpp"
#include "codegen/gpu/symbol_facts.hpp"
#include "dsl/graph/divisor.hpp"

using namespace mlir;

namespace tine::gpu {

Places::Places(ir::KernelOp kernel, int64_t number) : param(kernel.getParam(number)) {
  ArrayAttr levels = param.getLevels();
  if (levels.size() > 1) tile = cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).asArrayRef();
  if (!levels.empty()) grid = unsigned(cast<DenseI64ArrayAttr>(levels[0]).size());
  first = param.getCoords().getValue().getNumDims() - unsigned(tile.size());
}

IndexDivisor::IndexDivisor(ir::KernelOp k, const Places& p, ValueRange indices) : kernel(k), axes(p.param.getCoords().getValue().getNumDims(), 1) {
  for (unsigned d = p.grid; d < p.first; ++d)
    if (auto c = indices[d - p.grid].getDefiningOp<ir::ConstantOp>()) axes[d] = graph::divisor_of(cast<IntegerAttr>(c.getValue()).getInt());
}

int64_t IndexDivisor::operator()(AffineExpr e) const {
  switch (e.getKind()) {
    case AffineExprKind::Constant: return graph::divisor_of(cast<AffineConstantExpr>(e).getValue());
    case AffineExprKind::SymbolId: return symbol_multiple(kernel, cast<AffineSymbolExpr>(e).getPosition());
    case AffineExprKind::DimId: return axes[cast<AffineDimExpr>(e).getPosition()];
    default: break;
  }
  auto x = cast<AffineBinaryOpExpr>(e);
  int64_t l = (*this)(x.getLHS()), r = (*this)(x.getRHS());
  if (e.getKind() == AffineExprKind::Mul) return graph::divisor_of_product(l, r);
  if (e.getKind() == AffineExprKind::Add || e.getKind() == AffineExprKind::Mod) return graph::divisor_of_sum(l, r);
  auto c = dyn_cast<AffineConstantExpr>(x.getRHS());
  return e.getKind() == AffineExprKind::FloorDiv && c ? graph::divisor_of_quotient(l, c.getValue()) : 1;
}

int64_t IndexDivisor::extent(int64_t dim) const {
  return ir::TileType::isSymbol(dim) ? symbol_multiple(kernel, ir::TileType::symbol(dim)) : graph::divisor_of(dim);
}

}  // namespace tine::gpu
