#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/memory.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

/// A product by vectors.
class VectorProduct {
 public:
  VectorProduct(Product& product, const Operands& operands, bool accumulate, Value rounds, Value fresh)
      : p(product), f(p.f), b(f.b), operands_(operands), accumulate_(accumulate), rounds_(rounds), c_(row_major(f, p.c)) {
    if (fresh) old_ = vector::BroadcastOp::create(b, f.loc, VectorType::get({p.lanes}, b.getI1Type()), arith::XOrIOp::create(b, f.loc, fresh, f.i1(true)));
  }

  void emit() {
    each_entry(f, p.c.shape, [&](ArrayRef<Value> at) {
      entry_ = at;
      c_entry_ = place_entry(f, c_, at, p.sum);
      blocks();
    });
  }

 private:
  using Round = Operands::Round;
  Product& p;
  Frame& f;
  OpBuilder& b;
  const Operands& operands_;
  bool accumulate_;
  Value rounds_;
  Value old_;  // a mask: c holds something; null: it does
  Place c_;
  ArrayRef<Value> entry_;  // the present batch entry
  Value c_entry_;

  /// Panels of b pass by rows of a that stay in the second cache, in half of it; a panel stays near while those rows pass by it.
  void blocks() {
    int64_t rows_bytes = f.target.second_cache / 2;
    Value deep = mul(f, ceildiv(f, f.extent(p.k), p.group), f.i64(p.unit_bytes()));
    if (rounds_) deep = mul(f, deep, rounds_);
    Value m = p.m_end;
    if ((known(m) && *known(m) <= p.rows) || (known(deep) && p.m >= 0 && *known(deep) * p.m <= rows_bytes)) return panels(f.i64(0), m);
    Value fit = arith::DivUIOp::create(b, f.loc, f.i64(rows_bytes / p.rows), max(f, deep, f.i64(1)));
    Value step = mul(f, max(f, fit, f.i64(1)), f.i64(p.rows));
    auto loop = scf::ForOp::create(b, f.loc, f.i64(0), m, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    Value i = loop.getInductionVar();
    panels(i, min(f, add(f, i, step), m));
  }

  void panels(Value i, Value end) {
    Value n = p.n_end;
    if (!known(n)) {
      // Where c has room for whole blocks, nobody reads what comes after the last column; else masks leave it alone.
      bool room = p.n >= 0 && p.n % p.width() == 0;
      auto left = [&](Value j) { return room ? Value() : sub(f, n, j); };
      // The last panel by fewer vectors, if they are enough.
      Value whole = mul(f, floordiv(f, add(f, n, f.i64(p.width() - 1 - (p.vectors - 1) * p.lanes)), p.width()), f.i64(p.width()));
      emit_loop(f, f.i64(0), whole, p.width(), [&](Value j) { rows(i, end, j, left(j), p.vectors); });
      if (p.vectors > 1) emit_loop(f, whole, n, p.width(), [&](Value j) { rows(i, end, j, left(j), 1); });
      return;
    }
    int64_t whole = *known(n) / p.width() * p.width(), left = *known(n) - whole;
    emit_loop(f, f.i64(0), f.i64(whole), p.width(), [&](Value j) { rows(i, end, j, {}, p.vectors); });
    if (left) rows(i, end, f.i64(whole), f.i64(left), (left + p.lanes - 1) / p.lanes);
  }

  void rows(Value i, Value end, Value j, Value left, int64_t vectors) {
    Value whole = add(f, i, mul(f, floordiv(f, sub(f, end, i), p.rows), f.i64(p.rows)));
    emit_loop(f, i, whole, p.rows, [&](Value r) { block(r, p.rows, j, left, vectors); });
    // The rows that are left: one block where their number is known, else by powers of two.
    if (known(p.m_end)) {
      if (int64_t rest = *known(p.m_end) % p.rows) emit_loop(f, whole, end, rest, [&](Value r) { block(r, rest, j, left, vectors); });
      return;
    }
    for (int64_t count = int64_t(llvm::bit_floor(uint64_t(p.rows - 1))); count > 0; count /= 2) {
      Value last = add(f, whole, mul(f, floordiv(f, sub(f, end, whole), count), f.i64(count)));
      emit_loop(f, whole, last, count, [&](Value r) { block(r, count, j, left, vectors); });
      whole = last;
    }
  }

  Value lanes_below(Value end) {
    SmallVector<int32_t> numbers;
    for (int64_t i = 0; i < p.lanes; ++i) numbers.push_back(int32_t(i));
    VectorType type = VectorType::get({p.lanes}, b.getI32Type());
    Value iota = arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
    Value n = arith::TruncIOp::create(b, f.loc, b.getI32Type(), min(f, max(f, end, f.i64(0)), f.i64(p.lanes)));
    return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, iota, vector::BroadcastOp::create(b, f.loc, type, n));
  }

  Value both(Value mask) { return mask && old_ ? arith::AndIOp::create(b, f.loc, mask, old_).getResult() : mask ? mask : old_; }
  /// Where row i of a starts.
  Value a_row(const Round& round, Value i) {
    if (!operands_.a_panels()) return element_at(f, round.a, p.storage(), mul(f, i, round.a_pitch));
    Value panel = floordiv(f, i, p.lanes), within = sub(f, i, mul(f, panel, f.i64(p.lanes)));
    return element_at(f, round.a, p.unit, add(f, mul(f, mul(f, panel, f.columns(*operands_.a_panels())), f.i64(p.lanes)), within));
  }

  /// One block of c: `rows` rows from i, and `vectors` vectors from column j; `left`: columns that exist from j on
  /// (null: all). The accumulators stay in registers over all of k.
  void block(Value i, int64_t rows, Value j, Value left, int64_t vectors) {
    unsigned align = unsigned(ir::bytesOf(p.c.element));
    auto align_attr = b.getI32IntegerAttr(int32_t(align));
    SmallVector<Value> masks, c_at, acc;
    if (left)
      for (int64_t v = 0; v < vectors; ++v) masks.push_back(lanes_below(sub(f, left, f.i64(v * p.lanes))));
    Value zeros = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(p.sums()));
    for (int64_t r = 0; r < rows; ++r) {
      Value c_row = element_at(f, c_entry_, p.sum, add(f, mul(f, add(f, i, f.i64(r)), c_.strides[c_.strides.size() - 2]), j));
      for (int64_t v = 0; v < vectors; ++v) {
        c_at.push_back(element_at(f, c_row, p.sum, f.i64(v * p.lanes)));
        if (!accumulate_) acc.push_back(zeros);
        else if (left || old_) acc.push_back(LLVM::MaskedLoadOp::create(b, f.loc, p.sums(), c_at.back(), both(left ? masks[v] : Value()), zeros, align_attr));
        else acc.push_back(LLVM::LoadOp::create(b, f.loc, p.sums(), c_at.back(), align));
      }
    }
    if (rounds_) {
      auto op = scf::ForOp::create(b, f.loc, f.i64(0), rounds_, f.i64(1), acc);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(op.getBody());
      scf::YieldOp::create(b, f.loc, sum_up(operands_.round(p, op.getInductionVar(), entry_), op.getRegionIterArgs(), i, rows, j, vectors));
      acc.assign(op.result_begin(), op.result_end());
    } else {
      acc = sum_up(operands_.round(p, {}, entry_), acc, i, rows, j, vectors);
    }
    for (size_t x = 0; x < c_at.size(); ++x) {
      if (left) LLVM::MaskedStoreOp::create(b, f.loc, acc[x], c_at[x], masks[x % vectors], align_attr);
      else LLVM::StoreOp::create(b, f.loc, acc[x], c_at[x], align);
    }
  }

  /// Adds one round's products to a block's accumulators.
  SmallVector<Value> sum_up(const Round& round, ValueRange sums, Value i, int64_t rows, Value j, int64_t vectors) {
    unsigned align = unsigned(ir::bytesOf(p.c.element));
    SmallVector<Value> acc(sums), a_at;
    for (int64_t r = 0; r < rows; ++r) a_at.push_back(a_row(round, add(f, i, f.i64(r))));
    if (p.flip_a)
      for (int64_t v = 0; v < vectors; ++v) {
        Value much = LLVM::LoadOp::create(b, f.loc, p.sums(), element_at(f, round.sums, p.sum, add(f, j, f.i64(v * p.lanes))), align);
        for (int64_t r = 0; r < rows; ++r) acc[r * vectors + v] = arith::SubIOp::create(b, f.loc, acc[r * vectors + v], much);
      }
    Value panel = column_of(f, operands_.panels(), round.b, j);
    auto op = scf::ForOp::create(b, f.loc, f.i64(0), round.groups, f.i64(1), acc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(op.getBody());
    Value k = op.getInductionVar();
    Value b_row = element_at(f, panel, p.unit, mul(f, k, f.i64(p.width())));
    Value a_k = mul(f, k, f.i64(operands_.a_panels() ? p.lanes : p.group));
    SmallVector<Value> y, next;
    for (int64_t v = 0; v < vectors; ++v) y.push_back(LLVM::LoadOp::create(b, f.loc, p.units(), element_at(f, b_row, p.unit, f.i64(v * p.lanes)), align));
    for (int64_t r = 0; r < rows; ++r) {
      Value x = LLVM::LoadOp::create(b, f.loc, p.unit, element_at(f, a_at[r], p.storage(), a_k), 1);
      x = vector::BroadcastOp::create(b, f.loc, p.units(), x);
      if (p.flip_a) x = arith::XOrIOp::create(b, f.loc, x, arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(p.units(), int32_t(0x80808080))));
      for (int64_t v = 0; v < vectors; ++v) next.push_back(p.multiply_add(x, y[v], op.getRegionIterArgs()[r * vectors + v]));
    }
    scf::YieldOp::create(b, f.loc, next);
    return SmallVector<Value>(op.getResults());
  }
};

}  // namespace

void Contraction::multiply(bool accumulate, Value rounds, Value fresh) {
  if (product_.tiles) multiply_by_tiles(product_, operands_, accumulate, rounds, fresh);
  else VectorProduct(product_, operands_, accumulate, rounds, fresh).emit();
}

void emit_dot(Frame& frame, Values& values, Value a, Value b, const Buffer& c, bool accumulate, Value rows, Value columns) {
  Contraction(Product(frame, values, a, b, c, rows, columns)).multiply(accumulate);
}

}  // namespace tine::cpu
