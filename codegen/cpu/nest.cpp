// Of a nest: which loops there are, and the vector loop's two copies.
#include "codegen/cpu/nest_class.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {

void Nest::emit() {
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

Value Nest::scalar(Value v) {
  memo_.resize(1);
  levels_.assign(1, {});
  Index index(ir::shapeOf(v.getType()).size(), zero);
  return evaluate(v, index);
}

int64_t Nest::vector_level() const { return llvm::find(order_, vector_dim_) - order_.begin(); }

bool Nest::is_reduced(int64_t d) const { return llvm::is_contained(reduced_, d); }

Type Nest::element_of_memory(int64_t param) { return f.kernel.getSource(f.kernel.getParam(param).getSource()).getType(); }

std::pair<unsigned, unsigned> Nest::tile_axes(int64_t param) {
  ArrayAttr levels = f.kernel.getParam(param).getLevels();
  unsigned first = 0;
  for (size_t i = 0; i + 1 < levels.size(); ++i) first += unsigned(cast<DenseI64ArrayAttr>(levels[i]).size());
  return levels.size() > 1 ? std::pair{first, unsigned(cast<DenseI64ArrayAttr>(levels[levels.size() - 1]).size())} : std::pair{first, 0u};
}

int Nest::step_along(const Reads::Place& p, int64_t d) {
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

int64_t Nest::param_of(Operation* op) {
  if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getParamNumber();
  if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getParamNumber();
  if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getParamNumber();
  return cast<ir::OffsetsOp>(op).getParamNumber();
}

ValueRange Nest::indices_of(Operation* op) {
  if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getIndices();
  if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getIndices();
  if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getIndices();
  return cast<ir::OffsetsOp>(op).getIndices();
}

void Nest::choose_loops() {
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
    int64_t w = ir::bytesOf(ir::elementOf(t));
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

size_t Nest::reductions() const { return size_t(llvm::count_if(outputs_, [](const Output& o) { return o.kind == Output::reduce; })); }

Nest::Accumulators Nest::run(int64_t level, Accumulators acc) {
  bool first_reduced = reductions() && acc.empty() && (level == int64_t(order_.size()) || is_reduced(order_[level]));
  if (first_reduced) {
    acc = start_accumulators();
    acc = loop_or_body(level, std::move(acc));
    finish_accumulators(acc);
    return {};
  }
  return loop_or_body(level, std::move(acc));
}

Nest::Accumulators Nest::loop_or_body(int64_t level, Accumulators acc) {
  if (level == int64_t(order_.size())) return body(std::move(acc));
  if (order_[level] == vector_dim_) return vector_loop(level, std::move(acc));
  return loop(level, f.i64(0), extents_[order_[level]], 1, acc, [&](Accumulators inner) { return run(level + 1, std::move(inner)); });
}

Nest::Accumulators Nest::loop(int64_t level, Value lo, Value hi, int64_t step, Accumulators acc, llvm::function_ref<Accumulators(Accumulators)> inside) {
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

Nest::Accumulators Nest::vector_loop(int64_t level, Accumulators acc) {
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
  if (regular && is_reduced(vector_dim_) && ends_with_data()) {  // the rest are identities
    Value hi = f.i64(0);
    for (Access& a : accesses_)
      if (a.interval.hi) hi = max(f, hi, a.interval.hi);
      else hi = end;
    end = min(f, end, hi);
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
  main_from_zero_ = known(begin) == 0;
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
      size_t n = reductions(), per = unroll_for_reduction();
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

size_t Nest::unroll_for_reduction() const { return is_reduced(vector_dim_) ? size_t(unroll_) : 1; }

Nest::Accumulators Nest::run_reduced(int64_t level, Accumulators acc) { return loop_or_body(level, std::move(acc)); }

Nest::Accumulators Nest::unrolled(int64_t level, Accumulators in) {
  size_t per = unroll_for_reduction();
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

void Nest::enter(int64_t level) { levels_[level] = {b.getInsertionBlock(), nullptr}; }

int64_t Nest::level_of(const Index& index) const {
  int64_t level = 0;
  for (int8_t d : index)
    if (d != zero) level = std::max<int64_t>(level, (llvm::find(order_, d) - order_.begin()) + 1);
  return std::min<int64_t>(level, int64_t(order_.size()));
}

bool Nest::has_lanes(const Index& index) const { return lanes_ && llvm::is_contained(index, int8_t(vector_dim_)); }

void emit_nest(Frame& frame, Values& values, ArrayRef<int64_t> shape, ArrayRef<Output> outputs, ArrayRef<Value> limits) {
  Nest(frame, values, shape, outputs, limits).emit();
}

Value emit_scalar(Frame& frame, Values& values, Value value) {
  return Nest(frame, values, {}, {}).scalar(value);
}

}  // namespace tine::cpu
