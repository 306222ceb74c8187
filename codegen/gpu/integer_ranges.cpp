#include "codegen/gpu/integer_ranges.hpp"
#include <algorithm>
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/symbol_facts.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::gpu {
using graph::Range;

std::optional<Range> IntegerRanges::of(Value v) {
  auto it = ranges_.find(v);
  if (it != ranges_.end()) return it->second;
  Type element = ir::elementOf(v.getType());
  std::optional<Range> r = element.isSignlessInteger(64) || element.isSignlessInteger(32) ? compute(v) : std::nullopt;
  if (r && (r->least < INT32_MIN || r->most > INT32_MAX)) r = {};
  return ranges_[v] = r;
}

std::optional<Range> IntegerRanges::compute(Value v) {
  if (auto argument = dyn_cast<BlockArgument>(v)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || v != loop.getInductionVar()) return {};
    auto step = loop.getStep().getDefiningOp<ir::ConstantOp>();
    if (!step || cast<IntegerAttr>(step.getValue()).getInt() <= 0) return {};
    auto lo = of(loop.getLowerBound()), hi = of(loop.getUpperBound());
    if (!lo || !hi) return {};
    return Range{lo->least, std::max(lo->least, hi->most - 1)};
  }
  Operation* op = v.getDefiningOp();
  if (auto x = dyn_cast<ir::ConstantOp>(op)) {
    int64_t n = cast<IntegerAttr>(x.getValue()).getValue().getSExtValue();
    return Range{n, n};
  }
  if (auto x = dyn_cast<ir::SymbolOp>(op)) return symbol_range(kernel_, int64_t(x.getNumber()));
  if (auto x = dyn_cast<ir::ProgramIndexOp>(op)) {
    int64_t n = kernel_.getGrid()[x.getDim()];
    auto extent = ir::TileType::isSymbol(n) ? symbol_range(kernel_, ir::TileType::symbol(n)) : Range{n, n};
    if (!extent) return {};
    return Range{0, std::max<int64_t>(extent->most - 1, 0)};
  }
  if (isa<ir::ArangeOp>(op)) return Range{0, padded_shape(kernel_, ir::shapeOf(v.getType()))[0] - 1};
  if (isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp, ir::CastOp>(op)) return of(op->getOperand(0));
  auto x = dyn_cast<ir::ElementwiseOp>(op);
  if (!x || x.getOperands().size() != 2) return {};
  auto a = of(x.getOperands()[0]), b = of(x.getOperands()[1]);
  if (!a || !b) return {};
  StringRef kind = x.getKind();
  if (kind == "add") return sum(*a, *b);
  if (kind == "sub") return difference(*a, *b);
  if (kind == "min") return lesser(*a, *b);
  if (kind == "max") return greater(*a, *b);
  if (kind == "mul") return product(*a, *b);
  return {};
}

}  // namespace tine::gpu
