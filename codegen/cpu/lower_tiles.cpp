#include "codegen/cpu/lower_tiles.hpp"
#include <vector>
#include "codegen/cpu/accumulate_loop.hpp"
#include "codegen/cpu/dot.hpp"
#include "codegen/cpu/keep.hpp"
#include "codegen/cpu/materialize.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/nest.hpp"
#include "codegen/cpu/product.hpp"
#include "codegen/cpu/tile_unit.hpp"
#include "codegen/cpu/turn.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

/// Walks the kernel in program order. Nests that have the same shape and do not wait for each other are emitted as one.
class Lowering {
 public:
  Lowering(ModuleOp module, ir::KernelOp kernel, const VectorTarget& target)
      : kernel_(kernel), f(module, kernel, target, program_order(kernel)), materialized_(find_materialized(kernel)) {}

  LogicalResult run() {
    block(kernel_.getBody().front());
    f.finish(kernel_.getLoc());
    return failure(failed_);
  }

 private:
  ir::KernelOp kernel_;
  Frame f;
  Values values_;
  llvm::DenseSet<Value> materialized_;
  SmallVector<Output> pending_;
  SmallVector<int64_t> pending_shape_;
  bool failed_ = false;

  // ---- the pending nest
  void flush() {
    if (pending_.empty()) return;
    SmallVector<Output> now;
    std::swap(now, pending_);
    emit_nest(f, values_, pending_shape_, now);
    for (const Output& o : now) {
      if (o.kind == Output::buffer) values_.buffers[o.value] = o.into;
      if (o.kind == Output::reduce && !is_scalar(o.op->getResult(0).getType())) values_.buffers[o.op->getResult(0)] = o.into;
    }
  }
  /// How `value` reaches results of the pending nest when it is evaluated: not at all, only lane by lane, or otherwise.
  enum class Reach { none, lanes, other };
  Reach reach(Value v, bool identity = true) {
    for (const Output& o : pending_) {
      if (o.kind == Output::buffer && o.value == v) return identity ? Reach::lanes : Reach::other;
      if (o.kind == Output::reduce && o.op->getResult(0) == v) return Reach::other;
    }
    if (values_.scalars.count(v) || values_.buffers.count(v)) return Reach::none;
    Operation* op = v.getDefiningOp();
    if (!op || op->getDialect() != kernel_->getDialect()) return Reach::none;
    bool moves = isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
    Reach r = Reach::none;
    for (Value x : op->getOperands()) r = std::max(r, reach(x, identity && !moves));
    return r;
  }
  /// The loads that an output's nest performs; of a tile that it keeps, those below the tile.
  SmallVector<LoadUse> evaluated_loads(const Output& o) {
    SmallVector<LoadUse> loads;
    if (o.kind != Output::buffer) {
      collect_loads(o.value, materialized_, loads);
      return loads;
    }
    Operation* op = o.value.getDefiningOp();
    if (auto load = dyn_cast_or_null<ir::LoadOp>(op)) return {LoadUse{load, true}};
    bool moves = isa_and_nonnull<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
    if (op)
      for (Value x : op->getOperands()) collect_loads(x, materialized_, loads, !moves);
    return loads;
  }
  bool joins(const Output& o, ArrayRef<int64_t> shape) {
    if (pending_.empty() || ArrayRef<int64_t>(pending_shape_) != shape) return false;
    if (reach(o.value) == Reach::other) return false;
    SmallVector<LoadUse> loads = evaluated_loads(o);
    for (const Output& p : pending_) {
      if (p.kind == Output::reduce && o.kind == Output::reduce &&
          cast<ir::ReduceOp>(p.op).getAxes() != cast<ir::ReduceOp>(o.op).getAxes()) return false;
      auto earlier = dyn_cast_or_null<ir::StoreOp>(p.op);
      if (earlier)  // what it stores, a later nest must see
        for (LoadUse& use : loads)
          if (conflicts(kernel_, earlier, use.load)) return false;
      if (auto store = dyn_cast_or_null<ir::StoreOp>(o.op)) {
        // What is stored now, the pending loads must not see, and stores to one memory keep their order.
        if (earlier && (kernel_.getParam(earlier.getParamNumber()).getSource() == kernel_.getParam(store.getParamNumber()).getSource() ||
                        !kernel_.getOverlaps().empty())) return false;
        SmallVector<LoadUse> before = evaluated_loads(p);
        for (LoadUse& use : before)
          if (conflicts(kernel_, store, use.load) && !(use.identity && p.kind != Output::reduce && same_place(kernel_, store, use.load))) return false;
      }
    }
    return true;
  }
  void add(Output o, ArrayRef<int64_t> shape) {
    if (!joins(o, shape)) flush();
    pending_shape_.assign(shape.begin(), shape.end());
    pending_.push_back(o);
  }
  /// A scalar that is needed now.
  Value scalar(Value v) {
    if (Value s = values_.scalars.lookup(v)) return s;
    flush();
    return values_.scalars.lookup(v);
  }

  // ---- operations
  void block(Block& body) {
    for (Operation& op : body)
      if (!op.hasTrait<OpTrait::IsTerminator>()) operation(&op);
    if (body.getParentOp() == kernel_.getOperation()) flush();
  }

  void operation(Operation* op) {
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

  /// The transpose (of the last two dims) of a tile, in a buffer: rows are copied as they lie, then turned in registers.
  Buffer turned(Value v) {
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
  /// A store whose memory runs along the last dim but one, of a tile that lies in rows: the tile is turned first, so that
  /// both are contiguous. False if it is no such store; then nothing was emitted.
  bool store_turned(ir::StoreOp op) {
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

  /// c = acc + a . b. An accumulator that a loop carries, and that only this product updates, is updated in place.
  void dot(ir::DotOp op) {
    flush();
    Buffer c;
    Value acc = op.getAcc();
    Type element = ir::elementOf(op.getType());
    if (is_scalar(op.getType())) {
      c = f.allocate(ir::shapeOf(op.getType()), element);
      if (acc) LLVM::StoreOp::create(f.b, f.loc, scalar(acc), c.base);
      emit_dot(f, values_, op.getA(), op.getB(), c, bool(acc));
      values_.scalars[op.getResult()] = LLVM::LoadOp::create(f.b, f.loc, f.register_type(element), c.base);
      return;
    }
    if (std::optional<Buffer> own = carried_by(op)) {
      c = *own;
      if (!values_.buffers.count(acc)) emit_nest(f, values_, c.shape, Output{Output::buffer, nullptr, acc, c});
    } else {
      c = f.allocate(ir::shapeOf(op.getType()), element);
      if (acc) emit_nest(f, values_, c.shape, Output{Output::buffer, nullptr, acc, c});
    }
    auto [rows, columns] = observed(op);
    emit_dot(f, values_, op.getA(), op.getB(), c, bool(acc), rows, columns);
    values_.buffers[op.getResult()] = c;
  }
  /// How many rows and columns of a product are read: up to where the stores that it ends in are in range. Null: all.
  std::pair<Value, Value> observed(ir::DotOp op) {
    SmallVector<ir::StoreOp> stores;
    if (!ends_in_stores(op.getResult(), op.getType().getShape(), stores) || stores.empty()) return {};
    unsigned n = unsigned(op.getType().getShape().size());
    Value rows, columns;
    for (ir::StoreOp s : stores) {
      // An index of the store must be known here.
      for (Value i : s.getIndices())
        if (!values_.scalars.count(i)) return {};
      Value r = in_range_extent(f, values_, s, n - 2), c = in_range_extent(f, values_, s, n - 1);
      rows = rows ? max(f, rows, r) : r;
      columns = columns ? max(f, columns, c) : c;
    }
    return {rows, columns};
  }
  /// Whether each use of a tile leads, lane by lane, to stores, through loops that carry it too.
  bool ends_in_stores(Value v, ArrayRef<int64_t> shape, SmallVectorImpl<ir::StoreOp>& stores, int depth = 0) {
    if (depth > 16) return false;
    for (OpOperand& use : v.getUses()) {
      Operation* user = use.getOwner();
      if (auto s = dyn_cast<ir::StoreOp>(user)) {
        if (s.getValue() != v || ir::shapeOf(v.getType()) != shape) return false;
        if (!llvm::is_contained(stores, s)) stores.push_back(s);
      } else if (isa<ir::ElementwiseOp, ir::CastOp>(user)) {
        if (!ends_in_stores(user->getResult(0), shape, stores, depth + 1)) return false;
      } else if (auto dot = dyn_cast<ir::DotOp>(user)) {
        if (dot.getAcc() != v || dot.getA() == v || dot.getB() == v) return false;
        if (!ends_in_stores(dot.getResult(), shape, stores, depth + 1)) return false;
      } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
        auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
        if (!loop) return false;
        unsigned k = use.getOperandNumber();
        if (depth && v == loop.getRegionIterArgs()[k]) continue;
        if (!ends_in_stores(loop.getResult(k), shape, stores, depth + 1)) return false;
        // The next round's old value: its uses, but for the way back here.
        if (!followed_.insert(loop.getRegionIterArgs()[k]).second) continue;
        bool ok = ends_in_stores(loop.getRegionIterArgs()[k], shape, stores, depth + 1);
        followed_.erase(loop.getRegionIterArgs()[k]);
        if (!ok) return false;
      } else {
        return false;
      }
    }
    return true;
  }
  llvm::DenseSet<Value> followed_;
  /// The buffer that carries the product's result, if the round's old value is read by this product's accumulator alone,
  /// lane by lane, and the result goes to the next round alone.
  std::optional<Buffer> carried_by(ir::DotOp op) {
    auto loop = dyn_cast<scf::ForOp>(op->getBlock()->getParentOp());
    if (!loop || !op.getAcc() || !op->hasOneUse()) return {};
    auto yield = dyn_cast<scf::YieldOp>(*op->getUsers().begin());
    if (!yield || yield->getParentOp() != loop) return {};
    Value arg = loop.getRegionIterArgs()[op->getUses().begin()->getOperandNumber()];
    Value acc = op.getAcc();
    if (reads(acc, arg) != Reach::lanes || reads(op.getA(), arg) != Reach::none || reads(op.getB(), arg) != Reach::none) return {};
    // Every use of the old value must lie below the accumulator.
    SmallVector<Value> work{arg};
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (v == acc && acc != arg) continue;
      for (Operation* user : v.getUsers()) {
        if (user == op.getOperation()) continue;
        if (v == acc || user->getNumResults() != 1 || user->getDialect() != kernel_->getDialect() || is_scalar(user->getResult(0).getType()) || isa<ir::DotOp, ir::ReduceOp>(user)) return {};
        work.push_back(user->getResult(0));
      }
      if (v == acc) continue;
    }
    if (acc != arg && !acc.hasOneUse()) return {};
    return values_.buffers.lookup(arg);
  }

  // ---- structure
  /// Writes a tile value to a buffer.
  void write(Value v, const Buffer& into) {
    flush();
    Output o{Output::buffer, nullptr, v, into};
    emit_nest(f, values_, into.shape, o);
  }
  struct Carried {
    SmallVector<Value> inits;              // scalars, in registers
    SmallVector<Buffer> buffers;           // tiles, one for each carried tile
  };
  Carried carry(ValueRange inits) {
    Carried c;
    flush();
    for (Value v : inits) {
      if (is_scalar(v.getType())) { c.inits.push_back(scalar(v)); continue; }
      c.buffers.push_back(f.allocate(ir::shapeOf(v.getType()), ir::elementOf(v.getType())));
      write(v, c.buffers.back());
    }
    return c;
  }
  void bind(ValueRange values, ValueRange scalars, ArrayRef<Buffer> buffers) {
    size_t s = 0, t = 0;
    for (Value v : values) {
      if (is_scalar(v.getType())) values_.scalars[v] = scalars[s++];
      else values_.buffers[v] = buffers[t++];
    }
  }
  /// How evaluating `v` reads the carried tile `arg`.
  Reach reads(Value v, Value arg, bool identity = true) {
    if (v == arg) return identity ? Reach::lanes : Reach::other;
    if (values_.buffers.count(v) || values_.scalars.count(v)) return Reach::none;
    Operation* op = v.getDefiningOp();
    if (!op || op->getDialect() != kernel_->getDialect()) return Reach::none;
    bool moves = isa<ir::BroadcastOp, ir::PermuteOp, ir::ReshapeOp>(op);
    Reach r = Reach::none;
    for (Value x : op->getOperands()) r = std::max(r, reads(x, arg, identity && !moves));
    return r;
  }
  /// The end of a round: carried tiles take their new values, all computed from the old ones. Gives the scalars.
  SmallVector<Value> end_round(ValueRange yields, ValueRange args, ArrayRef<Buffer> buffers) {
    flush();
    SmallVector<Value> scalars;
    struct Tile { Value value, arg; Buffer into; bool direct; };
    SmallVector<Tile> tiles;
    size_t t = 0;
    for (auto [y, a] : llvm::zip(yields, args)) {
      if (is_scalar(y.getType())) scalars.push_back(scalar(y));
      else tiles.push_back({y, a, buffers[t++], true});
    }
    // In place where only the same lane of the same tile is read, and no other tile's new value reads it.
    for (Tile& x : tiles)
      for (Tile& y : tiles) {
        Reach r = reads(y.value, x.arg);
        if (&x == &y ? r == Reach::other : r != Reach::none) x.direct = false;
      }
    SmallVector<std::pair<Buffer, Buffer>> copies;
    for (Tile& x : tiles) {
      if (x.direct || x.value == x.arg || values_.buffers.lookup(x.value).base == x.into.base) continue;
      Buffer copy = f.allocate(x.into.shape, x.into.element);
      emit_nest(f, values_, x.into.shape, Output{Output::buffer, nullptr, x.value, copy});
      copies.push_back({copy, x.into});
    }
    for (Tile& x : tiles)
      if (x.direct && x.value != x.arg && values_.buffers.lookup(x.value).base != x.into.base) emit_nest(f, values_, x.into.shape, Output{Output::buffer, nullptr, x.value, x.into});
    for (auto& [from, to] : copies) copy_buffer(f, from, to);
    return scalars;
  }
  /// A loop that only sums products up: as many rounds as fit are laid out, then multiplied as one contraction.
  void contraction_loop(scf::ForOp op, ArrayRef<ir::DotOp> dots) {
    Location loc = op.getLoc();
    Value lo = scalar(op.getLowerBound()), hi = scalar(op.getUpperBound()), step = scalar(op.getStep());
    flush();
    f.loc = loc;
    Frame::Count count = rounds_at_once(op, dots, f.target);
    Value most = f.at_entry(count), span = max(f, sub(f, hi, lo), f.i64(0));
    Value all = known(step) == 1 ? span : Value(arith::DivUIOp::create(f.b, loc, sub(f, cpu::add(f, span, step), f.i64(1)), step));
    SmallVector<Sum> sums;
    for (auto [i, dot] : llvm::enumerate(dots)) sums.push_back(sum_of(op, unsigned(i), dot));
    {
      auto parts = scf::ForOp::create(f.b, loc, f.i64(0), all, most);
      OpBuilder::InsertionGuard guard(f.b);
      f.b.setInsertionPoint(parts.getBody()->getTerminator());
      Value first = parts.getInductionVar(), rounds = min(f, sub(f, all, first), most);
      std::vector<Contraction> contractions;
      auto loop = scf::ForOp::create(f.b, loc, f.i64(0), rounds, f.i64(1));
      {
        OpBuilder::InsertionGuard inside(f.b);
        f.b.setInsertionPoint(loop.getBody()->getTerminator());
        Value now = loop.getInductionVar();
        values_.scalars[op.getInductionVar()] = cpu::add(f, lo, mul(f, cpu::add(f, first, now), step));
        for (Operation& x : op.getBody()->without_terminator())
          if (!isa<ir::DotOp>(x)) operation(&x);
        flush();
        for (auto [product, sum] : llvm::zip(dots, sums)) {
          ir::DotOp dot = product;
          f.loc = dot.getLoc();
          contractions.emplace_back(Product(f, values_, dot.getA(), dot.getB(), sum.buffer, sum.rows, sum.columns, Rounds{count, now, op.getBody()}));
        }
      }
      Value fresh = arith::CmpIOp::create(f.b, loc, arith::CmpIPredicate::eq, first, f.i64(0));
      for (auto [contraction, sum] : llvm::zip(contractions, sums)) contraction.multiply(true, rounds, sum.zero ? fresh : Value());
    }
    // Without rounds, nothing was written to what starts from zero.
    auto none = scf::IfOp::create(f.b, loc, arith::CmpIOp::create(f.b, loc, arith::CmpIPredicate::eq, all, f.i64(0)), false);
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(none.thenBlock());
    for (auto [i, s] : llvm::enumerate(sums)) {
      if (s.zero) write(op.getInitArgs()[i], s.buffer);
      values_.buffers[op.getResult(unsigned(i))] = s.buffer;
    }
  }
  /// A sum that a loop carries.
  struct Sum {
    Buffer buffer;
    bool zero;            // it starts from zero, which the buffer does not hold
    Value rows, columns;  // that count
  };
  Sum sum_of(scf::ForOp op, unsigned i, ir::DotOp dot) {
    Sum s{f.allocate(ir::shapeOf(dot.getType()), ir::elementOf(dot.getType())), starts_from_zero(op, i), {}, {}};
    if (!s.zero) write(op.getInitArgs()[i], s.buffer);
    std::tie(s.rows, s.columns) = observed(dot);
    return s;
  }
  void for_loop(scf::ForOp op) {
    if (auto dots = accumulated_products(op)) return contraction_loop(op, *dots);
    Location loc = op.getLoc();
    Value lo = scalar(op.getLowerBound()), hi = scalar(op.getUpperBound()), step = scalar(op.getStep());
    Carried c = carry(op.getInitArgs());
    f.loc = loc;
    auto loop = scf::ForOp::create(f.b, loc, lo, hi, step, c.inits);
    {
      OpBuilder::InsertionGuard guard(f.b);
      if (c.inits.empty()) f.b.setInsertionPoint(loop.getBody()->getTerminator());
      else f.b.setInsertionPointToEnd(loop.getBody());
      values_.scalars[op.getInductionVar()] = loop.getInductionVar();
      bind(op.getRegionIterArgs(), loop.getRegionIterArgs(), c.buffers);
      block(*op.getBody());
      SmallVector<Value> next = end_round(op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs(), c.buffers);
      if (!next.empty()) scf::YieldOp::create(f.b, loc, next);
    }
    bind(op.getResults(), loop.getResults(), c.buffers);
  }
  void branch(scf::IfOp op) {
    Location loc = op.getLoc();
    Value condition = scalar(op.getCondition());
    flush();
    SmallVector<Type> types;
    SmallVector<Buffer> buffers;
    for (Type t : op.getResultTypes()) {
      if (is_scalar(t)) types.push_back(f.register_type(ir::elementOf(t)));
      else buffers.push_back(f.allocate(ir::shapeOf(t), ir::elementOf(t)));
    }
    auto made = scf::IfOp::create(f.b, loc, types, condition, true);
    for (Region* r : {&op.getThenRegion(), &op.getElseRegion()}) {
      OpBuilder::InsertionGuard guard(f.b);
      Block* into = r == &op.getThenRegion() ? made.thenBlock() : made.elseBlock();
      if (types.empty() && !into->empty()) f.b.setInsertionPoint(into->getTerminator());
      else f.b.setInsertionPointToEnd(into);
      SmallVector<Value> scalars;
      if (!r->empty()) {
        block(r->front());
        size_t t = 0;
        flush();
        for (Value y : r->front().getTerminator()->getOperands()) {
          if (is_scalar(y.getType())) scalars.push_back(scalar(y));
          else write(y, buffers[t++]);
        }
      }
      if (!types.empty()) scf::YieldOp::create(f.b, loc, scalars);
    }
    bind(op.getResults(), made.getResults(), buffers);
  }
  void while_loop(scf::WhileOp op) {
    Location loc = op.getLoc();
    Carried c = carry(op.getInits());
    SmallVector<Type> types;
    for (Value v : c.inits) types.push_back(v.getType());
    SmallVector<Location> locs(types.size(), loc);
    auto loop = scf::WhileOp::create(f.b, loc, types, c.inits);
    OpBuilder::InsertionGuard guard(f.b);
    Block* before = f.b.createBlock(&loop.getBefore(), {}, types, locs);
    bind(op.getBeforeArguments(), before->getArguments(), c.buffers);
    block(*op.getBeforeBody());
    flush();
    // What the condition hands on must be what it got: carried tiles live in one buffer on both sides.
    if (op.getConditionOp().getArgs() != op.getBeforeArguments()) {
      emitError(loc) << "a while loop's condition hands on other values than it got";
      failed_ = true;
    }
    scf::ConditionOp::create(f.b, loc, scalar(op.getConditionOp().getCondition()), before->getArguments());
    Block* after = f.b.createBlock(&loop.getAfter(), {}, types, locs);
    bind(op.getAfterArguments(), after->getArguments(), c.buffers);
    block(*op.getAfterBody());
    SmallVector<Value> next = end_round(op.getYieldOp().getOperands(), op.getAfterArguments(), c.buffers);
    scf::YieldOp::create(f.b, loc, next);
    bind(op.getResults(), loop.getResults(), c.buffers);
  }
};

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
