#include "codegen/gpu/lower_tiles.hpp"
#include "codegen/gpu/lowering.hpp"

using namespace mlir;

namespace tine::gpu {
namespace {
bool is_tile(Value v) { return isa<ir::TileType>(v.getType()); }
}  // namespace

Lowering::Lowering(Thread& thread) : f(thread), b(thread.b), same_(thread), ranges_(thread.kernel) {
  llvm::DenseSet<int64_t> stored;
  f.kernel.walk([&](ir::StoreOp s) { stored.insert(f.kernel.getParam(s.getParamNumber()).getSource()); });
  for (int64_t s = 0; s < int64_t(f.kernel.getSources().size()); ++s)
    if (llvm::any_of(stored, [&](int64_t t) { return t == s || compiler::may_overlap(f.kernel, t, s); })) written_.insert(s);
}

void Lowering::run() {
  Inside scope(*this);
  block(f.kernel.getBody().front());
}

void Lowering::block(Block& body) {
  for (Operation& op : body)
    if (!op.hasTrait<OpTrait::IsTerminator>()) operation(&op);
}

void Lowering::operation(Operation* op) {
  f.loc = op->getLoc();
  if (auto x = dyn_cast<ir::StoreOp>(op)) return store(x);
  if (auto x = dyn_cast<ir::ReduceOp>(op)) return reduce(x);
  if (auto x = dyn_cast<ir::PartialReduceOp>(op)) return partial_reduce(x);
  if (auto x = dyn_cast<ir::SharedStoreOp>(op)) return shared_store(x);
  if (auto x = dyn_cast<ir::SharedLoadOp>(op)) return shared_load(x);
  if (auto x = dyn_cast<ir::SharedDotOp>(op)) return dot(x);
  if (auto x = dyn_cast<scf::ForOp>(op)) return for_loop(x);
  if (auto x = dyn_cast<scf::IfOp>(op)) return branch(x);
  if (auto x = dyn_cast<scf::WhileOp>(op)) return while_loop(x);
  if (isa<ir::BarrierOp>(op)) return f.target.barrier(b, f.loc);
  if (auto x = dyn_cast<ir::DotOp>(op)) return matrix_product(x, *product_layouts(f.kernel, x, f.target, int64_t(*f.kernel.getWarps())));
  if (auto x = dyn_cast<ir::CopyAsyncOp>(op)) return copy_async(x);
  if (isa<ir::CopyCommitOp>(op)) return f.target.commit_copies(b, f.loc);
  if (auto x = dyn_cast<ir::CopyWaitOp>(op)) return f.target.wait_copies(b, f.loc, int64_t(x.getPending()));
  if (isa<ir::SharedAllocOp, ir::SharedSlotOp>(op)) return;
  Value v = op->getResult(0);
  if (auto x = dyn_cast<ir::ConvertLayoutOp>(op))  // here, where all lanes are
    if (auto plan = shuffles(x.getOperand().getType().getLayout(), x.getType().getLayout(), x.getType().getElementType())) return convert_by_shuffles(x, *plan);
  if (is_tile(v)) {  // when it is asked for; what is in memory now, at once
    if (auto load = dyn_cast<ir::LoadOp>(op); load && (is_written(load) || load->hasAttr("ahead"))) load_all(load);
    return;
  }
  if (auto load = dyn_cast<ir::LoadOp>(op)) return load_all(load);
  if (isa<ir::ReshapeOp>(op) && is_tile(op->getOperand(0))) return set(v, at(op->getOperand(0), 0));
  Registers operands;
  for (Value x : op->getOperands())
    if (!isa<ir::ViewType>(x.getType())) operands.push_back(scalar(x));
  if (isa<ir::ValidOp>(op)) {
    Value mask = access(op).in_range(0);
    return set(v, mask ? mask : f.yes());
  }
  if (auto x = dyn_cast<ir::OffsetsOp>(op)) {
    Value c = access(op).coordinate(0, unsigned(x.getDim()));
    return set(v, c.getType() == b.getI64Type() ? c : arith::ExtSIOp::create(b, f.loc, b.getI64Type(), c).getResult());
  }
  set(v, apply(op, operands));
}

// ---- loops and branches

Registers Lowering::flatten(ValueRange values) {
  Registers flat;
  for (Value v : values) {
    if (is_tile(v)) flat.append(all(v));
    else flat.push_back(scalar(v));
  }
  return flat;
}
SmallVector<Type> Lowering::flat_types(ValueRange values) {
  SmallVector<Type> types;
  for (Value v : values) types.append(size_t(is_tile(v) ? f.layout(v).registers : 1), f.register_type(ir::elementOf(v.getType())));
  return types;
}
void Lowering::bind(ValueRange values, ValueRange flat) {
  size_t i = 0;
  for (Value v : values) {
    if (!is_tile(v)) {
      set(v, flat[i++]);
      continue;
    }
    size_t n = size_t(f.layout(v).registers);
    set(v, Registers(flat.slice(i, n)));
    i += n;
  }
}

void Lowering::load_before(Operation* op) {
  SmallPtrSet<Operation*, 16> seen;
  std::function<void(Value)> visit = [&](Value v) {
    Operation* def = v.getDefiningOp();
    if (!is_tile(v) || !def || op->isAncestor(def) || !seen.insert(def).second) return;
    if (known(v, 0) && known(v, f.layout(v).registers - 1)) return;
    if (auto load = dyn_cast<ir::LoadOp>(def)) {
      all(v);
      return;
    }
    for (Value x : def->getOperands()) visit(x);
  };
  op->walk([&](Operation* inner) {
    if (inner != op)
      for (Value v : inner->getOperands()) visit(v);
  });
}

void Lowering::for_loop(scf::ForOp op) {
  load_before(op);
  Registers init = flatten(op.getInitArgs());
  f.loc = op.getLoc();
  auto loop = scf::ForOp::create(b, f.loc, scalar(op.getLowerBound()), scalar(op.getUpperBound()), scalar(op.getStep()), init);
  {
    OpBuilder::InsertionGuard guard(b);
    Inside scope(*this);
    b.setInsertionPointToStart(loop.getBody());
    set(op.getInductionVar(), loop.getInductionVar());
    bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
    block(*op.getBody());
    Registers next = flatten(op.getBody()->getTerminator()->getOperands());
    if (!init.empty()) scf::YieldOp::create(b, f.loc, next);
  }
  bind(op.getResults(), loop.getResults());
}

void Lowering::branch(scf::IfOp op) {
  load_before(op);
  f.loc = op.getLoc();
  auto made = scf::IfOp::create(b, f.loc, flat_types(op.getResults()), scalar(op.getCondition()), !op.getElseRegion().empty());
  for (auto [from, to] : {std::pair(&op.getThenRegion(), &made.getThenRegion()), std::pair(&op.getElseRegion(), &made.getElseRegion())}) {
    if (from->empty()) continue;
    OpBuilder::InsertionGuard guard(b);
    Inside scope(*this);
    b.setInsertionPointToStart(&to->front());
    block(from->front());
    Registers next = flatten(from->front().getTerminator()->getOperands());
    if (!next.empty()) scf::YieldOp::create(b, f.loc, next);
  }
  bind(op.getResults(), made.getResults());
}

void Lowering::while_loop(scf::WhileOp op) {
  load_before(op);
  Registers init = flatten(op.getInits());
  f.loc = op.getLoc();
  SmallVector<Type> types = flat_types(op.getResults());
  auto loop = scf::WhileOp::create(b, f.loc, types, init);
  SmallVector<Location> locs(types.size(), f.loc);
  {
    OpBuilder::InsertionGuard guard(b);
    Block* before = b.createBlock(&loop.getBefore(), {}, types, locs);
    Inside scope(*this);
    bind(op.getBeforeArguments(), before->getArguments());
    block(op.getBefore().front());
    Registers next = flatten(op.getConditionOp().getArgs());
    scf::ConditionOp::create(b, f.loc, scalar(op.getConditionOp().getCondition()), next);
  }
  {
    OpBuilder::InsertionGuard guard(b);
    Block* after = b.createBlock(&loop.getAfter(), {}, types, locs);
    Inside scope(*this);
    bind(op.getAfterArguments(), after->getArguments());
    block(op.getAfter().front());
    Registers next = flatten(op.getYieldOp().getOperands());
    scf::YieldOp::create(b, f.loc, next);
  }
  bind(op.getResults(), loop.getResults());
}

void lower_tiles(ModuleOp module, const TargetInfo& target, ThreadOptions options) {
  auto kernel = *module.getOps<ir::KernelOp>().begin();
  Thread thread(module, kernel, target, options);
  Lowering(thread).run();
  thread.finish();
  kernel.erase();
}

}  // namespace tine::gpu
