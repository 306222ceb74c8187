#include "codegen/cpu/nest.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using tine::graph::DType;

namespace tine::cpu {

bool is_scalar(Type type) {
  auto tile = dyn_cast<ir::TileType>(type);
  return !tile || tile.getStaticSize() == 1;
}

std::optional<Index> operand_index(Operation* op, const Index& index) {
  if (auto x = dyn_cast<ir::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = ir::shapeOf(x.getOperand().getType());
    Index r;
    for (size_t i = 0; i < from.size(); ++i) r.push_back(from[i] == 1 ? zero : index[index.size() - from.size() + i]);
    return r;
  }
  if (auto x = dyn_cast<ir::PermuteOp>(op)) {
    Index r(index.size(), zero);
    for (auto [k, d] : llvm::enumerate(x.getOrder())) r[d] = index[k];
    return r;
  }
  if (auto x = dyn_cast<ir::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = ir::shapeOf(x.getOperand().getType()), to = ir::shapeOf(x.getType());
    Index r;
    size_t k = 0;
    for (int64_t d : from) {
      if (d == 1) { r.push_back(zero); continue; }
      while (k < to.size() && to[k] == 1) ++k;
      if (k == to.size() || to[k] != d) return {};
      r.push_back(index[k++]);
    }
    while (k < to.size() && to[k] == 1) ++k;
    if (k != to.size()) return {};
    return r;
  }
  return {};
}

void collect_reads(const Values& values, Value v, const Index& index, Reads& reads) {
  if (values.scalars.count(v)) return;
  if (values.buffers.count(v)) { reads.buffers.push_back({v, index}); return; }
  Operation* op = v.getDefiningOp();
  if (!op) return;
  if (isa<ir::LoadOp, ir::ValidOp, ir::OffsetsOp>(op)) { reads.places.push_back({op, index}); return; }
  if (auto inner = operand_index(op, index)) { collect_reads(values, op->getOperand(0), *inner, reads); return; }
  if (isa<ir::ReshapeOp, ir::ReduceOp, ir::DotOp>(op)) return;  // always a buffer or a scalar when its turn comes
  for (Value x : op->getOperands()) collect_reads(values, x, index, reads);
}

namespace {
/// A value at the nest's present point: one scalar for all lanes, or a vector.
bool is_vector(Value v) { return isa<VectorType>(v.getType()); }

/// Lanes [lo, hi) of the vector dim at which an access is in range; valid for one round of the loops outside it.
struct Interval { Value lo, hi; };

/// One condition `0 <= index (if low)` and `index < limit` of an access, with its index split along the vector dim.
struct Condition {
  AffineExpr index, limit;
  bool low;
  std::optional<Linear> linear;   // none: the index is not affine in the vector dim
};

/// A load, store, `valid` or `offsets` at one index.
struct Access {
  Operation* op;
  Index index;
  int64_t param;
  SmallVector<int64_t> axis_dim;      // flat axis -> dim of the nest, or -1
  std::optional<unsigned> vector_axis;  // flat axis that runs along the vector dim
  SmallVector<Condition> conditions;
  bool irregular = false;             // some condition is not affine in the vector dim, or not in an inner one
  Interval interval;                  // over conditions that do not depend on inner loops
  Interval covered;                   // over all conditions and all rounds of the inner loops
};

class Nest {
 public:
  Nest(Frame& f, Values& values, ArrayRef<int64_t> shape, ArrayRef<Output> outputs, ArrayRef<Value> limits = {})
      : f(f), b(f.b), values_(values), shape_(shape), outputs_(outputs), limits_(limits) {}

  void emit() {
    for (const Output& o : outputs_)
      if (o.kind == Output::reduce)
        for (int64_t a : cast<ir::ReduceOp>(o.op).getAxes())
          if (!llvm::is_contained(reduced_, a)) reduced_.push_back(a);
    identity_.resize(shape_.size());
    for (size_t d = 0; d < shape_.size(); ++d) identity_[d] = shape_[d] == 1 ? zero : int8_t(d);
    for (const Output& o : outputs_) {
      collect_reads(values_, o.value, identity_, reads_);
      if (o.kind == Output::store) reads_.places.push_back({o.op, identity_});
    }
    choose_loops();
    iv_.assign(shape_.size(), f.i64(0));
    levels_.assign(order_.size() + 1, {});
    memo_.resize(order_.size() + 1);
    extents_.clear();
    for (size_t d = 0; d < shape_.size(); ++d) extents_.push_back(d < limits_.size() && limits_[d] ? limits_[d] : f.extent(shape_[d]));
    for (const Reads::Place& p : reads_.places) find_access(p.op, p.index);
    enter(0);
    run(0, {});
  }

  Value scalar(Value v) {
    memo_.resize(1);
    levels_.assign(1, {});
    Index index(ir::shapeOf(v.getType()).size(), zero);
    return evaluate(v, index);
  }

 private:
  Frame& f;
  OpBuilder& b;
  Values& values_;
  ArrayRef<int64_t> shape_;
  ArrayRef<Output> outputs_;
  ArrayRef<Value> limits_;
  SmallVector<int64_t> reduced_;
  Index identity_;
  Reads reads_;

  // ---- loops
  SmallVector<int64_t> order_;        // dims of the nest, outermost loop first; dims of size 1 are left out
  int64_t vector_dim_ = -1;
  int64_t lanes_ = 0, unroll_ = 1;
  SmallVector<Value> extents_, iv_;   // iv of the vector dim: its first lane
  struct Level { Block* block = nullptr; Operation* before = nullptr; };
  SmallVector<Level> levels_;         // level k: inside the k outer loops of order_
  bool masked_ = false;               // in the masked copy of the vector loop
  Value lanes_mask_;                  // of the masked copy: lanes below the end
  Value lanes_begin_, lanes_end_;
  std::vector<Access> accesses_;
  using Memo = std::map<std::pair<const void*, std::vector<int8_t>>, Value>;
  std::vector<Memo> memo_;

  int64_t vector_level() const { return llvm::find(order_, vector_dim_) - order_.begin(); }
  bool is_reduced(int64_t d) const { return llvm::is_contained(reduced_, d); }

  Type element_of_memory(int64_t param) { return f.kernel.getSource(f.kernel.getParam(param).getSource()).getType(); }

  /// The flat axes of the tile level of a param: first axis and their number.
  std::pair<unsigned, unsigned> tile_axes(int64_t param) {
    ArrayAttr levels = f.kernel.getParam(param).getLevels();
    unsigned first = 0;
    for (size_t i = 0; i + 1 < levels.size(); ++i) first += unsigned(cast<DenseI64ArrayAttr>(levels[i]).size());
    return levels.size() > 1 ? std::pair{first, unsigned(cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).size())} : std::pair{first, 0u};
  }

  /// How an access moves along dim d of the nest: 0 not at all, 1 to the neighbour in memory, 2 elsewhere.
  int step_along(const Reads::Place& p, int64_t d) {
    int64_t param = param_of(p.op);
    auto [first, count] = tile_axes(param);
    ir::ParamAttr attr = f.kernel.getParam(param);
    bool moves = false, unit = true;
    for (unsigned k = 0; k < count; ++k) {
      if (p.index[k] != d) continue;
      for (const AddressTerm& t : address_terms(f, attr)) {
        auto l = linear_in(t.index, first + k);
        if (!l) return 2;
        auto c = dyn_cast<AffineConstantExpr>(l->coefficient);
        if (c && c.getValue() == 0) continue;
        moves = true;
        unit &= c && c.getValue() == 1 && known(t.stride) == 1;
      }
    }
    return !moves ? 0 : unit ? 1 : 2;
  }
  static int64_t param_of(Operation* op) {
    if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getParamNumber();
    if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getParamNumber();
    if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getParamNumber();
    return cast<ir::OffsetsOp>(op).getParamNumber();
  }
  static ValueRange indices_of(Operation* op) {
    if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getIndices();
    if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getIndices();
    if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getIndices();
    return cast<ir::OffsetsOp>(op).getIndices();
  }

  /// The vector dim: where most accesses go to neighbours, short dims last; the loops: kept dims outside, reduced inside.
  void choose_loops() {
    int64_t best = INT64_MIN;
    for (int64_t d = 0; d < int64_t(shape_.size()); ++d) {
      if (shape_[d] == 1) continue;
      int64_t score = d;  // a tie goes to the later dim
      for (const Reads::Place& p : reads_.places) {
        int s = step_along(p, d);
        score += (s == 1 ? 40 : s == 2 ? -40 : 0) * (isa<ir::StoreOp>(p.op) ? 2 : 1);
      }
      for (const Reads::Tile& t : reads_.buffers)
        for (size_t k = 0; k < t.index.size(); ++k)
          if (t.index[k] == d) score += (values_.buffers.lookup(t.value).turned ? k + 2 : k + 1) == t.index.size() ? 20 : -20;
      for (const Output& o : outputs_)
        if (o.kind == Output::buffer) score += (o.into.turned ? d + 2 : d + 1) == int64_t(shape_.size()) ? 20 : -20;
      if (shape_[d] >= 0 && shape_[d] < 4) score -= 1000;
      if (score > best) best = score, vector_dim_ = d;
    }
    for (bool reduced : {false, true})
      for (int64_t d = 0; d < int64_t(shape_.size()); ++d)
        if (shape_[d] != 1 && is_reduced(d) == reduced && d != vector_dim_) order_.push_back(d);
    if (vector_dim_ < 0) return;
    // The vector loop is innermost among its kind: kept dims, or reduced dims.
    size_t at = order_.size();
    if (!is_reduced(vector_dim_)) {
      at = 0;
      while (at < order_.size() && !is_reduced(order_[at])) ++at;
    }
    order_.insert(order_.begin() + at, vector_dim_);
    int64_t widest = 1;
    auto widen = [&](Type t) {
      int64_t w = f.element_bytes(ir::elementOf(t));
      if (isa<Float16Type, BFloat16Type>(ir::elementOf(t))) w = 4;  // computed in f32
      widest = std::max(widest, w);
    };
    for (const Reads::Place& p : reads_.places)
      if (!isa<ir::OffsetsOp>(p.op)) widen(element_of_memory(param_of(p.op)));
    for (const Reads::Tile& t : reads_.buffers) widen(t.value.getType());
    for (const Output& o : outputs_) {
      widen(o.value.getType());
      if (o.kind == Output::reduce) widen(o.op->getResult(0).getType());
      if (o.kind == Output::buffer) widen(o.into.element);
    }
    lanes_ = std::max<int64_t>(f.target.vector_bytes / widest, 1);
    int64_t extent = shape_[vector_dim_];
    if (extent >= 0) {
      int64_t most = int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(extent, 1))));
      lanes_ = std::min(lanes_, most);
    }
    for (const Output& o : outputs_)
      if (o.into.panel) lanes_ = std::min(lanes_, o.into.panel);
    bool innermost_reduction = is_reduced(vector_dim_);
    if (innermost_reduction) unroll_ = extent >= 0 ? std::clamp<int64_t>(extent / lanes_, 1, 4) : 4;
    if (unroll_ == 3) unroll_ = 2;
  }

  // ---- insertion points
  /// Makes level k the place where code is added: inside the k outer loops, before the next loop.
  void enter(int64_t level) { levels_[level] = {b.getInsertionBlock(), nullptr}; }
  struct AtLevel {
    OpBuilder::InsertionGuard guard;
    AtLevel(Nest& n, int64_t level) : guard(n.b) {
      const Level& l = n.levels_[level];
      if (l.before) n.b.setInsertionPoint(l.before);
      else if (l.block && !(n.b.getInsertionBlock() == l.block)) n.b.setInsertionPointToEnd(l.block);
    }
  };
  int64_t level_of(const Index& index) const {
    int64_t level = 0;
    for (int8_t d : index)
      if (d != zero) level = std::max<int64_t>(level, (llvm::find(order_, d) - order_.begin()) + 1);
    return std::min<int64_t>(level, int64_t(order_.size()));
  }
  bool has_lanes(const Index& index) const { return lanes_ && llvm::is_contained(index, int8_t(vector_dim_)); }

  // ---- accesses
  Access& find_access(Operation* op, const Index& index) {
    for (Access& a : accesses_)
      if (a.op == op && a.index == index) return a;
    Access a{op, index, param_of(op), {}, {}, {}, false, {}, {}};
    ir::ParamAttr param = f.kernel.getParam(a.param);
    unsigned axes = param.getCoords().getValue().getNumDims();
    a.axis_dim.assign(axes, -1);
    auto [first, count] = tile_axes(a.param);
    for (unsigned k = 0; k < count; ++k) {
      a.axis_dim[first + k] = index[k];
      if (lanes_ && index[k] == vector_dim_) a.vector_axis = first + k;
    }
    if (!isa<ir::OffsetsOp>(op)) {
      AffineMap bounds = param.getBounds().getValue(), limits = param.getLimits().getValue();
      SmallVector<Condition> conditions;
      for (unsigned i = 0; i < bounds.getNumResults(); ++i) conditions.push_back({bounds.getResult(i), limits.getResult(i), param.getLow()[i] != 0, {}});
      for (const OpenIndex& x : open_indices(f.kernel, a.param, indices_of(op))) conditions.push_back({x.axis, x.limit, true, {}});
      for (Condition c : conditions) {
        if (a.vector_axis) {
          c.linear = linear_in(c.index, *a.vector_axis);
          if (c.linear && !isa<AffineConstantExpr>(c.linear->coefficient)) c.linear.reset();
          a.irregular |= !c.linear || uses_dim(c.limit, *a.vector_axis);
        } else {
          c.linear = Linear{getAffineConstantExpr(0, c.index.getContext()), c.index};
        }
        a.conditions.push_back(c);
      }
    }
    accesses_.push_back(std::move(a));
    return accesses_.back();
  }
  /// Values of the map's dims for an access: program index, level indices, loop indices.
  SmallVector<Value> axis_values(const Access& a) {
    SmallVector<Value> r;
    ir::ParamAttr param = f.kernel.getParam(a.param);
    unsigned grid = unsigned(cast<DenseI64ArrayAttr>(param.getLevels()[0]).size());
    ValueRange indices = indices_of(a.op);
    auto [first, count] = tile_axes(a.param);
    bool alone = grid == 0;
    for (unsigned k = 0; k < a.axis_dim.size(); ++k) {
      if (k < grid) r.push_back(alone ? f.i64(0) : f.program[k]);
      else if (k < first) r.push_back(values_.scalars.lookup(indices[k - grid]));
      else r.push_back(a.axis_dim[k] < 0 ? f.i64(0) : iv_[a.axis_dim[k]]);
    }
    return r;
  }
  /// Axes that run along loops inside the vector loop.
  SmallVector<unsigned> inner_axes(const Access& a, AffineExpr e) {
    SmallVector<unsigned> r;
    for (unsigned k = 0; k < a.axis_dim.size(); ++k)
      if (a.axis_dim[k] >= 0 && a.axis_dim[k] != vector_dim_ && uses_dim(e, k) &&
          llvm::find(order_, a.axis_dim[k]) - order_.begin() > vector_level())
        r.push_back(k);
    return r;
  }
  Value constant_bool(bool v) { return f.i1(v); }
  /// Narrows an interval by one condition with index `c*lane + rest` and limit, all emitted here.
  void narrow(Interval& v, int64_t c, Value rest, Value limit, bool low) {
    if (c == 0) {
      Value ok = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, rest, limit);
      if (low) ok = arith::AndIOp::create(b, f.loc, ok, arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::sge, rest, f.i64(0)));
      v.hi = arith::SelectOp::create(b, f.loc, ok, v.hi, f.i64(0));
      return;
    }
    if (c > 0) {
      v.hi = min(f, v.hi, ceildiv(f, sub(f, limit, rest), c));
      if (low) v.lo = max(f, v.lo, ceildiv(f, sub(f, f.i64(0), rest), c));
    } else {  // rest - |c| lane
      if (low) v.hi = min(f, v.hi, add(f, floordiv(f, rest, -c), f.i64(1)));
      v.lo = max(f, v.lo, add(f, floordiv(f, sub(f, rest, limit), -c), f.i64(1)));
    }
  }
  /// Computes the intervals of all accesses, at the level just outside the vector loop.
  void find_intervals() {
    for (Access& a : accesses_) {
      if (isa<ir::OffsetsOp>(a.op) || !a.vector_axis) continue;  // nothing to prove, or nothing that depends on lanes
      Value end = extents_[vector_dim_];
      a.interval = a.covered = {f.i64(0), end};
      for (const Condition& c : a.conditions) {
        if (!c.linear) { a.covered.hi = f.i64(0); continue; }
        int64_t k = cast<AffineConstantExpr>(c.linear->coefficient).getValue();
        SmallVector<unsigned> inner = inner_axes(a, c.index);
        SmallVector<Value> at = axis_values(a);
        Value limit = emit_affine(f, c.limit, at);
        if (inner.empty()) {
          Value rest = emit_affine(f, c.linear->rest, at);
          narrow(a.interval, k, rest, limit, c.low);
          narrow(a.covered, k, rest, limit, c.low);
          continue;
        }
        // Covered if in range at every corner of the inner loops: the index is monotonic in each where it is affine.
        bool affine = inner.size() <= 3;
        for (unsigned axis : inner) affine &= linear_in(c.linear->rest, axis).has_value();
        if (!affine) { a.covered.hi = f.i64(0); continue; }
        for (unsigned corner = 0; corner < 1u << inner.size(); ++corner) {
          for (size_t i = 0; i < inner.size(); ++i) {
            Value last = max(f, sub(f, extents_[a.axis_dim[inner[i]]], f.i64(1)), f.i64(0));
            at[inner[i]] = corner >> i & 1 ? last : f.i64(0);
          }
          narrow(a.covered, k, emit_affine(f, c.linear->rest, at), limit, c.low);
        }
      }
      if (a.irregular) a.covered.hi = f.i64(0);
    }
  }

  VectorType vector_of(Type element) { return VectorType::get({lanes_}, element); }
  Value splat(Value v) { return is_vector(v) || !lanes_ ? v : vector::BroadcastOp::create(b, f.loc, vector_of(v.getType()), v).getResult(); }
  /// 0, 1, 2, ... as i32 lanes.
  Value iota() {
    SmallVector<int32_t> n;
    for (int64_t i = 0; i < lanes_; ++i) n.push_back(int32_t(i));
    return arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector_of(b.getI32Type()), ArrayRef<int32_t>(n)));
  }
  /// Lanes whose position lane + iv lies below `end`.
  Value lanes_below(Value end) {
    Value n = min(f, max(f, sub(f, end, iv_[vector_dim_]), f.i64(0)), f.i64(lanes_));
    Value n32 = arith::TruncIOp::create(b, f.loc, b.getI32Type(), n);
    return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, iota(), splat(n32));
  }
  Value lanes_from(Value begin) {
    Value n = min(f, max(f, sub(f, begin, iv_[vector_dim_]), f.i64(0)), f.i64(lanes_));
    Value n32 = arith::TruncIOp::create(b, f.loc, b.getI32Type(), n);
    return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::sge, iota(), splat(n32));
  }
  Value both(Value x, Value y) {
    if (!x) return y;
    if (!y) return x;
    return arith::AndIOp::create(b, f.loc, is_vector(y) ? splat(x) : x, is_vector(x) ? splat(y) : y);
  }
  Value compare(arith::CmpIPredicate p, Value x, Value y) { return arith::CmpIOp::create(b, f.loc, p, x, is_vector(x) ? splat(y) : y); }

  /// Which lanes of an access are in range at the present point; null: all of them. A scalar if it does not depend on lanes.
  Value mask_of(Access& a, bool lanes) {
    Value mask;
    if (lanes && !masked_ && !a.irregular) return mask;  // the unmasked copy runs only where the access is covered
    SmallVector<Value> at = axis_values(a);
    if (lanes && masked_) {
      mask = lanes_mask_;
      if (!a.conditions.empty()) {
        mask = both(mask, lanes_below(a.interval.hi));
        if (known(a.interval.lo) != 0) mask = both(mask, lanes_from(a.interval.lo));
      }
    }
    for (const Condition& c : a.conditions) {
      bool done = lanes && c.linear && inner_axes(a, c.index).empty() && (masked_ || a.irregular);
      if (done && masked_) continue;  // in the interval already
      Value index = lanes && uses_dim(c.index, *a.vector_axis) ? emit_affine_lanes(f, c.index, at, *a.vector_axis, lanes_) : emit_affine(f, c.index, at);
      Value limit = emit_affine(f, c.limit, at);
      mask = both(mask, compare(arith::CmpIPredicate::slt, index, limit));
      if (c.low) mask = both(mask, compare(arith::CmpIPredicate::sge, index, f.i64(0)));
    }
    return mask;
  }

  /// Address of an access: elements from the source's base for the first lane, and how lanes step.
  struct Address { Value pointer; Value step; bool unit = false; Value lane_offsets; };
  Address address_of(Access& a, bool lanes) {
    ir::ParamAttr param = f.kernel.getParam(a.param);
    int64_t source = param.getSource();
    SmallVector<Value> at = axis_values(a);
    Type storage = f.storage_type(element_of_memory(a.param));
    SmallVector<AddressTerm> terms = address_terms(f, param);
    Address r;
    Value offset = f.i64(0);
    bool regular = true;
    if (lanes)
      for (auto& [e, s] : terms) {
        auto l = linear_in(e, *a.vector_axis);
        regular &= l.has_value();
      }
    auto gep = [&](Value elements) -> Value {
      return LLVM::GEPOp::create(b, f.loc, f.ptr_type(), storage, f.base(source), ArrayRef<LLVM::GEPArg>{elements});
    };
    if (!regular) {
      Value sum;
      for (auto& [e, s] : terms) {
        Value v = uses_dim(e, *a.vector_axis) ? emit_affine_lanes(f, e, at, *a.vector_axis, lanes_) : splat(emit_affine(f, e, at));
        v = arith::MulIOp::create(b, f.loc, v, splat(s));
        sum = sum ? arith::AddIOp::create(b, f.loc, sum, v).getResult() : v;
      }
      r.pointer = f.base(source);
      r.lane_offsets = sum;
      return r;
    }
    Value step = f.i64(0);
    for (auto& [e, s] : terms) {
      AffineExpr rest = e;
      if (lanes) {
        Linear l = *linear_in(e, *a.vector_axis);
        // The expression at the first lane: the vector axis takes the loop's index.
        step = add(f, step, mul(f, emit_affine(f, l.coefficient, at), s));
      }
      offset = add(f, offset, mul(f, emit_affine(f, rest, at), s));
    }
    r.pointer = gep(offset);
    r.step = step;
    r.unit = known(step) == 1;
    return r;
  }
  Value gather_pointers(const Address& p, Type storage) {
    Value offsets = p.lane_offsets;
    if (!offsets) {
      Value lane = arith::ExtSIOp::create(b, f.loc, vector_of(b.getI64Type()), iota());
      offsets = arith::MulIOp::create(b, f.loc, lane, splat(p.step));
    }
    return LLVM::GEPOp::create(b, f.loc, vector_of(f.ptr_type()), storage, p.pointer, ArrayRef<LLVM::GEPArg>{offsets});
  }
  Value all_lanes(bool v) {
    return arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector_of(b.getI1Type()), v));
  }

  /// Loads an element or lanes; `mask` null: all. Lanes masked off hold `other`.
  Value load_memory(const Address& p, bool lanes, Value mask, Type element, Value other) {
    Type storage = f.storage_type(element);
    unsigned align = unsigned(f.element_bytes(element));
    Value v;
    if (!lanes || known(p.step ? p.step : Value()) == 0) {
      if (mask && is_vector(mask)) {  // the same element for all lanes, some of which do not want it
        Value any = vector::ReductionOp::create(b, f.loc, vector::CombiningKind::OR, mask);
        Value one = guarded_load(p.pointer, any, storage, align, other);
        return to_register(b, f.loc, arith::SelectOp::create(b, f.loc, mask, splat(one), splat(other)), element);
      }
      return to_register(b, f.loc, guarded_load(p.pointer, mask, storage, align, other), element);
    }
    VectorType type = vector_of(storage);
    if (mask && !is_vector(mask)) mask = splat(mask);
    if (p.unit) {
      if (!mask) v = LLVM::LoadOp::create(b, f.loc, type, p.pointer, align);
      else v = LLVM::MaskedLoadOp::create(b, f.loc, type, p.pointer, mask, splat(other), b.getI32IntegerAttr(int32_t(align)));
    } else {
      v = LLVM::masked_gather::create(b, f.loc, type, gather_pointers(p, storage), mask ? mask : all_lanes(true), splat(other), b.getI32IntegerAttr(int32_t(align)));
    }
    return to_register(b, f.loc, v, element);
  }
  Value guarded_load(Value pointer, Value mask, Type storage, unsigned align, Value other) {
    if (!mask) return LLVM::LoadOp::create(b, f.loc, storage, pointer, align);
    auto branch = scf::IfOp::create(b, f.loc, TypeRange{storage}, mask, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, f.loc, LLVM::LoadOp::create(b, f.loc, storage, pointer, align).getResult());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, f.loc, other);
    return branch.getResult(0);
  }
  void store_memory(const Address& p, bool lanes, Value mask, Type element, Value v) {
    Type storage = f.storage_type(element);
    unsigned align = unsigned(f.element_bytes(element));
    v = to_storage(b, f.loc, v, element);
    if (!lanes) {
      if (!mask) { LLVM::StoreOp::create(b, f.loc, v, p.pointer, align); return; }
      auto branch = scf::IfOp::create(b, f.loc, mask, false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      LLVM::StoreOp::create(b, f.loc, v, p.pointer, align);
      return;
    }
    v = splat(v);
    if (mask && !is_vector(mask)) mask = splat(mask);
    if (p.unit) {
      if (!mask) LLVM::StoreOp::create(b, f.loc, v, p.pointer, align);
      else LLVM::MaskedStoreOp::create(b, f.loc, v, p.pointer, mask, b.getI32IntegerAttr(int32_t(align)));
    } else {
      LLVM::masked_scatter::create(b, f.loc, v, gather_pointers(p, storage), mask ? mask : all_lanes(true), b.getI32IntegerAttr(int32_t(align)));
    }
  }
  Value other_of(int64_t param) {
    Type element = element_of_memory(param);
    double other = f.kernel.getParam(param).getOther().getValueAsDouble();
    Value v = math::emit_constant(b, f.loc, ir::dtypeOf(element), f.register_type(element), other);
    return to_storage(b, f.loc, v, element);
  }

  Address buffer_address(const Buffer& buffer, const Index& index) {
    Value offset = f.i64(0), stride = f.i64(1), step = f.i64(0);
    size_t dims = buffer.shape.size();
    if (buffer.turned) {
      for (size_t k : {dims - 2, dims - 1}) {
        if (index[k] == zero) continue;
        Value s = k == dims - 1 ? f.columns(buffer) : f.i64(1);
        offset = add(f, offset, mul(f, iv_[index[k]], s));
        if (lanes_ && index[k] == vector_dim_) step = s;
      }
      stride = mul(f, f.rows(buffer), f.columns(buffer));
      dims -= 2;
    } else if (buffer.panel) {
      // Lanes along columns start at multiples of their number, which divides the panel: they stay within one.
      Value rows = f.rows(buffer), width = f.i64(buffer.panel);
      if (index[dims - 1] != zero) {
        Value c = iv_[index[dims - 1]], which = floordiv(f, c, buffer.panel);
        offset = add(f, mul(f, which, mul(f, rows, width)), sub(f, c, mul(f, which, width)));
        if (lanes_ && index[dims - 1] == vector_dim_) step = f.i64(1);
      }
      if (index[dims - 2] != zero) {
        offset = add(f, offset, mul(f, iv_[index[dims - 2]], width));
        if (lanes_ && index[dims - 2] == vector_dim_) step = width;
      }
      stride = mul(f, rows, f.columns(buffer));
      dims -= 2;
    }
    for (size_t k = dims; k-- > 0;) {
      if (index[k] != zero) {
        offset = add(f, offset, mul(f, iv_[index[k]], stride));
        if (lanes_ && index[k] == vector_dim_) step = add(f, step, stride);
      }
      if (k) stride = mul(f, stride, k + 1 == buffer.shape.size() ? f.columns(buffer) : k + 2 == buffer.shape.size() ? f.rows(buffer) : f.extent(buffer.shape[k]));
    }
    Address r;
    r.pointer = LLVM::GEPOp::create(b, f.loc, f.ptr_type(), f.storage_type(buffer.element), buffer.base, ArrayRef<LLVM::GEPArg>{offset});
    r.step = step;
    r.unit = known(step) == 1;
    return r;
  }

  // ---- evaluation
  Value evaluate(Value v, const Index& index) {
    if (Value s = values_.scalars.lookup(v)) return s;
    int64_t level = std::min<int64_t>(level_of(index), int64_t(levels_.size()) - 1);
    std::pair<const void*, std::vector<int8_t>> key{v.getAsOpaquePointer(), {index.begin(), index.end()}};
    if (auto it = memo_[level].find(key); it != memo_[level].end()) return it->second;
    Value r;
    {
      AtLevel at(*this, level);
      r = compute(v, index);
    }
    memo_[level][key] = r;
    return r;
  }
  Value compute(Value v, const Index& index) {
    bool lanes = has_lanes(index);
    if (auto it = values_.buffers.find(v); it != values_.buffers.end()) {
      Address p = buffer_address(it->second, index);
      Value mask = lanes && masked_ ? lanes_mask_ : Value();
      Type storage = f.storage_type(it->second.element);
      Value other = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(storage));
      return load_memory(p, lanes, mask, it->second.element, other);
    }
    Operation* op = v.getDefiningOp();
    Type element = ir::elementOf(v.getType());
    if (auto x = dyn_cast<ir::LoadOp>(op)) {
      int64_t source = f.kernel.getParam(x.getParamNumber()).getSource();
      if (f.kernel.getSource(source).getRank() == 0) return f.scalar(source);
      Access& a = find_access(op, index);
      Value mask = mask_of(a, lanes);
      return load_memory(address_of(a, lanes), lanes, mask, element, other_of(a.param));
    }
    if (isa<ir::ValidOp>(op)) {
      Access& a = find_access(op, index);
      Value mask = mask_of(a, lanes);
      return mask ? mask : f.i1(true);
    }
    if (auto x = dyn_cast<ir::OffsetsOp>(op)) return offsets(x, index, lanes);
    if (auto x = dyn_cast<ir::ConstantOp>(op)) return constant(x);
    if (auto x = dyn_cast<ir::SymbolOp>(op)) return f.symbol(x.getNumber());
    if (auto x = dyn_cast<ir::ProgramIndexOp>(op)) return f.program[x.getDim()];
    if (isa<ir::ArangeOp>(op)) {
      if (index[0] == zero) return math::emit_constant(b, f.loc, ir::dtypeOf(element), f.register_type(element), int64_t(0));
      Value n = iv_[index[0]];
      if (lanes) {
        Value lane = arith::ExtSIOp::create(b, f.loc, vector_of(b.getI64Type()), iota());
        n = arith::AddIOp::create(b, f.loc, lane, splat(n));
      }
      return math::emit_cast(b, f.loc, n, DType::i64, ir::dtypeOf(element));
    }
    if (auto inner = operand_index(op, index)) return evaluate(op->getOperand(0), *inner);
    SmallVector<Value> operands;
    bool any = false;
    for (Value x : op->getOperands()) {
      operands.push_back(evaluate(x, index));
      any |= is_vector(operands.back());
    }
    if (any)
      for (Value& x : operands) x = splat(x);
    if (auto x = dyn_cast<ir::CastOp>(op)) {
      math::CastOptions options;
      options.native_i64_to_float = f.target.vector_bytes == 64;
      if (x.getIeee()) options.overflow = math::Overflow::ieee;
      return math::emit_cast(b, f.loc, operands[0], ir::dtypeOf(ir::elementOf(x.getOperand().getType())), ir::dtypeOf(element), options);
    }
    auto x = cast<ir::ElementwiseOp>(op);
    math::MathOptions options;
    options.fast_math = f.target.fast_math;
    options.native_i64_to_float = f.target.vector_bytes == 64;
    Value last = x.getOperands().back();  // where: (condition, a, b)
    return math::emit_elementwise(b, f.loc, *operation_named(x.getKind()), ir::dtypeOf(ir::elementOf(last.getType())), ir::dtypeOf(element), operands, options);
  }
  Value constant(ir::ConstantOp x) {
    Type type = f.register_type(x.getType());
    if (auto i = dyn_cast<IntegerAttr>(x.getValue())) return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, i.getValue()));
    auto v = cast<FloatAttr>(x.getValue());
    if (isa<FloatType>(type)) return arith::ConstantOp::create(b, f.loc, v);
    return arith::ConstantOp::create(b, f.loc, IntegerAttr::get(type, v.getValue().bitcastToAPInt()));  // fp8
  }
  Value offsets(ir::OffsetsOp x, const Index& index, bool lanes) {
    Access& a = find_access(x, index);
    AffineMap coords = f.kernel.getParam(a.param).getCoords().getValue();
    SmallVector<Value> at = axis_values(a);
    auto coordinate = [&](AffineExpr e) {
      return lanes && uses_dim(e, *a.vector_axis) ? emit_affine_lanes(f, e, at, *a.vector_axis, lanes_) : emit_affine(f, e, at);
    };
    return coordinate(coords.getResult(unsigned(x.getDim())));
  }

  // ---- loops
  using Accumulators = SmallVector<Value>;
  size_t reductions() const { return size_t(llvm::count_if(outputs_, [](const Output& o) { return o.kind == Output::reduce; })); }

  Accumulators run(int64_t level, Accumulators acc) {
    bool first_reduced = reductions() && acc.empty() && (level == int64_t(order_.size()) || is_reduced(order_[level]));
    if (first_reduced) {
      acc = start_accumulators();
      acc = loop_or_body(level, std::move(acc));
      finish_accumulators(acc);
      return {};
    }
    return loop_or_body(level, std::move(acc));
  }
  Accumulators loop_or_body(int64_t level, Accumulators acc) {
    if (level == int64_t(order_.size())) return body(std::move(acc));
    if (order_[level] == vector_dim_) return vector_loop(level, std::move(acc));
    return loop(level, f.i64(0), extents_[order_[level]], 1, acc, [&](Accumulators inner) { return run(level + 1, std::move(inner)); });
  }
  Accumulators loop(int64_t level, Value lo, Value hi, int64_t step, Accumulators acc, llvm::function_ref<Accumulators(Accumulators)> inside) {
    auto op = scf::ForOp::create(b, f.loc, lo, hi, f.i64(step), acc);
    Operation* saved = levels_[level].before;
    if (!saved) levels_[level].before = op;
    OpBuilder::InsertionGuard guard(b);
    if (acc.empty()) b.setInsertionPoint(op.getBody()->getTerminator());
    else b.setInsertionPointToEnd(op.getBody());
    // Inside, code is added at the end of the block, or before its terminator.
    iv_[order_[level]] = op.getInductionVar();
    for (size_t k = size_t(level) + 1; k < memo_.size(); ++k) memo_[k].clear();
    Operation* end = nullptr;
    if (!acc.empty()) {  // a yield to insert before; its operands are set when the body is done
      end = scf::YieldOp::create(b, f.loc, acc);
      b.setInsertionPoint(end);
    } else {
      end = op.getBody()->getTerminator();
    }
    levels_[level + 1] = {op.getBody(), nullptr};
    Accumulators out = inside(Accumulators(op.getRegionIterArgs().begin(), op.getRegionIterArgs().end()));
    if (!acc.empty()) end->setOperands(out);
    levels_[level].before = saved;
    return Accumulators(op.getResults().begin(), op.getResults().end());
  }

  Accumulators vector_loop(int64_t level, Accumulators acc) {
    Value end = extents_[vector_dim_], begin = f.i64(0);
    int64_t extent = known(end).value_or(-1);
    Value main_end = end;
    bool stores_only = llvm::all_of(outputs_, [](const Output& o) { return o.kind == Output::store; });
    bool regular = true, bounded = false;
    {
      iv_[vector_dim_] = f.i64(0);
      find_intervals();
    }
    for (Access& a : accesses_) {
      if (!a.interval.lo) continue;
      regular &= !a.irregular;
      bounded |= !a.conditions.empty();
    }
    if (stores_only && regular) {  // lanes that no store wants are not visited
      Value lo, hi;
      for (Access& a : accesses_)
        if (isa<ir::StoreOp>(a.op)) {
          lo = lo ? min(f, lo, a.interval.lo) : a.interval.lo;
          hi = hi ? max(f, hi, a.interval.hi) : a.interval.hi;
        }
      if (lo) begin = max(f, lo, begin), end = min(f, hi, end);
    }
    main_end = end;
    Value covered_lo = f.i64(0);
    for (Access& a : accesses_) {
      if (!a.interval.lo || a.irregular) continue;
      main_end = min(f, main_end, a.covered.hi);
      covered_lo = max(f, covered_lo, a.covered.lo);
    }
    int64_t width = lanes_ * unroll_;
    // The unmasked loop runs over whole vectors from `begin`; if an access starts later there, it does not run at all.
    Value whole = max(f, sub(f, main_end, begin), f.i64(0));
    whole = mul(f, floordiv(f, whole, width), f.i64(width));
    if (known(covered_lo) != 0) {
      Value ok = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::sle, covered_lo, begin);
      whole = arith::SelectOp::create(b, f.loc, ok, whole, f.i64(0));
    }
    Value split = add(f, begin, whole);
    bool main_possible = extent < 0 || extent >= width;
    bool rest_possible = bounded || extent < 0 || extent % width != 0;

    if (main_possible) {
      masked_ = false;
      lanes_mask_ = {};
      acc = loop(level, begin, split, width, acc, [&](Accumulators in) { return unrolled(level, std::move(in)); });
    } else {
      split = begin;
    }
    if (rest_possible) {
      masked_ = true;
      acc = loop(level, split, end, lanes_, acc, [&](Accumulators in) {
        lanes_mask_ = lanes_below(end);
        size_t n = reductions(), per = unroll_for(level);
        if (per == 1 || n == 0) return run(level + 1, std::move(in));
        // Only the first of the unrolled accumulators takes part.
        Accumulators first(in.begin(), in.begin() + long(accumulator_count())), rest(in.begin() + long(accumulator_count()), in.end());
        Accumulators out = run_reduced(level + 1, std::move(first));
        out.append(rest.begin(), rest.end());
        return out;
      });
      masked_ = false;
      lanes_mask_ = {};
    }
    return acc;
  }
  size_t unroll_for(int64_t) const { return is_reduced(vector_dim_) ? size_t(unroll_) : 1; }
  Accumulators run_reduced(int64_t level, Accumulators acc) { return loop_or_body(level, std::move(acc)); }
  Accumulators unrolled(int64_t level, Accumulators in) {
    size_t per = unroll_for(level);
    if (per == 1) return run(level + 1, std::move(in));
    Accumulators out;
    Value first = iv_[vector_dim_];
    size_t n = accumulator_count();
    for (size_t u = 0; u < per; ++u) {
      iv_[vector_dim_] = add(f, first, f.i64(int64_t(u) * lanes_));
      for (size_t k = size_t(level) + 1; k < memo_.size(); ++k) memo_[k].clear();
      Accumulators part(in.begin() + long(u * n), in.begin() + long((u + 1) * n));
      Accumulators r = run_reduced(level + 1, std::move(part));
      out.append(r.begin(), r.end());
    }
    iv_[vector_dim_] = first;
    return out;
  }

  // ---- reductions
  static bool is_arg(const Output& o) { return cast<ir::ReduceOp>(o.op).getKind().starts_with("arg"); }
  graph::Op combiner(const Output& o) { return *reduction_named(cast<ir::ReduceOp>(o.op).getKind()); }
  /// The element type in which a reduction runs: its result's, or for argmax and argmin the operand's.
  /// Narrow floats run in f32, which holds each of them exactly.
  Type running_element(const Output& o) {
    Type t = ir::elementOf(is_arg(o) ? o.value.getType() : o.op->getResult(0).getType());
    return isa<Float16Type, BFloat16Type>(t) ? Type(b.getF32Type()) : t;
  }
  /// Accumulators of one unrolled copy: one for each reduction, two (value, position) for argmax and argmin.
  size_t accumulator_count() const {
    size_t n = 0;
    for (const Output& o : outputs_)
      if (o.kind == Output::reduce) n += is_arg(o) ? 2 : 1;
    return n;
  }
  bool lanes_here() const { return lanes_ > 0; }
  Accumulators start_accumulators() {
    Accumulators acc;
    size_t copies = lanes_ ? unroll_for(0) : 1;
    for (size_t u = 0; u < copies; ++u)
      for (const Output& o : outputs_) {
        if (o.kind != Output::reduce) continue;
        Type element = running_element(o), reg = f.register_type(element);
        Type type = lanes_here() ? Type(vector_of(reg)) : reg;
        if (is_arg(o)) {
          acc.push_back(arg_identity(o, type));
          // No element seen yet: any element comes before.
          acc.push_back(math::emit_constant(b, f.loc, DType::i64, lanes_here() ? Type(vector_of(b.getI64Type())) : b.getI64Type(), INT64_MAX));
        } else {
          acc.push_back(math::emit_identity(b, f.loc, combiner(o), ir::dtypeOf(element), type));
        }
      }
    return acc;
  }
  Value arg_identity(const Output& o, Type type) {
    DType t = ir::dtypeOf(running_element(o));
    return cast<ir::ReduceOp>(o.op).getKind() == "argmax" ? math::emit_lowest(b, f.loc, t, type) : math::emit_highest(b, f.loc, t, type);
  }
  /// Row-major position within the reduced dims of the present point.
  Value reduced_position() {
    Value p = f.i64(0);
    SmallVector<int64_t> axes(reduced_);
    llvm::sort(axes);
    bool lane = false;
    Value lane_scale = f.i64(1);
    for (int64_t d : axes) {
      p = add(f, mul(f, p, extents_[d]), iv_[d]);
      if (lane) lane_scale = mul(f, lane_scale, extents_[d]);
      lane |= d == vector_dim_;
    }
    if (!lanes_ || !lane) return lanes_ ? splat(p) : p;
    Value l = arith::ExtSIOp::create(b, f.loc, vector_of(b.getI64Type()), iota());
    return arith::AddIOp::create(b, f.loc, arith::MulIOp::create(b, f.loc, l, splat(lane_scale)), splat(p));
  }
  /// Whether (x, xi) comes before (y, yi): NaN first, then the extreme value, then the lower position.
  Value comes_before(const Output& o, Value x, Value xi, Value y, Value yi) {
    DType t = ir::dtypeOf(running_element(o));
    auto is = [&](graph::Op op, ValueRange v) { return math::emit_elementwise(b, f.loc, op, t, DType::b1, v); };
    Value better = is(cast<ir::ReduceOp>(o.op).getKind() == "argmax" ? graph::Op::gt : graph::Op::lt, ValueRange{x, y});
    Value same = is(graph::Op::eq, ValueRange{x, y});
    Value earlier = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, xi, yi);
    if (graph::is_float(t)) {
      Value nx = is(graph::Op::isnan, ValueRange{x}), ny = is(graph::Op::isnan, ValueRange{y});
      Value not_ny = is_false(ny);
      better = arith::OrIOp::create(b, f.loc, arith::AndIOp::create(b, f.loc, nx, not_ny), arith::AndIOp::create(b, f.loc, better, not_ny));
      same = arith::OrIOp::create(b, f.loc, same, arith::AndIOp::create(b, f.loc, nx, ny));
    }
    return arith::OrIOp::create(b, f.loc, better, arith::AndIOp::create(b, f.loc, same, earlier));
  }
  Value is_false(Value v) {
    Value zero_bits = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(v.getType()));
    return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, v, zero_bits);
  }

  /// Evaluates all outputs at the present point.
  Accumulators body(Accumulators acc) {
    Accumulators out;
    size_t k = 0;
    for (const Output& o : outputs_) {
      Value v = evaluate(o.value, identity_);
      switch (o.kind) {
        case Output::store: {
          Access& a = find_access(o.op, identity_);
          bool lanes = a.vector_axis.has_value();
          store_memory(address_of(a, lanes), lanes, mask_of(a, lanes), element_of_memory(a.param), v);
          break;
        }
        case Output::buffer: {
          Address p = buffer_address(o.into, identity_);
          bool lanes = has_lanes(identity_);
          Type from = ir::elementOf(o.value.getType());
          if (from != o.into.element) v = math::emit_cast(b, f.loc, v, ir::dtypeOf(from), ir::dtypeOf(o.into.element));
          store_memory(p, lanes, masked_ ? lanes_mask_ : Value(), o.into.element, v);
          break;
        }
        case Output::reduce: {
          Type from = ir::elementOf(o.value.getType()), running = running_element(o);
          if (from != running) v = math::emit_cast(b, f.loc, v, ir::dtypeOf(from), ir::dtypeOf(running));
          if (lanes_here()) v = splat(v);
          if (is_arg(o)) {
            Value at = reduced_position();
            Value before = comes_before(o, v, at, acc[k], acc[k + 1]);
            if (masked_) before = arith::AndIOp::create(b, f.loc, before, lanes_mask_);
            out.push_back(arith::SelectOp::create(b, f.loc, before, v, acc[k]));
            out.push_back(arith::SelectOp::create(b, f.loc, before, at, acc[k + 1]));
            k += 2;
            break;
          }
          if (masked_) v = arith::SelectOp::create(b, f.loc, lanes_mask_, v, math::emit_identity(b, f.loc, combiner(o), ir::dtypeOf(running), v.getType()));
          out.push_back(math::emit_combine(b, f.loc, combiner(o), ir::dtypeOf(running), acc[k], v));
          ++k;
          break;
        }
      }
    }
    return out;
  }

  /// Joins unrolled copies and lanes, and writes the results.
  void finish_accumulators(Accumulators& acc) {
    size_t n = accumulator_count(), copies = acc.size() / std::max<size_t>(n, 1), k = 0;
    bool across = lanes_ && is_reduced(vector_dim_);
    for (const Output& o : outputs_) {
      if (o.kind != Output::reduce) continue;
      bool arg = is_arg(o);
      Value v = acc[k], at = arg ? acc[k + 1] : Value();
      auto join = [&](Value w, Value w_at) {
        if (!arg) { v = math::emit_combine(b, f.loc, combiner(o), ir::dtypeOf(running_element(o)), v, w); return; }
        Value before = comes_before(o, w, w_at, v, at);
        v = arith::SelectOp::create(b, f.loc, before, w, v);
        at = arith::SelectOp::create(b, f.loc, before, w_at, at);
      };
      for (size_t u = 1; u < copies; ++u) join(acc[u * n + k], arg ? acc[u * n + k + 1] : Value());
      if (across) {
        for (int64_t half = lanes_ / 2; half > 0; half /= 2) {
          SmallVector<int64_t> low, high;
          for (int64_t i = 0; i < half; ++i) low.push_back(i), high.push_back(i + half);
          auto part = [&](Value x, ArrayRef<int64_t> m) -> Value { return x ? vector::ShuffleOp::create(b, f.loc, x, x, m).getResult() : Value(); };
          Value high_v = part(v, high), high_at = part(at, high);
          v = part(v, low);
          at = part(at, low);
          join(high_v, high_at);
        }
        v = vector::ExtractOp::create(b, f.loc, v, ArrayRef<int64_t>{0});
        if (at) at = vector::ExtractOp::create(b, f.loc, at, ArrayRef<int64_t>{0});
      }
      Value result = v;
      Type element = ir::elementOf(o.op->getResult(0).getType());
      if (arg) {  // over nothing: 0
        Value none = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, at, math::emit_constant(b, f.loc, DType::i64, at.getType(), INT64_MAX));
        at = arith::SelectOp::create(b, f.loc, none, arith::ConstantOp::create(b, f.loc, b.getZeroAttr(at.getType())), at);
        result = math::emit_cast(b, f.loc, at, DType::i64, ir::dtypeOf(element));
      }
      if (!arg && running_element(o) != element) result = math::emit_cast(b, f.loc, result, ir::dtypeOf(running_element(o)), ir::dtypeOf(element));
      write_result(o, result);
      k += arg ? 2 : 1;
    }
  }
  void write_result(const Output& o, Value v) {
    if (is_scalar(o.op->getResult(0).getType())) {
      values_.scalars[o.op->getResult(0)] = v;
      return;
    }
    Index kept;
    for (size_t d = 0; d < shape_.size(); ++d)
      if (!is_reduced(int64_t(d))) kept.push_back(shape_[d] == 1 ? zero : int8_t(d));
    Address p = buffer_address(o.into, kept);
    bool lanes = has_lanes(kept);
    store_memory(p, lanes, lanes && masked_ ? lanes_mask_ : Value(), o.into.element, v);
  }
};
}  // namespace

void emit_nest(Frame& frame, Values& values, ArrayRef<int64_t> shape, ArrayRef<Output> outputs, ArrayRef<Value> limits) {
  Nest(frame, values, shape, outputs, limits).emit();
}

TileAccess::TileAccess(Frame& f, Values& values, int64_t number, ValueRange indices) : param(f.kernel.getParam(number)) {
  ArrayAttr levels = param.getLevels();
  if (levels.size() > 1) tile = cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).asArrayRef();
  unsigned grid = unsigned(cast<DenseI64ArrayAttr>(levels[0]).size());
  first = param.getCoords().getValue().getNumDims() - unsigned(tile.size());
  for (unsigned k = 0; k < first; ++k) at.push_back(k < grid ? f.program[k] : values.scalars.lookup(indices[k - grid]));
  at.append(tile.size(), f.i64(0));
}

Value in_range_extent(Frame& f, Values& values, Operation* access, unsigned dim) {
  auto load = dyn_cast<ir::LoadOp>(access);
  TileAccess x = load ? TileAccess(f, values, load.getParamNumber(), load.getIndices())
                      : TileAccess(f, values, cast<ir::StoreOp>(access).getParamNumber(), cast<ir::StoreOp>(access).getIndices());
  Value extent = f.extent(x.tile[dim]);
  AffineMap bounds = x.param.getBounds().getValue(), limits = x.param.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
    AffineExpr e = bounds.getResult(i);
    bool others = false;
    for (unsigned k = 0; k < x.tile.size(); ++k) others |= k != dim && uses_dim(e, x.first + k);
    if (others) continue;
    auto l = linear_in(e, x.first + dim);
    auto c = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
    if (!c || c.getValue() <= 0) continue;
    Value rest = emit_affine(f, l->rest, x.at), limit = emit_affine(f, limits.getResult(i), x.at);
    extent = min(f, extent, max(f, ceildiv(f, sub(f, limit, rest), c.getValue()), f.i64(0)));
  }
  return extent;
}

std::optional<Strided> strided_memory(Frame& f, Values& values, ir::LoadOp load, ArrayRef<Value> extents) {
  TileAccess access(f, values, load.getParamNumber(), load.getIndices());
  ir::ParamAttr param = access.param;
  ArrayRef<int64_t> tile = access.tile;
  unsigned first = access.first;
  ArrayRef<Value> at = access.at;
  if (tile.empty()) return {};
  int64_t source = param.getSource();
  Strided r;
  r.strides.assign(tile.size(), f.i64(0));
  Value offset = f.i64(0);
  for (const AddressTerm& t : address_terms(f, param)) {
    for (unsigned k = 0; k < tile.size(); ++k) {
      auto l = linear_in(t.index, first + k);
      if (!l || !l->coefficient.isSymbolicOrConstant()) return {};
      r.strides[k] = add(f, r.strides[k], mul(f, emit_affine(f, l->coefficient, at), t.stride));
    }
    offset = add(f, offset, mul(f, emit_affine(f, t.index, at), t.stride));
  }
  // An index that is affine in every dim is extreme at the corners.
  r.covered = f.i1(true);
  AffineMap bounds = param.getBounds().getValue(), limits = param.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
    AffineExpr e = bounds.getResult(i);
    SmallVector<unsigned> moving;
    for (unsigned k = 0; k < tile.size(); ++k) {
      if (!uses_dim(e, first + k)) continue;
      if (!linear_in(e, first + k)) return {};
      moving.push_back(k);
    }
    Value limit = emit_affine(f, limits.getResult(i), at);
    for (unsigned corner = 0; corner < 1u << moving.size(); ++corner) {
      SmallVector<Value> there(at);
      for (size_t m = 0; m < moving.size(); ++m)
        if (corner >> m & 1) there[first + moving[m]] = sub(f, moving[m] < extents.size() && extents[moving[m]] ? extents[moving[m]] : f.extent(tile[moving[m]]), f.i64(1));
      Value index = emit_affine(f, e, there);
      Value ok = arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, index, limit);
      if (param.getLow()[i]) ok = arith::AndIOp::create(f.b, f.loc, ok, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::sge, index, f.i64(0)));
      r.covered = arith::AndIOp::create(f.b, f.loc, r.covered, ok);
    }
  }
  for (const OpenIndex& x : open_indices(f.kernel, load.getParamNumber(), load.getIndices())) {
    Value index = emit_affine(f, x.axis, at), limit = emit_affine(f, x.limit, at);
    Value ok = arith::AndIOp::create(f.b, f.loc, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::sge, index, f.i64(0)),
                                     arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::slt, index, limit));
    r.covered = arith::AndIOp::create(f.b, f.loc, r.covered, ok);
  }
  r.pointer = LLVM::GEPOp::create(f.b, f.loc, f.ptr_type(), f.storage_type(f.kernel.getSource(source).getType()), f.base(source), ArrayRef<LLVM::GEPArg>{offset});
  return r;
}

Value emit_scalar(Frame& frame, Values& values, Value value) {
  return Nest(frame, values, {}, {}).scalar(value);
}

}  // namespace tine::cpu
