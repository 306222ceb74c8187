// Of a nest: addresses of accesses, where they are in range, masks, loads and stores.
#include "codegen/cpu/nest_class.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {

Access& Nest::find_access(Operation* op, const Index& index) {
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

SmallVector<Value> Nest::axis_values(const Access& a) {
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

SmallVector<unsigned> Nest::inner_axes(const Access& a, AffineExpr e) {
  SmallVector<unsigned> r;
  for (unsigned k = 0; k < a.axis_dim.size(); ++k)
    if (a.axis_dim[k] >= 0 && a.axis_dim[k] != vector_dim_ && uses_dim(e, k) &&
        llvm::find(order_, a.axis_dim[k]) - order_.begin() > vector_level())
      r.push_back(k);
  return r;
}

void Nest::narrow(Interval& v, int64_t c, Value rest, Value limit, bool low) {
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

void Nest::find_intervals() {
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

VectorType Nest::vector_of(Type element) { return VectorType::get({lanes_}, element); }

Value Nest::splat(Value v) {
  if (is_vector(v) || !lanes_) return v;
  Type type = v.getType();
  if (!isa<Float16Type, BFloat16Type>(type)) return vector::BroadcastOp::create(b, f.loc, vector_of(type), v);
  // As integers: on targets without such floats LLVM would take them through f32, and f32 to bf16 through a library.
  Value bits = arith::BitcastOp::create(b, f.loc, b.getI16Type(), v);
  bits = vector::BroadcastOp::create(b, f.loc, vector_of(b.getI16Type()), bits);
  return arith::BitcastOp::create(b, f.loc, vector_of(type), bits);
}

Value Nest::iota() {
  SmallVector<int32_t> n;
  for (int64_t i = 0; i < lanes_; ++i) n.push_back(int32_t(i));
  return arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector_of(b.getI32Type()), ArrayRef<int32_t>(n)));
}

Value Nest::lanes_below(Value end) {
  Value n = min(f, max(f, sub(f, end, iv_[vector_dim_]), f.i64(0)), f.i64(lanes_));
  Value n32 = arith::TruncIOp::create(b, f.loc, b.getI32Type(), n);
  return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::slt, iota(), splat(n32));
}

Value Nest::lanes_from(Value begin) {
  Value n = min(f, max(f, sub(f, begin, iv_[vector_dim_]), f.i64(0)), f.i64(lanes_));
  Value n32 = arith::TruncIOp::create(b, f.loc, b.getI32Type(), n);
  return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::sge, iota(), splat(n32));
}

Value Nest::both(Value x, Value y) {
  if (!x) return y;
  if (!y) return x;
  return arith::AndIOp::create(b, f.loc, is_vector(y) ? splat(x) : x, is_vector(x) ? splat(y) : y);
}

Value Nest::compare(arith::CmpIPredicate p, Value x, Value y) { return arith::CmpIOp::create(b, f.loc, p, x, is_vector(x) ? splat(y) : y); }

Value Nest::mask_of(Access& a, bool lanes) {
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

Nest::Address Nest::address_of(Access& a, bool lanes) {
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

Value Nest::gather_pointers(const Address& p, Type storage) {
  Value offsets = p.lane_offsets;
  if (!offsets) {
    Value lane = arith::ExtSIOp::create(b, f.loc, vector_of(b.getI64Type()), iota());
    offsets = arith::MulIOp::create(b, f.loc, lane, splat(p.step));
  }
  return LLVM::GEPOp::create(b, f.loc, vector_of(f.ptr_type()), storage, p.pointer, ArrayRef<LLVM::GEPArg>{offsets});
}

Value Nest::all_lanes(bool v) {
  return arith::ConstantOp::create(b, f.loc, DenseElementsAttr::get(vector_of(b.getI1Type()), v));
}

Value Nest::load_memory(const Address& p, bool lanes, Value mask, Type element, Value other) {
  Type storage = f.storage_type(element);
  unsigned align = unsigned(ir::bytesOf(element));
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

Value Nest::guarded_load(Value pointer, Value mask, Type storage, unsigned align, Value other) {
  if (!mask) return LLVM::LoadOp::create(b, f.loc, storage, pointer, align);
  auto branch = scf::IfOp::create(b, f.loc, TypeRange{storage}, mask, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, f.loc, LLVM::LoadOp::create(b, f.loc, storage, pointer, align).getResult());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, f.loc, other);
  return branch.getResult(0);
}

void Nest::store_memory(const Address& p, bool lanes, Value mask, Type element, Value v, bool stream) {
  Type storage = f.storage_type(element);
  unsigned align = unsigned(ir::bytesOf(element));
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
    if (!mask && stream) {
      LLVM::StoreOp::create(b, f.loc, v, p.pointer, 16, /*isVolatile=*/false, /*isNonTemporal=*/true);
      f.streams = true;
    } else if (!mask) {
      LLVM::StoreOp::create(b, f.loc, v, p.pointer, align);
    } else LLVM::MaskedStoreOp::create(b, f.loc, v, p.pointer, mask, b.getI32IntegerAttr(int32_t(align)));
  } else {
    LLVM::masked_scatter::create(b, f.loc, v, gather_pointers(p, storage), mask ? mask : all_lanes(true), b.getI32IntegerAttr(int32_t(align)));
  }
}

Value Nest::other_of(int64_t param) {
  Type element = element_of_memory(param);
  double other = f.kernel.getParam(param).getOther().getValueAsDouble();
  Value v = math::emit_constant(b, f.loc, ir::dtypeOf(element), f.register_type(element), other);
  return to_storage(b, f.loc, v, element);
}

Nest::Address Nest::buffer_address(const Buffer& buffer, const Index& index) {
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

bool Nest::starts_at_16_bytes(Access& a) {
  ir::ParamAttr param = f.kernel.getParam(a.param);
  if (!main_from_zero_ || !a.vector_axis || lanes_ * ir::bytesOf(element_of_memory(a.param)) % 16) return false;
  int64_t per = 16 / ir::bytesOf(element_of_memory(a.param));
  for (const AddressTerm& t : address_terms(f, param)) {
    if (known(t.stride) != 1) continue;  // rows start at multiples of 16 bytes
    // The first lane's index is a multiple of the lanes.
    AffineExpr lane = getAffineDimExpr(*a.vector_axis, t.index.getContext());
    if (t.index.replace(lane, lane * lanes_).getLargestKnownDivisor() % per) return false;
  }
  return true;
}

void Nest::prefetch_next_program(Access& a, const Address& p) {
  if (!llvm::all_of(outputs_, [](const Output& o) { return o.kind == Output::store; })) return;
  // Loaded by another loop of the program before.
  int loads = 0;
  f.kernel.walk([&](ir::LoadOp x) { loads += x.getParamNumber() == a.param; });
  ir::ParamAttr param = f.kernel.getParam(a.param);
  unsigned grid = unsigned(cast<DenseI64ArrayAttr>(param.getLevels()[0]).size());
  if (loads < 2 || grid == 0) return;
  const unsigned* dim = llvm::find_if(f.order, [&](unsigned d) { return f.kernel.getGrid()[d] != 1; });
  if (dim == f.order.end()) return;
  SmallVector<Value> at = axis_values(a);
  Value step = f.i64(0);
  for (const AddressTerm& t : address_terms(f, param)) {
    auto l = linear_in(t.index, *dim);
    if (!l || !l->coefficient.isSymbolicOrConstant()) return;
    step = add(f, step, mul(f, emit_affine(f, l->coefficient, at), t.stride));
  }
  if (known(step) == 0) return;
  Type storage = f.storage_type(element_of_memory(a.param));
  Value next = LLVM::GEPOp::create(b, f.loc, f.ptr_type(), storage, p.pointer, ArrayRef<LLVM::GEPArg>{step});
  LLVM::Prefetch::create(b, f.loc, next, b.getI32IntegerAttr(0), b.getI32IntegerAttr(2), b.getI32IntegerAttr(1));
}

}  // namespace tine::cpu
