#include "codegen/gpu/exchange.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/shuffles.hpp"
#include "compiler/layout/conversion.hpp"
#include "compiler/layout/shared.hpp"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;

namespace tine::gpu {
namespace {

unsigned bits_of(Type element) { return unsigned(8 * ir::bytesOf(element)); }

/// Memory for a tile, with the tile in it.
Value put(OpBuilder& b, Location loc, Value tile, ir::LayoutAttr layout, bool zero = false) {
  auto type = cast<ir::TileType>(tile.getType());
  Value memory = ir::SharedAllocOp::create(b, loc, ir::MemoryType::get(b.getContext(), type.getShape(), type.getElementType(), layout), IntegerAttr());
  ir::SharedStoreOp::create(b, loc, tile, memory, zero);
  return memory;
}
Value through_shared(OpBuilder& b, Location loc, Value tile, ir::LayoutAttr to, const TargetInfo& target) {
  auto type = cast<ir::TileType>(tile.getType());
  Layout memory = layout::exchange_shared(type.getLayout().getLayout(), to.getLayout(), int(bits_of(type.getElementType())), -1, target.banks);
  return ir::SharedLoadOp::create(b, loc, type.withLayout(to), put(b, loc, tile, make_attr(b.getContext(), memory)));
}

void exchange(ir::ConvertLayoutOp op, ir::KernelOp kernel, const TargetInfo& target) {
  OpBuilder b(op);
  layout::Conversion c = layout::conversion(op.getOperand().getType().getLayout().getLayout(), op.getType().getLayout().getLayout());
  if (c.move == layout::Move::registers || c.move == layout::Move::none) return;
  bool operand = llvm::any_of(op->getUsers(), [](Operation* user) { return isa<ir::DotOp>(user); });  // these can be copied ahead
  if (!operand && shuffles(op.getOperand().getType().getLayout(), op.getType().getLayout(), op.getType().getElementType())) return;
  if (operand) {
    ir::LayoutAttr place = operand_memory(kernel, op.getOperand(), op.getType().getLayout(), target, int64_t(*kernel.getWarps()));
    Value memory = put(b, op.getLoc(), op.getOperand(), place, true);
    // Fragments that stay in registers over a loop must leave room for others; larger ones are read again in each round.
    constexpr int64_t most_words = 32;
    int64_t words = op.getType().getLayout().getLayout().in_size(Axis::reg) * int64_t(bits_of(op.getType().getElementType())) / 32;
    for (OpOperand& use : llvm::make_early_inc_range(op->getUses())) {
      if (words > most_words) b.setInsertionPoint(use.getOwner());
      use.set(ir::SharedLoadOp::create(b, op.getLoc(), op.getType(), memory));
    }
  } else {
    op.replaceAllUsesWith(through_shared(b, op.getLoc(), op.getOperand(), op.getType().getLayout(), target));
  }
  op.erase();
}

void exchange(ir::ReshapeOp op, ir::KernelOp kernel) {
  auto from = dyn_cast<ir::TileType>(op.getOperand().getType()), to = dyn_cast<ir::TileType>(op.getType());
  if (!from || !to || keeps_bits(kernel, from.getShape(), to.getShape())) return;
  OpBuilder b(op);
  Value memory = put(b, op.getLoc(), op.getOperand(), ir::LayoutAttr());
  op.replaceAllUsesWith(ir::SharedLoadOp::create(b, op.getLoc(), to, memory).getResult());
  op.erase();
}

/// The tile of what each warp has: the kept dims as they are, and one more for the warps that took part.
struct Partial {
  ir::LayoutAttr held, wanted;  // after the warps' part, and for the rest: one thread holds all of the last dim
  int64_t warps = 1;
};
std::optional<Partial> partial(ir::LayoutAttr operand, ArrayRef<int64_t> axes) {
  Layout l = operand.getLayout();
  int64_t crossing = bits_along(l, Axis::warp, axes);
  if (!crossing) return {};
  SmallVector<int64_t> sorted(axes);
  llvm::sort(sorted);
  Layout kept = l;
  for (int64_t a : llvm::reverse(sorted)) kept = kept.reduced(int(a));
  int last = int(operand.getShape().size() - axes.size()), bits = llvm::popcount(uint64_t(crossing));
  // The same columns, with one more output: the crossing bits of the warp count along it.
  std::vector<layout::Extent> outs = kept.outs();
  int at = kept.out_bits();
  outs.push_back({layout::dim(last), bits});
  std::vector<layout::Word> columns;
  for (const layout::Extent& in : kept.ins()) {
    std::vector<layout::Word> its = kept.columns(in.axis);
    for (size_t i = 0; i < its.size(); ++i)
      columns.push_back(in.axis == Axis::warp && crossing >> i & 1 ? layout::Word(1) << at++ : its[i]);
  }
  Layout held = Layout::from_columns(kept.ins(), outs, columns).without_free(Axis::reg);
  // A mixed basis would move along kept dims too: such layouts are of operands only, never of what is reduced.
  Layout wanted = kept.without_free(Axis::reg) * Layout::identity(Axis::reg, layout::dim(last), bits);
  MLIRContext* context = operand.getContext();
  return Partial{make_attr(context, held), make_attr(context, wanted), int64_t(1) << bits};
}

void exchange(ir::ReduceOp op, const TargetInfo& target) {
  auto operand = op.getOperand().getType();
  auto p = partial(operand.getLayout(), op.getAxes());
  if (!p) return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  bool arg = op.getKind().starts_with("arg");
  SmallVector<int64_t> shape;
  for (auto [d, n] : llvm::enumerate(operand.getShape()))
    if (!llvm::is_contained(op.getAxes(), int64_t(d))) shape.push_back(n);
  shape.push_back(p->warps);
  auto tile = [&](Type element, ir::LayoutAttr layout) { return ir::TileType::get(b.getContext(), shape, element, layout); };
  Type element = arg ? operand.getElementType() : ir::elementOf(op.getType());
  SmallVector<Type> types{tile(element, p->held)};
  if (arg) types.push_back(tile(b.getI64Type(), p->held));
  auto part = ir::PartialReduceOp::create(b, loc, types, op.getKind(), op.getOperand(), op.getAxes());
  SmallVector<Value> memories, rest;
  for (Value v : part.getResults()) memories.push_back(put(b, loc, v, make_attr(b.getContext(), layout::exchange_shared(p->held.getLayout(), p->wanted.getLayout(), int(bits_of(ir::elementOf(v.getType()))), -1, target.banks))));
  for (Value m : memories) rest.push_back(ir::SharedLoadOp::create(b, loc, tile(cast<ir::MemoryType>(m.getType()).getElementType(), p->wanted), m));
  op.getOperandMutable().assign(rest[0]);
  if (arg) op.getPositionsMutable().assign(rest[1]);
  op.setAxes(ArrayRef<int64_t>{int64_t(shape.size()) - 1});
}

/// Memory for an operand of a product by multiply-add, along dim order[0] with k next. Copies turn operands that lie along k in
/// their source: the lanes of a warp take 16 bytes each, two of them a sector along k. Half of a line of banks is turned over
/// for every other such lane, so that the two do not meet.
Layout product_memory(const std::vector<int64_t>& shape, const std::vector<int>& order, int element_bits, const TargetInfo& target) {
  Layout plain = layout::plain_shared(shape, order);
  int half = layout::log2_ceil(target.banks.line_bytes() * 8 / element_bits) - 1, lane = layout::log2_ceil(16 * 8 / element_bits);
  int row = plain.out_bits(layout::dim(order[0]));
  if (half < lane || row <= half || int64_t(2) << lane > product_steps || plain.out_bits(layout::dim(order[1])) <= lane) return plain;
  std::vector<layout::Word> columns = plain.columns();
  columns[size_t(row + lane)] ^= columns[size_t(half)];
  return Layout::from_columns(plain.ins(), plain.outs(), std::move(columns));
}

void exchange(ir::DotOp op, ir::KernelOp kernel, const TargetInfo& target) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value acc = op.getAcc();
  if (!acc) {
    Type element = op.getType().getElementType();
    Value zero = ir::ConstantOp::create(b, loc, element, cast<TypedAttr>(b.getZeroAttr(element)));
    acc = ir::BroadcastOp::create(b, loc, op.getType(), zero);
  }
  // Rows of a and columns of b lie together: threads load neighbours of theirs for one k after the other.
  auto place = [&](Value v, size_t fastest, size_t next) {
    auto type = cast<ir::TileType>(v.getType());
    SmallVector<int64_t> shape = padded_shape(kernel, type.getShape());
    std::vector<int> order{int(fastest), int(next)};
    for (size_t d = shape.size() - 2; d-- > 0;) order.push_back(int(d));
    return put(b, loc, v, make_attr(b.getContext(), product_memory({shape.begin(), shape.end()}, order, int(bits_of(type.getElementType())), target)), true);
  };
  size_t rank = op.getType().getShape().size();
  Value a = place(op.getA(), rank - 2, rank - 1), x = place(op.getB(), rank - 1, rank - 2);
  op.replaceAllUsesWith(ir::SharedDotOp::create(b, loc, op.getType(), a, x, acc).getResult());
  op.erase();
}

}  // namespace

void exchange_through_shared(ir::KernelOp kernel, const TargetInfo& target) {
  SmallVector<Operation*> ops;
  kernel.walk([&](Operation* op) { ops.push_back(op); });
  for (Operation* op : ops) {
    if (auto x = dyn_cast<ir::ConvertLayoutOp>(op)) exchange(x, kernel, target);
    else if (auto x = dyn_cast<ir::ReshapeOp>(op)) exchange(x, kernel);
    else if (auto x = dyn_cast<ir::ReduceOp>(op)) exchange(x, target);
    else if (auto x = dyn_cast<ir::DotOp>(op); x && !product_layouts(kernel, x, target, int64_t(*kernel.getWarps()))) exchange(x, kernel, target);
  }
}

}  // namespace tine::gpu
