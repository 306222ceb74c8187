#include "codegen/cpu/lower_tiles.hpp"
#include "codegen/cpu/keep.hpp"
#include "codegen/cpu/lowering.hpp"
#include "codegen/cpu/product.hpp"
#include "codegen/cpu/turn.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {

Lowering::Lowering(ModuleOp module, ir::KernelOp kernel, const VectorTarget& target)
    : kernel_(kernel), f(module, kernel, target, program_order(kernel)), materialized_(find_materialized(kernel)) {}

LogicalResult Lowering::run() {
  block(kernel_.getBody().front());
  f.finish(kernel_.getLoc());
  return failure(failed_);
}

void Lowering::block(Block& body) {
  for (Operation& op : body)
    if (!op.hasTrait<OpTrait::IsTerminator>()) operation(&op);
  if (body.getParentOp() == kernel_.getOperation()) flush();
}

void Lowering::operation(Operation* op) {
  f.loc = op->getLoc();
  if (auto x = dyn_cast<ir::StoreOp>(op)) {
    for (Value i : x.getIndices()) scalar(i);
    if (store_turned(x)) return;
    add({Output::store, op, x.getValue(), {}}, ir::shapeOf(x.getValue().getType()));
    return;
  }
  if (auto x = dyn_cast<ir::ReduceOp>(op)) {
    Output o{Output::reduce, op, x.getOperand(), {}};
    if (!is_scalar(x.getType())) o.into = f.allocate(ir::shapeOf(x.getType()), ir::elementOf(x.getType()));
    add(o, ir::shapeOf(x.getOperand().getType()));
    return;
  }
  if (auto x = dyn_cast<scf::ForOp>(op)) return for_loop(x);
  if (auto x = dyn_cast<scf::IfOp>(op)) return branch(x);
  if (auto x = dyn_cast<scf::WhileOp>(op)) return while_loop(x);
  if (isa<ir::DotOp>(op)) return dot(cast<ir::DotOp>(op));
  Value v = op->getResult(0);
  if (is_scalar(v.getType())) {
    bool waits = false;
    for (Value x : op->getOperands()) waits |= reach(x) != Reach::none;
    if (auto load = dyn_cast<ir::LoadOp>(op))
      for (const Output& o : pending_)
        if (auto s = dyn_cast_or_null<ir::StoreOp>(o.op)) waits |= conflicts(kernel_, s, load);
    if (waits) flush();
    values_.scalars[v] = emit_scalar(f, values_, v);
    return;
  }
  for (Value x : op->getOperands())
    if (is_scalar(x.getType()) && !isa<ir::ViewType>(x.getType())) scalar(x);
  if (auto x = dyn_cast<ir::ReshapeOp>(op); x && !is_scalar(x.getOperand().getType())) {
    Index index(ir::shapeOf(v.getType()).size(), 0);
    for (size_t i = 0; i < index.size(); ++i) index[i] = int8_t(i);
    if (!operand_index(op, index)) {  // the same memory under another shape
      Value from = x.getOperand();
      // Where only dims of 1 come and go, the buffer is that of what they were put around.
      while (auto y = from.getDefiningOp<ir::ReshapeOp>()) {
        if (materialized_.count(from) || values_.buffers.count(from)) break;
        from = y.getOperand();
      }
      if (!values_.buffers.count(from)) flush();
      Buffer buffer = values_.buffers.lookup(from);
      if (buffer.turned || buffer.rows || buffer.columns) {  // not without gaps in row-major order
        buffer = f.allocate(ir::shapeOf(from.getType()), buffer.element);
        emit_nest(f, values_, ir::shapeOf(from.getType()), Output{Output::buffer, nullptr, from, buffer});
      }
      buffer.shape.assign(ir::shapeOf(v.getType()).begin(), ir::shapeOf(v.getType()).end());
      values_.buffers[v] = buffer;
      return;
    }
  }
  if (materialized_.count(v) && transposed(v)) {
    flush();
    values_.buffers[v] = turned(transposed(v));
    return;
  }
  if (materialized_.count(v)) add({Output::buffer, nullptr, v, f.allocate(ir::shapeOf(v.getType()), ir::elementOf(v.getType()))}, ir::shapeOf(v.getType()));
}

Buffer Lowering::turned(Value v) {
  Type element = ir::elementOf(v.getType());
  int64_t lanes = std::min<int64_t>(f.target.vector_bytes / ir::bytesOf(element), 16);
  Buffer rows = f.allocate_padded(ir::shapeOf(v.getType()), element, lanes, lanes);
  emit_nest(f, values_, rows.shape, Output{Output::buffer, nullptr, v, rows});
  SmallVector<int64_t> shape(rows.shape);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  Buffer into = f.allocate_padded(shape, element, lanes, lanes);
  turn_buffer(f, rows, into, lanes);
  return into;
}

bool Lowering::store_turned(ir::StoreOp op) {
  Value v = op.getValue();
  ArrayRef<int64_t> shape = ir::shapeOf(v.getType());
  if (is_scalar(v.getType()) || !worth_turning(v.getType())) return false;
  unsigned last = unsigned(shape.size()) - 1;
  if (unit_dim(kernel_, op.getParamNumber()) != last - 1) return false;
  SmallVector<LoadUse> loads;
  collect_loads(v, materialized_, loads);
  bool rows = values_.buffers.count(v) && !values_.buffers.lookup(v).turned;
  for (LoadUse& l : loads) {
    std::optional<unsigned> d = l.identity ? unit_dim(kernel_, l.load.getParamNumber()) : std::nullopt;
    if (d == last - 1) return false;
    rows |= d == last;
  }
  if (!rows) {  // a chain of element-wise operations over a buffer
    Reads reads;
    Index index;
    for (size_t d = 0; d < shape.size(); ++d) index.push_back(int8_t(d));
    collect_reads(values_, v, index, reads);
    for (Reads::Tile& t : reads.buffers) rows |= t.index == index && !values_.buffers.lookup(t.value).turned;
  }
  if (!rows) return false;
  flush();
  Buffer seen = turned(v);
  std::swap(seen.shape[last], seen.shape[last - 1]);
  seen.turned = true;
  auto old = values_.buffers.find(v);
  std::optional<Buffer> kept = old == values_.buffers.end() ? std::nullopt : std::optional(old->second);
  values_.buffers[v] = seen;
  emit_nest(f, values_, shape, Output{Output::store, op, v, {}});
  if (kept) values_.buffers[v] = *kept;
  else values_.buffers.erase(v);
  return true;
}

namespace {
struct LowerTilesPass : PassWrapper<LowerTilesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTilesPass)
  VectorTarget target;
  explicit LowerTilesPass(VectorTarget t) : target(t) {}
  LowerTilesPass(const LowerTilesPass& o) : PassWrapper(o), target(o.target) {}
  Option<int64_t> vector_bytes{*this, "vector-bytes", llvm::cl::desc("width of one vector register"), llvm::cl::init(0)};
  Option<int64_t> second_cache{*this, "second-cache", llvm::cl::desc("bytes of a core's second cache"), llvm::cl::init(0)};
  Option<bool> bf16_dot{*this, "bf16-dot", llvm::cl::desc("the machine multiplies pairs of bf16"), llvm::cl::init(false)};
  Option<bool> int8_dot{*this, "int8-dot", llvm::cl::desc("the machine multiplies fours of int8"), llvm::cl::init(false)};
  Option<std::string> tiles{*this, "tiles", llvm::cl::desc("the tile unit: none or amx"), llvm::cl::init("none")};
  StringRef getArgument() const final { return "tine-cpu-lower-tiles"; }
  StringRef getDescription() const final { return "tiles to loops of hardware-width vectors with masked tails"; }
  void getDependentDialects(DialectRegistry& r) const override {
    r.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    if (vector_bytes) target.vector_bytes = vector_bytes;
    if (second_cache) target.second_cache = second_cache;
    target.bf16_dot |= bf16_dot;
    target.int8_dot |= int8_dot;
    if (tiles == "amx") target.tiles = TileUnit::amx;
    if (failed(lower_tiles(getOperation(), target))) signalPassFailure();
  }
};
}  // namespace

LogicalResult lower_tiles(ModuleOp module, const VectorTarget& target) {
  auto kernels = llvm::to_vector(module.getOps<ir::KernelOp>());
  if (kernels.size() != 1) return emitError(module.getLoc()) << "a module holds one tine.kernel, this one " << kernels.size();
  LogicalResult r = Lowering(module, kernels[0], target).run();
  kernels[0]->erase();
  return r;
}

std::unique_ptr<Pass> create_lower_tiles_pass(VectorTarget target) { return std::make_unique<LowerTilesPass>(target); }

}  // namespace tine::cpu
