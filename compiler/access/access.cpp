#include "compiler/access/access.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::compiler {

bool uses_dim(AffineExpr e, unsigned dim) { return e.isFunctionOfDim(dim); }

std::optional<Linear> linear_in(AffineExpr e, unsigned dim) {
  AffineExpr zero = getAffineConstantExpr(0, e.getContext());
  if (!uses_dim(e, dim)) return Linear{zero, e};
  switch (e.getKind()) {
    case AffineExprKind::DimId: return Linear{getAffineConstantExpr(1, e.getContext()), zero};
    case AffineExprKind::Add: {
      auto x = cast<AffineBinaryOpExpr>(e);
      auto l = linear_in(x.getLHS(), dim), r = linear_in(x.getRHS(), dim);
      if (!l || !r) return {};
      return Linear{l->coefficient + r->coefficient, l->rest + r->rest};
    }
    case AffineExprKind::Mul: {
      auto x = cast<AffineBinaryOpExpr>(e);
      AffineExpr a = x.getLHS(), b = x.getRHS();
      if (uses_dim(b, dim)) std::swap(a, b);
      if (uses_dim(b, dim)) return {};
      auto l = linear_in(a, dim);
      if (!l) return {};
      return Linear{l->coefficient * b, l->rest * b};
    }
    default: return {};
  }
}

SmallVector<std::pair<AffineExpr, int64_t>> address_map(ir::KernelOp kernel, ir::ParamAttr param) {
  AffineMap map = param.getCoords().getValue(), linear = param.getLinear().getValue();
  SmallVector<std::pair<AffineExpr, int64_t>> terms;
  if (kernel.getSource(param.getSource()).getContiguous() && linear.getNumResults()) {
    if (linear.getNumResults() == 1) {
      terms.push_back({linear.getResult(0), -1});
      return terms;
    }
    map = linear;
  }
  for (auto [d, e] : llvm::enumerate(map.getResults())) {
    auto c = dyn_cast<AffineConstantExpr>(e);
    if (!c || c.getValue() != 0) terms.push_back({e, int64_t(d)});
  }
  return terms;
}

namespace {
/// Whether an i64 value of the kernel is at most `dim` (strictly: as the end of a loop): it, or any of what it is the least of.
bool ends_at(Value v, int64_t dim) {
  llvm::SmallSetVector<Value, 4> parts;
  parts.insert(v);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto c = parts[i].getDefiningOp<ir::ConstantOp>(); c && !ir::TileType::isSymbol(dim) && cast<IntegerAttr>(c.getValue()).getInt() <= dim) return true;
    if (auto s = parts[i].getDefiningOp<ir::SymbolOp>(); s && ir::TileType::isSymbol(dim) && int64_t(s.getNumber()) == ir::TileType::symbol(dim)) return true;
    if (auto e = parts[i].getDefiningOp<ir::ElementwiseOp>(); e && e.getKind() == "min") parts.insert(e.getOperands().begin(), e.getOperands().end());
  }
  return false;
}
bool not_negative(Value v) {
  auto c = v.getDefiningOp<ir::ConstantOp>();
  return c && cast<IntegerAttr>(c.getValue()).getInt() >= 0;
}
bool inside(Value index, int64_t dim) {
  if (auto c = index.getDefiningOp<ir::ConstantOp>()) {
    int64_t i = cast<IntegerAttr>(c.getValue()).getInt();
    return !ir::TileType::isSymbol(dim) && i >= 0 && i < dim;
  }
  auto arg = dyn_cast<BlockArgument>(index);
  auto loop = arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()) : scf::ForOp();
  return loop && arg == loop.getInductionVar() && not_negative(loop.getLowerBound()) && ends_at(loop.getUpperBound(), dim);
}
}  // namespace

SmallVector<OpenIndex> open_indices(ir::KernelOp kernel, int64_t number, ValueRange indices) {
  SmallVector<OpenIndex> r;
  ArrayAttr levels = kernel.getParam(number).getLevels();
  unsigned axis = levels.empty() ? 0 : unsigned(cast<DenseI64ArrayAttr>(levels[0]).size());
  size_t i = 0;
  MLIRContext* context = kernel.getContext();
  for (size_t l = 1; l + 1 < levels.size(); ++l)
    for (int64_t dim : cast<DenseI64ArrayAttr>(levels[l]).asArrayRef()) {
      if (!inside(indices[i], dim))
        r.push_back({getAffineDimExpr(axis, context), ir::TileType::isSymbol(dim) ? getAffineSymbolExpr(unsigned(ir::TileType::symbol(dim)), context)
                                                                                  : getAffineConstantExpr(dim, context)});
      ++axis, ++i;
    }
  return r;
}

std::optional<unsigned> unit_dim(ir::KernelOp kernel, int64_t number) {
  ir::ParamAttr param = kernel.getParam(number);
  ArrayAttr levels = param.getLevels();
  if (levels.size() < 2) return {};
  unsigned dims = unsigned(cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).size());
  unsigned first = param.getCoords().getValue().getNumDims() - dims;
  ArrayRef<int64_t> unit = kernel.getSource(param.getSource()).getUnit().asArrayRef();
  for (unsigned k = 0; k < dims; ++k) {
    int terms = 0;
    bool ok = true;
    for (auto [e, d] : address_map(kernel, param)) {
      if (!uses_dim(e, first + k)) continue;
      auto l = linear_in(e, first + k);
      auto c = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
      ok &= c && c.getValue() == 1 && (d < 0 || llvm::is_contained(unit, d));
      ++terms;
    }
    if (ok && terms == 1) return k;
  }
  return {};
}

bool may_overlap(ir::KernelOp kernel, int64_t stored, int64_t other) {
  ArrayRef<int64_t> pairs = kernel.getOverlaps();
  for (size_t i = 0; i < pairs.size(); i += 2)
    if ((pairs[i] == stored && pairs[i + 1] == other) || (pairs[i] == other && pairs[i + 1] == stored)) return true;
  return false;
}

bool conflicts(ir::KernelOp kernel, ir::StoreOp store, ir::LoadOp load) {
  int64_t a = kernel.getParam(store.getParamNumber()).getSource(), c = kernel.getParam(load.getParamNumber()).getSource();
  return a == c || may_overlap(kernel, a, c);
}
bool same_place(ir::KernelOp kernel, ir::StoreOp store, ir::LoadOp load) {
  int64_t source = kernel.getParam(store.getParamNumber()).getSource();
  return store.getView() == load.getView() && store.getIndices() == load.getIndices() && !may_overlap(kernel, source, source);
}

bool rounds_are_disjoint(ir::KernelOp kernel, int64_t number, ValueRange indices) {
  ir::ParamAttr param = kernel.getParam(number);
  ArrayAttr levels = param.getLevels();
  if (levels.size() < 2 || indices.size() != 1) return false;
  unsigned axis = unsigned(cast<DenseI64ArrayAttr>(levels[0]).size());
  ArrayRef<int64_t> tile = cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).asArrayRef();
  for (AffineExpr e : param.getCoords().getValue().getResults()) {
    auto step = linear_in(e, axis);
    auto c = step ? dyn_cast<AffineConstantExpr>(step->coefficient) : AffineConstantExpr();
    if (!c || c.getValue() == 0) continue;
    // One step moves further along this coordinate than the tile reaches.
    int64_t reach = 0;
    bool known = true;
    for (unsigned d = 0; d < tile.size(); ++d) {
      if (!uses_dim(e, axis + 1 + d)) continue;
      auto l = linear_in(e, axis + 1 + d);
      auto k = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
      known &= k && !ir::TileType::isSymbol(tile[d]);
      if (known) reach += std::abs(k.getValue()) * std::max<int64_t>(tile[d] - 1, 0);
    }
    if (known && std::abs(c.getValue()) > reach) return true;
  }
  return false;
}

}  // namespace tine::compiler
