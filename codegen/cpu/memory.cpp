#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/index.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {

Value element_at(Frame& f, Value base, Type storage, Value index) {
  if (known(index) == 0) return base;
  return LLVM::GEPOp::create(f.b, f.loc, f.ptr_type(), storage, base, ArrayRef<LLVM::GEPArg>{index});
}

void emit_loop(Frame& f, Value lo, Value hi, int64_t step, llvm::function_ref<void(Value)> body) {
  if (known(lo) && known(hi)) {
    if (*known(lo) >= *known(hi)) return;
    if (*known(lo) + step >= *known(hi)) return body(lo);
  }
  auto op = scf::ForOp::create(f.b, f.loc, lo, hi, f.i64(step));
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPoint(op.getBody()->getTerminator());
  body(op.getInductionVar());
}

void either(Frame& f, Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no) {
  auto choice = scf::IfOp::create(f.b, f.loc, condition, true);
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPointToStart(choice.thenBlock());
  yes();
  f.b.setInsertionPointToStart(choice.elseBlock());
  no();
}

namespace {
void each_entry_from(Frame& f, ArrayRef<int64_t> shape, SmallVector<Value>& at, llvm::function_ref<void(ArrayRef<Value>)> body) {
  if (at.size() + 2 == shape.size()) return body(at);
  emit_loop(f, f.i64(0), f.extent(shape[at.size()]), 1, [&](Value i) {
    at.push_back(i);
    each_entry_from(f, shape, at, body);
    at.pop_back();
  });
}
Type vector(Frame& f) { return VectorType::get({16}, f.b.getI32Type()); }
}  // namespace

void each_entry(Frame& f, ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<Value>)> body) {
  SmallVector<Value> at;
  each_entry_from(f, shape, at, body);
}

Value entry_of(Frame& f, const Buffer& x, ArrayRef<Value> at) {
  Value index = f.i64(0);
  for (size_t k = 0; k < at.size(); ++k) index = add(f, mul(f, index, f.extent(x.shape[k])), at[k]);
  return element_at(f, x.base, f.storage_type(x.element), mul(f, index, mul(f, f.rows(x), f.columns(x))));
}
Value column_of(Frame& f, const Buffer& x, Value entry, Value n) {
  if (!x.panel) return element_at(f, entry, f.storage_type(x.element), n);
  Value panel = floordiv(f, n, x.panel), width = f.i64(x.panel);
  Value o = add(f, mul(f, panel, mul(f, f.rows(x), width)), sub(f, n, mul(f, panel, width)));
  return element_at(f, entry, f.storage_type(x.element), o);
}
Value row_pitch(Frame& f, const Buffer& x) { return x.panel ? f.i64(x.panel) : f.columns(x); }

void each_vector(Frame& f, const Buffer& x, llvm::function_ref<void(Value)> body) {
  Value n = f.i64(ir::bytesOf(x.element));
  for (size_t d = 0; d < x.shape.size(); ++d) {
    size_t left = x.shape.size() - d;
    n = mul(f, n, left == 1 ? f.columns(x) : left == 2 ? f.rows(x) : f.extent(x.shape[d]));
  }
  emit_loop(f, f.i64(0), n, 64, body);
}
void fill_zero(Frame& f, const Buffer& x) {
  each_vector(f, x, [&](Value bytes) {
    Value zeros = arith::ConstantOp::create(f.b, f.loc, f.b.getZeroAttr(vector(f)));
    LLVM::StoreOp::create(f.b, f.loc, zeros, element_at(f, x.base, f.b.getI8Type(), bytes), 64);
  });
}
void copy_buffer(Frame& f, const Buffer& from, const Buffer& to) {
  each_vector(f, from, [&](Value bytes) {
    Value v = LLVM::LoadOp::create(f.b, f.loc, vector(f), element_at(f, from.base, f.b.getI8Type(), bytes), 64);
    LLVM::StoreOp::create(f.b, f.loc, v, element_at(f, to.base, f.b.getI8Type(), bytes), 64);
  });
}

}  // namespace tine::cpu
