#include "codegen/cpu/keep.hpp"
#include "codegen/cpu/materialize.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/product.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tine::cpu {
namespace {

// All slots of a load together. Each byte of a slot is used once for each row of a block, so that memory beyond the caches
// is fast enough; this bounds what a thread holds.
constexpr int64_t most_bytes = 64 << 20, most_slots = 1 << 16;

bool never_changes(ir::KernelOp kernel, ir::LoadOp load) {
  bool same = true;
  kernel.walk([&](ir::StoreOp s) { same &= !conflicts(kernel, s, load); });
  return same;
}

/// Dims of the grid that expressions of a param use.
SmallVector<unsigned> used_dims(ir::ParamAttr param, ArrayRef<AffineExpr> expressions) {
  SmallVector<unsigned> r;
  for (unsigned d = 0; d < cast<DenseI64ArrayAttr>(param.getLevels()[0]).size(); ++d)
    if (llvm::any_of(expressions, [&](AffineExpr e) { return uses_dim(e, d); })) r.push_back(d);
  return r;
}
SmallVector<unsigned> used_dims(ir::ParamAttr param) {
  SmallVector<AffineExpr> all;
  for (AffineMap m : {param.getCoords().getValue(), param.getLinear().getValue(), param.getBounds().getValue(), param.getLimits().getValue()})
    llvm::append_range(all, m.getResults());
  return used_dims(param, all);
}

/// Sizes of the middle levels, whose indices a load names.
SmallVector<int64_t> level_dims(ir::ParamAttr param) {
  SmallVector<int64_t> r;
  ArrayAttr levels = param.getLevels();
  for (size_t l = 1; l + 1 < levels.size(); ++l) llvm::append_range(r, cast<DenseI64ArrayAttr>(levels[l]).asArrayRef());
  return r;
}

Frame::Count slot_count(ir::KernelOp kernel, int64_t number, ArrayRef<unsigned> used, ArrayRef<int64_t> shape, int64_t element_bytes, Location loc) {
  SmallVector<int64_t> levels = level_dims(kernel.getParam(number)), sharing, tile(shape);
  for (unsigned d = 0; d < kernel.getGrid().size(); ++d)
    if (!llvm::is_contained(used, d)) sharing.push_back(kernel.getGrid()[d]);
  return [=](OpBuilder& b, Frame::Extent extent) -> Value {
    auto constant = [&](int64_t v) { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v)).getResult(); };
    auto product = [&](Value start, ArrayRef<int64_t> dims, int64_t most) {  // at most `most`, which its square does not overflow
      Value n = start;
      for (int64_t d : dims) {
        Value next = arith::MinUIOp::create(b, loc, extent(d), constant(most));
        n = arith::MinUIOp::create(b, loc, arith::MulIOp::create(b, loc, n, next), constant(most));
      }
      return n;
    };
    Value slots = product(constant(1), levels, most_slots + 1), programs = product(constant(1), sharing, 2);
    Value bytes = product(arith::MulIOp::create(b, loc, slots, constant(element_bytes)), tile, most_bytes + 1);
    Value ok = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, programs, constant(2));
    for (auto [value, most] : {std::pair{slots, most_slots}, std::pair{bytes, most_bytes}})
      ok = arith::AndIOp::create(b, loc, ok, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, value, constant(most)));
    return arith::SelectOp::create(b, loc, ok, slots, constant(0));
  };
}

SmallVector<Value> keys_of(Frame& f, ArrayRef<unsigned> used, ArrayRef<Value> also) {
  SmallVector<Value> keys;
  for (unsigned d : used) keys.push_back(f.program[d]);
  if (keys.empty()) keys.push_back(f.i64(0));
  for (Value v : also)
    if (!known(v)) keys.push_back(v);
  return keys;
}

/// Puts the keys into the slot's tag, and tells if it is stale: they were not there. `inside` false: in any case.
void take(Frame& f, Kept& kept, Value inside, ArrayRef<Value> keys) {
  OpBuilder& b = f.b;
  Value tags = f.allocate_tags(kept.count, int64_t(keys.size()));
  int64_t pitch = int64_t(llvm::alignTo(keys.size(), 8));
  Value tag = element_at(f, tags, b.getI64Type(), mul(f, kept.slot, f.i64(pitch)));
  Value same = inside;
  SmallVector<Value> places;
  for (auto [i, key] : llvm::enumerate(keys)) {
    places.push_back(element_at(f, tag, b.getI64Type(), f.i64(int64_t(i))));
    Value there = LLVM::LoadOp::create(b, f.loc, b.getI64Type(), places.back(), 8);
    same = arith::AndIOp::create(b, f.loc, same, arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, there, key));
  }
  kept.stale = arith::XOrIOp::create(b, f.loc, same, f.i1(true));
  for (auto [place, key] : llvm::zip(places, keys)) LLVM::StoreOp::create(b, f.loc, key, place, 8);
}

Kept keep_for(Frame& f, Values& values, ir::LoadOp load, ArrayRef<unsigned> used, ArrayRef<int64_t> shape, Type element, ArrayRef<Value> also) {
  OpBuilder& b = f.b;
  int64_t number = load.getParamNumber();
  Kept kept;
  kept.count = slot_count(f.kernel, number, used, shape, ir::bytesOf(element), f.loc);
  Value count = f.at_entry(kept.count), slot = f.i64(0), inside = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::ne, count, f.i64(0));
  for (auto [dim, index] : llvm::zip(level_dims(f.kernel.getParam(number)), load.getIndices())) {
    Value i = values.scalars.lookup(index), size = f.extent(dim);
    inside = arith::AndIOp::create(b, f.loc, inside, arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::ult, i, size));
    slot = add(f, mul(f, slot, size), i);
  }
  kept.slot = arith::SelectOp::create(b, f.loc, inside, slot, count);  // the last one is nobody's
  take(f, kept, inside, keys_of(f, used, also));
  return kept;
}

}  // namespace

std::optional<Kept> keep(Frame& f, Values& values, ir::LoadOp load, ArrayRef<int64_t> shape, Type element, ArrayRef<Value> also) {
  if (!never_changes(f.kernel, load)) return {};
  return keep_for(f, values, load, used_dims(f.kernel.getParam(load.getParamNumber())), shape, element, also);
}

std::optional<Kept> keep_round(Frame& f, Values& values, ir::LoadOp load, const Frame::Count& count, Value slot, ArrayRef<Value> also) {
  if (!never_changes(f.kernel, load)) return {};
  SmallVector<Value> keys = keys_of(f, used_dims(f.kernel.getParam(load.getParamNumber())), also);
  for (Value index : load.getIndices())
    if (Value i = values.scalars.lookup(index); !known(i)) keys.push_back(i);
  Kept kept{count, slot, {}};
  take(f, kept, f.i1(true), keys);
  return kept;
}

Kept keep_computed(Frame& f, Values& values, ir::LoadOp load, ArrayRef<AffineExpr> expressions, ArrayRef<int64_t> shape, Type element) {
  return keep_for(f, values, load, used_dims(f.kernel.getParam(load.getParamNumber()), expressions), shape, element, {});
}

void if_stale(Frame& f, const std::optional<Kept>& kept, llvm::function_ref<void()> fill) {
  if (!kept) return fill();
  auto op = scf::IfOp::create(f.b, f.loc, kept->stale, false);
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPointToStart(op.thenBlock());
  fill();
}

SmallVector<unsigned> program_order(ir::KernelOp kernel) {
  SmallVector<unsigned> order, shared, others;
  for (unsigned d = unsigned(kernel.getGrid().size()); d-- > 0;) order.push_back(d);
  ir::LoadOp load;
  kernel.walk([&](ir::DotOp dot) {
    Value t = transposed(dot.getB());
    auto l = (t ? t : dot.getB()).getDefiningOp<ir::LoadOp>();
    if (!load && l && never_changes(kernel, l)) load = l;
  });
  if (!load) return order;
  SmallVector<unsigned> used = used_dims(kernel.getParam(load.getParamNumber()));
  for (unsigned d : order) (llvm::is_contained(used, d) ? others : shared).push_back(d);
  shared.append(others);
  return shared;
}

}  // namespace tine::cpu
