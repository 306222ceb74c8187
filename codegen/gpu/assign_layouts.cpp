#include "codegen/gpu/assign_layouts.hpp"
#include <numeric>
#include "codegen/gpu/dot_layout.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/vector_width.hpp"
#include "compiler/layout/distributed.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::gpu {
namespace {

bool is_tile(Value v) { return isa<ir::TileType>(v.getType()); }

/// Constants spread over a tile and counted numbers cost nothing to make again, and each user wants them in its own layout.
void give_each_user_its_own(ir::KernelOp kernel) {
  SmallVector<Operation*> cheap;
  kernel.walk([&](Operation* op) {
    auto spread = dyn_cast<ir::BroadcastOp>(op);
    if ((spread && !is_tile(spread.getOperand())) || isa<ir::ArangeOp>(op)) cheap.push_back(op);
  });
  for (Operation* op : cheap) {
    bool first = true;
    for (OpOperand& use : llvm::make_early_inc_range(op->getUses())) {
      if (std::exchange(first, false)) continue;
      OpBuilder b(op);
      use.set(b.clone(*op)->getResult(0));
    }
  }
}

class Assigner {
 public:
  Assigner(ir::KernelOp kernel, const TargetInfo& target, int64_t warps) : kernel_(kernel), target_(target), warps_(warps) {}

  void run() {
    give_each_user_its_own(kernel_);
    collect();
    join();
    choose();
    for (Value v : values_) v.setType(cast<ir::TileType>(v.getType()).withLayout(layouts_[find(v)]));
    convert();
    kernel_.setWarps(warps_);
  }

 private:
  ir::KernelOp kernel_;
  const TargetInfo& target_;
  int64_t warps_;
  SmallVector<Value> values_;
  llvm::DenseMap<Value, unsigned> number_;
  std::vector<unsigned> parent_;
  llvm::DenseMap<unsigned, ir::LayoutAttr> layouts_;

  // ---- classes of tiles that share a layout
  void collect() {
    auto add = [&](Value v) {
      if (!is_tile(v)) return;
      number_[v] = unsigned(values_.size());
      values_.push_back(v);
    };
    kernel_.walk<WalkOrder::PreOrder>([&](Operation* op) {
      for (Value v : op->getResults()) add(v);
      if (op != kernel_)
        for (Region& r : op->getRegions())
          for (Block& block : r)
            for (Value v : block.getArguments()) add(v);
    });
    parent_.resize(values_.size());
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  unsigned root(unsigned i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  unsigned find(Value v) { return root(number_.lookup(v)); }
  void same(Value x, Value y) {
    if (!is_tile(x) || !is_tile(y)) return;
    unsigned a = find(x), c = find(y);
    parent_[std::max(a, c)] = std::min(a, c);
  }
  void join() {
    kernel_.walk([&](Operation* op) {
      if (isa<ir::ElementwiseOp, ir::CastOp, ir::ForeignOp>(op)) {
        for (Value v : op->getOperands()) same(v, op->getResult(0));
      } else if (auto x = dyn_cast<ir::DotOp>(op)) {
        if (x.getAcc()) same(x.getAcc(), x.getResult());
      } else if (auto x = dyn_cast<scf::ForOp>(op)) {
        for (auto [init, arg, next, result] : llvm::zip(x.getInitArgs(), x.getRegionIterArgs(), x.getBody()->getTerminator()->getOperands(), x.getResults()))
          same(init, result), same(arg, result), same(next, result);
      } else if (auto x = dyn_cast<scf::IfOp>(op)) {
        for (Block* block : {x.thenBlock(), x.elseBlock()})
          if (block)
            for (auto [value, result] : llvm::zip(block->getTerminator()->getOperands(), x.getResults())) same(value, result);
      } else if (auto x = dyn_cast<scf::WhileOp>(op)) {
        for (auto [init, before, after, result] : llvm::zip(x.getInits(), x.getBeforeArguments(), x.getAfterArguments(), x.getResults()))
          same(init, result), same(before, result), same(after, result);
        for (auto [value, result] : llvm::zip(x.getConditionOp().getArgs(), x.getResults())) same(value, result);
        for (auto [value, result] : llvm::zip(x.getYieldOp().getOperands(), x.getResults())) same(value, result);
      }
    });
  }

  // ---- choice
  struct Class {
    SmallVector<Value> members;
    SmallVector<int64_t> shape;   // padded
    int64_t elements = 1;
    ir::DotOp dot;
    bool accessed = false;
    Contiguity contiguity;        // of its loads and stores
  };
  std::map<unsigned, Class> classes() {
    std::map<unsigned, Class> all;
    for (Value v : values_) {
      Class& c = all[find(v)];
      if (c.members.empty()) {
        c.shape = padded_shape(kernel_, ir::shapeOf(v.getType()));
        for (int64_t d : c.shape) c.elements *= d;
      }
      c.members.push_back(v);
      if (auto dot = v.getDefiningOp<ir::DotOp>()) c.dot = dot;
      if (auto load = v.getDefiningOp<ir::LoadOp>()) access(c, load.getParamNumber(), load.getIndices());
      for (Operation* user : v.getUsers())
        if (auto store = dyn_cast<ir::StoreOp>(user)) access(c, store.getParamNumber(), store.getIndices());
    }
    return all;
  }
  void access(Class& c, int64_t number, ValueRange indices) {
    if (kernel_.getSource(kernel_.getParam(number).getSource()).getRank() == 0) return;
    Contiguity x = contiguity(kernel_, number, indices, target_.widest_access);
    // Of those that have vectors the shortest: the others' are made of several.
    if (!c.accessed || c.contiguity.elements == 1 || (x.elements > 1 && x.elements < c.contiguity.elements)) c.contiguity = x;
    c.accessed = true;
  }
  ir::LayoutAttr own(const Class& c) {
    int64_t vector = 1;
    unsigned fastest = unsigned(c.shape.size()) - 1;
    if (c.accessed) fastest = c.contiguity.dim, vector = c.contiguity.elements;
    vector = std::min(vector, std::max<int64_t>(c.elements / (target_.warp * warps_), 1));
    std::vector<int> order{int(fastest)};
    for (int d = int(c.shape.size()); d-- > 0;)
      if (d != int(fastest)) order.push_back(d);
    return make_attr(kernel_.getContext(), layout::blocked({c.shape.begin(), c.shape.end()}, vector, int(target_.warp), int(warps_), order));
  }
  /// From a neighbour that has its layout already. Without `moved` only through operations that repeat or combine elements,
  /// or insert and drop dims of size 1.
  ir::LayoutAttr derived(const Class& c, bool moved) {
    auto follows = [&](Operation* op) {
      if (!op || op->getNumResults() != 1 || op->getNumOperands() != 1 || !is_tile(op->getOperand(0)) || !is_tile(op->getResult(0))) return false;
      if (auto x = dyn_cast<ir::ReshapeOp>(op)) return moved || differ_in_ones(ir::shapeOf(x.getOperand().getType()), ir::shapeOf(x.getType()));
      return moved && isa<ir::PermuteOp>(op);
    };
    for (Value v : c.members) {
      for (Operation* user : v.getUsers()) {
        if (!(isa<ir::BroadcastOp>(user) || follows(user)) || !is_tile(user->getResult(0))) continue;
        if (ir::LayoutAttr l = layouts_.lookup(find(user->getResult(0))))
          if (auto r = operand_layout(kernel_, user, l)) return *r;
      }
      Operation* op = v.getDefiningOp();
      if (auto reduce = dyn_cast_or_null<ir::ReduceOp>(op))
        if (ir::LayoutAttr l = layouts_.lookup(find(reduce.getOperand()))) return reduced_layout(l, reduce.getAxes());
      if (follows(op))
        if (ir::LayoutAttr l = layouts_.lookup(find(op->getOperand(0))))
          if (auto r = result_layout(kernel_, op, l)) return *r;
    }
    return {};
  }
  void choose() {
    std::map<unsigned, Class> all = classes();
    std::vector<unsigned> left;
    for (auto& [id, c] : all) left.push_back(id);
    llvm::sort(left, [&](unsigned x, unsigned y) {
      auto rank = [&](unsigned id) { return std::tuple(!all[id].dot, -all[id].elements, !all[id].accessed, id); };
      return rank(x) < rank(y);
    });
    while (!left.empty()) {
      // Of the largest tiles left, first those that follow from what is decided.
      auto next = left.begin();
      ir::LayoutAttr l;
      for (auto i = left.begin(); i != left.end() && all[*i].elements == all[*left.begin()].elements && !all[*left.begin()].dot; ++i)
        if ((l = derived(all[*i], false))) {
          next = i;
          break;
        }
      Class& c = all[*next];
      if (!l && c.dot) l = dot_layout(kernel_, c.dot, target_, warps_);
      if (!l && !c.accessed) l = derived(c, true);
      layouts_[*next] = l ? l : own(c);
      left.erase(next);
    }
  }

  // ---- conversions

  /// Whether the lanes of a warp take pieces of memory of at least a sector each. Fragments of matrix units often do not.
  bool takes_sectors(int64_t number, ValueRange indices, ir::TileType type) {
    if (!compiler::unit_dim(kernel_, number)) return true;  // no neighbours to take
    layout::Layout l = type.getLayout().getLayout();
    layout::Axis along = layout::dim(int(contiguity(kernel_, number, indices, target_.widest_access).dim));
    int bits = int(l.contiguous_bits(layout::dim_of(along)).size());
    auto moves = [&](int bit) {  // a lane's number moves 2^bit along the dim, and nothing else
      for (layout::Word w : l.columns(layout::Axis::lane))
        if (w == l.pack_out(along, int64_t(1) << bit)) return true;
      return false;
    };
    while (bits < l.out_bits(along) && moves(bits)) ++bits;
    return (ir::bytesOf(type.getElementType()) << bits) >= target_.sector || bits == l.out_bits(along);
  }
  ir::LayoutAttr own_access(int64_t number, ValueRange indices, ir::TileType type) {
    Class c;
    c.shape = padded_shape(kernel_, type.getShape());
    for (int64_t d : c.shape) c.elements *= d;
    access(c, number, indices);
    return own(c);
  }
  void access_in_sectors(Operation* op) {
    OpBuilder b(op);
    if (auto load = dyn_cast<ir::LoadOp>(op)) {
      auto type = dyn_cast<ir::TileType>(load.getType());
      if (!type || takes_sectors(load.getParamNumber(), load.getIndices(), type)) return;
      b.setInsertionPointAfter(op);
      load.getResult().setType(type.withLayout(own_access(load.getParamNumber(), load.getIndices(), type)));
      auto converted = ir::ConvertLayoutOp::create(b, op->getLoc(), type, load.getResult());
      load.getResult().replaceAllUsesExcept(converted.getResult(), converted);
    } else if (auto store = dyn_cast<ir::StoreOp>(op)) {
      auto type = dyn_cast<ir::TileType>(store.getValue().getType());
      if (!type || takes_sectors(store.getParamNumber(), store.getIndices(), type)) return;
      ir::LayoutAttr wanted = own_access(store.getParamNumber(), store.getIndices(), type);
      store.getValueMutable().assign(ir::ConvertLayoutOp::create(b, op->getLoc(), type.withLayout(wanted), store.getValue()));
    }
  }
  void convert() {
    SmallVector<Operation*> ops;
    kernel_.walk([&](Operation* op) { ops.push_back(op); });
    for (Operation* op : ops) access_in_sectors(op);
    for (Operation* op : ops) {
      if (isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op) && is_tile(op->getOperand(0)) && is_tile(op->getResult(0))) {
        auto wanted = operand_layout(kernel_, op, cast<ir::TileType>(op->getResult(0).getType()).getLayout());
        auto have = cast<ir::TileType>(op->getOperand(0).getType());
        if (!wanted || have.getLayout() == *wanted) continue;
        OpBuilder b(op);
        op->setOperand(0, ir::ConvertLayoutOp::create(b, op->getLoc(), have.withLayout(*wanted), op->getOperand(0)));
      } else if (auto dot = dyn_cast<ir::DotOp>(op)) {
        auto layouts = product_layouts(kernel_, dot, target_, warps_);
        if (!layouts) continue;
        for (auto [operand, wanted] : {std::pair{&dot.getAMutable(), layouts->a}, {&dot.getBMutable(), layouts->b}}) {
          auto have = cast<ir::TileType>(operand->get().getType());
          // Beside the operand if it is computed before the product's loop: once then, not in each round.
          OpBuilder b(op);
          for (auto loop = op->getParentOfType<scf::ForOp>(); loop && loop.isDefinedOutsideOfLoop(operand->get()); loop = loop->getParentOfType<scf::ForOp>())
            b.setInsertionPoint(loop);
          if (have.getLayout() != wanted) operand->set(ir::ConvertLayoutOp::create(b, op->getLoc(), have.withLayout(wanted), operand->get()));
        }
        // Another product in the class may have decided otherwise over the warps.
        auto have = cast<ir::TileType>(dot.getType());
        if (have.getLayout() == layouts->result) continue;
        OpBuilder b(op);
        auto own = have.withLayout(layouts->result);
        if (dot.getAcc()) dot.getAccMutable().assign(ir::ConvertLayoutOp::create(b, op->getLoc(), own, dot.getAcc()));
        b.setInsertionPointAfter(op);
        dot.getResult().setType(own);
        auto converted = ir::ConvertLayoutOp::create(b, op->getLoc(), have, dot.getResult());
        dot.getResult().replaceAllUsesExcept(converted.getResult(), converted);
      } else if (auto reduce = dyn_cast<ir::ReduceOp>(op); reduce && is_tile(reduce.getResult())) {
        auto have = cast<ir::TileType>(reduce.getType());
        ir::LayoutAttr natural = reduced_layout(reduce.getOperand().getType().getLayout(), reduce.getAxes());
        if (have.getLayout() == natural) continue;
        OpBuilder b(op->getContext());
        b.setInsertionPointAfter(op);
        reduce.getResult().setType(have.withLayout(natural));
        auto converted = ir::ConvertLayoutOp::create(b, op->getLoc(), have, reduce.getResult());
        reduce.getResult().replaceAllUsesExcept(converted.getResult(), converted);
      }
    }
  }
};

}  // namespace

int64_t choose_warps(ir::KernelOp kernel, const TargetInfo& target) {
  if (int64_t warps = product_warps(kernel, target)) return warps;
  int64_t most = 1, product = 0;
  kernel.walk([&](Operation* op) {
    for (Value v : op->getResults()) {
      if (!is_tile(v)) continue;
      int64_t n = 1;
      for (int64_t d : padded_shape(kernel, ir::shapeOf(v.getType()))) n *= d;
      most = std::max(most, n);
      if (isa<ir::DotOp>(op)) product = std::max(product, n);
    }
  });
  int64_t warps = 1;
  auto double_while = [&](int64_t elements, int64_t per_thread, int64_t limit) {
    while (warps < limit && elements > per_thread * target.warp * warps) warps *= 2;
  };
  if (product) double_while(product, 32, 8);  // squares of 4 x 4 and more
  else double_while(most, 8, 8);
  double_while(most, product ? 64 : 32, target.max_warps);  // beyond: as many as keep a tile in registers
  return warps;
}

void assign_layouts(ir::KernelOp kernel, const TargetInfo& target, int64_t warps) { Assigner(kernel, target, warps).run(); }

}  // namespace tine::gpu
