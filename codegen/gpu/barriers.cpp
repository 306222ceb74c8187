#include "codegen/gpu/barriers.hpp"
#include "codegen/gpu/shared_memory.hpp"
#include "compiler/access/access.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::gpu {
namespace {

/// One read or write of memory that several threads see.
struct Touch {
  Operation* op;
  bool write;
  bool shared;
  int64_t begin = 0, end = 0;  // bytes of shared memory, or the source
  bool older = false;          // of an earlier round of a loop
  Operation* ring = nullptr;   // the ring that the memory is of: its maker put the barriers among its slots
  bool operator==(const Touch& o) const { return op == o.op && write == o.write && begin == o.begin && older == o.older; }
};

class Inserter {
 public:
  Inserter(ir::KernelOp kernel, bool persistent) : kernel_(kernel), persistent_(persistent) {}

  void run() {
    kernel_.walk([&](ir::StoreOp s) { stored_.insert(source_of(s.getParamNumber())); });
    Pending pending;
    block(kernel_.getBody().front(), pending);
    if (persistent_) {  // programs share no results, but the block's shared memory
      llvm::erase_if(pending, [](const Touch& t) { return !t.shared; });
      block(kernel_.getBody().front(), pending);
    }
  }

 private:
  using Pending = SmallVector<Touch>;  // since the last barrier on some way to here
  ir::KernelOp kernel_;
  bool persistent_;
  llvm::DenseSet<int64_t> stored_;

  int64_t source_of(int64_t param) { return kernel_.getParam(param).getSource(); }
  bool seen(int64_t source) {  // memory that this kernel writes
    return llvm::any_of(stored_, [&](int64_t s) { return s == source || compiler::may_overlap(kernel_, s, source); });
  }

  SmallVector<Touch> touches(Operation* op) {
    SmallVector<Touch> r;
    auto shared = [&](Value memory, bool write) {
      if (auto slot = memory.getDefiningOp<ir::SharedSlotOp>()) memory = slot.getRing();
      auto alloc = memory.getDefiningOp<ir::SharedAllocOp>();
      int64_t offset = int64_t(*alloc.getOffset()), slots = int64_t(alloc.getSlots().value_or(1));
      r.push_back({op, write, true, offset, offset + size_of(kernel_, alloc.getType()) * slots});
      if (alloc.getSlots()) r.back().ring = alloc;
    };
    if (auto x = dyn_cast<ir::LoadOp>(op)) {
      if (seen(source_of(x.getParamNumber()))) r.push_back({op, false, false, source_of(x.getParamNumber()), 0});
      return r;
    }
    if (auto x = dyn_cast<ir::StoreOp>(op)) return {{op, true, false, source_of(x.getParamNumber()), 0}};
    if (isa<ir::SharedSlotOp>(op)) return r;
    if (auto x = dyn_cast<ir::CopyAsyncOp>(op); x && seen(source_of(x.getParamNumber()))) r.push_back({op, false, false, source_of(x.getParamNumber()), 0});
    for (Value v : op->getOperands())
      if (isa<ir::MemoryType>(v.getType())) shared(v, isa<ir::SharedStoreOp, ir::CopyAsyncOp>(op));
    return r;
  }

  static std::pair<Value, OperandRange> place(Operation* op) {
    if (auto x = dyn_cast<ir::LoadOp>(op)) return {x.getView(), x.getIndices()};
    auto x = cast<ir::StoreOp>(op);
    return {x.getView(), x.getIndices()};
  }
  static ir::LayoutAttr layout_of(Operation* op) {
    Type type = isa<ir::LoadOp>(op) ? op->getResult(0).getType() : cast<ir::StoreOp>(op).getValue().getType();
    auto tile = dyn_cast<ir::TileType>(type);
    return tile ? tile.getLayout() : ir::LayoutAttr();
  }
  /// Whether an index may be another one in each round of a loop.
  static bool changes(Value index) {
    for (Operation* op = index.getParentRegion()->getParentOp(); !isa<ir::KernelOp>(op); op = op->getParentOp())
      if (isa<scf::ForOp, scf::WhileOp>(op)) return true;
    return false;
  }
  /// Whether an index is another one each time: it counts the rounds of a loop that stands in no other.
  static bool never_again(Value index) {
    auto argument = dyn_cast<BlockArgument>(index);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && argument == loop.getInductionVar() && !loop->getParentOfType<scf::ForOp>() && !loop->getParentOfType<scf::WhileOp>();
  }
  /// Each thread touches its own elements both times.
  bool own(const Touch& x, const Touch& y) {
    if (isa<ir::CopyAsyncOp>(x.op) || isa<ir::CopyAsyncOp>(y.op)) return false;
    auto [view, indices] = place(x.op);
    auto [other_view, other_indices] = place(y.op);
    ir::LayoutAttr layout = layout_of(x.op);
    if (view != other_view || indices != other_indices || layout != layout_of(y.op)) return false;
    if (compiler::may_overlap(kernel_, x.begin, x.begin)) return false;
    if (x.older && !llvm::none_of(indices, changes)) {  // the same operation, at another place or, perhaps, at the same again
      int64_t param = cast<BlockArgument>(view).getArgNumber();
      if (!compiler::rounds_are_disjoint(kernel_, param, indices)) return false;
      if (never_again(indices[0])) return true;
    }
    if (x.write && y.write) return true;  // one thread acts for all copies
    if (!layout) return false;
    layout::Layout l = layout.getLayout();
    return !l.free_bits(layout::Axis::lane) && !l.free_bits(layout::Axis::warp);
  }
  bool meet(const Touch& x, const Touch& y) {
    if (!(x.write || y.write) || x.shared != y.shared) return false;
    if (x.shared) return x.begin < y.end && y.begin < x.end && !(x.ring && x.ring == y.ring);
    if (x.begin != y.begin && !compiler::may_overlap(kernel_, x.begin, y.begin)) return false;
    return !own(x, y);
  }

  static std::string describe(const Touch& t) {
    std::string s;
    llvm::raw_string_ostream os(s);
    if (t.shared) os << (t.write ? "write of shared memory" : "read of shared memory") << " at " << t.begin;
    else os << (t.write ? "store to " : "load from ") << "source " << t.begin;
    os << " by " << t.op->getName().getStringRef();
    if (auto place = dyn_cast<FileLineColLoc>(t.op->getLoc())) os << " (" << place.getFilename().getValue() << ":" << place.getLine() << ")";
    return s;
  }

  static void merge(Pending& into, const Pending& from) {
    for (const Touch& t : from)
      if (!llvm::is_contained(into, t)) into.push_back(t);
  }

  void block(Block& body, Pending& pending) {
    for (Operation& op : llvm::make_early_inc_range(body)) {
      if (isa<ir::BarrierOp>(op)) pending.clear();
      else if (auto x = dyn_cast<scf::ForOp>(op)) loop(x.getRegion(), nullptr, pending);
      else if (auto x = dyn_cast<scf::WhileOp>(op)) loop(x.getBefore(), &x.getAfter(), pending);
      else if (auto x = dyn_cast<scf::IfOp>(op)) {
        Pending other = pending;
        block(x.getThenRegion().front(), pending);
        if (!x.getElseRegion().empty()) block(x.getElseRegion().front(), other);
        merge(pending, other);
      } else {
        access(&op, pending);
      }
    }
  }
  void access(Operation* op, Pending& pending) {
    SmallVector<Touch> mine = touches(op);
    for (const Touch& y : mine)
      for (const Touch& x : pending)
        if (meet(x, y)) {
          OpBuilder b(op);
          ir::BarrierOp::create(b, op->getLoc(), describe(x), describe(y));
          pending.clear();
          merge(pending, mine);
          return;
        }
    merge(pending, mine);
  }
  /// Rounds until the end of one adds nothing to what the next begins with. Any number of rounds may be none.
  void loop(Region& first, Region* second, Pending& pending) {
    Pending entry = pending;
    for (;;) {
      Pending at = entry;
      block(first.front(), at);
      Pending leaving = at;  // a `while` leaves after its condition
      if (second) block(second->front(), at);
      size_t before = entry.size();
      for (Touch& t : at) t.older = true;
      merge(entry, at);
      if (entry.size() == before) {
        pending = second ? leaving : entry;
        return;
      }
    }
  }
};

}  // namespace

void insert_barriers(ir::KernelOp kernel, bool persistent) { Inserter(kernel, persistent).run(); }

}  // namespace tine::gpu
