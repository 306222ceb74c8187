// Products by matrix units, the loads of their fragments, and the asynchronous copies that feed them.
#include <map>
#include "codegen/gpu/lowering.hpp"
#include "codegen/gpu/product_layouts.hpp"
#include "codegen/gpu/shared_offsets.hpp"
#include "compiler/layout/shared.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using tine::layout::Axis;
using tine::layout::Layout;

namespace tine::gpu {
namespace {

/// The first registers of the unit's blocks, by the coordinates of the block's first element.
std::map<std::vector<int64_t>, int64_t> blocks(const LayoutInfo& info, const Layout& unit) {
  std::map<std::vector<int64_t>, int64_t> found;
  for (int64_t r = 0; r < info.registers; r += unit.in_size(Axis::reg)) found.insert({{info.at[size_t(r)].begin(), info.at[size_t(r)].end()}, r});
  return found;
}

}  // namespace

Registers Lowering::operand_words(Value tile, int64_t first, int64_t count, int64_t contracted) {
  auto type = cast<ir::TileType>(tile.getType());
  Registers words;
  for (int64_t r = first; r < first + count; ++r) {
    Value v = at(tile, r);
    // What stands beyond the end of the contracted dim must not count.
    if (!zero_padded(tile))
      if (Value real = inside(type, r, {contracted}))
        v = arith::SelectOp::create(b, f.loc, real, v, arith::ConstantOp::create(b, f.loc, b.getZeroAttr(v.getType())));
    words.push_back(type.getElementType().isF64() ? v : f.to_storage(v, type.getElementType()));
  }
  return type.getElementType().isF64() ? words : f.repack(words, 32);
}

bool Lowering::zero_padded(Value tile) {
  auto load = tile.getDefiningOp<ir::SharedLoadOp>();
  if (!load) return false;
  Value memory = load.getMemory();
  if (memory.getDefiningOp<ir::SharedSlotOp>()) return true;
  return llvm::all_of(memory.getUsers(), [](Operation* user) {
    auto store = dyn_cast<ir::SharedStoreOp>(user);
    return !store || store.getZero();
  });
}

void Lowering::matrix_product(ir::DotOp op, const ProductLayouts& layouts) {
  const MatrixUnit& unit = *layouts.unit;
  Value a = op.getA(), x = op.getB();
  Type element = op.getType().getElementType(), a_element = op.getA().getType().getElementType(), b_element = op.getB().getType().getElementType();
  const LayoutInfo &result = f.layout(op.getResult()), &left = f.layout(a), &right = f.layout(x);
  Registers sums;
  if (op.getAcc()) sums = all(op.getAcc());
  else sums.assign(size_t(result.registers), arith::ConstantOp::create(b, f.loc, b.getZeroAttr(f.register_type(element))));
  auto a_blocks = blocks(left, unit.a), b_blocks = blocks(right, unit.b);
  int64_t rank = int64_t(op.getType().getShape().size()), m = rank - 2, n = rank - 1;
  int64_t a_count = unit.a.in_size(Axis::reg), b_count = unit.b.in_size(Axis::reg), count = unit.d.in_size(Axis::reg);
  bool three = op.getPrecision().value_or("") == "tf32x3";

  // Of tf32x3: the number, what rounding left of it, and what the other's rest is multiplied by: the number, but 0 for an infinity or
  // NaN, which times a rest of 0, or of the other sign, would be NaN.
  struct Words { Registers big, small, finite; };
  auto fetch = [&](Value tile, int64_t first, int64_t many, int64_t contracted) {
    Words w{operand_words(tile, first, many, contracted), {}, {}};
    if (!unit.rounds_to_tf32) return w;
    Value none = f.i32(0), exponent = f.i32(0x7f800000);  // all ones: an infinity or NaN
    for (Value& word : w.big) {
      Value v = LLVM::BitcastOp::create(b, f.loc, b.getF32Type(), word);
      word = f.target.to_tf32(b, f.loc, v);
      if (!three) continue;
      Value rest = f.target.to_tf32(b, f.loc, arith::SubFOp::create(b, f.loc, v, LLVM::BitcastOp::create(b, f.loc, b.getF32Type(), word)));
      Value finite = arith::CmpIOp::create(b, f.loc, arith::CmpIPredicate::ne, arith::AndIOp::create(b, f.loc, word, exponent), exponent);
      w.small.push_back(arith::SelectOp::create(b, f.loc, finite, rest, none));
      w.finite.push_back(arith::SelectOp::create(b, f.loc, finite, word, none));
    }
    return w;
  };
  for (int64_t k = 0; k < left.map.out_size(layout::dim(int(n))); k += unit.k) {
    std::map<int64_t, Words> a_words, b_words;
    for (int64_t r = 0; r < result.registers; r += count) {
      std::vector<int64_t> at(result.at[size_t(r)].begin(), result.at[size_t(r)].end()), a_at = at, b_at = at;
      a_at[size_t(n)] = k, b_at[size_t(m)] = k;
      int64_t a_first = a_blocks.at(a_at), b_first = b_blocks.at(b_at);
      if (!a_words.count(a_first)) a_words[a_first] = fetch(a, a_first, a_count, n);
      if (!b_words.count(b_first)) b_words[b_first] = fetch(x, b_first, b_count, m);
      Words &p = a_words[a_first], &q = b_words[b_first];
      ValueRange c = ValueRange(sums).slice(size_t(r), size_t(count));
      Registers d(c);
      if (three) {  // the small parts first, while the sum is small
        d = f.target.multiply(b, f.loc, a_element, b_element, p.small, q.finite, d);
        d = f.target.multiply(b, f.loc, a_element, b_element, p.finite, q.small, d);
      }
      d = f.target.multiply(b, f.loc, a_element, b_element, p.big, q.big, d);
      llvm::copy(d, sums.begin() + r);
    }
  }
  set(op.getResult(), sums);
}

bool Lowering::load_matrices(ir::SharedLoadOp op) {
  if (!f.target.loads_matrices() || !llvm::any_of(op->getUsers(), [](Operation* user) { return isa<ir::DotOp>(user); })) return false;
  ir::MemoryType memory_type = op.getMemory().getType();
  Type element = memory_type.getElementType();
  int bits = int(8 * ir::bytesOf(element));
  const LayoutInfo& info = f.layout(op.getResult());
  std::optional<layout::MatrixLoad> load = layout::matrix_load(memory_type.getLayout().getLayout(), info.map, bits);
  if (!load || info.map.free_bits(Axis::reg)) return false;
  SharedOffsets rows(f, memory(op.getMemory()), load->rows, 1);
  int64_t counted = 0;
  for (int bit : load->within) counted |= int64_t(1) << bit;
  for (int bit : load->matrices) counted |= int64_t(1) << bit;
  Registers values(static_cast<size_t>(info.registers));
  for (int64_t r = 0; r < info.registers; ++r) {
    if (r & counted) continue;
    Access::Address a = rows.at(r);
    Registers words = f.target.load_matrices(b, f.loc, a.pointer, a.offset, int64_t(1) << load->matrices.size(), load->trans);
    for (auto [i, word] : llvm::enumerate(words)) {
      int64_t first = r;
      for (auto [bit, m] : llvm::enumerate(load->matrices)) first |= int64_t(i >> bit & 1) << m;
      for (auto [part, v] : llvm::enumerate(f.repack(word, unsigned(bits)))) {
        int64_t member = first;
        for (auto [k, bit] : llvm::enumerate(load->within)) member |= int64_t(part >> k & 1) << bit;
        values[size_t(member)] = f.to_register(v, element);
      }
    }
  }
  set(op.getResult(), values);
  return true;
}

void Lowering::copy_async(ir::CopyAsyncOp op) {
  ir::MemoryType memory_type = op.getMemory().getType();
  Type element = memory_type.getElementType();
  int64_t bytes = ir::bytesOf(element);
  SmallVector<Value> indices;
  for (Value i : op.getIndices()) indices.push_back(scalar(i));
  Access from(f, op.getParamNumber(), op.getIndices(), indices, op.getTileShape(), op.getThreads(), op.getInLevel());
  from.only(scalar(op.getWhen()));
  std::vector<int64_t> back(op.getOrder().size());
  for (auto [k, d] : llvm::enumerate(op.getOrder())) back[size_t(d)] = int64_t(k);
  const LayoutInfo& info = f.layout(op.getThreads());
  layout::SharedAccess to = layout::shared_access(memory_type.getLayout().getLayout().permuted(back), info.map, int(8 * bytes));
  SharedOffsets offsets(f, memory(op.getMemory()), to.offsets, bytes);
  int64_t mask = 0;
  for (int bit : from.width.bits) mask |= int64_t(1) << bit;
  auto all = [&] {
    for (int64_t r = 0; r < info.registers; ++r) {
      if (r & mask) continue;
      Access::Address source = from.address(r), place = offsets.at(r);
      f.target.copy_async(b, f.loc, place.pointer, place.offset, source.pointer, source.offset, bytes * from.width.elements, from.in_range(r));
    }
  };
  Value acts = f.acts(info);
  if (!acts) return all();
  auto branch = scf::IfOp::create(b, f.loc, acts, false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  all();
}

}  // namespace tine::gpu
