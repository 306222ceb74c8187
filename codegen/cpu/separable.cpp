#include "codegen/cpu/separable.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using tine::graph::DType;

namespace tine::cpu {
namespace {

/// e = row + column: what depends on the row (and everything else), and what depends on the column.
struct Parts { AffineExpr row, column; };

std::optional<Parts> split(AffineExpr e, unsigned row, unsigned column) {
  AffineExpr zero = getAffineConstantExpr(0, e.getContext());
  if (e.getKind() == AffineExprKind::Add) {
    auto x = cast<AffineBinaryOpExpr>(e);
    auto l = split(x.getLHS(), row, column), r = split(x.getRHS(), row, column);
    if (!l || !r) return {};
    return Parts{l->row + r->row, l->column + r->column};
  }
  if (!uses_dim(e, column)) return Parts{e, zero};
  if (uses_dim(e, row)) return {};
  return Parts{zero, e};
}

struct Bound { Parts index; AffineExpr limit; bool low; Value rows, columns; };  // tables

class Copy {
 public:
  Copy(Frame& f, Values& values, ir::LoadOp load, const Buffer& into, Value rows, Value columns)
      : f(f), b(f.b), access_(f, values, load.getParamNumber(), load.getIndices()), into_(into), rows_(rows), columns_(columns),
        source_(f.kernel.getSource(access_.param.getSource()).getType()), lanes_(into.panel), open_(open_indices(f.kernel, load.getParamNumber(), load.getIndices())) {}

  bool plan() {
    if (access_.tile.size() != 2) return false;
    row_ = access_.first;
    column_ = access_.first + 1;
    for (const AddressTerm& t : address_terms(f, access_.param)) {
      auto p = split(t.index, row_, column_);
      if (!p) return false;
      terms_.push_back({*p, t.stride});
    }
    AffineMap bounds = access_.param.getBounds().getValue(), limits = access_.param.getLimits().getValue();
    for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
      auto p = split(bounds.getResult(i), row_, column_);
      if (!p || uses_dim(limits.getResult(i), row_) || uses_dim(limits.getResult(i), column_)) return false;
      bounds_.push_back({*p, limits.getResult(i), access_.param.getLow()[i] != 0, {}, {}});
    }
    AffineExpr zero = getAffineConstantExpr(0, f.b.getContext());
    for (const OpenIndex& x : open_) bounds_.push_back({{x.axis, zero}, x.limit, true, {}, {}});
    return true;
  }
  void emit() {
    row_offsets_ = table(row_, [&](Values1& v) { return offset(v, true); });
    column_offsets_ = table(column_, [&](Values1& v) { return offset(v, false); });
    for (Bound& x : bounds_) {
      if (uses_dim(x.index.row, row_)) x.rows = table(row_, [&](Values1& v) { return v(x.index.row); });
      if (uses_dim(x.index.column, column_)) x.columns = table(column_, [&](Values1& v) { return v(x.index.column); });
    }
    loop(rows_, lanes_, [&](Value r) { group(r); });
  }

 private:
  Frame& f;
  OpBuilder& b;
  TileAccess access_;
  const Buffer& into_;
  Value rows_, columns_;
  Type source_;
  int64_t lanes_;
  SmallVector<OpenIndex> open_;
  unsigned row_ = 0, column_ = 0;
  struct Term { Parts index; Value stride; };
  SmallVector<Term> terms_;
  SmallVector<Bound> bounds_;
  Value row_offsets_, column_offsets_;

  VectorType vector(Type t) { return VectorType::get({lanes_}, t); }
  VectorType wide() { return vector(b.getI64Type()); }
  Value splat(Value v) { return vector::BroadcastOp::create(b, f.loc, vector(v.getType()), v); }
  Value at(Value base, Type element, Value index) { return element_at(f, base, element, index); }
  void loop(Value end, int64_t step, llvm::function_ref<void(Value)> body) { emit_loop(f, f.i64(0), end, step, body); }

  /// Evaluates expressions for `lanes_` neighbours along one axis.
  struct Values1 {
    Copy& c;
    unsigned axis;
    SmallVector<Value> at;
    Value operator()(AffineExpr e) {
      if (uses_dim(e, axis)) return emit_affine_lanes(c.f, e, at, axis, c.lanes_, true);
      return c.splat(emit_affine(c.f, e, at));
    }
  };
  Value offset(Values1& v, bool row) {
    Value sum;
    for (const Term& t : terms_) {
      AffineExpr e = row ? t.index.row : t.index.column;
      Value x = arith::MulIOp::create(b, f.loc, v(e), splat(t.stride));
      sum = sum ? arith::AddIOp::create(b, f.loc, sum, x).getResult() : x;
    }
    return sum ? sum : splat(f.i64(0));
  }
  Value table(unsigned axis, llvm::function_ref<Value(Values1&)> entry) {
    Buffer t = f.allocate_padded({1, access_.tile[axis - access_.first]}, b.getI64Type(), 1, lanes_);
    loop(axis == row_ ? rows_ : columns_, lanes_, [&](Value i) {
      Values1 v{*this, axis, access_.at};
      v.at[axis] = i;
      LLVM::StoreOp::create(b, f.loc, entry(v), at(t.base, b.getI64Type(), i), 8);
    });
    return t.base;
  }

  Value load_wide(Value base, Value i) { return LLVM::LoadOp::create(b, f.loc, wide(), at(base, b.getI64Type(), i), 8); }
  /// 0 <= index < limit, or index < limit.
  Value inside(Value index, Value limit, bool low) {
    if (isa<VectorType>(index.getType())) limit = splat(limit);
    // As unsigned numbers, negative ones are above every size.
    return arith::CmpIOp::create(b, f.loc, low ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, index, limit);
  }
  Value all(Value mask) { return vector::ReductionOp::create(b, f.loc, vector::CombiningKind::AND, mask); }
  Value both(Value x, Value y) { return x ? arith::AndIOp::create(b, f.loc, x, y).getResult() : y; }

  /// `lanes_` rows from r on.
  void group(Value r) {
    Value offsets = load_wide(row_offsets_, r);
    Value first = vector::ExtractOp::create(b, f.loc, offsets, ArrayRef<int64_t>{0});
    Value last = vector::ExtractOp::create(b, f.loc, offsets, ArrayRef<int64_t>{lanes_ - 1});
    last = arith::SubIOp::create(b, f.loc, last, f.i64(lanes_ - 1));
    SmallVector<int64_t> numbers;
    for (int64_t i = 0; i < lanes_; ++i) numbers.push_back(i);
    Value iota = arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(wide(), ArrayRef<int64_t>(numbers)));
    Value start = arith::SubIOp::create(b, f.loc, offsets, iota);
    // Lanes of the run that lane 0 is in, and of the one that the last lane is in.
    Value head = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, start, splat(first));
    Value tail = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, start, splat(last));
    Value runs = all(arith::OrIOp::create(b, f.loc, head, tail));
    Value rest = arith::XOrIOp::create(b, f.loc, head, arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector(b.getI1Type()), true)));
    Value row_mask;
    SmallVector<Value> parts, limits;
    for (const Bound& x : bounds_) {
      Value limit = emit_affine(f, x.limit, access_.at);
      Value part = x.rows ? load_wide(x.rows, r) : splat(emit_affine(f, x.index.row, access_.at));
      limits.push_back(limit);
      parts.push_back(part);
      if (!x.columns) row_mask = both(row_mask, inside(part, limit, x.low));
    }
    if (!row_mask) row_mask = arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector(b.getI1Type()), true));
    Value other = math::emit_constant(b, f.loc, ir::dtypeOf(source_), f.register_type(source_), access_.param.getOther().getValueAsDouble());
    other = splat(to_storage(b, f.loc, other, source_));
    auto columns = [&](llvm::function_ref<Value(Value, Value)> load) {
      loop(columns_, 1, [&](Value c) {
        Value mask = row_mask;
        for (auto [x, part, limit] : llvm::zip(bounds_, parts, limits)) {
          if (!x.columns) continue;
          Value moved = LLVM::LoadOp::create(b, f.loc, b.getI64Type(), at(x.columns, b.getI64Type(), c), 8);
          mask = both(mask, inside(arith::AddIOp::create(b, f.loc, part, splat(moved)), limit, x.low));
        }
        Value by = LLVM::LoadOp::create(b, f.loc, b.getI64Type(), at(column_offsets_, b.getI64Type(), c), 8);
        Value v = to_register(b, f.loc, load(by, mask), source_);
        v = math::emit_cast(b, f.loc, v, ir::dtypeOf(source_), ir::dtypeOf(into_.element));
        v = to_storage(b, f.loc, v, into_.element);
        Value to = add(f, mul(f, r, f.columns(into_)), mul(f, c, f.i64(lanes_)));
        LLVM::StoreOp::create(b, f.loc, v, at(into_.base, f.storage_type(into_.element), to), 4);
      });
    };
    Type storage = f.storage_type(source_);
    Value base = f.base(access_.param.getSource());
    auto align = b.getI32IntegerAttr(int32_t(Frame::element_bytes(source_)));
    auto choice = scf::IfOp::create(b, f.loc, runs, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    columns([&](Value by, Value mask) -> Value {
      Value a = LLVM::MaskedLoadOp::create(b, f.loc, vector(storage), at(base, storage, add(f, first, by)), arith::AndIOp::create(b, f.loc, mask, head), other, align);
      return LLVM::MaskedLoadOp::create(b, f.loc, vector(storage), at(base, storage, add(f, last, by)), arith::AndIOp::create(b, f.loc, mask, rest), a, align);
    });
    b.setInsertionPointToStart(choice.elseBlock());
    columns([&](Value by, Value mask) -> Value {
      Value p = LLVM::GEPOp::create(b, f.loc, vector(f.ptr_type()), storage, at(base, storage, by), ArrayRef<LLVM::GEPArg>{offsets});
      return LLVM::masked_gather::create(b, f.loc, vector(storage), p, mask, other, align);
    });
  }
};
}  // namespace

bool copy_separable(Frame& f, Values& values, ir::LoadOp load, const Buffer& into, Value rows, Value columns) {
  Copy copy(f, values, load, into, rows, columns);
  if (!copy.plan()) return false;
  copy.emit();
  return true;
}

}  // namespace tine::cpu
