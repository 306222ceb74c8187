#include "codegen/gpu/shared_memory.hpp"
#include "codegen/gpu/layouts.hpp"

using namespace mlir;

namespace tine::gpu {

int64_t size_of(ir::KernelOp kernel, ir::MemoryType type) {
  int64_t bytes = ir::bytesOf(type.getElementType());
  SmallVector<int64_t> padded = padded_shape(kernel, type.getShape());
  for (auto [dim, size] : llvm::zip(type.getShape(), padded))
    bytes *= type.getLayout() || ir::TileType::isSymbol(dim) ? size : dim;  // without a layout by the true extents
  return bytes;
}

void allocate_shared(ir::KernelOp kernel) {
  constexpr int64_t alignment = 16;
  llvm::DenseMap<Operation*, int64_t> place;
  int64_t count = 0;
  kernel.walk<WalkOrder::PreOrder>([&](Operation* op) { place[op] = count++; });
  auto end_of = [&](Operation* op) {  // the place of the last operation inside it
    int64_t last = place[op];
    op->walk([&](Operation* inner) { last = std::max(last, place[inner]); });
    return last;
  };
  struct Life { int64_t first, last, offset, bytes; };
  SmallVector<Life> lives;
  int64_t total = 0;
  kernel.walk<WalkOrder::PreOrder>([&](ir::SharedAllocOp alloc) {
    Life life{place[alloc], place[alloc], 0, std::max<int64_t>(size_of(kernel, alloc.getType()), 1) * int64_t(alloc.getSlots().value_or(1))};
    for (Operation* user : alloc->getUsers()) {
      while (user->getBlock() != alloc->getBlock()) user = user->getParentOp();
      life.last = std::max(life.last, end_of(user));
    }
    // The lowest place that no other memory has during this life.
    SmallVector<Life> met;
    for (const Life& x : lives)
      if (x.first <= life.last && life.first <= x.last) met.push_back(x);
    llvm::sort(met, [](const Life& x, const Life& y) { return x.offset < y.offset; });
    for (const Life& x : met)
      if (life.offset + life.bytes > x.offset) life.offset = std::max(life.offset, (x.offset + x.bytes + alignment - 1) / alignment * alignment);
    lives.push_back(life);
    total = std::max(total, life.offset + life.bytes);
    alloc.setOffset(life.offset);
  });
  kernel.setSharedBytes(total);
}

}  // namespace tine::gpu
