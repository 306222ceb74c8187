#include "codegen/gpu/access.hpp"
#include <numeric>
#include "codegen/gpu/index_divisor.hpp"
#include "dsl/graph/divisor.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tine::gpu {
using compiler::linear_in;
using compiler::uses_dim;

Access::Access(Thread& f, int64_t number, ValueRange kernel_indices, ValueRange indices, ArrayRef<int64_t> tile, ir::LayoutAttr layout, bool in_level)
    : f_(&f), param_(f.kernel.getParam(number)), tile_(tile), layout_(layout) {
  Places p(f.kernel, number);
  grid_ = p.grid, first_ = p.first;
  for (unsigned k = 0; k < first_; ++k) at_.push_back(k < p.grid ? f.program[k] : f.to_index(indices[k - p.grid]));
  for (size_t d = 0; d < tile_.size(); ++d) at_.push_back(f.coordinate(layout, int64_t(d)));
  width = vector_width(f.kernel, number, kernel_indices, layout, f.target.widest_access);

  IndexDivisor divisor(f.kernel, p, kernel_indices);
  auto condition = [&](AffineExpr index, AffineExpr limit, bool low) {
    Condition c{index, limit, low, true, {}, 1, {}, {}, {}, {}};
    for (unsigned d = 0; d < tile_.size(); ++d) {
      auto l = linear_in(index, first_ + d);
      auto constant = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
      c.linear &= constant && !uses_dim(limit, first_ + d);
      c.step.push_back(constant ? constant.getValue() : 0);
    }
    if (c.linear && llvm::count(c.step, 0) == int64_t(tile_.size()) - 1)
      if (size_t d = size_t(llvm::find(c.step, 1) - c.step.begin()); d < tile_.size() && f.layout(layout).map.disjoint(layout::dim(int(d)))) {
        IndexDivisor rest = divisor;
        rest.axes[first_ + d] = graph::most_divisor;
        int64_t g = std::gcd(rest(index), rest(limit));
        c.whole = g & -g;
      }
    conditions_.push_back(c);
  };
  AffineMap bounds = param_.getBounds().getValue(), limits = param_.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) condition(bounds.getResult(i), limits.getResult(i), param_.getLow()[i] != 0);
  auto open = in_level ? SmallVector<compiler::OpenIndex>() : compiler::open_indices(f.kernel, number, kernel_indices);
  if (!open.empty()) outside_.assign(indices.begin(), indices.end());
  for (const compiler::OpenIndex& x : open) {
    condition(x.axis, x.limit, true);
    conditions_.back().wide_index = indices[cast<AffineDimExpr>(x.axis).getPosition() - p.grid];
    auto symbol = dyn_cast<AffineSymbolExpr>(x.limit);
    conditions_.back().wide_limit = symbol ? f.symbol(symbol.getPosition()) : f.i64(cast<AffineConstantExpr>(x.limit).getValue());
  }
  MLIRContext* context = f.kernel.getContext();
  for (unsigned d = 0; d < tile_.size(); ++d)
    if (f.padded(tile_[d], layout.getShape()[d]))
      condition(getAffineDimExpr(first_ + d, context),
                ir::TileType::isSymbol(tile_[d]) ? getAffineSymbolExpr(unsigned(ir::TileType::symbol(tile_[d])), context)
                                                 : getAffineConstantExpr(tile_[d], context), false);
  for (auto [e, d] : compiler::address_map(f.kernel, param_)) {
    Term t{e, d < 0 ? f.index(1) : f.stride(param_.getSource(), d), true};
    for (unsigned k = 0; k < tile_.size(); ++k) {
      auto l = linear_in(e, first_ + k);
      t.linear &= l && l->coefficient.isSymbolicOrConstant();
    }
    terms_.push_back(t);
  }
  if (width.elements > 1 && !width.uniform)  // vectors only where the tile is covered, which must be told at once
    for (const Condition& c : conditions_)
      if (!c.linear) width = VectorWidth{};
}

ArrayRef<int64_t> Access::registers(int64_t r) {
  if (!layout_) return {};
  return f_->layout(layout_).at[size_t(r)];
}
SmallVector<Value> Access::axes(int64_t r) {
  SmallVector<Value> at(at_);
  for (auto [d, c] : llvm::enumerate(registers(r))) at[first_ + d] = f_->add(at[first_ + d], f_->index(c));
  return at;
}

void Access::start_addresses() {
  if (started_) return;
  started_ = true;
  Thread& f = *f_;
  // What the indices of middle levels add comes last: the rest does not change in the loops that they count.
  Value offset = f.index(0), moved = f.index(0);
  step_.assign(tile_.size(), f.index(0));
  for (const Term& t : terms_) {
    if (!t.linear) continue;
    SmallVector<Value> at(at_);
    for (unsigned k = grid_; k < first_; ++k) {
      auto l = linear_in(t.index, k);
      if (!l || !l->coefficient.isSymbolicOrConstant()) continue;
      moved = f.add(moved, f.mul(at[k], f.mul(f.affine(l->coefficient, at_), t.stride)));
      at[k] = f.index(0);
    }
    offset = f.add(offset, f.mul(f.affine(t.index, at), t.stride));
    for (unsigned d = 0; d < tile_.size(); ++d) step_[d] = f.add(step_[d], f.mul(f.affine(linear_in(t.index, first_ + d)->coefficient, at_), t.stride));
  }
  Type element = f.kernel.getSource(param_.getSource()).getType();
  base_ = f.pointer(f.pointer(f.base(param_.getSource()), element, offset), element, moved);
}

Access::Address Access::address(int64_t r) {
  start_addresses();
  Thread& f = *f_;
  Type element = f.kernel.getSource(param_.getSource()).getType();
  ArrayRef<int64_t> c = registers(r);
  int64_t constant = 0;
  std::vector<int64_t> moving(tile_.size(), 0);  // along dims whose step only the call knows
  for (size_t d = 0; d < tile_.size(); ++d) {
    if (auto s = Thread::known(step_[d])) constant += *s * c[d];
    else moving[d] = c[d];
  }
  constexpr size_t pointers = ~size_t(0);
  Value& pointer = memo_[{pointers, moving}];
  if (!pointer) {
    Value offset = f.index(0);
    for (size_t d = 0; d < tile_.size(); ++d) offset = f.add(offset, f.mul(step_[d], f.index(moving[d])));
    pointer = f.pointer(base_, element, offset);
  }
  Value result = pointer;
  for (size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].linear) continue;
    std::vector<int64_t> key;
    for (size_t d = 0; d < tile_.size(); ++d) key.push_back(uses_dim(terms_[i].index, first_ + unsigned(d)) ? c[d] : 0);
    Value& offset = memo_[{pointers - 1 - i, key}];
    if (!offset) offset = f.mul(f.affine(terms_[i].index, axes(r)), terms_[i].stride);
    result = f.pointer(result, element, offset);
  }
  return {result, constant * ir::bytesOf(element)};
}

Value Access::holds(size_t i, int64_t r) {
  Thread& f = *f_;
  Condition& c = conditions_[i];
  if (c.wide_index) {
    Value& v = memo_[{i, {}}];
    if (!v) v = f.both(f.at_least(c.wide_index, f.i64(0)), f.less(c.wide_index, c.wide_limit));
    return v;
  }
  ArrayRef<int64_t> at = registers(r);
  if (!c.linear) {
    std::vector<int64_t> key;
    for (unsigned d = 0; d < tile_.size(); ++d) key.push_back(uses_dim(c.index, first_ + d) || uses_dim(c.limit, first_ + d) ? at[d] : 0);
    Value& v = memo_[{i, key}];
    if (!v) {
      SmallVector<Value> place = axes(r);
      Value index = f.affine(c.index, place);
      v = f.less(index, f.affine(c.limit, place));
      if (c.low) v = f.both(v, f.at_least(index, f.index(0)));
    }
    return v;
  }
  int64_t moved = 0;
  for (size_t d = 0; d < tile_.size(); ++d) moved += c.step[d] * at[d];
  moved &= -c.whole;
  Value& v = memo_[{i, {moved}}];
  if (!v) {
    if (!c.start) c.start = f.affine(c.index, at_), c.end = f.affine(c.limit, at_);
    Value index = f.add(c.start, f.index(moved));
    v = f.less(index, c.end);
    if (c.low) v = f.both(v, f.at_least(index, f.index(0)));
  }
  return v;
}

/// What holds for all registers or for none is asked for once, by way of a limit that each register is compared with anyway.
void Access::start_ranges() {
  if (std::exchange(ranges_started_, true)) return;
  Thread& f = *f_;
  auto moves = [](const Condition& c) { return c.linear && !c.wide_index && llvm::any_of(c.step, [](int64_t s) { return s != 0; }); };
  auto found = llvm::find_if(conditions_, moves);
  if (found == conditions_.end()) return;
  auto stays = [&](const Condition& c) {
    if (c.wide_index) return true;
    for (unsigned d = 0; d < tile_.size(); ++d)
      if (uses_dim(c.index, first_ + d) || uses_dim(c.limit, first_ + d)) return false;
    return true;
  };
  Value all = std::exchange(only_, {});
  for (auto [i, c] : llvm::enumerate(conditions_))
    if (stays(c)) all = f.both(all, holds(i, 0)), c.in_limit = true;
  if (!all) return;
  found->start = f.affine(found->index, at_);
  int64_t least = f.index_type().isInteger(32) ? INT32_MIN : INT64_MIN;
  found->end = arith::SelectOp::create(f.b, f.loc, all, f.affine(found->limit, at_), f.index(least));
}

Value Access::in_range(int64_t r) {
  start_ranges();
  Value all = only_;
  for (size_t i = 0; i < conditions_.size(); ++i)
    if (!conditions_[i].in_limit) all = f_->both(all, holds(i, r));
  return all;
}

std::optional<Value> Access::covered() {
  Thread& f = *f_;
  Value all = f.yes();
  for (Condition& c : conditions_) {
    if (c.wide_index) {
      all = f.both(all, f.both(f.at_least(c.wide_index, f.i64(0)), f.less(c.wide_index, c.wide_limit)));
      continue;
    }
    if (!c.linear) return {};
    SmallVector<Value> at(at_);
    int64_t most = 0, least = 0;
    for (size_t d = 0; d < tile_.size(); ++d) {
      at[first_ + d] = f.index(0);
      int64_t span = c.step[d] * (layout_.getShape()[d] - 1);
      (span > 0 ? most : least) += span;
    }
    Value start = f.affine(c.index, at);
    all = f.both(all, f.less(f.add(start, f.index(most)), f.affine(c.limit, at)));
    if (c.low) all = f.both(all, f.at_least(f.add(start, f.index(least)), f.index(0)));
  }
  return all;
}

Value Access::coordinate(int64_t r, unsigned source_dim) {
  AffineExpr coordinate = param_.getCoords().getValue().getResult(source_dim);
  SmallVector<Value> at = axes(r);
  if (outside_.empty()) return f_->affine(coordinate, at);
  llvm::copy(outside_, at.begin() + grid_);
  return f_->wide_affine(coordinate, at);
}

}  // namespace tine::gpu
