#include "codegen/cpu/index.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tine::cpu {

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

std::optional<int64_t> known(Value v) {
  APInt c;
  if (v && matchPattern(v, m_ConstantInt(&c))) return c.getSExtValue();
  return {};
}
Value add(Frame& f, Value a, Value b) {
  if (known(a) == 0) return b;
  if (known(b) == 0) return a;
  if (known(a) && known(b)) return f.i64(*known(a) + *known(b));
  return arith::AddIOp::create(f.b, f.loc, a, b);
}
Value sub(Frame& f, Value a, Value b) {
  if (known(b) == 0) return a;
  if (known(a) && known(b)) return f.i64(*known(a) - *known(b));
  return arith::SubIOp::create(f.b, f.loc, a, b);
}
Value mul(Frame& f, Value a, Value b) {
  if (known(a) == 1) return b;
  if (known(b) == 1) return a;
  if (known(a) == 0 || known(b) == 0) return f.i64(0);
  if (known(a) && known(b)) return f.i64(*known(a) * *known(b));
  return arith::MulIOp::create(f.b, f.loc, a, b);
}
Value min(Frame& f, Value a, Value b) {
  if (a == b) return a;
  if (known(a) && known(b)) return f.i64(std::min(*known(a), *known(b)));
  return arith::MinSIOp::create(f.b, f.loc, a, b);
}
Value max(Frame& f, Value a, Value b) {
  if (a == b) return a;
  if (known(a) && known(b)) return f.i64(std::max(*known(a), *known(b)));
  return arith::MaxSIOp::create(f.b, f.loc, a, b);
}
Value floordiv(Frame& f, Value a, int64_t b) {
  if (b == 1) return a;
  if (llvm::isPowerOf2_64(uint64_t(b))) return arith::ShRSIOp::create(f.b, f.loc, a, f.i64(llvm::Log2_64(uint64_t(b))));
  Value q = arith::DivSIOp::create(f.b, f.loc, a, f.i64(b)), r = arith::RemSIOp::create(f.b, f.loc, a, f.i64(b));
  Value negative = arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, r, f.i64(0));
  return arith::SelectOp::create(f.b, f.loc, negative, arith::SubIOp::create(f.b, f.loc, q, f.i64(1)), q);
}
Value ceildiv(Frame& f, Value a, int64_t b) { return b == 1 ? a : floordiv(f, add(f, a, f.i64(b - 1)), b); }

namespace {
// Scalars and vectors alike: `lanes` is 0 for scalars.
struct Emitter {
  Frame& f;
  ArrayRef<Value> dims;
  unsigned vector_dim = ~0u;
  int64_t lanes = 0;
  bool small = false;

  Value spread(Value v) {
    if (!lanes || isa<VectorType>(v.getType())) return v;
    return vector::BroadcastOp::create(f.b, f.loc, VectorType::get({lanes}, f.b.getI64Type()), v);
  }
  bool is_vector(AffineExpr e) const { return lanes && uses_dim(e, vector_dim); }

  Value operator()(AffineExpr e) {
    if (lanes && !is_vector(e)) return spread(Emitter{f, dims}(e));
    switch (e.getKind()) {
      case AffineExprKind::Constant: return f.i64(cast<AffineConstantExpr>(e).getValue());
      case AffineExprKind::SymbolId: return f.symbol(cast<AffineSymbolExpr>(e).getPosition());
      case AffineExprKind::DimId: {
        Value v = dims[cast<AffineDimExpr>(e).getPosition()];
        if (!lanes) return v;
        Value step = vector::StepOp::create(f.b, f.loc, VectorType::get({lanes}, f.b.getIndexType()));
        step = arith::IndexCastOp::create(f.b, f.loc, VectorType::get({lanes}, f.b.getI64Type()), step);
        return arith::AddIOp::create(f.b, f.loc, spread(v), step);
      }
      default: break;
    }
    auto x = cast<AffineBinaryOpExpr>(e);
    Value l = (*this)(x.getLHS()), r = (*this)(x.getRHS());
    if (e.getKind() == AffineExprKind::Add) return lanes ? arith::AddIOp::create(f.b, f.loc, l, r).getResult() : add(f, l, r);
    if (e.getKind() == AffineExprKind::Mul) return lanes ? arith::MulIOp::create(f.b, f.loc, l, r).getResult() : mul(f, l, r);
    auto constant = dyn_cast<AffineConstantExpr>(x.getRHS());
    if (constant && !lanes) {
      Value q = floordiv(f, l, constant.getValue());
      if (e.getKind() == AffineExprKind::FloorDiv) return q;
      if (e.getKind() == AffineExprKind::CeilDiv) return ceildiv(f, l, constant.getValue());
      return sub(f, l, mul(f, q, r));
    }
    if (e.getKind() == AffineExprKind::CeilDiv) {  // ceil(l / r) = floor((l + r - 1) / r)
      l = arith::AddIOp::create(f.b, f.loc, l, arith::SubIOp::create(f.b, f.loc, r, spread(f.i64(1))));
    }
    if (lanes && small && e.getKind() != AffineExprKind::CeilDiv) {
      // floor(l / r) is exact in f64 below 2^52: the quotient is away from the next integer by at least 1 / r.
      using graph::DType;
      math::CastOptions options;
      options.native_i64_to_float = f.target.vector_bytes == 64;
      r = arith::MaxSIOp::create(f.b, f.loc, r, spread(f.i64(1)));
      Value ratio = arith::DivFOp::create(f.b, f.loc, math::emit_cast(f.b, f.loc, l, DType::i64, DType::f64, options), math::emit_cast(f.b, f.loc, r, DType::i64, DType::f64, options));
      ratio = math::emit_elementwise(f.b, f.loc, graph::Op::floor, DType::f64, DType::f64, ratio);
      Value q = math::emit_cast(f.b, f.loc, ratio, DType::f64, DType::i64, options);
      if (e.getKind() == AffineExprKind::FloorDiv) return q;
      return arith::SubIOp::create(f.b, f.loc, l, arith::MulIOp::create(f.b, f.loc, q, r));
    }
    r = arith::MaxSIOp::create(f.b, f.loc, r, spread(f.i64(1)));  // sizes; 0 only where nothing is in range
    Value q = arith::DivSIOp::create(f.b, f.loc, l, r), m = arith::RemSIOp::create(f.b, f.loc, l, r);
    Value negative = arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, m, spread(f.i64(0)));
    if (e.getKind() == AffineExprKind::Mod) return arith::SelectOp::create(f.b, f.loc, negative, arith::AddIOp::create(f.b, f.loc, m, r), m);
    return arith::SelectOp::create(f.b, f.loc, negative, arith::SubIOp::create(f.b, f.loc, q, spread(f.i64(1))), q);
  }
};
}  // namespace

Value emit_affine(Frame& f, AffineExpr e, ArrayRef<Value> dims) { return Emitter{f, dims}(e); }
Value emit_affine_lanes(Frame& f, AffineExpr e, ArrayRef<Value> dims, unsigned vector_dim, int64_t lanes, bool small) {
  return Emitter{f, dims, vector_dim, lanes, small}(e);
}

namespace {
/// Expressions whose sum, each times the stride of a source dim (-1: times 1), is the address.
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
}  // namespace

namespace {
/// Whether an i64 value of the kernel is at most `dim` (strictly: as the end of a loop).
bool ends_at(Value v, int64_t dim) {
  if (auto c = v.getDefiningOp<ir::ConstantOp>())
    return !ir::TileType::isSymbol(dim) && cast<IntegerAttr>(c.getValue()).getInt() <= dim;
  if (auto s = v.getDefiningOp<ir::SymbolOp>()) return ir::TileType::isSymbol(dim) && int64_t(s.getNumber()) == ir::TileType::symbol(dim);
  if (auto e = v.getDefiningOp<ir::ElementwiseOp>(); e && e.getKind() == "min")
    return llvm::any_of(e.getOperands(), [&](Value x) { return ends_at(x, dim); });
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

SmallVector<AddressTerm> address_terms(Frame& f, ir::ParamAttr param) {
  SmallVector<AddressTerm> terms;
  for (auto [e, d] : address_map(f.kernel, param)) terms.push_back({e, d < 0 ? f.i64(1) : f.stride(param.getSource(), d)});
  return terms;
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

}  // namespace tine::cpu
