#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/pack.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

class Dot {
 public:
  Dot(Product& product, bool accumulate)
      : p(product), f(p.f), b(p.f.b), accumulate_(accumulate), packed_(pack_b(p)) {
    if (p.flip_a) sums_ = sum_columns(p, packed_);
    a_ = place_a(p);
    c_ = row_major(f, p.c);
  }
  void emit() {
    each_entry(f, p.c.shape, [&](ArrayRef<Value> at) {
      a_entry_ = a_.panels ? a_.panels->base : place_entry(a_.rows, at, p.storage());
      b_entry_ = entry_of(f, packed_.panels, at);
      c_entry_ = place_entry(c_, at, p.sum);
      if (p.flip_a) sums_entry_ = entry_of(f, sums_, at);
      row_blocks();
    });
  }

 private:
  Product& p;
  Frame& f;
  OpBuilder& b;
  bool accumulate_;
  PackedB packed_;
  Buffer sums_;
  PlacedA a_;
  Place c_;
  Value a_entry_, b_entry_, c_entry_, sums_entry_;  // of the present batch entry

  Value place_entry(const Place& place, ArrayRef<Value> at, Type element) {
    Value o = f.i64(0);
    for (size_t d = 0; d < at.size(); ++d) o = add(f, o, mul(f, at[d], place.strides[d]));
    return element_at(f, place.base, element, o);
  }

  /// Rows outside, so that a block's rows of a stay near while b's panels pass.
  void row_blocks() {
    Value m = p.m_end, whole = mul(f, floordiv(f, m, p.rows), f.i64(p.rows));
    emit_loop(f, f.i64(0), whole, p.rows, [&](Value i) { column_blocks(i, p.rows); });
    // The rows that are left: one block where their number is known, else by halves.
    if (known(m)) {
      if (*known(m) % p.rows) column_blocks(whole, *known(m) % p.rows);
      return;
    }
    for (int64_t rows = p.rows / 2; rows > 0; rows /= 2) {
      Value end = add(f, whole, mul(f, floordiv(f, sub(f, m, whole), rows), f.i64(rows)));
      emit_loop(f, whole, end, rows, [&](Value i) { column_blocks(i, rows); });
      whole = end;
    }
  }
  void column_blocks(Value i, int64_t rows) {
    Value n = p.n_end, whole = mul(f, floordiv(f, n, p.width()), f.i64(p.width()));
    emit_loop(f, f.i64(0), whole, p.width(), [&](Value j) { block(i, rows, j, {}, p.vectors); });
    if (known(n) && *known(n) % p.width() == 0) return;
    emit_loop(f, whole, n, p.width(), [&](Value j) {
      // The last panel: by fewer vectors, if they are enough.
      Value left = sub(f, n, j);
      if (known(left) || p.vectors == 1) return block(i, rows, j, left, known(left) ? (*known(left) + p.lanes - 1) / p.lanes : 1);
      auto few = scf::IfOp::create(b, f.loc, arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::sle, left, f.i64(p.lanes)), true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(few.thenBlock());
      block(i, rows, j, left, 1);
      b.setInsertionPointToStart(few.elseBlock());
      block(i, rows, j, left, p.vectors);
    });
  }

  Value lanes_below(Value end) {
    SmallVector<int32_t> numbers;
    for (int64_t i = 0; i < p.lanes; ++i) numbers.push_back(int32_t(i));
    VectorType type = VectorType::get({p.lanes}, b.getI32Type());
    Value iota = arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
    Value n = arith::TruncIOp::create(b, f.loc, b.getI32Type(), min(f, max(f, end, f.i64(0)), f.i64(p.lanes)));
    return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, iota, vector::BroadcastOp::create(b, f.loc, type, n));
  }
  /// Where row i + r of a starts.
  Value a_row(Value i, int64_t r) {
    if (!a_.panels) return element_at(f, a_entry_, p.storage(), mul(f, add(f, i, f.i64(r)), a_.rows.strides[a_.rows.strides.size() - 2]));
    // A block of rows lies within one panel.
    Value panel = floordiv(f, i, p.lanes), within = sub(f, i, mul(f, panel, f.i64(p.lanes)));
    Value start = mul(f, mul(f, panel, f.columns(*a_.panels)), f.i64(p.lanes));
    return element_at(f, a_entry_, p.unit, add(f, start, add(f, within, f.i64(r))));
  }

  /// One block of c: `rows` rows from i, and `vectors` vectors from column j; `left`: columns that exist from j on
  /// (null: all). The accumulators stay in registers over all of k.
  void block(Value i, int64_t rows, Value j, Value left, int64_t vectors) {
    unsigned align = unsigned(Frame::element_bytes(p.c.element));
    auto align_attr = b.getI32IntegerAttr(int32_t(align));
    SmallVector<Value> masks, c_at, acc, a_at;
    if (left)
      for (int64_t v = 0; v < vectors; ++v) masks.push_back(lanes_below(sub(f, left, f.i64(v * p.lanes))));
    Value zeros = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(p.sums()));
    for (int64_t r = 0; r < rows; ++r) {
      a_at.push_back(a_row(i, r));
      Value c_row = element_at(f, c_entry_, p.sum, add(f, mul(f, add(f, i, f.i64(r)), c_.strides[c_.strides.size() - 2]), j));
      for (int64_t v = 0; v < vectors; ++v) {
        c_at.push_back(element_at(f, c_row, p.sum, f.i64(v * p.lanes)));
        if (!accumulate_) acc.push_back(zeros);
        else if (left) acc.push_back(LLVM::MaskedLoadOp::create(b, f.loc, p.sums(), c_at.back(), masks[v], zeros, align_attr));
        else acc.push_back(LLVM::LoadOp::create(b, f.loc, p.sums(), c_at.back(), align));
      }
    }
    if (p.flip_a)
      for (int64_t v = 0; v < vectors; ++v) {
        Value much = LLVM::LoadOp::create(b, f.loc, p.sums(), element_at(f, sums_entry_, p.sum, add(f, j, f.i64(v * p.lanes))), align);
        for (int64_t r = 0; r < rows; ++r) acc[r * vectors + v] = arith::SubIOp::create(b, f.loc, acc[r * vectors + v], much);
      }
    Value panel = column_of(f, packed_.panels, b_entry_, j);
    auto op = scf::ForOp::create(b, f.loc, f.i64(0), p.groups(), f.i64(1), acc);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(op.getBody());
      Value k = op.getInductionVar();
      Value b_row = element_at(f, panel, p.unit, mul(f, k, f.i64(p.width())));
      Value a_k = mul(f, k, f.i64(a_.panels ? p.lanes : p.group));
      SmallVector<Value> y, next;
      for (int64_t v = 0; v < vectors; ++v) y.push_back(LLVM::LoadOp::create(b, f.loc, p.units(), element_at(f, b_row, p.unit, f.i64(v * p.lanes)), align));
      for (int64_t r = 0; r < rows; ++r) {
        Value x = LLVM::LoadOp::create(b, f.loc, p.unit, element_at(f, a_at[r], p.storage(), a_k), 1);
        x = vector::BroadcastOp::create(b, f.loc, p.units(), x);
        for (int64_t v = 0; v < vectors; ++v) next.push_back(p.multiply_add(x, y[v], op.getRegionIterArgs()[r * vectors + v]));
      }
      scf::YieldOp::create(b, f.loc, next);
    }
    for (size_t x = 0; x < c_at.size(); ++x) {
      if (left) LLVM::MaskedStoreOp::create(b, f.loc, op.getResult(x), c_at[x], masks[x % vectors], align_attr);
      else LLVM::StoreOp::create(b, f.loc, op.getResult(x), c_at[x], align);
    }
  }
};
}  // namespace

void emit_dot(Frame& frame, Values& values, Value a, Value b, const Buffer& c, bool accumulate, Value rows, Value columns) {
  Product product(frame, values, a, b, c, rows, columns);
  if (product.tiles) emit_tile_product(product, accumulate);
  else Dot(product, accumulate).emit();
}

}  // namespace tine::cpu
