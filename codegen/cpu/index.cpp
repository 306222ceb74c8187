#include "codegen/cpu/index.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tine::cpu {

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

SmallVector<AddressTerm> address_terms(Frame& f, ir::ParamAttr param) {
  SmallVector<AddressTerm> terms;
  for (auto [e, d] : compiler::address_map(f.kernel, param)) terms.push_back({e, d < 0 ? f.i64(1) : f.stride(param.getSource(), d)});
  return terms;
}

}  // namespace tine::cpu
