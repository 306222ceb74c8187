// Loads and stores of tiles in global memory: vectors where memory allows, predicates where lanes are out of range.
#include "codegen/gpu/lowering.hpp"
#include "codegen/math/math.hpp"

using namespace mlir;
using tine::layout::Axis;

namespace tine::gpu {
namespace {

ValueRange indices_of(Operation* op) {
  if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getIndices();
  if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getIndices();
  if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getIndices();
  return cast<ir::OffsetsOp>(op).getIndices();
}
int64_t param_of(Operation* op) {
  if (auto x = dyn_cast<ir::LoadOp>(op)) return x.getParamNumber();
  if (auto x = dyn_cast<ir::StoreOp>(op)) return x.getParamNumber();
  if (auto x = dyn_cast<ir::ValidOp>(op)) return x.getParamNumber();
  return cast<ir::OffsetsOp>(op).getParamNumber();
}
Type type_of(Operation* op) { return isa<ir::StoreOp>(op) ? cast<ir::StoreOp>(op).getValue().getType() : op->getResult(0).getType(); }

/// The registers of the vectors of an access, vector by vector.
SmallVector<SmallVector<int64_t>> vectors(const VectorWidth& w, int64_t registers) {
  int64_t mask = 0;
  for (int bit : w.bits) mask |= int64_t(1) << bit;
  SmallVector<SmallVector<int64_t>> all;
  for (int64_t r = 0; r < registers; ++r) {
    if (r & mask) continue;
    auto& v = all.emplace_back();
    for (int64_t i = 0; i < w.elements; ++i) {
      int64_t member = r;
      for (auto [k, bit] : llvm::enumerate(w.bits)) member |= (i >> k & 1) << bit;
      v.push_back(member);
    }
  }
  return all;
}
SmallVector<int64_t> vector_with(const VectorWidth& w, int64_t registers, int64_t r) {
  int64_t mask = 0;
  for (int bit : w.bits) mask |= int64_t(1) << bit;
  for (auto& v : vectors(w, registers))
    if (v[0] == (r & ~mask)) return v;
  return {r};
}
/// Of an access's vectors those that are worked on together with the one that holds register r: up to 16 registers.
ArrayRef<SmallVector<int64_t>> chunk_with(ArrayRef<SmallVector<int64_t>> all, int64_t r) {
  size_t step = std::max<size_t>(16 / all[0].size(), 1);
  for (size_t i = 0; i < all.size(); i += step) {
    ArrayRef<SmallVector<int64_t>> part = all.slice(i, std::min(step, all.size() - i));
    for (auto& v : part)
      if (llvm::is_contained(v, r)) return part;
  }
  llvm_unreachable("a register of no vector");
}
/// Words that vectors of so many bytes are moved in.
unsigned word_bits(int64_t bytes, int64_t element) { return unsigned(8 * (bytes <= 4 ? bytes : element == 8 ? 8 : 4)); }
}  // namespace

Access& Lowering::access(Operation* op) {
  auto& mine = scopes_.back()->accesses[op];
  if (mine) return *mine;
  for (auto& scope : llvm::reverse(scopes_))
    if (auto it = scope->accesses.find(op); it != scope->accesses.end() && it->second) {
      mine = std::make_unique<Access>(*it->second);  // what it emits here is not known outside
      return *mine;
    }
  SmallVector<Value> indices;
  for (Value i : indices_of(op)) indices.push_back(scalar(i));
  auto tile = dyn_cast<ir::TileType>(type_of(op));
  mine = std::make_unique<Access>(f, param_of(op), indices_of(op), indices, tile ? tile.getShape() : ArrayRef<int64_t>(), tile ? tile.getLayout() : ir::LayoutAttr());
  return *mine;
}

Value Lowering::other(ir::LoadOp op) {
  Type element = ir::elementOf(op.getType());
  double x = f.kernel.getParam(op.getParamNumber()).getOther().getValueAsDouble();
  return f.to_storage(math::emit_constant(b, f.loc, ir::dtypeOf(element), f.register_type(element), x), element);
}

void Lowering::load_vector(ir::LoadOp op, Access& a, ArrayRef<int64_t> registers, bool checked, MutableArrayRef<Value> to) {
  Type element = ir::elementOf(op.getType());
  int64_t bytes = ir::bytesOf(element);
  Value mask = checked ? a.in_range(registers[0]) : Value();
  Access::Address address = a.address(registers[0]);
  unsigned bits = word_bits(bytes * int64_t(registers.size()), bytes);
  Registers defaults;
  if (mask) defaults = f.repack(Registers(registers.size(), other(op)), bits);
  else defaults.assign(registers.size() * size_t(bytes) * 8 / bits, Value());
  Registers words = f.target.load(b, f.loc, Space::global, address.pointer, address.offset, bits, defaults, mask, !is_written(op));
  Registers stored = f.repack(words, unsigned(8 * bytes));
  for (size_t i = 0; i < registers.size(); ++i) to[i] = f.to_register(stored[i], element);
}

void Lowering::load(ir::LoadOp op, int64_t r) {
  int64_t source = f.kernel.getParam(op.getParamNumber()).getSource();
  if (f.kernel.getSource(source).getRank() == 0) return set(op.getResult(), r, f.scalar(source));
  Access& a = access(op);
  int64_t count = f.layout(op.getResult()).registers;
  if (a.width.elements == 1 || a.width.uniform) {
    SmallVector<int64_t> registers = vector_with(a.width, count, r);
    Registers values(registers.size());
    load_vector(op, a, registers, true, values);
    for (auto [i, v] : llvm::zip(registers, values)) set(op.getResult(), i, v);
    return;
  }
  // Whole vectors where the tile lies in range as a whole, else element by element; some vectors for one branch.
  auto all = vectors(a.width, count);
  ArrayRef<SmallVector<int64_t>> part = chunk_with(all, r);
  for (auto& v : part) a.address(v[0]);  // emitted before the branch, for both sides
  SmallVector<Type> types(part.size() * part[0].size(), f.register_type(ir::elementOf(op.getType())));
  auto branch = scf::IfOp::create(b, f.loc, types, *a.covered(), true);
  for (bool fast : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(fast ? branch.thenBlock() : branch.elseBlock());
    Access side(a);
    Registers values;
    for (auto& v : part) {
      Registers own(v.size());
      if (fast) load_vector(op, side, v, false, own);
      else
        for (size_t i = 0; i < v.size(); ++i) load_vector(op, side, v[i], true, own[i]);
      values.append(own);
    }
    scf::YieldOp::create(b, f.loc, values);
  }
  size_t i = 0;
  for (auto& v : part)
    for (int64_t member : v) set(op.getResult(), member, branch.getResult(unsigned(i++)));
}

void Lowering::load_all(ir::LoadOp op) {
  if (isa<ir::TileType>(op.getType())) {
    for (int64_t r = 0; r < f.layout(op.getResult()).registers; ++r)
      if (!known(op.getResult(), r)) load(op, r);
    return;
  }
  int64_t source = f.kernel.getParam(op.getParamNumber()).getSource();
  if (f.kernel.getSource(source).getRank() == 0) return set(op.getResult(), f.scalar(source));
  Value v;
  load_vector(op, access(op), {0}, true, v);
  set(op.getResult(), v);
}

void Lowering::store_vector(ir::StoreOp op, Access& a, ArrayRef<int64_t> registers, bool checked, ArrayRef<Value> values) {
  Type element = ir::elementOf(op.getValue().getType());
  int64_t bytes = ir::bytesOf(element);
  Value mask = checked ? a.in_range(registers[0]) : Value();
  LayoutInfo everybody;
  everybody.free_lanes = f.target.warp - 1, everybody.free_warps = f.target.max_warps - 1;
  bool tile = isa<ir::TileType>(op.getValue().getType());
  mask = f.both(mask, f.acts(tile ? f.layout(op.getValue()) : everybody));
  Access::Address address = a.address(registers[0]);
  Registers stored;
  for (Value v : values) stored.push_back(f.to_storage(v, element));
  f.target.store(b, f.loc, Space::global, address.pointer, address.offset, f.repack(stored, word_bits(bytes * int64_t(values.size()), bytes)), mask);
}

void Lowering::store(ir::StoreOp op) {
  Access& a = access(op);
  if (!isa<ir::TileType>(op.getValue().getType())) return store_vector(op, a, {0}, true, {scalar(op.getValue())});
  auto all = vectors(a.width, f.layout(op.getValue()).registers);
  // Some vectors at a time: what they are computed from is loaded together, and the registers are free again soon.
  for (size_t begin = 0; begin < all.size();) {
    ArrayRef<SmallVector<int64_t>> part = chunk_with(all, all[begin][0]);
    begin += part.size();
    SmallVector<Registers> values;
    for (auto& v : part) {
      auto& own = values.emplace_back();
      for (int64_t r : v) own.push_back(at(op.getValue(), r));
    }
    if (a.width.elements == 1 || a.width.uniform) {
      for (auto [v, own] : llvm::zip(part, values)) store_vector(op, a, v, true, own);
      continue;
    }
    for (auto& v : part) a.address(v[0]);
    auto branch = scf::IfOp::create(b, f.loc, *a.covered(), true);
    for (bool fast : {true, false}) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(fast ? branch.thenBlock() : branch.elseBlock());
      Access side(a);
      for (auto [v, own] : llvm::zip(part, values)) {
        if (fast) store_vector(op, side, v, false, own);
        else
          for (size_t i = 0; i < v.size(); ++i) store_vector(op, side, v[i], true, own[i]);
      }
    }
  }
}

}  // namespace tine::gpu
