// Tiles to and from shared memory.
#include "codegen/gpu/lowering.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "compiler/layout/shared.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using tine::layout::Axis;

namespace tine::gpu {
namespace {

/// How one thread meets a memory with a layout: vectors of registers, and where each begins.
class SharedVectors {
 public:
  SharedVectors(Thread& f, Value base, ir::MemoryType memory, const LayoutInfo& tile)
      : f_(f), base_(base), bytes_(ir::bytesOf(memory.getElementType())),
        access_(layout::shared_access(memory.getLayout().getLayout(), tile.map, int(8 * bytes_))), registers_(tile.registers) {
    part_ = f.thread_part(access_.offsets, Axis::offset);
    disjoint_ = access_.offsets.disjoint(Axis::offset);
  }
  int64_t elements() const { return int64_t(1) << access_.vector.size(); }
  unsigned word_bits() const {
    int64_t all = bytes_ * elements();
    return unsigned(8 * (all <= 4 ? all : bytes_ == 8 ? 8 : 4));
  }
  SmallVector<SmallVector<int64_t>> vectors() const {
    int64_t mask = 0;
    for (int bit : access_.vector) mask |= int64_t(1) << bit;
    SmallVector<SmallVector<int64_t>> all;
    for (int64_t r = 0; r < registers_; ++r) {
      if (r & mask) continue;
      auto& v = all.emplace_back();
      for (int64_t i = 0; i < elements(); ++i) {
        int64_t member = r;
        for (auto [k, bit] : llvm::enumerate(access_.vector)) member |= (i >> k & 1) << bit;
        v.push_back(member);
      }
    }
    return all;
  }
  Access::Address address(int64_t r) {
    int64_t own = access_.offsets({{Axis::reg, r}}, Axis::offset);
    Value thread = part_;
    int64_t constant = own;
    if (!disjoint_) thread = arith::XOrIOp::create(f_.b, f_.loc, part_, f_.i32(own)), constant = 0;
    Value pointer = LLVM::GEPOp::create(f_.b, f_.loc, base_.getType(), f_.b.getIntegerType(unsigned(8 * bytes_)), base_, ArrayRef<LLVM::GEPArg>{thread});
    return {pointer, constant * bytes_};
  }

 private:
  Thread& f_;
  Value base_, part_;
  int64_t bytes_;
  layout::SharedAccess access_;
  int64_t registers_;
  bool disjoint_;
};

}  // namespace

Value Lowering::memory(Value m) {
  auto slot = m.getDefiningOp<ir::SharedSlotOp>();
  if (!slot) return f.shared_pointer(int64_t(*m.getDefiningOp<ir::SharedAllocOp>().getOffset()));
  Value bytes = f.mul(scalar(slot.getSlot()), f.i32(size_of(f.kernel, slot.getType()))), base = memory(slot.getRing());
  return LLVM::GEPOp::create(b, f.loc, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{bytes});
}

Value Lowering::inside(ir::TileType tile, int64_t r, ArrayRef<int64_t> dims) {
  ir::LayoutAttr layout = tile.getLayout();
  Value all;
  for (int64_t d : dims) {
    if (!f.padded(tile.getShape()[size_t(d)], layout.getShape()[size_t(d)])) continue;
    Value c = f.add(f.coordinate(layout, d), f.index(f.layout(layout).at[size_t(r)][size_t(d)]));
    all = f.both(all, f.less(c, f.extent(tile.getShape()[size_t(d)])));
  }
  return all;
}
Value Lowering::inside(ir::TileType tile, int64_t r) {
  SmallVector<int64_t> dims;
  for (size_t d = 0; d < tile.getShape().size(); ++d) dims.push_back(int64_t(d));
  return inside(tile, r, dims);
}

Value Lowering::dense_index(Value tile, int64_t r) {
  auto type = cast<ir::TileType>(tile.getType());
  const LayoutInfo& info = f.layout(tile);
  Value index = f.index(0);
  for (auto [d, n] : llvm::enumerate(type.getShape())) {
    Value c = f.add(f.coordinate(type.getLayout(), int64_t(d)), f.index(info.at[size_t(r)][d]));
    index = f.add(f.mul(index, f.extent(n)), c);
  }
  return index;
}

void Lowering::shared_store(ir::SharedStoreOp op) {
  auto type = op.getValue().getType();
  ir::MemoryType memory_type = op.getMemory().getType();
  Type element = type.getElementType();
  const LayoutInfo& info = f.layout(op.getValue());
  Value base = memory(op.getMemory()), acts = f.acts(info);
  auto stored = [&](int64_t r) {
    Value v = at(op.getValue(), r);
    if (op.getZero())
      if (Value real = inside(type, r))
        v = arith::SelectOp::create(b, f.loc, real, v, arith::ConstantOp::create(b, f.loc, b.getZeroAttr(v.getType())));
    return f.to_storage(v, element);
  };
  if (!memory_type.getLayout()) {
    for (int64_t r = 0; r < info.registers; ++r) {
      Value pointer = f.pointer(base, element, dense_index(op.getValue(), r));
      f.target.store(b, f.loc, Space::shared, pointer, 0, stored(r), f.both(inside(type, r), acts));
    }
    return;
  }
  SharedVectors vectors(f, base, memory_type, info);
  for (auto& v : vectors.vectors()) {
    Registers values;
    for (int64_t r : v) values.push_back(stored(r));
    Access::Address a = vectors.address(v[0]);
    f.target.store(b, f.loc, Space::shared, a.pointer, a.offset, f.repack(values, vectors.word_bits()), acts);
  }
}

void Lowering::shared_load(ir::SharedLoadOp op) {
  auto type = op.getType();
  ir::MemoryType memory_type = op.getMemory().getType();
  Type element = type.getElementType();
  int64_t bytes = ir::bytesOf(element);
  const LayoutInfo& info = f.layout(op.getResult());
  Value base = memory(op.getMemory());
  Registers values(static_cast<size_t>(info.registers));
  if (!memory_type.getLayout()) {
    for (int64_t r = 0; r < info.registers; ++r) {
      Value mask = inside(type, r), pointer = f.pointer(base, element, dense_index(op.getResult(), r));
      Value zero = f.constant(f.storage_type(element), 0);
      Registers word = f.target.load(b, f.loc, Space::shared, pointer, 0, unsigned(8 * bytes), mask ? zero : Value(), mask, false);
      values[size_t(r)] = f.to_register(word[0], element);
    }
    return set(op.getResult(), values);
  }
  if (load_matrices(op)) return;
  SharedVectors vectors(f, base, memory_type, info);
  for (auto& v : vectors.vectors()) {
    Access::Address a = vectors.address(v[0]);
    unsigned bits = vectors.word_bits();
    Registers none(v.size() * size_t(bytes) * 8 / bits);
    Registers stored = f.repack(f.target.load(b, f.loc, Space::shared, a.pointer, a.offset, bits, none, Value(), false), unsigned(8 * bytes));
    for (auto [r, x] : llvm::zip(v, stored)) values[size_t(r)] = f.to_register(x, element);
  }
  set(op.getResult(), values);
}

}  // namespace tine::gpu
