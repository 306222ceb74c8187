#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/vector_width.hpp"
#include "compiler/layout/distributed.hpp"
#include "compiler/layout/shared.hpp"

using namespace mlir;
using tine::layout::Layout;

namespace tine::gpu {
namespace {

std::vector<int64_t> vec(ArrayRef<int64_t> a) { return {a.begin(), a.end()}; }

/// The unit's two dims as the last two of `rank`.
Layout placed(const Layout& unit, int rank) {
  return unit.renamed_out(layout::dim(1), layout::dim(rank - 1)).renamed_out(layout::dim(0), layout::dim(rank - 2)).with_dims(rank);
}

/// Operations that compute each element from the elements in the same position.
bool element_by_element(Operation* op) { return isa_and_nonnull<ir::ElementwiseOp, ir::CastOp, ir::ConvertLayoutOp>(op); }

using Seen = llvm::SmallPtrSet<Operation*, 16>;  // each operation is followed once, however many paths lead there
bool reaches_left_operand(Value v, Seen& seen) {
  return llvm::any_of(v.getUsers(), [&](Operation* user) {
    if (auto dot = dyn_cast<ir::DotOp>(user)) return dot.getA() == v;
    return element_by_element(user) && ir::shapeOf(user->getResult(0).getType()) == ir::shapeOf(v.getType()) && seen.insert(user).second &&
           reaches_left_operand(user->getResult(0), seen);
  });
}
bool reaches_left_operand(Value v) {
  Seen seen;
  return reaches_left_operand(v, seen);
}
bool comes_from_product(Value v, Seen& seen) {
  Operation* op = v.getDefiningOp();
  if (!op || !seen.insert(op).second) return false;
  if (isa<ir::DotOp>(op)) return true;
  return element_by_element(op) && llvm::any_of(op->getOperands(), [&](Value x) { return comes_from_product(x, seen); });
}
bool comes_from_product(Value v) {
  Seen seen;
  return comes_from_product(v, seen);
}

const MatrixUnit* unit_of(ir::DotOp dot, const TargetInfo& target) {
  return target.matrix_unit(dot.getA().getType().getElementType(), dot.getB().getType().getElementType(), dot.getType().getElementType(),
                            dot.getPrecision().value_or(""));
}
bool is_chained(ir::DotOp dot) { return reaches_left_operand(dot.getResult()) || comes_from_product(dot.getA()); }

}  // namespace

int64_t product_warps(ir::KernelOp kernel, const TargetInfo& target) {
  int64_t most = 0, chained = 0, parts = 8, operand = 0;
  kernel.walk([&](ir::DotOp dot) {
    if (!product_layouts(kernel, dot, target, 1)) return;
    const MatrixUnit* unit = unit_of(dot, target);
    SmallVector<int64_t> shape = padded_shape(kernel, dot.getType().getShape());
    int64_t elements = 1, rows = 1;
    for (int64_t d : shape) elements *= d;
    for (int64_t d : ArrayRef(shape).drop_back()) rows *= d;
    if (is_chained(dot)) chained += elements, parts = std::min(parts, rows / unit->m);
    else parts = std::min(parts, elements / (unit->m * unit->n));
    most = std::max(most, elements);
    for (Value v : {dot.getA(), dot.getB()}) {
      int64_t n = 1;
      for (int64_t d : padded_shape(kernel, ir::shapeOf(v.getType()))) n *= d;
      operand = std::max(operand, n);
    }
  });
  if (!most) return 0;
  int64_t warps = 1;
  while (2 * warps <= parts && (std::max(most, chained) >= 2 * warps * 64 * target.warp || operand > warps * 32 * target.warp)) warps *= 2;
  return warps;
}

namespace {

/// Which dim of an operand is contiguous in its source; the last one where that is not known.
int contiguous_dim(ir::KernelOp kernel, Value operand, const TargetInfo& target) {
  int rank = int(ir::shapeOf(operand.getType()).size()), fastest = rank - 1;
  SmallVector<int64_t> position;  // dim d of the value in hand is dim position[d] of the operand
  for (int d = 0; d < rank; ++d) position.push_back(d);
  for (Value v = operand; Operation* op = v.getDefiningOp();) {
    if (auto load = dyn_cast<ir::LoadOp>(op)) {
      fastest = int(position[contiguity(kernel, load.getParamNumber(), load.getIndices(), target.widest_access).dim]);
      break;
    }
    if (auto permute = dyn_cast<ir::PermuteOp>(op)) {
      SmallVector<int64_t> before(position.size());
      for (auto [k, from] : llvm::enumerate(permute.getOrder())) before[size_t(from)] = position[k];
      position = before;
    } else if (!element_by_element(op) || op->getNumOperands() != 1) {
      break;
    }
    v = op->getOperand(0);
  }
  return fastest;
}

}  // namespace

std::optional<ProductLayouts> product_layouts(ir::KernelOp kernel, ir::DotOp dot, const TargetInfo& target, int64_t warps) {
  const MatrixUnit* unit = unit_of(dot, target);
  if (!unit) return {};
  SmallVector<int64_t> shape_a = padded_shape(kernel, dot.getA().getType().getShape()), shape_b = padded_shape(kernel, dot.getB().getType().getShape()),
                       shape = padded_shape(kernel, dot.getType().getShape());
  int rank = int(shape.size()), m = rank - 2, n = rank - 1;
  int64_t k = shape_a[size_t(n)];
  if (shape[size_t(m)] < unit->m || shape[size_t(n)] < unit->n || k < unit->k) return {};

  // Warps: over batches first, then so that each one's part of the result is as square as can be.
  bool chained = is_chained(dot);
  std::vector<int> dims;
  SmallVector<int64_t> left(shape);
  left[size_t(m)] /= unit->m, left[size_t(n)] /= unit->n;
  int64_t part_m = shape[size_t(m)], part_n = shape[size_t(n)];
  for (int64_t w = 1; w < warps; w *= 2) {
    int d = -1;
    for (int batch = 0; batch < m && d < 0; ++batch)
      if (left[size_t(batch)] > 1) d = batch;
    bool rows = left[size_t(m)] > 1, columns = left[size_t(n)] > 1;
    if (d < 0 && rows && (chained || !columns || part_m >= part_n)) d = m, part_m /= 2;
    if (d < 0 && columns && !chained) d = n, part_n /= 2;
    if (d >= 0) left[size_t(d)] /= 2;
    dims.push_back(d);
  }
  auto without = [&](int gone) {  // operands have copies along the dim that they lack
    std::vector<int> r = dims;
    for (int& d : r)
      if (d == gone) d = -1;
    return r;
  };
  auto order = [&](int first, int second) {
    std::vector<int> r{first, second};
    for (int d = m; d-- > 0;) r.push_back(d);
    return r;
  };
  Layout a = layout::repeated(placed(unit->a, rank), vec(shape_a), order(n, m), without(n)),
         b = layout::repeated(placed(unit->b, rank), vec(shape_b), order(m, n), without(m)),
         d = layout::repeated(placed(unit->d, rank), vec(shape), order(n, m), dims);
  // Bytes whose rows run along n are turned in pairs, and the result's columns follow.
  constexpr int64_t two_fragments = 16;
  if (unit->operand_bits == 8 && target.loads_matrices() && shape[size_t(n)] >= two_fragments && contiguous_dim(kernel, dot.getB(), target) == n &&
      d.in_bits(layout::Axis::reg) > 2 && d.basis(layout::Axis::reg, 2, layout::dim(n)) == 8)
    b = layout::paired_columns(b, n), d = layout::paired_columns(d, n);
  MLIRContext* context = kernel.getContext();
  return ProductLayouts{unit, make_attr(context, a), make_attr(context, b), make_attr(context, d)};
}

void widen_products(ir::KernelOp kernel) {
  SmallVector<ir::DotOp> dots;
  kernel.walk([&](ir::DotOp op) { dots.push_back(op); });
  for (ir::DotOp op : dots)
    for (OpOperand* x : {&op.getAMutable(), &op.getBMutable()}) {
      auto type = cast<ir::TileType>(x->get().getType());
      if (!isa<Float8E4M3FNType, Float8E5M2Type>(type.getElementType())) continue;
      OpBuilder b(op);
      auto wide = ir::TileType::get(b.getContext(), type.getShape(), b.getF16Type());
      x->set(ir::CastOp::create(b, op.getLoc(), wide, x->get(), false));
    }
}

ir::LayoutAttr operand_memory(ir::KernelOp kernel, Value operand, ir::LayoutAttr fragments, const TargetInfo& target, int64_t warps) {
  auto type = cast<ir::TileType>(operand.getType());
  int rank = int(type.getShape().size()), bits = int(8 * ir::bytesOf(type.getElementType())), fastest = contiguous_dim(kernel, operand, target);
  std::vector<int> order{fastest};
  for (int d = rank; d-- > 0;)
    if (d != fastest) order.push_back(d);
  std::vector<int64_t> shape = vec(fragments.getShape());
  Layout wanted = fragments.getLayout();
  for (const std::vector<int>& rows : {std::vector<int>{0, 1, 2}, layout::paired_rows}) {
    Layout swizzled = layout::swizzled_shared(shape, order, bits, 16, rows, target.banks);
    std::optional<layout::MatrixLoad> load = layout::matrix_load(swizzled, wanted, bits);
    if (target.loads_matrices() && load && layout::bank_conflicts(*load, target.banks) == 0) return make_attr(kernel.getContext(), swizzled);
  }
  Layout copied = layout::blocked(shape, std::max<int64_t>(target.widest_access * 8 / bits, 1), int(target.warp), int(warps), order);
  return make_attr(kernel.getContext(), layout::exchange_shared(copied, wanted, bits, fastest, target.banks));
}

}  // namespace tine::gpu
