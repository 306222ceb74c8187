// Of a nest: its outputs at the present point, accumulators, and the results of reductions.
#include <cmath>
#include "codegen/cpu/nest_class.hpp"
#include "codegen/cpu/element.hpp"
#include "codegen/math/math.hpp"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using tine::graph::DType;

namespace tine::cpu {

bool Nest::is_arg(const Output& o) { return cast<ir::ReduceOp>(o.op).getKind().starts_with("arg"); }

graph::Op Nest::combiner(const Output& o) { return *reduction_named(cast<ir::ReduceOp>(o.op).getKind()); }

Type Nest::running_element(const Output& o) {
  Type t = ir::elementOf(is_arg(o) ? o.value.getType() : o.op->getResult(0).getType());
  return isa<Float16Type, BFloat16Type>(t) ? Type(b.getF32Type()) : t;
}

size_t Nest::accumulator_count() const {
  size_t n = 0;
  for (const Output& o : outputs_)
    if (o.kind == Output::reduce) n += is_arg(o) ? 2 : 1;
  return n;
}

Nest::Accumulators Nest::start_accumulators() {
  Accumulators acc;
  size_t copies = lanes_ ? unroll_for_reduction() : 1;
  for (size_t u = 0; u < copies; ++u)
    for (const Output& o : outputs_) {
      if (o.kind != Output::reduce) continue;
      Type element = running_element(o), reg = f.register_type(element);
      Type type = lanes_ > 0 ? Type(vector_of(reg)) : reg;
      if (is_arg(o)) {
        acc.push_back(arg_identity(o, type));
        // No element seen yet: any element comes before.
        acc.push_back(math::emit_constant(b, f.loc, DType::i64, lanes_ > 0 ? Type(vector_of(b.getI64Type())) : b.getI64Type(), INT64_MAX));
      } else {
        acc.push_back(math::emit_identity(b, f.loc, combiner(o), ir::dtypeOf(element), type));
      }
    }
  return acc;
}

Value Nest::arg_identity(const Output& o, Type type) {
  DType t = ir::dtypeOf(running_element(o));
  return cast<ir::ReduceOp>(o.op).getKind() == "argmax" ? math::emit_lowest(b, f.loc, t, type) : math::emit_highest(b, f.loc, t, type);
}

Value Nest::reduced_position() {
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

Value Nest::comes_before(const Output& o, Value x, Value xi, Value y, Value yi) {
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

Value Nest::is_false(Value v) {
  Value zero_bits = arith::ConstantOp::create(b, f.loc, b.getZeroAttr(v.getType()));
  return arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::eq, v, zero_bits);
}

Nest::Accumulators Nest::body(Accumulators acc) {
  Accumulators out;
  size_t k = 0;
  for (const Output& o : outputs_) {
    Value v = evaluate(o.value, identity_);
    switch (o.kind) {
      case Output::store: {
        Access& a = find_access(o.op, identity_);
        bool lanes = a.vector_axis.has_value();
        bool stream = lanes && f.kernel.getSource(f.kernel.getParam(a.param).getSource()).getStreamed() && starts_at_16_bytes(a);
        store_memory(address_of(a, lanes), lanes, mask_of(a, lanes), element_of_memory(a.param), v, stream);
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
        if (lanes_ > 0) v = splat(v);
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

void Nest::finish_accumulators(Accumulators& acc) {
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

void Nest::write_result(const Output& o, Value v) {
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

std::optional<double> Nest::value_outside(Value v) {
  const auto [known, first] = outside_.try_emplace(v);
  return first ? outside_[v] = find_value_outside(v) : known->second;
}
std::optional<double> Nest::find_value_outside(Value v) {
  if (values_.scalars.count(v) || values_.buffers.count(v)) return {};
  Operation* op = v.getDefiningOp();
  if (auto x = dyn_cast_or_null<ir::LoadOp>(op)) return f.kernel.getParam(x.getParamNumber()).getOther().getValueAsDouble();
  if (auto x = dyn_cast_or_null<ir::CastOp>(op)) {  // these few values are in every float type
    if (!isa<FloatType>(ir::elementOf(x.getOperand().getType())) || !isa<FloatType>(ir::elementOf(x.getType()))) return {};
    auto inner = value_outside(x.getOperand());
    return inner && (*inner == 0 || std::isinf(*inner)) && !isa<Float8E4M3FNType>(ir::elementOf(x.getType())) ? inner : std::nullopt;
  }
  auto x = dyn_cast_or_null<ir::ElementwiseOp>(op);
  if (!x || x.getKind() != "mul") return {};
  auto l = value_outside(x.getOperands()[0]), r = value_outside(x.getOperands()[1]);
  return l && r && *l == 0 && *r == 0 ? l : std::nullopt;
}
bool Nest::ends_with_data() {
  return !outputs_.empty() && llvm::all_of(outputs_, [&](const Output& o) {
    if (o.kind != Output::reduce || is_arg(o)) return false;
    StringRef kind = cast<ir::ReduceOp>(o.op).getKind();
    auto v = value_outside(o.value);
    if (!v || !isa<FloatType>(ir::elementOf(o.value.getType()))) return false;
    return (kind == "sum" && *v == 0) || (kind == "max" && *v == -INFINITY) || (kind == "min" && *v == INFINITY);
  });
}

}  // namespace tine::cpu
