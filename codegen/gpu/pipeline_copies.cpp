#include "codegen/gpu/pipeline_copies.hpp"
#include "codegen/gpu/access.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "compiler/layout/distributed.hpp"
#include "compiler/layout/shared.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using tine::layout::Layout;

namespace tine::gpu {
namespace {

/// A load of a loop's body that goes to shared memory and nowhere else.
struct Copy {
  ir::LoadOp load;
  ir::SharedStoreOp store;
  ir::SharedAllocOp memory;
  SmallVector<int64_t> order;  // dim k of the memory is dim order[k] of the tile
  ir::LayoutAttr threads;
};

class Pipeliner {
 public:
  Pipeliner(ir::KernelOp kernel, const TargetInfo& target, int64_t stages, bool persistent)
      : kernel_(kernel), target_(target), stages_(stages), persistent_(persistent) {}

  void run() {
    SmallVector<scf::ForOp> loops;
    kernel_.walk([&](scf::ForOp op) { loops.push_back(op); });
    for (scf::ForOp op : loops) {
      SmallVector<Copy> copies;
      for (Operation& inner : op.getBody()->without_terminator())
        if (auto store = dyn_cast<ir::SharedStoreOp>(inner))
          if (auto c = copy(op, store)) copies.push_back(*c);
      if (copies.empty()) continue;
      int64_t stages = stages_ ? stages_ : derived_stages(copies);
      if (stages > 1) rewrite(op, copies, stages);
    }
  }

 private:
  ir::KernelOp kernel_;
  const TargetInfo& target_;
  int64_t stages_;
  bool persistent_;

  int64_t derived_stages(MutableArrayRef<Copy> copies) {
    int64_t bytes = 0;
    for (Copy& c : copies) bytes += size_of(kernel_, c.memory.getType());
    // More than three hide nothing more: a round of products takes longer than a trip to memory then.
    return std::clamp<int64_t>(target_.max_shared / 2 / std::max<int64_t>(bytes, 1), 2, 3);
  }

  // ---- what can be copied ahead

  /// Whether a scalar can be computed for another round: from what stands before the loop, and the round's number.
  static bool repeatable(scf::ForOp loop, Value v) {
    if (v == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(v)) return true;
    Operation* op = v.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !isMemoryEffectFree(op) || op->getNumRegions()) return false;
    return llvm::all_of(op->getOperands(), [&](Value x) { return repeatable(loop, x); });
  }
  std::optional<Copy> copy(scf::ForOp loop, ir::SharedStoreOp store) {
    Copy c{{}, store, store.getMemory().getDefiningOp<ir::SharedAllocOp>(), {}, {}};
    if (!c.memory || c.memory->getBlock() != loop.getBody() || !c.memory.getType().getLayout()) return {};
    for (Operation* user : c.memory->getUsers())
      if (user != store && !(isa<ir::SharedLoadOp>(user) && user->getBlock() == loop.getBody() && store->isBeforeInBlock(user))) return {};
    Value v = store.getValue();
    int64_t rank = int64_t(store.getValue().getType().getShape().size());
    for (int64_t d = 0; d < rank; ++d) c.order.push_back(d);
    while (auto permute = v.getDefiningOp<ir::PermuteOp>()) {
      if (!v.hasOneUse()) return {};
      for (int64_t& d : c.order) d = permute.getOrder()[size_t(d)];
      v = permute.getOperand();
    }
    c.load = v.getDefiningOp<ir::LoadOp>();
    if (!c.load || !v.hasOneUse() || c.load->getBlock() != loop.getBody()) return {};
    ir::ParamAttr param = kernel_.getParam(c.load.getParamNumber());
    if (!param.getOther().getValue().isPosZero() || kernel_.getSource(param.getSource()).getRank() == 0) return {};
    if (!llvm::all_of(c.load.getIndices(), [&](Value i) { return repeatable(loop, i); })) return {};
    bool stored = false;
    loop.walk([&](ir::StoreOp s) { stored |= compiler::conflicts(kernel_, s, c.load); });
    if (stored || !choose_threads(c)) return {};
    return c;
  }
  /// In vectors along the tile's contiguous dim, of which lanes of a warp take neighbours.
  bool choose_threads(Copy& c) {
    auto type = cast<ir::TileType>(c.load.getType());
    int64_t bytes = Thread::bytes(type.getElementType()), warps = int64_t(*kernel_.getWarps());
    Contiguity along = contiguity(kernel_, c.load.getParamNumber(), c.load.getIndices(), target_.widest_access);
    SmallVector<int64_t> shape = padded_shape(kernel_, type.getShape());
    std::vector<int> order{int(along.dim)};
    for (int d = int(shape.size()); d-- > 0;)
      if (d != int(along.dim)) order.push_back(d);
    Layout threads = layout::blocked({shape.begin(), shape.end()}, along.elements, int(target_.warp), int(warps), order);
    c.threads = make_attr(kernel_.getContext(), threads);
    VectorWidth width = vector_width(kernel_, c.load.getParamNumber(), c.load.getIndices(), c.threads, target_.widest_access);
    if (!width.uniform || !target_.copies_async(width.elements * bytes)) return false;
    return int64_t(layout::shared_access(memory_of_tile(c), threads, int(8 * bytes)).vector.size()) >= layout::log2_ceil(width.elements);
  }
  /// The memory's layout in the dims of the loaded tile.
  static Layout memory_of_tile(Copy& c) {
    std::vector<int64_t> back(c.order.size());
    for (auto [k, d] : llvm::enumerate(c.order)) back[size_t(d)] = int64_t(k);
    return c.memory.getType().getLayout().getLayout().permuted(back);
  }

  // ---- the new loop

  static Value number(OpBuilder& b, Location loc, unsigned bits, int64_t n) {
    return ir::ConstantOp::create(b, loc, b.getIntegerType(bits), b.getIntegerAttr(b.getIntegerType(bits), n));
  }
  static Value apply(OpBuilder& b, Location loc, StringRef kind, Type type, ValueRange operands) { return ir::ElementwiseOp::create(b, loc, type, kind, operands); }

  /// Copies of the round with this number, if it is one.
  void copy_round(OpBuilder& b, scf::ForOp loop, ArrayRef<Copy> copies, ArrayRef<Value> rings, Value round, Value slot) {
    Location loc = loop.getLoc();
    Value is_round = apply(b, loc, "lt", b.getI1Type(), {round, loop.getUpperBound()});
    auto branch = scf::IfOp::create(b, loc, is_round, false);
    OpBuilder in = branch.getThenBodyBuilder();
    IRMapping at;
    at.map(loop.getInductionVar(), round);
    std::function<Value(Value)> again = [&](Value v) -> Value {
      if (at.contains(v) || loop.isDefinedOutsideOfLoop(v)) return at.lookupOrDefault(v);
      for (Value x : v.getDefiningOp()->getOperands()) again(x);
      in.clone(*v.getDefiningOp(), at);
      return at.lookup(v);
    };
    for (auto [c, ring] : llvm::zip(copies, rings)) {
      ir::LoadOp load = c.load;
      bool in_level = compiler::open_indices(kernel_, load.getParamNumber(), load.getIndices()).empty();
      SmallVector<Value> indices;
      for (Value i : load.getIndices()) indices.push_back(again(i));
      Value memory = ir::SharedSlotOp::create(in, load.getLoc(), ring.getType(), ring, slot);
      ir::CopyAsyncOp::create(in, load.getLoc(), load.getView(), indices, memory, c.order, c.threads, in_level);
    }
    ir::CopyCommitOp::create(b, loc);
  }

  void rewrite(scf::ForOp loop, MutableArrayRef<Copy> copies, int64_t stages) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> rings;
    for (Copy& c : copies)
      rings.push_back(ir::SharedAllocOp::create(b, c.memory.getLoc(), c.memory.getType(), IntegerAttr(), b.getI64IntegerAttr(stages)));
    if (persistent_ || !isa<ir::KernelOp>(loop->getParentOp()))  // else nothing has read them before
      ir::BarrierOp::create(b, loc, "the ring's last reads of an earlier loop", "the first copies into it");
    Value round = loop.getLowerBound(), step = loop.getStep(), one = number(b, loc, 32, 1), none = number(b, loc, 32, 0);
    for (int64_t s = 0; s + 1 < stages; ++s) {
      copy_round(b, loop, copies, rings, round, s ? number(b, loc, 32, s) : none);
      round = apply(b, loc, "add", b.getI64Type(), {round, step});
    }
    // Rounds ahead of the loop's own.
    Value ahead = apply(b, loc, "mul", b.getI64Type(), {step, number(b, loc, 64, stages - 1)}), count = number(b, loc, 32, stages);
    SmallVector<Value> carried(loop.getInitArgs());
    carried.append({none, number(b, loc, 32, stages - 1)});
    auto made = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), step, carried);
    Block* body = made.getBody();
    if (!body->empty()) body->getTerminator()->erase();
    OpBuilder in = OpBuilder::atBlockEnd(body);
    size_t own = loop.getInitArgs().size();
    Value read = made.getRegionIterArg(unsigned(own)), write = made.getRegionIterArg(unsigned(own + 1));
    ir::CopyWaitOp::create(in, loc, stages - 2);
    ir::BarrierOp::create(in, loc, "this round's copies by all threads, and the reads of the round before", "reads of the copies, and new copies");
    copy_round(in, loop, copies, rings, apply(in, loc, "add", in.getI64Type(), {made.getInductionVar(), ahead}), write);

    IRMapping map;
    map.map(loop.getInductionVar(), made.getInductionVar());
    for (auto [from, to] : llvm::zip(loop.getRegionIterArgs(), made.getRegionIterArgs())) map.map(from, to);
    llvm::DenseSet<Operation*> gone;
    for (auto [c, ring] : llvm::zip(copies, rings)) {
      for (Operation* op : {c.store.getOperation(), c.memory.getOperation(), c.load.getOperation()}) gone.insert(op);
      for (Value v = c.store.getValue(); v != c.load.getResult(); v = v.getDefiningOp()->getOperand(0)) gone.insert(v.getDefiningOp());
      map.map(c.memory.getResult(), ir::SharedSlotOp::create(in, c.load.getLoc(), ring.getType(), ring, read).getResult());
    }
    for (Operation& op : loop.getBody()->without_terminator())
      if (!gone.contains(&op)) in.clone(op, map);
    auto next = [&](Value slot) {
      Value more = apply(in, loc, "add", in.getI32Type(), {slot, one});
      return apply(in, loc, "where", in.getI32Type(), {apply(in, loc, "eq", in.getI1Type(), {more, count}), none, more});
    };
    SmallVector<Value> results;
    for (Value v : loop.getBody()->getTerminator()->getOperands()) results.push_back(map.lookupOrDefault(v));
    results.push_back(next(read)), results.push_back(next(write));
    scf::YieldOp::create(in, loc, results);
    for (auto [from, to] : llvm::zip(loop.getResults(), made.getResults())) from.replaceAllUsesWith(to);
    loop.erase();
  }
};

}  // namespace

void pipeline_copies(ir::KernelOp kernel, const TargetInfo& target, int64_t stages, bool persistent) {
  Pipeliner(kernel, target, stages, persistent).run();
}

}  // namespace tine::gpu
