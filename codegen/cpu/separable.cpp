#include "codegen/cpu/separable.hpp"
#include <functional>
#include "codegen/cpu/element.hpp"
#include "codegen/cpu/keep.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using tine::graph::DType;

namespace tine::cpu {
namespace {

/// e = lane + step: what depends on the lane (and everything else), and what depends on the step.
struct Parts { AffineExpr lane, step; };

std::optional<Parts> split(AffineExpr e, unsigned lane, unsigned step) {
  AffineExpr zero = getAffineConstantExpr(0, e.getContext());
  if (e.getKind() == AffineExprKind::Add) {
    auto x = cast<AffineBinaryOpExpr>(e);
    auto l = split(x.getLHS(), lane, step), r = split(x.getRHS(), lane, step);
    if (!l || !r) return {};
    return Parts{l->lane + r->lane, l->step + r->step};
  }
  if (!uses_dim(e, step)) return Parts{e, zero};
  if (uses_dim(e, lane)) return {};
  return Parts{zero, e};
}

struct Bound { Parts index; AffineExpr limit; bool low; Value lanes, steps; };  // tables

class Copy {
 public:
  Copy(Frame& f, Values& values, ir::LoadOp load, const Buffer& into, std::array<Value, 2> ends, unsigned lane_dim, int64_t lanes)
      : f(f), b(f.b), values_(values), load_(load), access_(f, values, load.getParamNumber(), load.getIndices()), into_(into), lane_dim_(lane_dim),
        lane_end_(ends[lane_dim]), step_end_(ends[1 - lane_dim]), source_(f.kernel.getSource(access_.param.getSource()).getType()), lanes_(lanes),
        open_(open_indices(f.kernel, load.getParamNumber(), load.getIndices())) {}

  bool plan() {
    if (access_.tile.size() != 2) return false;
    lane_ = access_.first + lane_dim_;
    step_ = access_.first + 1 - lane_dim_;
    for (const AddressTerm& t : address_terms(f, access_.param)) {
      auto p = split(t.index, lane_, step_);
      if (!p) return false;
      terms_.push_back({*p, t.stride});
    }
    AffineMap bounds = access_.param.getBounds().getValue(), limits = access_.param.getLimits().getValue();
    for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
      auto p = split(bounds.getResult(i), lane_, step_);
      if (!p || uses_dim(limits.getResult(i), lane_) || uses_dim(limits.getResult(i), step_)) return false;
      bounds_.push_back({*p, limits.getResult(i), access_.param.getLow()[i] != 0, {}, {}});
    }
    AffineExpr zero = getAffineConstantExpr(0, f.b.getContext());
    for (const OpenIndex& x : open_) bounds_.push_back({{x.axis, zero}, x.limit, true, {}, {}});
    return true;
  }
  void emit() {
    lane_tables();
    step_tables();
    loop(lane_end_, lanes_, [&](Value l) { vector(l); });
  }

 private:
  Frame& f;
  OpBuilder& b;
  Values& values_;
  ir::LoadOp load_;
  TileAccess access_;
  const Buffer& into_;
  unsigned lane_dim_;
  Value lane_end_, step_end_;
  Type source_;
  int64_t lanes_;
  SmallVector<OpenIndex> open_;
  unsigned lane_ = 0, step_ = 0;  // axes
  struct Term { Parts index; Value stride; };
  SmallVector<Term> terms_;
  SmallVector<Bound> bounds_;
  Value lane_offsets_, step_offsets_;

  VectorType lanes_of(Type t) { return VectorType::get({lanes_}, t); }
  VectorType wide() { return lanes_of(b.getI64Type()); }
  Value splat(Value v) { return vector::BroadcastOp::create(b, f.loc, lanes_of(v.getType()), v); }
  Value at(Value base, Type element, Value index) { return element_at(f, base, element, index); }
  void loop(Value end, int64_t step, llvm::function_ref<void(Value)> body) { emit_loop(f, f.i64(0), end, step, body); }

  /// Evaluates expressions for `lanes_` neighbours along one axis.
  struct Axis {
    Copy& c;
    unsigned axis;
    SmallVector<Value> at;
    Value operator()(AffineExpr e) {
      if (uses_dim(e, axis)) return emit_affine_lanes(c.f, e, at, axis, c.lanes_, true);
      return c.splat(emit_affine(c.f, e, at));
    }
  };
  Value offset(Axis& v, bool lane) {
    Value sum;
    for (const Term& t : terms_) {
      AffineExpr e = lane ? t.index.lane : t.index.step;
      if (auto c = dyn_cast<AffineConstantExpr>(e); c && c.getValue() == 0) continue;
      Value x = arith::MulIOp::create(b, f.loc, v(e), splat(t.stride));
      sum = sum ? arith::AddIOp::create(b, f.loc, sum, x).getResult() : x;
    }
    return sum ? sum : splat(f.i64(0));
  }
  /// Tables along one axis, filled together: divisions that several entries need are made once.
  using Entry = std::function<Value(Axis&)>;
  SmallVector<Value> tables(unsigned axis, const std::optional<Kept>& kept, ArrayRef<Entry> entries) {
    SmallVector<int64_t> shape{1, access_.tile[axis - access_.first]};
    SmallVector<Value> bases;
    for (size_t i = 0; i < entries.size(); ++i) {
      Buffer t = kept ? f.allocate_slots(shape, b.getI64Type(), 1, lanes_, kept->count, kept->slot) : f.allocate_padded(shape, b.getI64Type(), 1, lanes_);
      bases.push_back(t.base);
    }
    if_stale(f, kept, [&] {
      // All entries of a table that is kept: the next program's ends may be others.
      Value end = kept ? f.extent(shape[1]) : axis == lane_ ? lane_end_ : step_end_;
      loop(end, lanes_, [&](Value i) {
        Axis v{*this, axis, access_.at};
        v.at[axis] = i;
        for (auto [base, entry] : llvm::zip(bases, entries)) LLVM::StoreOp::create(b, f.loc, entry(v), at(base, b.getI64Type(), i), 8);
      });
    });
    return bases;
  }
  void lane_tables() {
    SmallVector<Entry> entries{[&](Axis& v) { return offset(v, true); }};
    SmallVector<Value*> into{&lane_offsets_};
    for (Bound& x : bounds_)
      if (uses_dim(x.index.lane, lane_)) entries.push_back([&](Axis& v) { return v(x.index.lane); }), into.push_back(&x.lanes);
    for (auto [place, base] : llvm::zip(into, tables(lane_, {}, entries))) *place = base;
  }
  /// What the steps add: divisions, mostly, and the same ones for all programs.
  void step_tables() {
    SmallVector<AffineExpr> all;
    for (const Term& t : terms_) all.push_back(t.index.step);
    for (const Bound& x : bounds_) all.push_back(x.index.step);
    std::optional<Kept> kept = keep_computed(f, values_, load_, all, {1, access_.tile[step_ - access_.first]}, b.getI64Type());
    SmallVector<Entry> entries{[&](Axis& v) { return offset(v, false); }};
    SmallVector<Value*> into{&step_offsets_};
    for (Bound& x : bounds_)
      if (uses_dim(x.index.step, step_)) entries.push_back([&](Axis& v) { return v(x.index.step); }), into.push_back(&x.steps);
    for (auto [place, base] : llvm::zip(into, tables(step_, kept, entries))) *place = base;
  }

  Value load_wide(Value base, Value i) { return LLVM::LoadOp::create(b, f.loc, wide(), at(base, b.getI64Type(), i), 8); }
  Value compare(arith::CmpIPredicate p, Value x, Value y) { return arith::CmpIOp::create(b, f.loc, p, x, y); }
  /// 0 <= index < limit, or index < limit.
  Value inside(Value index, Value limit, bool low) {
    if (isa<VectorType>(index.getType())) limit = splat(limit);
    // As unsigned numbers, negative ones are above every size.
    return compare(low ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, index, limit);
  }
  Value reduce(vector::CombiningKind kind, Value v) { return vector::ReductionOp::create(b, f.loc, kind, v); }
  Value all(Value mask) { return reduce(vector::CombiningKind::AND, mask); }
  Value both(Value x, Value y) { return x ? arith::AndIOp::create(b, f.loc, x, y).getResult() : y; }
  Value numbers() {
    SmallVector<int64_t> n;
    for (int64_t i = 0; i < lanes_; ++i) n.push_back(i);
    return arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(wide(), ArrayRef<int64_t>(n)));
  }

  /// A bound for a vector of lanes, split off its part of the step.
  struct Check { Value steps, lanes, limit, start, room; bool low; };
  Check check(const Bound& x, Value part, Value live) {
    Value limit = emit_affine(f, x.limit, access_.at);
    if (!isa<VectorType>(part.getType())) return {x.steps, part, limit, part, limit, x.low};
    // Lanes that nobody wants are like the first.
    Value first = vector::ExtractOp::create(b, f.loc, part, ArrayRef<int64_t>{0});
    Value wanted = arith::SelectOp::create(b, f.loc, live, part, splat(first));
    Value least = reduce(vector::CombiningKind::MINSI, wanted), most = reduce(vector::CombiningKind::MAXSI, wanted);
    // least + step >= 0 and most + step < limit: 0 <= least + step < limit - (most - least).
    Value room = max(f, sub(f, limit, sub(f, most, least)), f.i64(0));
    return {x.steps, part, limit, x.low ? least : most, x.low ? room : limit, x.low};
  }
  Value step_part(const Check& c, Value s) { return LLVM::LoadOp::create(b, f.loc, b.getI64Type(), at(c.steps, b.getI64Type(), s), 8); }

  /// `lanes_` lanes from l on.
  void vector(Value l) {
    Value offsets = load_wide(lane_offsets_, l);
    Value first = vector::ExtractOp::create(b, f.loc, offsets, ArrayRef<int64_t>{0});
    Value last = vector::ExtractOp::create(b, f.loc, offsets, ArrayRef<int64_t>{lanes_ - 1});
    last = sub(f, last, f.i64(lanes_ - 1));
    Value start = arith::SubIOp::create(b, f.loc, offsets, numbers());
    Value live = compare(arith::CmpIPredicate::slt, numbers(), splat(sub(f, lane_end_, l)));
    // Lanes of the run that lane 0 is in, and of the one that the last lane is in.
    Value dead = arith::XOrIOp::create(b, f.loc, live, arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(lanes_of(b.getI1Type()), true)));
    Value head = compare(arith::CmpIPredicate::eq, start, splat(first)), tail = compare(arith::CmpIPredicate::eq, start, splat(last));
    Value one_run = all(arith::OrIOp::create(b, f.loc, head, dead));
    Value two_runs = all(arith::OrIOp::create(b, f.loc, arith::OrIOp::create(b, f.loc, head, tail), dead));
    Value rest = arith::XOrIOp::create(b, f.loc, head, arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(lanes_of(b.getI1Type()), true)));
    Value wanted = live;  // by all steps
    SmallVector<Check> checks;
    for (const Bound& x : bounds_) {
      Value part = x.lanes ? load_wide(x.lanes, l) : emit_affine(f, x.index.lane, access_.at);
      if (x.steps) checks.push_back(check(x, part, live));
      else if (x.lanes) wanted = both(wanted, inside(part, emit_affine(f, x.limit, access_.at), x.low));
      else wanted = both(wanted, splat(inside(part, emit_affine(f, x.limit, access_.at), x.low)));
    }
    Type storage = f.storage_type(source_);
    Value base = f.base(access_.param.getSource());
    auto align = b.getI32IntegerAttr(int32_t(ir::bytesOf(source_)));
    Value other = math::emit_constant(b, f.loc, ir::dtypeOf(source_), f.register_type(source_), access_.param.getOther().getValueAsDouble());
    other = splat(to_storage(b, f.loc, other, source_));
    either(f, one_run, [&] {
      steps(l, wanted, checks, [&](Value by, Value mask) -> Value {
        return LLVM::MaskedLoadOp::create(b, f.loc, lanes_of(storage), at(base, storage, add(f, first, by)), mask, other, align);
      });
    }, [&] {
      either(f, two_runs, [&] {
        steps(l, wanted, checks, [&](Value by, Value mask) -> Value {
          Value v = LLVM::MaskedLoadOp::create(b, f.loc, lanes_of(storage), at(base, storage, add(f, first, by)), both(mask, head), other, align);
          return LLVM::MaskedLoadOp::create(b, f.loc, lanes_of(storage), at(base, storage, add(f, last, by)), both(mask, rest), v, align);
        });
      }, [&] {
        steps(l, wanted, checks, [&](Value by, Value mask) -> Value {
          Value p = LLVM::GEPOp::create(b, f.loc, lanes_of(f.ptr_type()), storage, at(base, storage, by), ArrayRef<LLVM::GEPArg>{offsets});
          return LLVM::masked_gather::create(b, f.loc, lanes_of(storage), p, mask, other, align);
        });
      });
    });
  }
  /// Loads the vector of each step, at the step's offset and for the lanes that are in range, and stores it.
  void steps(Value l, Value wanted, ArrayRef<Check> checks, llvm::function_ref<Value(Value, Value)> load) {
    Value height = lane_dim_ ? f.rows(into_) : f.columns(into_), panel = floordiv(f, l, into_.panel);
    Value within = sub(f, l, mul(f, panel, f.i64(into_.panel)));
    Value start = at(into_.base, f.storage_type(into_.element), add(f, mul(f, mul(f, panel, height), f.i64(into_.panel)), within));
    loop(step_end_, 1, [&](Value s) {
      Value fits;
      for (const Check& c : checks) fits = both(fits, inside(add(f, c.start, step_part(c, s)), c.room, c.low));
      Value mask = wanted;
      if (fits) {
        auto choice = scf::IfOp::create(b, f.loc, TypeRange{wanted.getType()}, fits, true);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(choice.thenBlock());
        scf::YieldOp::create(b, f.loc, wanted);
        b.setInsertionPointToStart(choice.elseBlock());
        for (const Check& c : checks) {
          Value index = add_lanes(c.lanes, step_part(c, s)), in = inside(index, c.limit, c.low);
          mask = both(mask, isa<VectorType>(in.getType()) ? in : splat(in));
        }
        scf::YieldOp::create(b, f.loc, mask);
        mask = choice.getResult(0);
      }
      Value by = LLVM::LoadOp::create(b, f.loc, b.getI64Type(), at(step_offsets_, b.getI64Type(), s), 8);
      Value v = to_register(b, f.loc, load(by, mask), source_);
      v = math::emit_cast(b, f.loc, v, ir::dtypeOf(source_), ir::dtypeOf(into_.element));
      v = to_storage(b, f.loc, v, into_.element);
      LLVM::StoreOp::create(b, f.loc, v, at(start, f.storage_type(into_.element), mul(f, s, f.i64(into_.panel))), 4);
    });
  }
  Value add_lanes(Value lanes, Value step) {
    return isa<VectorType>(lanes.getType()) ? arith::AddIOp::create(b, f.loc, lanes, splat(step)).getResult() : add(f, lanes, step);
  }
};
}  // namespace

bool copy_separable(Frame& f, Values& values, ir::LoadOp load, const Buffer& into, std::array<Value, 2> ends, unsigned lane_dim, int64_t lanes) {
  Copy copy(f, values, load, into, ends, lane_dim, lanes);
  if (!copy.plan()) return false;
  copy.emit();
  return true;
}

}  // namespace tine::cpu
