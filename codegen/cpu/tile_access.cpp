// Loads and stores as a whole, outside nests.
#include "codegen/cpu/nest.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tine::cpu {

TileAccess::TileAccess(Frame& f, Values& values, int64_t number, ValueRange indices) : param(f.kernel.getParam(number)) {
  ArrayAttr levels = param.getLevels();
  if (levels.size() > 1) tile = cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).asArrayRef();
  unsigned grid = unsigned(cast<DenseI64ArrayAttr>(levels[0]).size());
  first = param.getCoords().getValue().getNumDims() - unsigned(tile.size());
  for (unsigned k = 0; k < first; ++k) at.push_back(k < grid ? f.program[k] : values.scalars.lookup(indices[k - grid]));
  at.append(tile.size(), f.i64(0));
}

Value in_range_extent(Frame& f, Values& values, Operation* access, unsigned dim) {
  auto load = dyn_cast<ir::LoadOp>(access);
  TileAccess x = load ? TileAccess(f, values, load.getParamNumber(), load.getIndices())
                      : TileAccess(f, values, cast<ir::StoreOp>(access).getParamNumber(), cast<ir::StoreOp>(access).getIndices());
  Value extent = f.extent(x.tile[dim]);
  AffineMap bounds = x.param.getBounds().getValue(), limits = x.param.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
    AffineExpr e = bounds.getResult(i);
    bool others = false;
    for (unsigned k = 0; k < x.tile.size(); ++k) others |= k != dim && uses_dim(e, x.first + k);
    if (others) continue;
    auto l = linear_in(e, x.first + dim);
    auto c = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
    if (!c || c.getValue() <= 0) continue;
    Value rest = emit_affine(f, l->rest, x.at), limit = emit_affine(f, limits.getResult(i), x.at);
    extent = min(f, extent, max(f, ceildiv(f, sub(f, limit, rest), c.getValue()), f.i64(0)));
  }
  return extent;
}

std::optional<Strided> strided_memory(Frame& f, Values& values, ir::LoadOp load, ArrayRef<Value> extents) {
  TileAccess access(f, values, load.getParamNumber(), load.getIndices());
  ir::ParamAttr param = access.param;
  ArrayRef<int64_t> tile = access.tile;
  unsigned first = access.first;
  ArrayRef<Value> at = access.at;
  if (tile.empty()) return {};
  int64_t source = param.getSource();
  Strided r;
  r.strides.assign(tile.size(), f.i64(0));
  Value offset = f.i64(0);
  for (const AddressTerm& t : address_terms(f, param)) {
    for (unsigned k = 0; k < tile.size(); ++k) {
      auto l = linear_in(t.index, first + k);
      if (!l || !l->coefficient.isSymbolicOrConstant()) return {};
      r.strides[k] = add(f, r.strides[k], mul(f, emit_affine(f, l->coefficient, at), t.stride));
    }
    offset = add(f, offset, mul(f, emit_affine(f, t.index, at), t.stride));
  }
  // An index that is affine in every dim is extreme at the corners.
  r.covered = f.i1(true);
  AffineMap bounds = param.getBounds().getValue(), limits = param.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
    AffineExpr e = bounds.getResult(i);
    SmallVector<unsigned> moving;
    for (unsigned k = 0; k < tile.size(); ++k) {
      if (!uses_dim(e, first + k)) continue;
      if (!linear_in(e, first + k)) return {};
      moving.push_back(k);
    }
    Value limit = emit_affine(f, limits.getResult(i), at);
    for (unsigned corner = 0; corner < 1u << moving.size(); ++corner) {
      SmallVector<Value> there(at);
      for (size_t m = 0; m < moving.size(); ++m)
        if (corner >> m & 1) there[first + moving[m]] = sub(f, moving[m] < extents.size() && extents[moving[m]] ? extents[moving[m]] : f.extent(tile[moving[m]]), f.i64(1));
      Value index = emit_affine(f, e, there);
      Value ok = arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, index, limit);
      if (param.getLow()[i]) ok = arith::AndIOp::create(f.b, f.loc, ok, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::sge, index, f.i64(0)));
      r.covered = arith::AndIOp::create(f.b, f.loc, r.covered, ok);
    }
  }
  for (const OpenIndex& x : open_indices(f.kernel, load.getParamNumber(), load.getIndices())) {
    Value index = emit_affine(f, x.axis, at), limit = emit_affine(f, x.limit, at);
    Value ok = arith::AndIOp::create(f.b, f.loc, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::sge, index, f.i64(0)),
                                     arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, index, limit));
    r.covered = arith::AndIOp::create(f.b, f.loc, r.covered, ok);
  }
  r.pointer = LLVM::GEPOp::create(f.b, f.loc, f.ptr_type(), f.storage_type(f.kernel.getSource(source).getType()), f.base(source), ArrayRef<LLVM::GEPArg>{offset});
  return r;
}

}  // namespace tine::cpu
