#include "codegen/gpu/split_tiles.hpp"
#include <bit>
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/symbol_facts.hpp"
#include "codegen/gpu/tile_parts.hpp"
#include "codegen/gpu/unused_values.hpp"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tine::gpu {
namespace {

class Splitter {
 public:
  Splitter(ir::KernelOp kernel, int64_t most, int64_t shared) : kernel_(kernel), most_(most), shared_(shared) {}

  bool run() {
    bool split_any = false;
    // Parts of one dim may still be too large: then another dim of them is split.
    constexpr int rounds = 8;
    for (int i = 0; i < rounds; ++i) {
      SmallVector<Operation*> sinks;
      gone_.clear();
      kernel_.walk([&](Operation* op) {
        auto dot = dyn_cast<ir::DotOp>(op);
        bool large = llvm::any_of(op->getOperands(), [&](Value v) { return is_large(v); }) || (dot && bytes(dot.getA()) + bytes(dot.getB()) > shared_);
        if (auto reduce = dyn_cast<ir::ReduceOp>(op)) large |= partial_bytes(reduce) > shared_;
        if (isa<ir::StoreOp, ir::ReduceOp, ir::DotOp>(op) && large) sinks.push_back(op);
      });
      bool changed = false;
      // The last first: what only it needed is gone then.
      for (Operation* op : llvm::reverse(sinks)) {
        if (gone_.contains(op)) continue;
        changed |= split(op);
        erase_unused(kernel_, gone_);
      }
      if (!changed) break;
      split_any = true;
    }
    return split_any;
  }

 private:
  ir::KernelOp kernel_;
  int64_t most_, shared_;
  llvm::DenseSet<Operation*> gone_;

  int64_t bytes(Value v) { return padded_elements(kernel_, v.getType()) * ir::bytesOf(ir::elementOf(v.getType())); }
  bool is_large(Value v) { return isa<ir::TileType>(v.getType()) && padded_elements(kernel_, v.getType()) * element_registers(v.getType()) > most_; }

  /// What warps tell each other of a reduction along outer dims, along which warps lie: each what it has of all inner ones.
  int64_t partial_bytes(ir::ReduceOp op) {
    SmallVector<int64_t> padded = padded_shape(kernel_, ir::shapeOf(op.getOperand().getType()));
    constexpr int64_t most_warps = 32;
    int64_t warps = 1;
    for (unsigned d = 0; d < padded.size() && (padded[d] == 1 || llvm::is_contained(op.getAxes(), d)); ++d) warps *= padded[d];
    if (warps == 1) return 0;
    bool position = op.getKind().starts_with("arg");
    int64_t each = ir::bytesOf(ir::elementOf(position ? op.getOperand().getType() : op.getType())) + (position ? sizeof(int64_t) : 0);
    return padded_elements(kernel_, op.getType()) * std::min(warps, most_warps) * each;
  }

  bool split(Operation* op) {
    if (auto store = dyn_cast<ir::StoreOp>(op)) return split_store(store);
    if (op->use_empty()) return false;
    if (auto reduce = dyn_cast<ir::ReduceOp>(op)) return reduce.getKind().starts_with("arg") ? split_position(reduce) : split_reduction(reduce);
    return split_product(cast<ir::DotOp>(op));
  }

  // ---- pieces

  /// How to cut a dim of a tile so that what is left is a quarter of the limit, or one element of the dim; none if the dim
  /// cannot be cut.
  std::optional<Pieces> pieces(Type tile, unsigned axis) {
    int64_t extent = ir::shapeOf(tile)[axis], padded = padded_shape(kernel_, ir::shapeOf(tile))[axis];
    int64_t others = padded_elements(kernel_, tile) / padded * element_registers(tile);
    int64_t size = std::min<int64_t>(int64_t(std::bit_floor(uint64_t(std::max<int64_t>(most_ / 4 / others, 1)))), padded / 2);
    if (padded < 2) return {};
    if (!ir::TileType::isSymbol(extent)) return Pieces{extent, size, (extent + size - 1) / size, extent % size == 0};
    auto capacity = symbol_capacity(kernel_, ir::TileType::symbol(extent));
    return Pieces{extent, size, padded / size, capacity && capacity->exact && capacity->size == padded};
  }
  /// The dims that a tile may be cut along, the best first: an outer one if that is enough, for rows stay together then, and
  /// what is reduced along others is reduced once; else the largest.
  SmallVector<unsigned> axes(Type tile, ArrayRef<int64_t> among) {
    SmallVector<int64_t> padded = padded_shape(kernel_, ir::shapeOf(tile));
    int64_t all = padded_elements(kernel_, tile) * element_registers(tile);
    SmallVector<unsigned> order(among.begin(), among.end());
    auto rank = [&](unsigned a) { return all / padded[a] <= most_ / 4 ? std::pair<int64_t, int64_t>(0, a) : std::pair<int64_t, int64_t>(1, -padded[a]); };
    llvm::sort(order, [&](unsigned x, unsigned y) { return rank(x) < rank(y); });
    return order;
  }
  static SmallVector<int64_t> all_axes(Type tile) {
    SmallVector<int64_t> all(ir::shapeOf(tile).size());
    for (auto [i, a] : llvm::enumerate(all)) a = int64_t(i);
    return all;
  }

  Value number(OpBuilder& b, Location loc, int64_t n) { return ir::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(n)); }
  Value apply(OpBuilder& b, Location loc, StringRef kind, Type type, ValueRange operands) { return ir::ElementwiseOp::create(b, loc, type, kind, operands); }
  Value broadcast(OpBuilder& b, Location loc, Type type, Value v) { return b.createOrFold<ir::BroadcastOp>(loc, type, v); }

  scf::ForOp loop(OpBuilder& b, Location loc, const Pieces& p, ValueRange starts) {
    Value end = number(b, loc, p.count);
    if (ir::TileType::isSymbol(p.extent)) {
      Value extent = ir::SymbolOp::create(b, loc, b.getI64Type(), ir::TileType::symbol(p.extent));
      // No more than the level has, so that the index is seen to lie in it.
      end = apply(b, loc, "min", b.getI64Type(), {apply(b, loc, "cdiv", b.getI64Type(), {extent, number(b, loc, p.size)}), end});
    }
    return scf::ForOp::create(b, loc, number(b, loc, 0), end, number(b, loc, 1), starts);
  }
  /// A loop that carries one value from piece to piece.
  Value accumulate(OpBuilder& b, Location loc, const Pieces& p, Value start, llvm::function_ref<Value(OpBuilder&, Value index, Value carried)> round) {
    auto made = loop(b, loc, p, start);
    OpBuilder in = OpBuilder::atBlockBegin(made.getBody());
    scf::YieldOp::create(in, loc, round(in, made.getInductionVar(), made.getRegionIterArgs()[0]));
    return made.getResult(0);
  }

  // ---- sinks

  struct Cut {
    unsigned axis;
    Pieces pieces;
    TileParts parts;
  };
  /// The best way to cut a tile for what uses it; none if there is none.
  std::optional<Cut> cut(Operation* sink, Value tile, ArrayRef<int64_t> among) {
    for (unsigned axis : axes(tile.getType(), among)) {
      std::optional<Pieces> p = pieces(tile.getType(), axis);
      if (!p) continue;
      TileParts parts(kernel_, sink, *p, most_);
      if (parts.possible(tile, axis)) return Cut{axis, *p, std::move(parts)};
    }
    return {};
  }

  bool split_store(ir::StoreOp op) {
    std::optional<Cut> c = cut(op, op.getValue(), all_axes(op.getValue().getType()));
    if (!c) return false;
    OpBuilder b(op);
    auto made = loop(b, op.getLoc(), c->pieces, {});
    b.setInsertionPointToStart(made.getBody());
    Value index = made.getInductionVar(), value = c->parts.part(b, index, op.getValue(), c->axis);
    SmallVector<Value> indices(op.getIndices());
    indices.push_back(index);
    ir::StoreOp::create(b, op.getLoc(), value, c->parts.view_of_pieces(op.getView(), c->axis), indices);
    gone_.insert(op);
    op.erase();
    return true;
  }

  /// What changes nothing in a reduction of this kind.
  Value neutral(OpBuilder& b, Location loc, StringRef kind, Type element) {
    bool top = kind == "min", bottom = kind == "max", one = kind == "prod" || kind == "all";
    if (auto f = dyn_cast<FloatType>(element)) {
      APFloat v(f.getFloatSemantics(), one ? 1 : 0);
      if (top || bottom) v = APFloat::getInf(f.getFloatSemantics(), bottom);
      return ir::ConstantOp::create(b, loc, element, FloatAttr::get(f, v));
    }
    unsigned width = element.getIntOrFloatBitWidth();
    bool natural = element.isUnsignedInteger() || width == 1;
    APInt v(width, one ? 1 : 0);
    if (top) v = natural ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
    if (bottom) v = natural ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
    return ir::ConstantOp::create(b, loc, element, IntegerAttr::get(element, v));
  }
  /// Whether a part of a tile holds zeros beyond the extent: what loads give there, perhaps converted or turned.
  bool is_zero_beyond(Value tile) {
    while (isa_and_nonnull<ir::CastOp, ir::PermuteOp, ir::ReshapeOp>(tile.getDefiningOp())) tile = tile.getDefiningOp()->getOperand(0);
    auto load = tile.getDefiningOp<ir::LoadOp>();
    return load && kernel_.getParam(load.getView()).getOther().getValue().isPosZero();
  }
  /// The part of a product's operand along what is summed over, with zeros beyond the extent.
  Value operand(OpBuilder& b, TileParts& parts, Value index, Value tile, unsigned axis) {
    Location loc = tile.getLoc();
    Value part = parts.part(b, index, tile, axis);
    if (is_zero_beyond(tile)) return part;
    Value inside = parts.inside(b, loc, index, ir::shapeOf(part.getType()), axis);
    if (!inside) return part;
    return apply(b, loc, "where", part.getType(), {inside, part, broadcast(b, loc, part.getType(), neutral(b, loc, "sum", ir::elementOf(part.getType())))});
  }

  bool split_reduction(ir::ReduceOp op) {
    StringRef kind = op.getKind();
    StringRef combine = llvm::StringSwitch<StringRef>(kind).Case("sum", "add").Case("prod", "mul").Case("any", "lor").Case("all", "land").Case("xor", "bxor").Default(kind);
    Type type = op.getType(), from = op.getOperand().getType();
    std::optional<Cut> c = cut(op, op.getOperand(), op.getAxes());
    if (!c) return false;
    auto& [axis, p, parts] = *c;
    OpBuilder b(op);
    Location loc = op.getLoc();
    // Elements are combined with those of other pieces first, each in its thread, and with each other once.
    SmallVector<int64_t> shape(ir::shapeOf(from));
    shape[axis] = p.size;
    Type element = ir::elementOf(type), piece = ir::valueType(shape, element);
    auto rest = [&](OpBuilder& at) { return neutral(at, loc, kind, element); };
    Value pieces = accumulate(b, loc, p, broadcast(b, loc, piece, rest(b)), [&](OpBuilder& in, Value index, Value carried) {
      Value part = in.createOrFold<ir::CastOp>(loc, piece, parts.part(in, index, op.getOperand(), axis), false);
      bool hidden = (combine == "add" || combine == "lor" || combine == "bxor") && is_zero_beyond(op.getOperand());
      if (Value inside = hidden ? Value() : parts.inside(in, loc, index, shape, axis)) part = apply(in, loc, "where", piece, {inside, part, broadcast(in, loc, piece, rest(in))});
      return apply(in, loc, combine, piece, {carried, part});
    });
    Value result = ir::ReduceOp::create(b, loc, type, kind, pieces, op.getAxes());
    return replace(op, result);
  }

  /// argmax and argmin: first the extreme, then the least position that holds it, or NaN if there is one.
  bool split_position(ir::ReduceOp op) {
    Type from = op.getOperand().getType(), type = op.getType(), element = ir::elementOf(from), i64 = b64(op);
    SmallVector<int64_t> reduced(op.getAxes());
    llvm::sort(reduced);
    std::optional<Cut> c = cut(op, op.getOperand(), reduced);
    if (!c) return false;
    auto& [axis, p, parts] = *c;
    OpBuilder b(op);
    Location loc = op.getLoc();
    StringRef kind = op.getKind() == "argmax" ? "max" : "min";
    Value extreme = ir::ReduceOp::create(b, loc, ir::valueType(ir::shapeOf(type), element), kind, op.getOperand(), op.getAxes());
    SmallVector<int64_t> kept(ir::shapeOf(from));  // of the extreme, under the operand's dims
    for (int64_t a : reduced) kept[size_t(a)] = 1;
    if (isa<ir::TileType>(type)) extreme = b.createOrFold<ir::ReshapeOp>(loc, ir::valueType(kept, element), extreme);
    Type positions = ir::valueType(ir::shapeOf(type), i64);
    Value none = number(b, loc, INT64_MAX);
    SmallVector<int64_t> piece(ir::shapeOf(from));
    piece[axis] = p.size;
    Value result = accumulate(b, loc, p, broadcast(b, loc, ir::valueType(piece, i64), none), [&](OpBuilder& in, Value index, Value carried) {
      Value part = parts.part(in, index, op.getOperand(), axis);
      ArrayRef<int64_t> shape = ir::shapeOf(part.getType());
      Type flags = ir::valueType(shape, in.getI1Type()), all = ir::valueType(shape, i64);
      Value best = broadcast(in, loc, part.getType(), extreme);
      Value holds = apply(in, loc, "eq", flags, {part, best});
      if (isa<FloatType>(element)) {
        Value both = apply(in, loc, "land", flags, {apply(in, loc, "isnan", flags, {part}), apply(in, loc, "isnan", flags, {best})});
        holds = apply(in, loc, "lor", flags, {holds, both});
      }
      if (Value inside = parts.inside(in, loc, index, shape, axis)) holds = apply(in, loc, "land", flags, {holds, inside});
      Value position;  // row-major within the axes
      for (int64_t a : reduced) {
        Value n = coordinate(in, loc, shape, a);
        if (a == int64_t(axis)) n = apply(in, loc, "add", all, {n, broadcast(in, loc, all, apply(in, loc, "mul", i64, {index, number(in, loc, p.size)}))});
        if (position) position = apply(in, loc, "mul", all, {position, broadcast(in, loc, all, extent(in, loc, ir::shapeOf(from)[size_t(a)]))});
        position = position ? apply(in, loc, "add", all, {position, n}) : n;
      }
      return apply(in, loc, "min", all, {carried, apply(in, loc, "where", all, {holds, position, broadcast(in, loc, all, none)})});
    });
    result = ir::ReduceOp::create(b, loc, positions, "min", result, op.getAxes());
    // Over nothing: 0.
    Value nothing = apply(b, loc, "eq", ir::valueType(ir::shapeOf(type), b.getI1Type()), {result, broadcast(b, loc, positions, none)});
    result = apply(b, loc, "where", positions, {nothing, broadcast(b, loc, positions, number(b, loc, 0)), result});
    return replace(op, b.createOrFold<ir::CastOp>(loc, type, result, false));
  }

  bool split_product(ir::DotOp op) {
    unsigned of_a = unsigned(op.getA().getType().getRank() - 1), of_b = unsigned(op.getB().getType().getRank() - 2);
    int64_t elements = std::max(padded_elements(kernel_, op.getA().getType()), padded_elements(kernel_, op.getB().getType()));
    if (!ir::TileType::isSymbol(op.getA().getType().getShape()[of_a])) return false;  // a block size: choose another one
    Type larger = padded_elements(kernel_, op.getA().getType()) == elements ? Type(op.getA().getType()) : Type(op.getB().getType());
    std::optional<Pieces> p = pieces(larger, larger == op.getA().getType() ? of_a : of_b);
    if (!p) return false;
    TileParts parts(kernel_, op, *p, most_);
    if (!parts.possible(op.getA(), of_a) || !parts.possible(op.getB(), of_b)) return false;
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value start = op.getAcc();
    if (!start) start = broadcast(b, loc, op.getType(), neutral(b, loc, "sum", ir::elementOf(op.getType())));
    Value result = accumulate(b, loc, *p, start, [&](OpBuilder& in, Value index, Value carried) -> Value {
      Value a = operand(in, parts, index, op.getA(), of_a), c = operand(in, parts, index, op.getB(), of_b);
      return ir::DotOp::create(in, loc, op.getType(), a, c, carried, op.getPrecisionAttr());
    });
    return replace(op, result);
  }

  static Type b64(Operation* op) { return IntegerType::get(op->getContext(), 64); }
  Value extent(OpBuilder& b, Location loc, int64_t dim) {
    if (ir::TileType::isSymbol(dim)) return ir::SymbolOp::create(b, loc, b.getI64Type(), ir::TileType::symbol(dim));
    return number(b, loc, dim);
  }
  /// 0, 1, 2, ... along one dim of a shape.
  Value coordinate(OpBuilder& b, Location loc, ArrayRef<int64_t> shape, int64_t axis) {
    SmallVector<int64_t> ones(shape.size(), 1);
    ones[size_t(axis)] = shape[size_t(axis)];
    Value n = ir::ArangeOp::create(b, loc, ir::valueType({shape[size_t(axis)]}, b.getI64Type()));
    n = b.createOrFold<ir::ReshapeOp>(loc, ir::valueType(ones, b.getI64Type()), n);
    return broadcast(b, loc, ir::valueType(shape, b.getI64Type()), n);
  }

  bool replace(Operation* op, Value result) {
    op->getResult(0).replaceAllUsesWith(result);
    gone_.insert(op);
    op->erase();
    return true;
  }
};

}  // namespace

bool split_tiles(ir::KernelOp kernel, int64_t most, int64_t shared) { return Splitter(kernel, most, shared).run(); }

int64_t largest_whole_tile(ir::KernelOp kernel, const TargetInfo& target, int64_t warps) {
  bool products = false;
  kernel.walk([&](ir::DotOp) { products = true; });
  int64_t threads = (warps ? warps : products ? 8 : target.max_warps) * target.warp;
  return int64_t(std::bit_floor(uint64_t(std::min(target.registers, target.registers_per_block / threads)))) * threads;
}

}  // namespace tine::gpu
