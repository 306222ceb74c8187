#include "codegen/gpu/same_registers.hpp"
#include <bit>
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/symbol_facts.hpp"
#include "dsl/graph/divisor.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using tine::layout::Axis;

namespace tine::gpu {
namespace {
constexpr int64_t unknown = int64_t(1) << 32;  // divides no divisor
static_assert(unknown > graph::most_divisor);

bool is_integer(Value v) { return ir::elementOf(v.getType()).isInteger() && !ir::elementOf(v.getType()).isInteger(1); }
bool widens(ir::CastOp op) {
  return is_integer(op.getOperand()) && is_integer(op) && ir::elementOf(op.getOperand().getType()).getIntOrFloatBitWidth() <= ir::elementOf(op.getType()).getIntOrFloatBitWidth();
}
}  // namespace

int64_t SameRegisters::free_bits(Value tile) {
  int64_t bits = 0;
  for (auto [k, g] : llvm::enumerate(groups(tile))) bits |= int64_t(g == 1) << k;
  return bits;
}

const SameRegisters::Groups& SameRegisters::groups(Value tile) {
  if (auto it = groups_.find(tile); it != groups_.end()) return it->second;
  Groups g = compute(tile);
  return groups_[tile] = std::move(g);
}

SameRegisters::Groups SameRegisters::compute(Value tile) {
  auto type = cast<ir::TileType>(tile.getType());
  const layout::Layout& map = f_.layout(tile).map;
  size_t bits = size_t(map.in_bits(Axis::reg));
  Operation* op = tile.getDefiningOp();
  if (!op) return Groups(bits, unknown);
  if (isa<ir::ArangeOp>(op)) {
    // No group lies on both sides of 0, whatever wraps.
    int64_t most = map.disjoint(layout::dim(0)) ? int64_t(1) << (std::min(type.getElementType().getIntOrFloatBitWidth(), 32u) - 1) : 0;
    Groups g;
    for (size_t k = 0; k < bits; ++k) {
      int64_t step = map.basis(Axis::reg, int(k), layout::dim(0)), group = 2 * int64_t(std::bit_floor(uint64_t(step)));
      g.push_back(step == 0 ? 1 : group <= most ? group : unknown);
    }
    return g;
  }
  if (op->getNumOperands() == 0) return Groups(bits, isa<ir::ConstantOp>(op) ? 1 : unknown);
  SmallVector<int64_t> same;  // the operand's register for each of the result's
  for (int64_t r = 0; r < f_.layout(tile).registers; ++r) same.push_back(r);
  if (auto x = dyn_cast<ir::ElementwiseOp>(op)) return elementwise(x, bits);
  if (auto x = dyn_cast<ir::CastOp>(op)) {
    Groups g = of_operand(x.getOperand(), same, bits);
    if (!widens(x))
      for (int64_t& n : g) n = n == 1 ? 1 : unknown;
    return g;
  }
  Value operand = op->getOperand(0);
  if (isa<ir::BroadcastOp, ir::ReshapeOp>(op) && !isa<ir::TileType>(operand.getType())) return Groups(bits, 1);
  if (isa<ir::BroadcastOp>(op)) return of_operand(operand, repeated_registers(type.getLayout(), padded_shape(f_.kernel, ir::shapeOf(operand.getType()))), bits);
  if (isa<ir::PermuteOp, ir::ReshapeOp>(op)) return of_operand(operand, same, bits);
  return Groups(bits, unknown);
}

/// Registers move by single bits of the operand's or, where they repeat, by none.
SameRegisters::Groups SameRegisters::of_operand(Value operand, ArrayRef<int64_t> registers, size_t bits) {
  if (!isa<ir::TileType>(operand.getType())) return Groups(bits, 1);
  Groups from = groups(operand), g(bits, 1);
  for (size_t k = 0; k < bits; ++k)
    for (size_t j = 0; j < from.size(); ++j)
      if (registers[size_t(1) << k] >> j & 1) g[k] = std::max(g[k], from[j]);
  return g;
}

SameRegisters::Groups SameRegisters::elementwise(ir::ElementwiseOp op, size_t bits) {
  SmallVector<int64_t> same;
  for (int64_t r = 0; r < int64_t(1) << bits; ++r) same.push_back(r);
  SmallVector<Groups> of;
  for (Value x : op.getOperands()) of.push_back(of_operand(x, same, bits));
  Groups g(bits, 1);
  for (const Groups& x : of)
    for (size_t k = 0; k < bits; ++k)
      if (x[k] != 1) g[k] = unknown;
  if (op.getOperands().size() != 2 || !is_integer(op.getOperands()[0])) return g;
  StringRef kind = op.getKind();
  auto either = [&](size_t moving, bool one) {  // moving + (or compared with) a multiple of its groups, which stays
    int64_t divides = divisor(op.getOperands()[1 - moving]);
    for (size_t k = 0; k < bits; ++k)
      if (of[1 - moving][k] == 1 && divides % of[moving][k] == 0) g[k] = std::min(g[k], one ? 1 : of[moving][k]);
  };
  if (kind == "add") either(0, false), either(1, false);
  if (kind == "sub") either(0, false);
  if (kind == "lt" || kind == "ge") either(0, true);  // a < n and not (a < n)
  if (kind == "gt" || kind == "le") either(1, true);  // n > a
  return g;
}

int64_t SameRegisters::divisor(Value v) {
  if (auto it = divisors_.find(v); it != divisors_.end()) return it->second;
  int64_t d = compute_divisor(v);
  return divisors_[v] = d;
}

int64_t SameRegisters::compute_divisor(Value v) {
  if (!is_integer(v)) return 1;
  if (auto argument = dyn_cast<BlockArgument>(v)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && v == loop.getInductionVar() ? graph::divisor_of_sum(divisor(loop.getLowerBound()), divisor(loop.getStep())) : 1;
  }
  Operation* op = v.getDefiningOp();
  if (auto x = dyn_cast<ir::ConstantOp>(op)) return graph::divisor_of(cast<IntegerAttr>(x.getValue()).getValue().getSExtValue());
  if (auto x = dyn_cast<ir::SymbolOp>(op)) return symbol_multiple(f_.kernel, int64_t(x.getNumber()));
  if (isa<ir::BroadcastOp, ir::ReshapeOp, ir::PermuteOp>(op)) return divisor(op->getOperand(0));
  if (auto x = dyn_cast<ir::CastOp>(op)) return widens(x) ? divisor(x.getOperand()) : 1;
  auto x = dyn_cast<ir::ElementwiseOp>(op);
  if (!x || x.getOperands().size() != 2) return 1;
  int64_t l = divisor(x.getOperands()[0]), r = divisor(x.getOperands()[1]);
  if (x.getKind() == "mul") return graph::divisor_of_product(l, r);
  return llvm::is_contained({"add", "sub", "min", "max"}, x.getKind()) ? graph::divisor_of_sum(l, r) : 1;
}

}  // namespace tine::gpu
