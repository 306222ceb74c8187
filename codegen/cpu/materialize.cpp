#include "codegen/cpu/materialize.hpp"
#include "codegen/cpu/product.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {
namespace {

bool has_place(Value v) {  // values that never are computed where they are used
  if (is_scalar(v.getType())) return true;
  Operation* op = v.getDefiningOp();
  return !op || isa<ir::ReduceOp, ir::DotOp, scf::ForOp, scf::IfOp, scf::WhileOp>(op);
}

int cost_of(Operation* op) {
  auto x = dyn_cast<ir::ElementwiseOp>(op);
  if (!x) return isa<ir::CastOp>(op) ? 1 : 0;
  static const char* cheap[] = {"add", "sub", "mul", "min", "max", "neg", "abs", "band", "bor", "bxor", "eq", "ne", "lt", "le", "gt", "ge", "where", "land", "lor", "lnot", "fma"};
  return llvm::is_contained(cheap, x.getKind()) ? 1 : 6;
}

class Finder {
 public:
  explicit Finder(ir::KernelOp kernel) : kernel_(kernel) {}
  llvm::DenseSet<Value> run() {
    kernel_.walk([&](Operation* op) {
      if (isa<ir::ReshapeOp>(op) && !is_scalar(op->getOperand(0).getType())) {
        Index index(ir::shapeOf(op->getResult(0).getType()).size(), 0);
        for (size_t i = 0; i < index.size(); ++i) index[i] = int8_t(i);
        if (!operand_index(op, index)) mark(op->getOperand(0));
      }
      if (isa<ir::PermuteOp>(op)) turn(op->getResult(0));
    });
    for_cost();
    // Marking one value changes what reaches which nest, so repeat until nothing is added.
    while (for_memory()) {
    }
    return std::move(set_);
  }

 private:
  ir::KernelOp kernel_;
  llvm::DenseSet<Value> set_;

  bool mark(Value v) {
    if (has_place(v) || set_.count(v)) return false;
    if (auto op = v.getDefiningOp(); op && operand_moves_only(op)) return mark(op->getOperand(0));
    set_.insert(v);
    return true;
  }
  /// A transpose of rows that lie in memory, unless a product turns them itself.
  void turn(Value v) {
    Value from = transposed(v);
    if (!from || !worth_turning(v.getType())) return;
    bool other_use = false;
    for (OpOperand& use : v.getUses()) other_use |= !(isa<ir::DotOp>(use.getOwner()) && use.getOperandNumber() == 1);
    SmallVector<LoadUse> loads;
    collect_loads(from, set_, loads);
    bool rows = false;
    for (LoadUse& l : loads) rows |= l.identity && unit_dim(kernel_, l.load.getParamNumber()) == ir::shapeOf(from.getType()).size() - 1;
    if (other_use && rows) set_.insert(v);
  }
  static bool operand_moves_only(Operation* op) {
    Index index(ir::shapeOf(op->getResult(0).getType()).size(), 0);
    for (size_t i = 0; i < index.size(); ++i) index[i] = int8_t(i);
    return isa<ir::ReshapeOp>(op) && operand_index(op, index).has_value();
  }

  int cost(Value v, int depth = 0) {
    if (has_place(v) || set_.count(v) || depth > 32) return 0;
    int sum = cost_of(v.getDefiningOp());
    for (Value x : v.getDefiningOp()->getOperands())
      if (sum < 100) sum += cost(x, depth + 1);
    return sum;
  }
  /// Places where a value's code would be written: nests (by the operation that makes one), counted up to two.
  void for_cost() {
    kernel_.walk([&](Operation* op) {
      if (op->getNumResults() != 1 || has_place(op->getResult(0)) || op->getDialect() != kernel_->getDialect()) return;
      Value v = op->getResult(0);
      if (set_.count(v) || cost(v) < 6) return;
      Nests nests{op->getBlock(), {}, {}};
      collect_nests(v, nests);
      if (nests.found.size() > 1 || nests.in_loop || nests.repeated) set_.insert(v);
    });
  }
  struct Nests {
    Block* home;  // where the value stands
    SmallPtrSet<Operation*, 4> found;
    llvm::DenseSet<Value> seen;  // values on the way: many paths may lead to one
    bool in_loop = false, repeated = false;
  };
  void collect_nests(Value v, Nests& nests) {
    if (!nests.seen.insert(v).second) return;
    for (Operation* user : v.getUsers()) {
      for (Block* at = user->getBlock(); at != nests.home; at = at->getParentOp()->getBlock())
        nests.in_loop |= isa<scf::ForOp, scf::WhileOp>(at->getParentOp());
      if (isa<ir::StoreOp, ir::ReduceOp, ir::DotOp>(user) || user->getDialect() != kernel_->getDialect()) { nests.found.insert(user); continue; }
      Value r = user->getResult(0);
      if (isa<ir::BroadcastOp>(user)) {
        // Repeated along a dim outside the value's last: the value would be computed again for each round.
        nests.repeated |= ir::shapeOf(r.getType()).size() > 1 && ir::shapeOf(v.getType()).back() != 1;
      }
      if (set_.count(r) || has_place(r)) { nests.found.insert(user); continue; }
      collect_nests(r, nests);
    }
  }

  /// Loads whose memory changes between the load and a nest that would read it.
  bool for_memory() {
    bool changed = false;
    kernel_.walk([&](Operation* op) {
      SmallVector<Value> evaluated;  // what the nest of this operation computes
      if (auto s = dyn_cast<ir::StoreOp>(op)) evaluated.push_back(s.getValue());
      else if (isa<ir::ReduceOp, ir::DotOp>(op)) evaluated.append(op->operand_begin(), op->operand_end());
      else if (isa<scf::YieldOp, scf::ForOp, scf::WhileOp, scf::ConditionOp>(op)) evaluated.append(op->operand_begin(), op->operand_end());
      else if (op->getNumResults() == 1 && set_.count(op->getResult(0))) evaluated.append(op->operand_begin(), op->operand_end());
      SmallVector<LoadUse> loads;
      for (Value v : evaluated) collect_loads(v, set_, loads);
      for (LoadUse& use : loads) {
        if (set_.count(use.load.getResult())) continue;
        bool late = stored_between(use.load, op);
        auto store = dyn_cast<ir::StoreOp>(op);
        if (store && conflicts(kernel_, store, use.load)) late |= !(use.identity && same_place(kernel_, store, use.load));
        if (late) changed |= set_.insert(use.load.getResult()).second;
      }
    });
    return changed;
  }
  /// A conflicting store between the load and the user, or in a loop around the user that the load stands outside of.
  bool stored_between(ir::LoadOp load, Operation* user) {
    Operation* last = user;
    while (last->getBlock() != load->getBlock()) last = last->getParentOp();
    for (Operation* op = load->getNextNode(); op && op != last; op = op->getNextNode())
      if (stores_in(op, load)) return true;
    return last != user && stores_in(last, load);
  }
  bool stores_in(Operation* root, ir::LoadOp load) {
    bool found = false;
    root->walk([&](ir::StoreOp s) { found |= conflicts(kernel_, s, load); });
    return found;
  }
};
}  // namespace

bool worth_turning(Type tile) {
  ArrayRef<int64_t> shape = ir::shapeOf(tile);
  if (shape.size() < 2) return false;
  auto long_enough = [](int64_t d) { return ir::TileType::isSymbol(d) || d >= 8; };
  return long_enough(shape[shape.size() - 1]) && long_enough(shape[shape.size() - 2]);
}
static void collect_loads(Value v, const llvm::DenseSet<Value>& materialized, SmallVectorImpl<LoadUse>& loads, bool identity, Seen& seen) {
  if (is_scalar(v.getType()) || materialized.count(v) || !seen.first_time(v, identity)) return;
  Operation* op = v.getDefiningOp();
  if (!op) return;
  if (auto load = dyn_cast<ir::LoadOp>(op)) { loads.push_back({load, identity}); return; }
  if (has_place(v)) return;
  bool moves = isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
  for (Value x : op->getOperands()) collect_loads(x, materialized, loads, identity && !moves, seen);
}
void collect_loads(Value v, const llvm::DenseSet<Value>& materialized, SmallVectorImpl<LoadUse>& loads, bool identity) {
  Seen seen;
  collect_loads(v, materialized, loads, identity, seen);
}

llvm::DenseSet<Value> find_materialized(ir::KernelOp kernel) { return Finder(kernel).run(); }

}  // namespace tine::cpu
