#include "codegen/cpu/turn.hpp"
#include "codegen/cpu/index.hpp"
#include "codegen/cpu/memory.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

/// Turns a square of vectors: in round s, vectors s apart exchange the blocks of s lanes off the diagonal.
void turn_square(Frame& f, SmallVector<Value>& v) {
  int64_t lanes = int64_t(v.size());
  for (int64_t s = lanes / 2; s > 0; s /= 2) {
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & s) continue;
      SmallVector<int64_t> low, high;
      for (int64_t l = 0; l < lanes; ++l) {
        low.push_back(l & s ? lanes + (l ^ s) : l);
        high.push_back(l & s ? lanes + l : l ^ s);
      }
      Value x = v[i], y = v[i + s];
      v[i] = vector::ShuffleOp::create(f.b, f.loc, x, y, low);
      v[i + s] = vector::ShuffleOp::create(f.b, f.loc, x, y, high);
    }
  }
}

}  // namespace

void turn_buffer(Frame& f, const Buffer& from, const Buffer& into, int64_t lanes, int64_t group) {
  Type unit = f.storage_type(into.element);
  VectorType type = VectorType::get({lanes}, unit);
  each_entry(f, from.shape, [&](ArrayRef<Value> at) {
    Value source = entry_of(f, from, at), target = entry_of(f, into, at);
    Value pitch = floordiv(f, f.columns(from), group), into_pitch = row_pitch(f, into);  // in units
    emit_loop(f, f.i64(0), f.rows(from), lanes, [&](Value r) {
      Value column = column_of(f, into, target, r);
      emit_loop(f, f.i64(0), pitch, lanes, [&](Value c) {
        SmallVector<Value> v;
        for (int64_t i = 0; i < lanes; ++i) {
          Value index = add(f, mul(f, add(f, r, f.i64(i)), pitch), c);
          v.push_back(LLVM::LoadOp::create(f.b, f.loc, type, element_at(f, source, unit, index), 1));
        }
        turn_square(f, v);
        for (int64_t i = 0; i < lanes; ++i)
          LLVM::StoreOp::create(f.b, f.loc, v[i], element_at(f, column, unit, mul(f, add(f, c, f.i64(i)), into_pitch)), 1);
      });
    });
  });
}

}  // namespace tine::cpu
