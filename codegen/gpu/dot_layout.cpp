#include "codegen/gpu/dot_layout.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "compiler/layout/distributed.hpp"

using namespace mlir;

namespace tine::gpu {

ir::LayoutAttr dot_layout(ir::KernelOp kernel, ir::DotOp dot, const TargetInfo& target, int64_t warps) {
  if (auto layouts = product_layouts(kernel, dot, target, warps)) return layouts->result;
  // Each thread holds squares: an element of either operand, once loaded, is used for all of a row or column.
  SmallVector<int64_t> shape = padded_shape(kernel, dot.getType().getShape());
  size_t rank = shape.size(), m = rank - 2, n = rank - 1;
  layout::Blocked b;
  b.per_thread.assign(rank, 1), b.lanes = b.per_thread, b.warps = b.per_thread;
  b.per_thread[n] = std::min<int64_t>(shape[n], 4);
  b.per_thread[m] = std::min<int64_t>(shape[m], 4);
  b.lanes[n] = std::clamp<int64_t>(shape[n] / b.per_thread[n], 1, 8);
  b.lanes[m] = std::clamp<int64_t>(shape[m] / b.per_thread[m], 1, target.warp / b.lanes[n]);
  b.lanes[n] = std::clamp<int64_t>(shape[n] / b.per_thread[n], b.lanes[n], target.warp / b.lanes[m]);
  int64_t left = target.warp / (b.lanes[m] * b.lanes[n]);
  for (size_t d = rank - 2; d-- > 0 && left > 1;) b.lanes[d] = std::min(shape[d], left), left /= b.lanes[d];
  b.lanes[n] *= left;  // copies
  left = warps;
  auto room = [&](size_t d) { return shape[d] / std::min(shape[d], b.per_thread[d] * b.lanes[d]); };
  for (size_t d = 0; d + 2 < rank; ++d) b.warps[d] = std::min(room(d), left), left /= b.warps[d];
  while (left > 1) {  // the larger side first, so that warps' parts are square
    size_t d = room(m) / b.warps[m] >= room(n) / b.warps[n] ? m : n;
    b.warps[d] *= 2, left /= 2;
  }
  b.order = {int(n), int(m)};
  for (size_t d = rank - 2; d-- > 0;) b.order.push_back(int(d));
  return make_attr(kernel.getContext(), layout::blocked({shape.begin(), shape.end()}, b));
}

}  // namespace tine::gpu
