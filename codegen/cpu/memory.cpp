#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/index.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {
namespace {

Value at(Frame& f, Value base, Value bytes) {
  return LLVM::GEPOp::create(f.b, f.loc, f.ptr_type(), f.b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{bytes});
}
Type vector(Frame& f) { return VectorType::get({16}, f.b.getI32Type()); }

}  // namespace

void each_vector(Frame& f, const Buffer& x, llvm::function_ref<void(Value)> body) {
  Value n = f.i64(Frame::element_bytes(x.element));
  for (size_t d = 0; d < x.shape.size(); ++d) {
    size_t left = x.shape.size() - d;
    n = mul(f, n, left == 1 ? f.columns(x) : left == 2 ? f.rows(x) : f.extent(x.shape[d]));
  }
  auto loop = scf::ForOp::create(f.b, f.loc, f.i64(0), n, f.i64(64));
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}
void fill_zero(Frame& f, const Buffer& x) {
  each_vector(f, x, [&](Value bytes) {
    Value zeros = arith::ConstantOp::create(f.b, f.loc, f.b.getZeroAttr(vector(f)));
    LLVM::StoreOp::create(f.b, f.loc, zeros, at(f, x.base, bytes), 64);
  });
}
void copy_buffer(Frame& f, const Buffer& from, const Buffer& to) {
  each_vector(f, from, [&](Value bytes) {
    Value v = LLVM::LoadOp::create(f.b, f.loc, vector(f), at(f, from.base, bytes), 64);
    LLVM::StoreOp::create(f.b, f.loc, v, at(f, to.base, bytes), 64);
  });
}

}  // namespace tine::cpu
