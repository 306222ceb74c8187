#include "codegen/gpu/tile_parts.hpp"
#include <optional>
#include "codegen/gpu/layouts.hpp"
#include "compiler/access/access.hpp"

using namespace mlir;

namespace tine::gpu {
namespace {

/// The axis of the operand that an axis of the result is, for operations that keep elements' order: `none` where the operand
/// is the same for all of the axis. No value: the axis is made of several.
constexpr int none = -1;
std::optional<int> operand_axis(Operation* op, int axis) {
  ArrayRef<int64_t> to = ir::shapeOf(op->getResult(0).getType()), from = ir::shapeOf(op->getOperand(0).getType());
  if (auto permute = dyn_cast<ir::PermuteOp>(op)) return int(permute.getOrder()[size_t(axis)]);
  if (isa<ir::BroadcastOp>(op)) {
    int at = axis - int(to.size() - from.size());
    return at < 0 || (from[size_t(at)] == 1 && to[size_t(axis)] != 1) ? none : at;
  }
  if (auto reduce = dyn_cast<ir::ReduceOp>(op)) {
    SmallVector<int64_t> axes(reduce.getAxes());
    llvm::sort(axes);
    int at = axis;
    for (int64_t a : axes) at += a <= at;
    return at;
  }
  if (isa<ir::ReshapeOp>(op)) {  // dims of size 1 come and go
    SmallVector<int> of_from, of_to;
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] != 1) of_from.push_back(int(d));
    for (size_t d = 0; d < to.size(); ++d)
      if (to[d] != 1) of_to.push_back(int(d));
    auto same = [&](auto x) { return from[size_t(std::get<0>(x))] == to[size_t(std::get<1>(x))]; };
    if (of_from.size() != of_to.size() || !llvm::all_of(llvm::zip(of_from, of_to), same)) return {};
    return of_from[size_t(llvm::find(of_to, axis) - of_to.begin())];
  }
  return {};
}

/// The operation of `block` that is `op` or holds it.
Operation* in_block(Block* block, Operation* op) {
  while (op->getBlock() != block) op = op->getParentOp();
  return op;
}

}  // namespace

int64_t padded_elements(ir::KernelOp kernel, Type tile) {
  int64_t elements = 1;
  for (int64_t d : padded_shape(kernel, ir::shapeOf(tile))) elements = elements > (int64_t(1) << 40) ? elements : elements * d;
  return elements;
}

int64_t element_registers(Type tile) { return std::max<int64_t>(ir::bytesOf(ir::elementOf(tile)) / 4, 1); }

bool TileParts::possible(Value tile, unsigned axis) {
  sink_axis_ = axis;
  return reach(tile, int(axis));
}

bool TileParts::at_sink(Value v) const { return v.getParentRegion()->isAncestor(sink_->getParentRegion()); }

bool TileParts::reach(Value v, int axis) {
  if (axis == whole && at_sink(v)) return true;
  if (!reached_.insert({v, axis}).second) return true;
  // What is computed from large tiles is made once, not for each part. (Of a loop each value is computed from what it needs.)
  auto is_large = [&](Value x) { return isa<ir::TileType>(x.getType()) && padded_elements(kernel_, x.getType()) * element_registers(x.getType()) > most_; };
  Operation* op = v.getDefiningOp();
  bool gathers = !op || isa<scf::ForOp, ir::ReduceOp, ir::DotOp>(op);
  if (axis == whole && gathers && (is_large(v) || (op && !isa<scf::ForOp>(op) && llvm::any_of(op->getOperands(), is_large)))) return false;
  if (!op) {
    auto argument = cast<BlockArgument>(v);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || at_sink(v)) return false;
    if (v == loop.getInductionVar()) return axis == whole;
    return reach_carried(loop, argument.getArgNumber() - 1, axis);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) return reach_carried(loop, cast<OpResult>(v).getResultNumber(), axis);
  if (op->getNumRegions()) return false;
  if (auto load = dyn_cast<ir::LoadOp>(op); load && !reach_load(load, axis)) return false;
  if (axis == whole) return llvm::all_of(op->getOperands(), [&](Value x) { return reach(x, whole); });
  if (isa<ir::LoadOp, ir::ValidOp, ir::OffsetsOp, ir::ArangeOp>(op)) return llvm::all_of(op->getOperands(), [&](Value x) { return isa<ir::ViewType>(x.getType()) || reach(x, whole); });
  if (isa<ir::ElementwiseOp, ir::ForeignOp, ir::CastOp>(op)) return llvm::all_of(op->getOperands(), [&](Value x) { return reach(x, axis); });
  if (auto dot = dyn_cast<ir::DotOp>(op)) {
    int rank = int(dot.getType().getRank());
    if (!ir::TileType::isSymbol(dot.getType().getShape()[size_t(axis)])) return false;  // a block size: choose another one
    return reach(dot.getA(), axis == rank - 1 ? whole : axis) && reach(dot.getB(), axis == rank - 2 ? whole : axis) && (!dot.getAcc() || reach(dot.getAcc(), axis));
  }
  if (!isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp, ir::ReduceOp>(op)) return false;
  std::optional<int> from = operand_axis(op, axis);
  return from && reach(op->getOperand(0), *from == none ? whole : *from);
}

bool TileParts::reach_load(ir::LoadOp load, int axis) {
  // It moves from its place to the sink's, and is repeated there: nothing that it reads may change between.
  auto changes = [&](Operation* op) {
    bool found = false;
    op->walk([&](ir::StoreOp s) { found |= s != sink_ && compiler::conflicts(kernel_, s, load); });
    return found;
  };
  Block* block = load->getBlock();
  while (!block->getParent()->isAncestor(sink_->getParentRegion())) block = block->getParentOp()->getBlock();
  Operation *from = in_block(block, load), *to = in_block(block, sink_);
  if (changes(from)) return false;
  for (Operation* op = from->getNextNode(); op != to; op = op->getNextNode())
    if (changes(op)) return false;
  auto store = dyn_cast<ir::StoreOp>(sink_);
  if (to != sink_) return !changes(to) && !(store && compiler::conflicts(kernel_, store, load));
  if (!store || !compiler::conflicts(kernel_, store, load)) return true;
  // Each piece is read before it is written where both have the same pieces.
  return axis != whole && sink_axis_ == unsigned(axis) && compiler::same_place(kernel_, store, load);
}

bool TileParts::reach_carried(scf::ForOp loop, unsigned number, int axis) {
  auto& carried = carried_[loop];
  if (llvm::is_contained(carried, std::pair(number, axis))) return true;
  bool stores = false;
  loop.walk([&](ir::StoreOp) { stores = true; });
  if (stores) return false;
  carried.push_back({number, axis});
  for (Value v : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!reach(v, whole)) return false;
  return reach(loop.getInitArgs()[number], axis) && reach(loop.getBody()->getTerminator()->getOperand(number), axis);
}

SmallVector<int64_t> TileParts::part_shape(Value v, int axis) const {
  SmallVector<int64_t> shape(ir::shapeOf(v.getType()));
  if (axis != whole) shape[size_t(axis)] = pieces_.size;
  return shape;
}

Value TileParts::part(OpBuilder& b, Value index, Value tile, unsigned axis) { return make(b, index, tile, int(axis)); }

Value TileParts::make(OpBuilder& b, Value index, Value v, int axis) {
  if (axis == whole && at_sink(v)) return v;
  if (axis == whole)
    if (Value round = rounds_.lookup(v)) return round;
  if (auto known = made_.find({v, axis}); known != made_.end()) return known->second;
  Operation* op = v.getDefiningOp();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) return make_loop(b, index, loop, cast<OpResult>(v).getResultNumber(), axis);
  Location loc = op->getLoc();
  auto kept = [&](Value result) { return made_[{v, axis}] = result; };
  Type type = ir::valueType(part_shape(v, axis), ir::elementOf(v.getType()));
  if (isa<ir::ArangeOp>(op) && axis != whole) {
    Type i64 = b.getI64Type(), counts = ir::valueType(part_shape(v, axis), i64);
    Value size = ir::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(pieces_.size));
    Value first = ir::ElementwiseOp::create(b, loc, i64, "mul", ValueRange{index, size});
    Value n = ir::ElementwiseOp::create(b, loc, counts, "add", ValueRange{ir::ArangeOp::create(b, loc, counts), ir::BroadcastOp::create(b, loc, counts, first)});
    return kept(b.createOrFold<ir::CastOp>(loc, type, n, false));
  }
  SmallVector<Value> operands;
  auto dot = dyn_cast<ir::DotOp>(op);
  for (auto [i, x] : llvm::enumerate(op->getOperands())) {
    int of = axis;
    if (axis == whole || isa<ir::LoadOp, ir::ValidOp, ir::OffsetsOp>(op)) of = whole;
    else if (dot && int(i) < 2) of = axis == int(dot.getType().getRank()) - (i ? 2 : 1) ? whole : axis;
    else if (isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp, ir::ReduceOp>(op)) of = *operand_axis(op, axis) == none ? whole : *operand_axis(op, axis);
    operands.push_back(isa<ir::ViewType>(x.getType()) ? x : make(b, index, x, of));
  }
  if (axis != whole && isa<ir::LoadOp, ir::ValidOp, ir::OffsetsOp>(op)) {
    operands[0] = view_of_pieces(operands[0], unsigned(axis));
    operands.push_back(index);
  }
  Operation* made = b.clone(*op);
  made->setOperands(operands);
  made->getResult(0).setType(type);
  return kept(made->getResult(0));
}

void TileParts::make_before(OpBuilder& b, Value index, scf::ForOp loop) {
  loop.getBody()->walk([&](Operation* op) {
    for (Value v : op->getOperands()) {
      if (loop->isProperAncestor(v.getParentBlock()->getParentOp()) || v.getParentBlock() == loop.getBody()) continue;
      for (int axis = 0; axis < int(ir::shapeOf(v.getType()).size()); ++axis)
        if (reached_.count({v, axis})) make(b, index, v, axis);
      if (reached_.count({v, whole})) make(b, index, v, whole);
    }
  });
}

Value TileParts::make_loop(OpBuilder& b, Value index, scf::ForOp loop, unsigned number, int axis) {
  auto carried = carried_.lookup(loop);
  SmallVector<Value> starts;
  for (auto [n, a] : carried) starts.push_back(make(b, index, loop.getInitArgs()[n], a));
  Value from = make(b, index, loop.getLowerBound(), whole), to = make(b, index, loop.getUpperBound(), whole), step = make(b, index, loop.getStep(), whole);
  make_before(b, index, loop);  // what the body uses from before is not made in each round
  auto made = scf::ForOp::create(b, loop.getLoc(), from, to, step, starts);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(made.getBody());
  rounds_[loop.getInductionVar()] = made.getInductionVar();
  for (auto [i, what] : llvm::enumerate(carried)) made_[{loop.getRegionIterArgs()[what.first], what.second}] = made.getRegionIterArgs()[i];
  SmallVector<Value> results;
  for (auto [n, a] : carried) results.push_back(make(b, index, loop.getBody()->getTerminator()->getOperand(n), a));
  scf::YieldOp::create(b, loop.getLoc(), results);
  for (auto [i, what] : llvm::enumerate(carried)) made_[{loop.getResult(what.first), what.second}] = made.getResult(unsigned(i));
  return made_[{loop.getResult(number), axis}];
}

Value TileParts::view_of_pieces(Value view, unsigned axis) {
  if (auto known = made_.find({view, int(axis)}); known != made_.end()) return known->second;
  ir::ParamAttr param = kernel_.getParam(view);
  MLIRContext* context = kernel_.getContext();
  SmallVector<Attribute> levels(param.getLevels().getValue());
  SmallVector<int64_t> tile(cast<DenseI64ArrayAttr>(levels.back()).asArrayRef());
  unsigned dims = param.getCoords().getValue().getNumDims(), symbols = param.getCoords().getValue().getNumSymbols(), first = dims - unsigned(tile.size());
  tile[axis] = pieces_.size;
  levels.back() = DenseI64ArrayAttr::get(context, {pieces_.count});
  levels.push_back(DenseI64ArrayAttr::get(context, tile));

  // Element i of the axis is element i of a piece, behind those of the pieces before.
  AffineExpr i = getAffineDimExpr(first, context) * pieces_.size + getAffineDimExpr(first + 1 + axis, context);
  SmallVector<AffineExpr> indices;
  for (unsigned d = 0; d < dims; ++d) indices.push_back(d < first ? getAffineDimExpr(d, context) : d == first + axis ? i : getAffineDimExpr(d + 1, context));
  auto in_pieces = [&](AffineMapAttr map) { return map.getValue().replaceDimsAndSymbols(indices, {}, dims + 1, symbols); };
  AffineMap bounds = in_pieces(param.getBounds()), limits = in_pieces(param.getLimits());
  SmallVector<int64_t> low(param.getLow().asArrayRef());
  if (!pieces_.even) {
    AffineExpr extent = ir::TileType::isSymbol(pieces_.extent) ? getAffineSymbolExpr(unsigned(ir::TileType::symbol(pieces_.extent)), context)
                                                               : getAffineConstantExpr(pieces_.extent, context);
    bounds = bounds.insertResult(i, bounds.getNumResults()), limits = limits.insertResult(extent, limits.getNumResults());
    low.push_back(0);
  }
  auto attr = [](AffineMap map) { return AffineMapAttr::get(map); };
  auto made = ir::ParamAttr::get(context, param.getSource(), ArrayAttr::get(context, levels), attr(in_pieces(param.getCoords())), attr(in_pieces(param.getLinear())),
                                 attr(bounds), attr(limits), DenseI64ArrayAttr::get(context, low), param.getOther());
  SmallVector<Attribute> params(kernel_.getParams().getValue());
  Block& body = kernel_.getBody().front();
  for (auto [k, known] : llvm::enumerate(params))
    if (known == made) return made_[{view, int(axis)}] = body.getArgument(unsigned(k));
  params.push_back(made);
  kernel_.setParamsAttr(ArrayAttr::get(context, params));
  return made_[{view, int(axis)}] = body.addArgument(ir::ViewType::get(context), view.getLoc());
}

Value TileParts::inside(OpBuilder& b, Location loc, Value index, ArrayRef<int64_t> shape, unsigned axis) {
  if (pieces_.even) return {};
  Type i64 = b.getI64Type(), piece = ir::valueType({pieces_.size}, i64);
  auto number = [&](int64_t n) -> Value { return ir::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(n)); };
  Value extent = ir::TileType::isSymbol(pieces_.extent) ? ir::SymbolOp::create(b, loc, i64, ir::TileType::symbol(pieces_.extent)).getResult() : number(pieces_.extent);
  Value first = ir::ElementwiseOp::create(b, loc, i64, "mul", ValueRange{index, number(pieces_.size)});
  Value left = ir::ElementwiseOp::create(b, loc, i64, "sub", ValueRange{extent, first});
  Value in = ir::ElementwiseOp::create(b, loc, ir::valueType({pieces_.size}, b.getI1Type()), "lt",
                                       ValueRange{ir::ArangeOp::create(b, loc, piece), ir::BroadcastOp::create(b, loc, piece, left)});
  SmallVector<int64_t> ones(shape.size(), 1);
  ones[axis] = pieces_.size;
  in = b.createOrFold<ir::ReshapeOp>(loc, ir::valueType(ones, b.getI1Type()), in);
  return b.createOrFold<ir::BroadcastOp>(loc, ir::valueType(shape, b.getI1Type()), in);
}

}  // namespace tine::gpu
