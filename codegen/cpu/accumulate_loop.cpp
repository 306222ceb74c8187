#include "codegen/cpu/accumulate_loop.hpp"
#include "codegen/cpu/product.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tine::cpu {
namespace {

// What a thread holds of all rounds.
constexpr int64_t most_bytes = 64 << 20;
// What copies round their sizes up to, at most.
constexpr int64_t padding = 64;
// Where the loop's bounds are known to the program alone.
constexpr int64_t unknown_rounds = 64;

std::optional<int64_t> constant(Value v) {
  if (auto c = v.getDefiningOp<ir::ConstantOp>())
    if (auto i = dyn_cast<IntegerAttr>(c.getValue())) return i.getInt();
  return {};
}

}  // namespace

std::optional<SmallVector<ir::DotOp>> accumulated_products(scf::ForOp loop) {
  SmallVector<ir::DotOp> products;
  Block& body = *loop.getBody();
  auto yields = body.getTerminator()->getOperands();
  if (yields.empty()) return {};
  for (auto [arg, next] : llvm::zip(loop.getRegionIterArgs(), yields)) {
    auto dot = next.getDefiningOp<ir::DotOp>();
    if (!dot || dot->getBlock() != &body || dot.getAcc() != arg || !arg.hasOneUse() || !dot->hasOneUse() || is_scalar(dot.getType())) return {};
    products.push_back(dot);
  }
  for (Operation& op : body) {
    if (isa<scf::YieldOp>(op)) continue;
    if (op.getNumRegions() || isa<ir::StoreOp>(op)) return {};
    if (auto dot = dyn_cast<ir::DotOp>(op); dot && !llvm::is_contained(products, dot)) return {};
  }
  return products;
}

bool starts_from_zero(scf::ForOp loop, unsigned number) {
  auto tile = loop.getInitArgs()[number].getDefiningOp<ir::BroadcastOp>();
  auto value = tile ? tile.getOperand().getDefiningOp<ir::ConstantOp>() : ir::ConstantOp();
  if (!value) return false;
  if (auto i = dyn_cast<IntegerAttr>(value.getValue())) return i.getValue().isZero();
  auto x = dyn_cast<FloatAttr>(value.getValue());
  return x && x.getValue().isPosZero();
}

Frame::Count rounds_at_once(scf::ForOp loop, ArrayRef<ir::DotOp> products, const VectorTarget& target) {
  Location loc = loop.getLoc();
  std::optional<int64_t> lo = constant(loop.getLowerBound()), step = constant(loop.getStep()), hi = constant(loop.getUpperBound());
  auto symbol = loop.getUpperBound().getDefiningOp<ir::SymbolOp>();
  struct Slot { SmallVector<int64_t> shape; int64_t bytes; };
  SmallVector<Slot> slots;
  // A panel of b, two vectors wide and as deep as all rounds together, is read again for each block of rows: from the second
  // cache that is as fast as from the first (docs/cpu.md). Panels that would be larger are made in parts of half its size.
  struct Panel { int64_t k, most; };  // k of a round, and how much of k a panel takes
  SmallVector<Panel> panels;
  for (ir::DotOp dot : products) {
    for (Value v : {dot.getA(), dot.getB()}) slots.push_back({SmallVector<int64_t>(ir::shapeOf(v.getType())), ir::bytesOf(ir::elementOf(dot.getType()))});
    int64_t group = group_of(target, ir::elementOf(dot.getA().getType()), ir::elementOf(dot.getB().getType()));
    panels.push_back({ir::shapeOf(dot.getA().getType()).back(), target.second_cache / (2 * target.vector_bytes) * group});
  }
  bool known = lo && step && *step > 0 && (hi || symbol);
  int64_t dim = symbol ? ir::TileType::fromSymbol(int64_t(symbol.getNumber())) : hi.value_or(0);
  return [=](OpBuilder& b, Frame::Extent extent) -> Value {
    auto number = [&](int64_t v) { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v)).getResult(); };
    auto smaller = [&](Value x, Value y) { return arith::MinUIOp::create(b, loc, x, y).getResult(); };
    auto larger = [&](Value x, Value y) { return arith::MaxSIOp::create(b, loc, x, y).getResult(); };
    auto divided = [&](Value x, Value y) { return arith::DivUIOp::create(b, loc, x, larger(y, number(1))).getResult(); };
    Value rounds = number(unknown_rounds);
    if (known) {
      Value span = larger(arith::SubIOp::create(b, loc, symbol ? extent(dim) : number(dim), number(*lo)), number(0));
      rounds = divided(arith::AddIOp::create(b, loc, span, number(*step - 1)), number(*step));
    }
    Value bytes = number(0), most = number(most_bytes);
    for (const Slot& s : slots) {
      Value n = number(s.bytes);
      for (auto [i, d] : llvm::enumerate(s.shape)) {
        Value size = smaller(extent(d), most);
        if (i + 2 >= s.shape.size()) size = larger(size, number(padding));
        n = smaller(arith::MulIOp::create(b, loc, n, size), most);
      }
      bytes = arith::AddIOp::create(b, loc, bytes, n);
    }
    rounds = smaller(rounds, divided(most, bytes));
    for (const Panel& p : panels) {
      Value k = extent(p.k), fit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, rounds, divided(number(p.most), k));
      rounds = arith::SelectOp::create(b, loc, fit, rounds, divided(number(p.most / 2), k));
    }
    return larger(rounds, number(1));
  };
}

}  // namespace tine::cpu
