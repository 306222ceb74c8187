#include "codegen/gpu/pipeline_copies.hpp"
#include "codegen/gpu/layouts.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "codegen/gpu/vector_width.hpp"
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
  SmallVector<Operation*> between;  // what happens to the tile on the way, from the load on
  ir::SharedStoreOp store;
  ir::SharedAllocOp memory;
  SmallVector<int64_t> order;       // dim k of the memory is dim order[k] of the tile
  bool async = false;               // else by way of registers
  ir::LayoutAttr threads;           // which thread moves what
};

class Pipeliner {
 public:
  Pipeliner(ir::KernelOp kernel, const TargetInfo& target, int64_t stages, bool persistent)
      : kernel_(kernel), target_(target), stages_(stages), persistent_(persistent) {}

  void run() {
    SmallVector<scf::ForOp> loops;
    kernel_.walk([&](scf::ForOp op) { loops.push_back(op); });
    for (scf::ForOp op : loops) {
      repeatable_.clear();
      SmallVector<Copy> copies;
      int64_t held = 0;  // words of a thread's registers for tiles on their way
      for (Operation& inner : op.getBody()->without_terminator()) {
        auto store = dyn_cast<ir::SharedStoreOp>(inner);
        std::optional<Copy> c = store ? copy(op, store) : std::nullopt;
        if (!c) continue;
        if (!c->async && (held += words(*c)) > most_words) continue;
        copies.push_back(*c);
      }
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

  static constexpr int64_t most_words = 64;
  static int64_t words(Copy& c) {
    auto type = cast<ir::TileType>(c.load.getType());
    return std::max<int64_t>(type.getLayout().getLayout().in_size(layout::Axis::reg) * ir::bytesOf(type.getElementType()) / 4, 1);
  }

  int64_t derived_stages(MutableArrayRef<Copy> copies) {
    int64_t bytes = 0, all = 0;
    for (Copy& c : copies) {
      all += size_of(kernel_, c.memory.getType());
      if (c.async) bytes += size_of(kernel_, c.memory.getType());
    }
    if (2 * all > target_.max_shared) return 1;
    // More than three hide nothing more: a round of products takes longer than a trip to memory then.
    return std::clamp<int64_t>(target_.max_shared / 2 / std::max<int64_t>(bytes, 1), 2, 3);
  }

  // ---- what can be copied ahead

  llvm::DenseMap<Value, bool> repeatable_;  // of the loop that is being looked at
  /// Whether a scalar can be computed for another round: from what stands before the loop, and the round's number.
  bool repeatable(scf::ForOp loop, Value v) {
    if (v == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(v)) return true;
    if (auto it = repeatable_.find(v); it != repeatable_.end()) return it->second;
    Operation* op = v.getDefiningOp();
    bool can = op && op->getBlock() == loop.getBody() && isMemoryEffectFree(op) && !op->getNumRegions() &&
               llvm::all_of(op->getOperands(), [&](Value x) { return repeatable(loop, x); });
    return repeatable_[v] = can;
  }
  std::optional<Copy> copy(scf::ForOp loop, ir::SharedStoreOp store) {
    Copy c;
    c.store = store, c.memory = store.getMemory().getDefiningOp<ir::SharedAllocOp>();
    // Operands of products: their memory has zeros in its padding.
    if (!c.memory || c.memory->getBlock() != loop.getBody() || !c.memory.getType().getLayout() || !store.getZero()) return {};
    for (Operation* user : c.memory->getUsers())
      if (user != store && !(isa<ir::SharedLoadOp, ir::SharedDotOp>(user) && user->getBlock() == loop.getBody() && store->isBeforeInBlock(user))) return {};
    Value v = store.getValue();
    int64_t rank = int64_t(store.getValue().getType().getShape().size());
    for (int64_t d = 0; d < rank; ++d) c.order.push_back(d);
    bool moved_only = true;
    while (isa_and_nonnull<ir::PermuteOp, ir::CastOp>(v.getDefiningOp())) {
      Operation* op = v.getDefiningOp();
      if (!v.hasOneUse() || op->getBlock() != loop.getBody()) return {};
      if (auto permute = dyn_cast<ir::PermuteOp>(op))
        for (int64_t& d : c.order) d = permute.getOrder()[size_t(d)];
      else moved_only = false;
      c.between.insert(c.between.begin(), op);
      v = op->getOperand(0);
    }
    c.load = v.getDefiningOp<ir::LoadOp>();
    if (!c.load || !v.hasOneUse() || c.load->getBlock() != loop.getBody()) return {};
    ir::ParamAttr param = kernel_.getParam(c.load.getParamNumber());
    if (kernel_.getSource(param.getSource()).getRank() == 0) return {};
    if (!llvm::all_of(c.load.getIndices(), [&](Value i) { return repeatable(loop, i); })) return {};
    bool stored = false;
    loop.walk([&](ir::StoreOp s) { stored |= compiler::conflicts(kernel_, s, c.load); });
    if (stored) return {};
    c.async = moved_only && param.getOther().getValue().isPosZero() && choose_threads(c);
    if (!c.async) choose_registers(c);
    return c;
  }
  /// Stores that turn a tile meet in banks where many lanes lie along its contiguous dim: then only as many as make a sector.
  void choose_registers(Copy& c) {
    auto type = cast<ir::TileType>(c.load.getType());
    c.threads = type.getLayout();
    int bits = int(8 * ir::bytesOf(cast<ir::MemoryType>(c.memory.getType()).getElementType()));
    Layout memory = memory_of_tile(c);
    auto conflicts = [&](const Layout& l) { return layout::bank_conflicts(layout::shared_access(memory, l, bits), bits, target_.banks); };
    Contiguity along = contiguity(kernel_, c.load.getParamNumber(), c.load.getIndices(), target_.widest_access);
    SmallVector<int64_t> shape = padded_shape(kernel_, type.getShape());
    size_t rank = shape.size(), other = rank;  // the other dim that lanes lie along: the largest
    for (size_t d = 0; d < rank; ++d)
      if (d != along.dim && (other == rank || shape[d] > shape[other])) other = d;
    if (other == rank || conflicts(c.threads.getLayout()) == 0) return;
    layout::Blocked b;
    b.per_thread.assign(rank, 1), b.lanes = b.per_thread, b.warps = b.per_thread;
    b.per_thread[along.dim] = along.elements;
    b.lanes[along.dim] = std::max<int64_t>(target_.sector / (along.elements * ir::bytesOf(type.getElementType())), 1);
    b.lanes[other] = target_.warp / b.lanes[along.dim];
    int64_t warps = int64_t(*kernel_.getWarps());
    b.warps[other] = std::clamp<int64_t>(shape[other] / b.lanes[other], 1, warps);
    b.warps[along.dim] = warps / b.warps[other];
    b.order = {int(along.dim), int(other)};
    for (size_t d = rank; d-- > 0;)
      if (d != along.dim && d != other) b.order.push_back(int(d));
    Layout sectors = layout::blocked({shape.begin(), shape.end()}, b);
    if (conflicts(sectors) < conflicts(c.threads.getLayout())) c.threads = make_attr(kernel_.getContext(), sectors);
  }
  /// In vectors along the tile's contiguous dim, of which lanes of a warp take neighbours.
  bool choose_threads(Copy& c) {
    auto type = cast<ir::TileType>(c.load.getType());
    int64_t bytes = ir::bytesOf(type.getElementType()), warps = int64_t(*kernel_.getWarps());
    Contiguity along = contiguity(kernel_, c.load.getParamNumber(), c.load.getIndices(), target_.widest_access);
    SmallVector<int64_t> shape = padded_shape(kernel_, type.getShape());
    std::vector<int> order{int(along.dim)};
    for (int d = int(shape.size()); d-- > 0;)
      if (d != int(along.dim)) order.push_back(d);
    Layout threads = layout::blocked({shape.begin(), shape.end()}, along.elements, int(target_.warp), int(warps), order);
    c.threads = make_attr(kernel_.getContext(), threads);
    VectorWidth width = vector_width(kernel_, c.load.getParamNumber(), c.load.getIndices(), c.threads, target_.widest_access);
    if (!width.uniform || !target_.copies_async(width.elements * bytes)) return false;
    // Neighbours in the source are neighbours in the memory, too.
    std::vector<int> neighbours = layout::shared_access(memory_of_tile(c), threads, int(8 * bytes)).vector;
    return neighbours.size() >= width.bits.size() && std::equal(width.bits.begin(), width.bits.end(), neighbours.begin());
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

  /// Clones what the loop's body computes of a scalar, for another round.
  struct Again {
    scf::ForOp loop;
    OpBuilder& b;
    IRMapping at;
    Again(scf::ForOp l, OpBuilder& builder, Value round) : loop(l), b(builder) { at.map(l.getInductionVar(), round); }
    Value operator()(Value v) {
      if (at.contains(v) || loop.isDefinedOutsideOfLoop(v)) return at.lookupOrDefault(v);
      for (Value x : v.getDefiningOp()->getOperands()) (*this)(x);
      b.clone(*v.getDefiningOp(), at);
      return at.lookup(v);
    }
  };

  /// Begins the asynchronous copies of the round with this number, if it is one. Without a branch: that would part the copies
  /// from what they could be done beside of.
  void copy_round(OpBuilder& b, scf::ForOp loop, ArrayRef<Copy> copies, ArrayRef<Value> rings, Value round, Value slot) {
    Location loc = loop.getLoc();
    Value is_round = apply(b, loc, "lt", b.getI1Type(), {round, loop.getUpperBound()});
    Again again(loop, b, round);
    for (auto [c, ring] : llvm::zip(copies, rings)) {
      if (!c.async) continue;
      ir::LoadOp load = c.load;
      bool in_level = compiler::open_indices(kernel_, load.getParamNumber(), load.getIndices()).empty();
      SmallVector<Value> indices;
      for (Value i : load.getIndices()) indices.push_back(again(i));
      Value memory = ir::SharedSlotOp::create(b, load.getLoc(), ring.getType(), ring, slot);
      ir::CopyAsyncOp::create(b, load.getLoc(), load.getView(), indices, memory, is_round, c.order, c.threads, in_level);
    }
    ir::CopyCommitOp::create(b, loc);
  }
  /// The loads of a round that go by way of registers. It must be a round of the loop: beyond, memory need not be anybody's.
  void load_round(OpBuilder& b, scf::ForOp loop, ArrayRef<Copy> copies, Value round, IRMapping& loaded) {
    Again again(loop, b, round);
    for (const Copy& c : copies) {
      if (c.async) continue;
      ir::LoadOp load = c.load;
      IRMapping at;
      for (Value i : load.getIndices()) at.map(i, again(i));
      Operation* made = b.clone(*load, at);
      made->setAttr("ahead", b.getUnitAttr());  // here, not where it is used
      made->getResult(0).setType(cast<ir::TileType>(load.getType()).withLayout(c.threads));
      loaded.map(load.getResult(), made->getResult(0));
    }
  }
  /// And on to shared memory.
  void store_round(OpBuilder& b, ArrayRef<Copy> copies, ArrayRef<Value> rings, Value slot, IRMapping& loaded) {
    for (auto [c, ring] : llvm::zip(copies, rings)) {
      if (c.async) continue;
      for (Operation* op : c.between) {
        Value v = b.clone(*op, loaded)->getResult(0);
        ir::LayoutAttr layout = cast<ir::TileType>(v.getDefiningOp()->getOperand(0).getType()).getLayout();
        if (isa<ir::PermuteOp>(op)) layout = *result_layout(kernel_, op, layout);
        v.setType(cast<ir::TileType>(v.getType()).withLayout(layout));
      }
      ir::SharedStoreOp store = c.store;
      Value memory = ir::SharedSlotOp::create(b, store.getLoc(), ring.getType(), ring, slot);
      ir::SharedStoreOp::create(b, store.getLoc(), loaded.lookup(store.getValue()), memory, store.getZero());
    }
  }

  void rewrite(scf::ForOp loop, MutableArrayRef<Copy> copies, int64_t stages) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    auto is_async = [](const Copy& c) { return c.async; };
    bool some = llvm::any_of(copies, is_async), others = !llvm::all_of(copies, is_async);
    SmallVector<Value> rings;
    for (Copy& c : copies)
      rings.push_back(ir::SharedAllocOp::create(b, c.memory.getLoc(), c.memory.getType(), IntegerAttr(), b.getI64IntegerAttr(c.async ? stages : 2)));
    if (persistent_ || !isa<ir::KernelOp>(loop->getParentOp()))  // else nothing has read them before
      ir::BarrierOp::create(b, loc, "the ring's last reads of an earlier loop", "the first copies into it");
    Value round = loop.getLowerBound(), step = loop.getStep(), one = number(b, loc, 32, 1), none = number(b, loc, 32, 0);
    if (others) {
      OpBuilder in = scf::IfOp::create(b, loc, apply(b, loc, "lt", b.getI1Type(), {round, loop.getUpperBound()}), false).getThenBodyBuilder();
      IRMapping loaded;
      load_round(in, loop, copies, round, loaded);
      store_round(in, copies, rings, none, loaded);
    }
    for (int64_t s = 0; some && s + 1 < stages; ++s) {
      copy_round(b, loop, copies, rings, round, s ? number(b, loc, 32, s) : none);
      round = apply(b, loc, "add", b.getI64Type(), {round, step});
    }
    // Rounds ahead of the loop's own.
    Value ahead = apply(b, loc, "mul", b.getI64Type(), {step, number(b, loc, 64, stages - 1)}), count = number(b, loc, 32, stages);
    SmallVector<Value> carried(loop.getInitArgs());
    size_t own = carried.size();
    if (some) carried.append({none, number(b, loc, 32, stages - 1)});
    if (others) carried.push_back(none);
    auto made = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), step, carried);
    Block* body = made.getBody();
    if (!body->empty()) body->getTerminator()->erase();
    OpBuilder in = OpBuilder::atBlockEnd(body);
    Value read, write, turn, other;
    if (some) read = made.getRegionIterArg(unsigned(own)), write = made.getRegionIterArg(unsigned(own + 1));
    if (others) turn = made.getRegionIterArgs().back();
    if (some) ir::CopyWaitOp::create(in, loc, stages - 2);
    ir::BarrierOp::create(in, loc, "this round's copies by all threads, and the reads of the round before", "reads of the copies, and new copies");
    if (some) copy_round(in, loop, copies, rings, apply(in, loc, "add", in.getI64Type(), {made.getInductionVar(), ahead}), write);
    IRMapping loaded;
    if (others) {
      other = apply(in, loc, "sub", in.getI32Type(), {one, turn});
      Value after = apply(in, loc, "add", in.getI64Type(), {made.getInductionVar(), step});
      Value is_round = apply(in, loc, "lt", in.getI1Type(), {after, loop.getUpperBound()});  // else this one's again, which nobody reads
      load_round(in, loop, copies, apply(in, loc, "where", in.getI64Type(), {is_round, after, made.getInductionVar()}), loaded);
    }

    IRMapping map;
    map.map(loop.getInductionVar(), made.getInductionVar());
    for (auto [from, to] : llvm::zip(loop.getRegionIterArgs(), made.getRegionIterArgs())) map.map(from, to);
    llvm::DenseSet<Operation*> gone;
    for (auto [c, ring] : llvm::zip(copies, rings)) {
      for (Operation* op : {c.store.getOperation(), c.memory.getOperation(), c.load.getOperation()}) gone.insert(op);
      gone.insert(c.between.begin(), c.between.end());
      map.map(c.memory.getResult(), ir::SharedSlotOp::create(in, c.load.getLoc(), ring.getType(), ring, c.async ? read : turn).getResult());
    }
    for (Operation& op : loop.getBody()->without_terminator())
      if (!gone.contains(&op)) in.clone(op, map);
    if (others) store_round(in, copies, rings, other, loaded);
    SmallVector<Value> results;
    for (Value v : loop.getBody()->getTerminator()->getOperands()) results.push_back(map.lookupOrDefault(v));
    if (some) {  // what this round read takes the next round's copies
      if (stages == 2) results.push_back(apply(in, loc, "sub", in.getI32Type(), {one, read}));
      else {
        Value more = apply(in, loc, "add", in.getI32Type(), {read, one});
        results.push_back(apply(in, loc, "where", in.getI32Type(), {apply(in, loc, "eq", in.getI1Type(), {more, count}), none, more}));
      }
      results.push_back(read);
    }
    if (others) results.push_back(other);
    scf::YieldOp::create(in, loc, results);
    for (auto [from, to] : llvm::zip(loop.getResults(), made.getResults())) from.replaceAllUsesWith(to);
    if (some) ir::CopyWaitOp::create(b, loc, 0);  // what was begun for rounds beyond the last still writes zeros into the ring
    loop.erase();
  }
};

}  // namespace

void pipeline_copies(ir::KernelOp kernel, const TargetInfo& target, int64_t stages, bool persistent) {
  Pipeliner(kernel, target, stages, persistent).run();
}

}  // namespace tine::gpu
