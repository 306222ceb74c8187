#include "codegen/gpu/shared_offsets.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;
using tine::layout::Word;

namespace tine::gpu {

SharedOffsets::SharedOffsets(Thread& f, Value base, const Layout& map, int64_t bytes) : f_(f), base_(base) {
  std::vector<Word> columns = map.columns();
  for (Word& w : columns) w *= Word(bytes);
  map_ = Layout::from_columns(map.ins(), {{Axis::offset, map.out_bits(Axis::offset) + layout::log2_ceil(bytes)}}, columns);
  for (Axis axis : {Axis::lane, Axis::warp})
    for (Word w : map_.columns(axis)) met_ |= int64_t(w);
}

Access::Address SharedOffsets::at(int64_t r) {
  int64_t own = map_({{Axis::reg, r}}, Axis::offset);
  Value& pointer = pointers_[own & met_];
  if (!pointer) {
    Value thread = f_.thread_part(map_, Axis::offset, own & met_);
    pointer = LLVM::GEPOp::create(f_.b, f_.loc, base_.getType(), f_.b.getI8Type(), base_, ArrayRef<LLVM::GEPArg>{thread});
  }
  return {pointer, own & ~met_};
}

}  // namespace tine::gpu
