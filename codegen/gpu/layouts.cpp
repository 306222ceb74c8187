#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/symbol_facts.hpp"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;

namespace tine::gpu {

SmallVector<int64_t> padded_shape(ir::KernelOp kernel, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> padded;
  for (int64_t d : shape) {
    int64_t n = d;
    if (ir::TileType::isSymbol(d)) {
      auto capacity = symbol_capacity(kernel, ir::TileType::symbol(d));
      n = capacity ? capacity->size : 1;
    }
    padded.push_back(int64_t(1) << layout::log2_ceil(std::max<int64_t>(n, 1)));
  }
  return padded;
}

ir::LayoutAttr make_attr(MLIRContext* context, const Layout& l) { return ir::LayoutAttr::get(context, l); }

namespace {
std::vector<int64_t> vec(ArrayRef<int64_t> a) { return {a.begin(), a.end()}; }
SmallVector<int64_t> without_ones(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> r;
  for (int64_t d : shape)
    if (d != 1) r.push_back(d);
  return r;
}
Layout after_reduction(const Layout& l, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> sorted(axes);
  llvm::sort(sorted);
  Layout r = l;
  for (int64_t a : llvm::reverse(sorted)) r = r.reduced(int(a));
  return r;
}
/// Where the registers of `l` go when the free ones are dropped.
SmallVector<int64_t> compressed(const Layout& l) {
  int64_t free = l.free_bits(Axis::reg);
  SmallVector<int64_t> r;
  for (int64_t i = 0; i < l.in_size(Axis::reg); ++i) {
    int64_t to = 0;
    for (int bit = 0, at = 0; bit < l.in_bits(Axis::reg); ++bit)
      if (!(free >> bit & 1)) to |= (i >> bit & 1) << at++;
    r.push_back(to);
  }
  return r;
}
}  // namespace

bool differ_in_ones(ArrayRef<int64_t> x, ArrayRef<int64_t> y) { return without_ones(x) == without_ones(y); }
bool keeps_bits(ir::KernelOp kernel, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (differ_in_ones(from, to)) return true;
  auto whole = [&](ArrayRef<int64_t> shape) {
    return llvm::all_of(shape, [](int64_t d) { return !ir::TileType::isSymbol(d); }) && padded_shape(kernel, shape) == SmallVector<int64_t>(shape);
  };
  return whole(from) && whole(to);
}

std::optional<ir::LayoutAttr> operand_layout(ir::KernelOp kernel, Operation* op, ir::LayoutAttr result) {
  MLIRContext* context = kernel.getContext();
  ArrayRef<int64_t> from = ir::shapeOf(op->getOperand(0).getType());
  if (isa<ir::BroadcastOp>(op))
    return make_attr(context, result.getLayout().broadcast_from(vec(padded_shape(kernel, from))).without_free(Axis::reg));
  if (auto x = dyn_cast<ir::PermuteOp>(op)) {
    SmallVector<int64_t> inverse(x.getOrder().size());
    for (auto [k, d] : llvm::enumerate(x.getOrder())) inverse[size_t(d)] = int64_t(k);
    return make_attr(context, result.getLayout().permuted(vec(inverse)));
  }
  auto x = cast<ir::ReshapeOp>(op);
  if (!keeps_bits(kernel, from, ir::shapeOf(x.getType()))) return {};
  return make_attr(context, result.getLayout().reshaped(vec(padded_shape(kernel, from))));
}

std::optional<ir::LayoutAttr> result_layout(ir::KernelOp kernel, Operation* op, ir::LayoutAttr operand) {
  MLIRContext* context = kernel.getContext();
  if (auto x = dyn_cast<ir::PermuteOp>(op)) return make_attr(context, operand.getLayout().permuted(vec(x.getOrder())));
  auto x = dyn_cast<ir::ReshapeOp>(op);
  if (!x || !keeps_bits(kernel, ir::shapeOf(op->getOperand(0).getType()), ir::shapeOf(x.getType()))) return {};
  return make_attr(context, operand.getLayout().reshaped(vec(padded_shape(kernel, ir::shapeOf(x.getType())))));
}

ir::LayoutAttr reduced_layout(ir::LayoutAttr operand, ArrayRef<int64_t> axes) {
  if (axes.size() == operand.getShape().size()) return {};
  return make_attr(operand.getContext(), after_reduction(operand.getLayout(), axes).without_free(Axis::reg));
}

SmallVector<int64_t> repeated_registers(ir::LayoutAttr result, ArrayRef<int64_t> operand_padded) {
  return compressed(result.getLayout().broadcast_from(vec(operand_padded)));
}
SmallVector<int64_t> reduced_registers(ir::LayoutAttr operand, ArrayRef<int64_t> axes) {
  return compressed(after_reduction(operand.getLayout(), axes));
}

int64_t bits_along(const Layout& l, Axis axis, ArrayRef<int64_t> dims) {
  int64_t bits = 0;
  for (int i = 0; i < l.in_bits(axis); ++i)
    for (int64_t d : dims)
      if (l.basis(axis, i, layout::dim(int(d)))) bits |= int64_t(1) << i;
  return bits;
}

}  // namespace tine::gpu
