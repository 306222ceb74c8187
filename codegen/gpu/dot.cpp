// Products by multiply-add: each thread keeps squares of the result in registers and reads rows of a and columns of b from
// shared memory, one k after the other.
#include "codegen/gpu/exchange.hpp"
#include "codegen/gpu/lowering.hpp"
#include "codegen/math/math.hpp"
#include "compiler/layout/shared.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using tine::graph::DType;
using tine::layout::Axis;
using tine::layout::Layout;

namespace tine::gpu {
namespace {

/// One operand as a thread needs it: for each register of the result the element of its row or column at k, whatever k is.
class Operand {
 public:
  /// `k`: the operand's contracted dim, of which a round takes `steps`.
  Operand(Thread& f, Value base, ir::MemoryType memory, const LayoutInfo& result, int k, Type running, int64_t steps) : f_(f), memory_(memory), running_(running) {
    Layout place = memory.getLayout().getLayout();
    std::vector<Axis> kept;
    int rank = int(memory.getShape().size());
    for (int d = 0; d < rank; ++d)
      if (d != k) kept.push_back(layout::dim(d));
    Layout wanted = (result.map.with_outs(kept) * Layout::unreached(layout::dim(k), place.out_bits(layout::dim(k)))).with_dims(rank);
    access_ = layout::shared_access(place, wanted, int(8 * bytes()));
    if (place.out_bits(layout::dim(k)) > 0) stride_ = (*place.inverse())({{layout::dim(k), 1}}, Axis::offset);
    // A swizzle turns over bits of the offset by k (`product_memory`): the same in each round, since its bits of k are those of
    // the steps within one. Bits that threads set are turned over in pointers of their own.
    int64_t thread_bits = 0;
    for (Axis axis : {Axis::lane, Axis::warp})
      for (layout::Word w : access_.offsets.columns(axis)) thread_bits |= int64_t(w);
    for (int64_t step = 0; step < steps; ++step) {
      int64_t moved = (*place.inverse())({{layout::dim(k), step}}, Axis::offset), turned = moved ^ step * stride_;
      turned_.push_back(turned & ~thread_bits);
      pointers_.push_back(LLVM::GEPOp::create(f.b, f.loc, base.getType(), f.storage_type(memory.getElementType()), base,
                                              ArrayRef<LLVM::GEPArg>{f.thread_part(access_.offsets, Axis::offset, turned & thread_bits)}));
    }
    for (int64_t r = 0; r < result.registers; ++r) offset_.push_back(access_.offsets({{Axis::reg, r}}, Axis::offset));
    std::vector<int64_t> distinct(offset_.begin(), offset_.end());
    llvm::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    // The first registers of vectors begin them; those within follow.
    width_ = int64_t(1) << access_.vector.size();
    for (int64_t o : distinct)
      if (o % width_ == 0) vectors_.push_back(o);
  }
  /// The values for all registers at k = `at` + `step`; `at` is an i32 that changes from round to round.
  Registers load(Value at, int64_t step) {
    if (at != at_) {
      at_ = at;
      here_.clear();
      Value moved = f_.mul(at, f_.i32(stride_));
      for (Value p : pointers_) here_.push_back(LLVM::GEPOp::create(f_.b, f_.loc, p.getType(), f_.storage_type(memory_.getElementType()), p, ArrayRef<LLVM::GEPArg>{moved}));
    }
    int64_t all = bytes() * width_;
    unsigned bits = unsigned(8 * (all <= 4 ? all : bytes() == 8 ? 8 : 4));
    DType from = ir::dtypeOf(memory_.getElementType()), to = ir::dtypeOf(running_);
    llvm::DenseMap<int64_t, Value> found;
    for (int64_t o : vectors_) {
      Registers none(size_t(8 * all) / bits);
      Registers words = f_.target.load(f_.b, f_.loc, Space::shared, here_[size_t(step)], ((o ^ turned_[size_t(step)]) + step * stride_) * bytes(), bits, none, Value(), false);
      for (auto [i, w] : llvm::enumerate(f_.repack(words, unsigned(8 * bytes())))) {
        Value v = f_.to_register(w, memory_.getElementType());
        found[o + int64_t(i)] = from == to ? v : math::emit_cast(f_.b, f_.loc, v, from, to);
      }
    }
    Registers result;
    for (int64_t o : offset_) result.push_back(found.lookup(o));
    return result;
  }

 private:
  Thread& f_;
  ir::MemoryType memory_;
  Type running_;
  layout::SharedAccess access_;
  Value at_;
  int64_t stride_ = 0, width_ = 1;
  SmallVector<Value> pointers_, here_;  // of each step
  SmallVector<int64_t> turned_, offset_, vectors_;
  int64_t bytes() const { return ir::bytesOf(memory_.getElementType()); }
};

}  // namespace

void Lowering::dot(ir::SharedDotOp op) {
  auto type = cast<ir::TileType>(op.getType());
  const LayoutInfo& info = f.layout(op.getResult());
  int rank = int(type.getShape().size());
  Type element = type.getElementType();
  // Padding of k is zero, so rounds of several k may pass the end.
  int64_t k = op.getA().getType().getShape()[size_t(rank - 1)];
  int64_t padded = op.getA().getType().getLayout().getShape()[size_t(rank - 1)], unroll = std::min(padded, product_steps);
  Operand a(f, memory(op.getA()), op.getA().getType(), info, rank - 1, element, unroll), x(f, memory(op.getB()), op.getB().getType(), info, rank - 2, element, unroll);
  Value end = ir::TileType::isSymbol(k) ? f.symbol_index(ir::TileType::symbol(k)) : f.i32(k);
  if (end.getType() != b.getI32Type()) end = arith::TruncIOp::create(b, f.loc, b.getI32Type(), end);
  DType t = ir::dtypeOf(element);
  Registers sums = f.loop(f.i32(0), end, f.i32(unroll), all(op.getAcc()), [&](Value at, ValueRange acc) {
    Registers next(acc);
    for (int64_t u = 0; u < unroll; ++u) {
      Registers rows = a.load(at, u), columns = x.load(at, u);
      for (size_t r = 0; r < next.size(); ++r)
        next[r] = math::emit_elementwise(b, f.loc, graph::Op::fma, t, t, ValueRange{rows[r], columns[r], next[r]});
    }
    return next;
  });
  set(op.getResult(), sums);
}

}  // namespace tine::gpu
