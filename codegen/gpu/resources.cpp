#include "codegen/gpu/resources.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "codegen/gpu/symbol_facts.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::gpu {
namespace {

std::string text(ArrayRef<int64_t> shape) {
  std::string s;
  for (int64_t d : shape) s += (s.empty() ? "(" : ", ") + std::to_string(d);
  return s + ")";
}

/// Values that hold registers of each thread for all of their elements: the others are made where they are used, operands of
/// products fragment by fragment, what warps have of a reduction one by one.
bool is_held(Value v) {
  Operation* op = v.getDefiningOp();
  if (isa_and_nonnull<ir::SharedLoadOp>(op) && llvm::all_of(v.getUsers(), [](Operation* user) { return isa<ir::DotOp, ir::ReduceOp>(user); })) return false;
  return !op || isa<ir::ReduceOp, ir::SharedDotOp, ir::SharedLoadOp, scf::ForOp, scf::IfOp, scf::WhileOp>(op);
}

int64_t tile_registers(ir::TileType tile) {
  return tile.getLayout().getLayout().in_size(layout::Axis::reg) * ir::bytesOf(tile.getElementType()) / 4;
}

}  // namespace

LogicalResult check_tiles(ir::KernelOp kernel, const TargetInfo& target, int64_t warps) {
  bool failed = false;
  kernel.walk([&](Operation* op) {
    for (Value v : op->getResults()) {
      for (int64_t d : ir::shapeOf(v.getType())) {
        if (failed || !ir::TileType::isSymbol(d) || symbol_capacity(kernel, ir::TileType::symbol(d))) continue;
        failed = true;
        auto error = mlir::emitError(op->getLoc()) << "it has a tile whose size is known only at a call ("
                                                   << cast<StringAttr>(kernel.getSymbols()[size_t(ir::TileType::symbol(d))]).getValue()
                                                   << "): GPU code is made for the sizes of a call; give it one";
        error.attachNote() << "user error";
      }
      if (failed || !isa<ir::TileType>(v.getType())) continue;
      // Code is unrolled over the elements of a thread. Far beyond what registers hold it takes minutes to compile.
      constexpr int64_t most_elements = 512;
      SmallVector<int64_t> padded = padded_shape(kernel, ir::shapeOf(v.getType()));
      int64_t elements = 1;
      for (int64_t d : padded) elements = llvm::SaturatingMultiply(uint64_t(elements), uint64_t(d)) > uint64_t(INT64_MAX) ? INT64_MAX : elements * d;
      elements /= warps * target.warp;
      if (elements <= most_elements) continue;
      failed = true;
      auto error = mlir::emitError(op->getLoc()) << "a program needs code for " << elements << " elements in each of " << warps * target.warp
                                                 << " threads for a tile of " << text(padded) << " elements, and the most is " << most_elements;
      error.attachNote() << "too large";
    }
  });
  return failure(failed);
}

LogicalResult check_resources(ir::KernelOp kernel, const TargetInfo& target, int64_t warps) {
  int64_t shared = int64_t(kernel.getSharedBytes().value_or(0));
  if (shared > target.max_shared) {
    ir::SharedAllocOp largest;
    int64_t bytes = 0;
    kernel.walk([&](ir::SharedAllocOp op) {
      if (int64_t n = size_of(kernel, op.getType()); n > bytes) largest = op, bytes = n;
    });
    auto error = mlir::emitError(largest.getLoc()) << "a program needs " << shared << " bytes of shared memory, and "
                                                   << target.name << " has " << target.max_shared << ": the largest tile that goes through it has "
                                                   << text(padded_shape(kernel, largest.getType().getShape())) << " elements and takes " << bytes << " bytes";
    error.attachNote() << "too large";
    return failure();
  }
  // One tile of so many registers a thread leaves none for anything else.
  int64_t per_thread = std::min(target.registers, target.registers_per_block / (warps * target.warp));
  LogicalResult result = success();
  kernel.walk([&](Operation* op) {
    for (Value v : op->getResults()) {
      auto tile = dyn_cast<ir::TileType>(v.getType());
      if (failed(result) || !tile || !is_held(v)) continue;
      int64_t registers = tile_registers(tile);
      if (registers <= per_thread) continue;
      auto error = mlir::emitError(op->getLoc()) << "a program needs " << registers << " registers in each of " << warps * target.warp
                                                 << " threads for a tile of " << text(tile.getLayout().getShape()) << " elements, and " << target.name
                                                 << " has " << per_thread;
      // More warps share the tile, and each thread has fewer registers.
      int64_t more = warps;
      while (more < target.max_warps && tile_registers(tile) * warps / more > std::min(target.registers, target.registers_per_block / (more * target.warp))) more *= 2;
      if (tile_registers(tile) * warps / more <= std::min(target.registers, target.registers_per_block / (more * target.warp)))
        error << " (with the option `warps=" << more << "` it needs " << tile_registers(tile) * warps / more << ")";
      error.attachNote() << "too large";
      result = failure();
    }
  });
  return result;
}

}  // namespace tine::gpu
