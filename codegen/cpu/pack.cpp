#include "codegen/cpu/pack.hpp"
#include "codegen/cpu/memory.hpp"
#include "codegen/cpu/separable.hpp"
#include "codegen/cpu/turn.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tine::cpu {
namespace {

/// The element of a copy of v: groups are made of v's own elements.
Type copied_element(Product& p, Value v) { return p.group > 1 ? ir::elementOf(v.getType()) : p.element; }

Value k_remainder(Product& p) { return arith::RemUIOp::create(p.f.b, p.f.loc, p.k_end, p.f.i64(p.k_unit())); }
bool whole_groups(Product& p) { return p.group == 1 || (known(p.k_end) && *known(p.k_end) % p.k_unit() == 0); }

/// Zeros everywhere, if k ends within a group.
void clear_ragged(Product& p, const Buffer& x) {
  if (whole_groups(p)) return;
  Frame& f = p.f;
  auto ragged = scf::IfOp::create(f.b, f.loc, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::ne, k_remainder(p), f.i64(0)), false);
  OpBuilder::InsertionGuard guard(f.b);
  f.b.setInsertionPointToStart(ragged.thenBlock());
  fill_zero(f, x);
}

/// A row-major copy of what lies below `rows` and `columns`; k is one of the two, and its last group is filled with zeros.
Buffer copy(Product& p, Value v, Value rows, Value columns, int64_t round_rows, int64_t round_columns) {
  Buffer x = p.f.allocate_padded(ir::shapeOf(v.getType()), copied_element(p, v), round_rows, round_columns);
  clear_ragged(p, x);
  emit_nest(p.f, p.values, x.shape, Output{Output::buffer, nullptr, v, x}, matrix_limits(v, rows, columns));
  return x;
}

/// b is loaded from memory whose neighbours lie along k, not along n.
bool runs_along_k(Product& p) {
  auto load = p.b.getDefiningOp<ir::LoadOp>();
  if (!load || p.values.buffers.count(p.b)) return false;
  auto memory = strided_memory(p.f, p.values, load);
  size_t n = p.c.shape.size();
  return memory && known(memory->strides[n - 2]) == 1 && known(memory->strides[n - 1]) != 1;
}

/// Units from `group` rows: into[..., g, n] = from[..., g * group + (0, 1, ...), n].
void interleave(Product& p, const Buffer& from, const Buffer& into) {
  Frame& f = p.f;
  Type narrow = f.storage_type(from.element);
  VectorType row = VectorType::get({p.lanes}, narrow);
  each_entry(f, from.shape, [&](ArrayRef<Value> at) {
    Value source = entry_of(f, from, at), target = entry_of(f, into, at), pitch = f.columns(from);
    emit_loop(f, f.i64(0), pitch, p.lanes, [&](Value n) {
      Value column = column_of(f, into, target, n);
      emit_loop(f, f.i64(0), p.groups(), 1, [&](Value g) {
        SmallVector<Value> v;
        for (int64_t r = 0; r < p.group; ++r) {
          Value k = add(f, mul(f, g, f.i64(p.group)), f.i64(r));
          v.push_back(LLVM::LoadOp::create(f.b, f.loc, row, element_at(f, source, narrow, add(f, mul(f, k, pitch), n)), 1));
        }
        while (v.size() > 1) {  // vectors i and i + half take turns, lane by lane
          size_t half = v.size() / 2;
          SmallVector<Value> next;
          for (size_t i = 0; i < half; ++i) {
            int64_t w = cast<VectorType>(v[i].getType()).getDimSize(0);
            SmallVector<int64_t> order;
            for (int64_t l = 0; l < w; ++l) order.append({l, w + l});
            next.push_back(vector::ShuffleOp::create(f.b, f.loc, v[i], v[i + half], order));
          }
          v = next;
        }
        LLVM::StoreOp::create(f.b, f.loc, v[0], element_at(f, column, p.unit, mul(f, g, row_pitch(f, into))), 1);
      });
    });
  });
}

/// Copies an operand that is loaded, but not from strided memory, into panels of rows (`dim` 0) or columns (1), if it can.
bool copy_windows(Product& p, Value v, unsigned dim, Value rows, Value columns, const Buffer& into) {
  auto load = v.getDefiningOp<ir::LoadOp>();
  if (!load || p.values.buffers.count(v) || p.lanes < 4 || strided_memory(p.f, p.values, load)) return false;
  return copy_separable(p.f, p.values, load, into, {rows, columns}, dim, p.lanes);
}

}  // namespace

Place row_major(Frame& f, const Buffer& x) {
  Place p{x.base, SmallVector<Value>(x.shape.size())};
  Value stride = f.i64(1);
  for (size_t d = x.shape.size(); d-- > 0;) {
    p.strides[d] = stride;
    size_t left = x.shape.size() - d;
    stride = mul(f, stride, left == 1 ? f.columns(x) : left == 2 ? f.rows(x) : f.extent(x.shape[d]));
  }
  return p;
}

namespace {
// Below this many elements a copy is made sooner than looked for.
constexpr int64_t least_kept = 1024;

/// What several programs may share of b: its copy, if b is loaded for this product.
std::optional<Kept> keep_b(Product& p, Value source) {
  ArrayRef<int64_t> shape = ir::shapeOf(p.b.getType());
  int64_t n = 1;
  for (int64_t d : shape) n *= ir::TileType::isSymbol(d) ? least_kept : std::clamp<int64_t>(d, 0, least_kept);
  auto load = source.getDefiningOp<ir::LoadOp>();
  if (!load || p.values.buffers.count(p.b) || p.values.buffers.count(source) || n < least_kept) return {};
  if (p.rounds) return keep_round(p.f, p.values, load, p.rounds->count, p.rounds->now, {p.k_end, p.n_end});
  return keep(p.f, p.values, load, shape, p.c.element, {p.k_end, p.n_end});
}

Buffer allocate(Product& p, const std::optional<Kept>& kept, ArrayRef<int64_t> shape, Type element, int64_t round_rows) {
  if (p.rounds) return p.f.allocate_slots(shape, element, round_rows, p.width(), p.rounds->count, p.rounds->now);
  if (!kept) return p.f.allocate_padded(shape, element, round_rows, p.width());
  return p.f.allocate_slots(shape, element, round_rows, p.width(), kept->count, kept->slot);
}

/// A size divided by a number, of one round and of all, at the start of the function.
struct Sizes { Value one, all; };
Sizes sizes(Product& p, Value size, int64_t by) {
  Sizes s;
  s.all = p.f.at_entry([&](OpBuilder& at, Frame::Extent extent) -> Value {
    Value divisor = arith::ConstantOp::create(at, p.f.loc, at.getI64IntegerAttr(by));
    s.one = by == 1 ? size : arith::DivUIOp::create(at, p.f.loc, size, divisor).getResult();
    return arith::MulIOp::create(at, p.f.loc, s.one, p.rounds->count(at, extent));
  });
  return s;
}
}  // namespace

PackedB pack_b(Product& p) {
  Frame& f = p.f;
  ArrayRef<int64_t> shape = ir::shapeOf(p.b.getType());
  Value source = transposed(p.b);
  bool turned = source && !p.values.buffers.count(p.b) && p.lanes >= 4;
  bool along_k = !turned && p.lanes >= 4 && runs_along_k(p);
  std::optional<Kept> kept = keep_b(p, turned ? source : p.b);
  int64_t round_rows = p.group > 1 ? p.lanes * p.group : turned || along_k ? p.lanes : 1;
  Type unit = p.group > 1 ? Type(f.b.getI32Type()) : p.element;
  Buffer x;
  Value first, rows;
  if (p.rounds) {  // all rounds' rows follow each other
    x = f.allocate_slots(shape, p.group > 1 ? p.element : unit, round_rows, p.width(), p.rounds->count, f.i64(0));
    x.element = unit;
    Sizes sized = sizes(p, f.rows(x), p.group);
    x.rows = sized.all;
    rows = sized.one;
    first = x.base;
    x.base = element_at(f, first, p.unit, mul(f, p.rounds->now, mul(f, rows, f.i64(p.width()))));
  } else {
    x = allocate(p, kept, shape, unit, round_rows);
    if (round_rows > 1) x.rows = floordiv(f, x.rows, p.group);
  }
  x.panel = p.width();
  if_stale(f, kept, [&] {
    if (turned) {  // rows as they lie, then turned
      turn_buffer(f, copy(p, source, p.n_end, p.k_end, p.width(), p.lanes * p.group), x, p.lanes, p.group);
    } else if (along_k) {
      SmallVector<int64_t> lying(shape);
      std::swap(lying[lying.size() - 1], lying[lying.size() - 2]);
      Buffer flat = f.allocate_padded(lying, copied_element(p, p.b), p.width(), p.lanes * p.group);
      clear_ragged(p, flat);
      Buffer as_b = flat;  // the same memory, as b sees it
      as_b.shape.assign(shape.begin(), shape.end());
      as_b.rows = f.rows(flat);
      as_b.columns = f.columns(flat);
      as_b.turned = true;
      emit_nest(f, p.values, shape, Output{Output::buffer, nullptr, p.b, as_b}, matrix_limits(p.b, p.k_end, p.n_end));
      turn_buffer(f, flat, x, p.lanes, p.group);
    } else if (p.group > 1) {
      interleave(p, copy(p, p.b, p.k_end, p.n_end, p.k_unit(), p.width()), x);
    } else if (!copy_windows(p, p.b, 1, p.k_end, p.n_end, x)) {
      emit_nest(f, p.values, shape, Output{Output::buffer, nullptr, p.b, x}, matrix_limits(p.b, p.k_end, p.n_end));
    }
  });
  return {x, kept, first, rows};
}

Buffer sum_columns(Product& p, const PackedB& b) {
  Frame& f = p.f;
  const Buffer& packed = b.panels;
  SmallVector<int64_t> shape(packed.shape);
  shape[shape.size() - 2] = 1;
  Buffer result = allocate(p, b.kept, shape, f.b.getI32Type(), 1);
  if_stale(f, b.kept, [&] {
    each_entry(f, packed.shape, [&](ArrayRef<Value> at) {
      Value source = entry_of(f, packed, at), target = entry_of(f, result, at);
      emit_loop(f, f.i64(0), f.columns(packed), p.lanes, [&](Value n) {
        Value column = column_of(f, packed, source, n);
        Value zeros = arith::ConstantOp::create(f.b, f.loc, f.b.getZeroAttr(p.sums()));
        auto op = scf::ForOp::create(f.b, f.loc, f.i64(0), p.groups(), f.i64(1), ValueRange{zeros});
        {
          OpBuilder::InsertionGuard guard(f.b);
          f.b.setInsertionPointToEnd(op.getBody());
          Value v = LLVM::LoadOp::create(f.b, f.loc, p.units(), element_at(f, column, p.unit, mul(f, op.getInductionVar(), row_pitch(f, packed))), 4);
          Value ones = arith::ConstantOp::create(f.b, f.loc, DenseElementsAttr::get(p.units(), int32_t(0x01010101)));
          scf::YieldOp::create(f.b, f.loc, p.multiply_add(ones, v, op.getRegionIterArgs()[0]));
        }
        Value seven = arith::ConstantOp::create(f.b, f.loc, DenseElementsAttr::get(p.sums(), int32_t(7)));
        LLVM::StoreOp::create(f.b, f.loc, arith::ShLIOp::create(f.b, f.loc, op.getResult(0), seven), element_at(f, target, p.sum, n), 4);
      });
    });
  });
  return result;
}

namespace {
/// A copy of a that is there when the product is multiplied.
Buffer copy_a(Product& p) {
  Frame& f = p.f;
  if (!p.rounds) return copy(p, p.a, p.m_end, p.k_end, 1, p.k_unit());
  ArrayRef<int64_t> shape = ir::shapeOf(p.a.getType());
  Buffer x = f.allocate_slots(shape, copied_element(p, p.a), 1, p.k_unit(), p.rounds->count, p.group > 1 ? p.rounds->now : f.i64(0));
  if (p.group == 1) {  // all rounds' columns follow each other, as they do in memory
    Sizes columns = sizes(p, f.columns(x), 1);
    x.base = element_at(f, x.base, f.storage_type(x.element), mul(f, p.rounds->now, columns.one));
    x.columns = columns.all;
  }
  clear_ragged(p, x);
  emit_nest(f, p.values, shape, Output{Output::buffer, nullptr, p.a, x}, matrix_limits(p.a, p.m_end, p.k_end));
  return x;
}
}  // namespace

PlacedA place_a(Product& p) {
  Frame& f = p.f;
  auto copied = [&] { return copy_a(p); };
  Type element = copied_element(p, p.a);
  if (auto it = p.values.buffers.find(p.a); it != p.values.buffers.end()) {
    bool stays = !p.rounds || p.a.getParentBlock() != p.rounds->body;
    if (stays && it->second.element == element && !it->second.turned && whole_groups(p)) return {row_major(f, it->second), {}};
    return {row_major(f, copied()), {}};
  }
  auto load = p.a.getDefiningOp<ir::LoadOp>();
  if (load && p.group == 1) {
    ArrayRef<int64_t> shape = ir::shapeOf(p.a.getType());
    Buffer x;
    if (p.rounds) {  // all rounds' columns follow each other
      x = f.allocate_slots(shape, p.element, p.lanes, 1, p.rounds->count, f.i64(0));
      x.base = element_at(f, x.base, p.unit, mul(f, p.rounds->now, mul(f, f.extent(p.k), f.i64(p.lanes))));
      x.columns = sizes(p, f.extent(p.k), 1).all;
    } else {
      x = f.allocate_padded(shape, p.element, p.lanes, 1);
      x.columns = f.extent(p.k);
    }
    x.panel = p.lanes;
    if (copy_windows(p, p.a, 0, p.m_end, p.k_end, x)) {
      p.rows = std::min(p.rows, p.lanes);
      while (p.lanes % p.rows) --p.rows;
      return {{}, x};
    }
  }
  std::optional<Strided> memory;
  if (load && ir::elementOf(p.a.getType()) == element) memory = strided_memory(f, p.values, load, matrix_limits(p.a, p.m_end, p.k_end));
  if (!memory || known(memory->strides.back()) != 1) return {row_major(f, copied()), {}};

  // In place, if at this call all of it is in range.
  Value direct = memory->covered;
  if (!whole_groups(p)) direct = arith::AndIOp::create(f.b, f.loc, direct, arith::CmpIOp::create(f.b, f.loc, arith::CmpIPredicate::eq, k_remainder(p), f.i64(0)));
  SmallVector<Type> types{f.ptr_type()};
  types.append(memory->strides.size(), f.b.getI64Type());
  auto choice = scf::IfOp::create(f.b, f.loc, types, direct, true);
  auto yield = [&](const Place& place) {
    SmallVector<Value> v{place.base};
    v.append(place.strides.begin(), place.strides.end());
    scf::YieldOp::create(f.b, f.loc, v);
  };
  {
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(choice.thenBlock());
    yield({memory->pointer, memory->strides});
    f.b.setInsertionPointToStart(choice.elseBlock());
    yield(row_major(f, copied()));
  }
  Place place{choice.getResult(0), {}};
  place.strides.assign(choice.getResults().begin() + 1, choice.getResults().end());
  place.strides.back() = f.i64(1);  // in both
  return {place, {}};
}

}  // namespace tine::cpu
