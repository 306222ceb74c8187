#include "codegen/cpu/product.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tine::cpu {
namespace {

/// The load whose elements a value holds in their place (or with the last two dims swapped); zero stays zero.
struct Source { ir::LoadOp load; bool turned = false; };
Source source_of(const Values& values, Value v) {
  Source s;
  while (Operation* op = v.getDefiningOp()) {
    if (values.buffers.count(v)) return {};
    if (auto load = dyn_cast<ir::LoadOp>(op)) return s.load = load, s;
    if (isa<ir::CastOp>(op)) v = op->getOperand(0);
    else if (Value t = transposed(v)) v = t, s.turned = !s.turned;
    else return {};
  }
  return {};
}

/// Where neither operand is in range the product is 0 * 0: the last block of k ends where the longer one does.
Value contracted(Product& p) {
  Frame& f = p.f;
  Value k = f.extent(p.k);
  Source a = source_of(p.values, p.a), b = source_of(p.values, p.b);
  for (ir::LoadOp load : {a.load, b.load})
    if (!load || f.kernel.getParam(load.getParamNumber()).getOther().getValueAsDouble() != 0) return k;
  unsigned last = unsigned(p.c.shape.size()) - 1;
  Value end_a = in_range_extent(f, p.values, a.load, a.turned ? last - 1 : last);
  Value end_b = in_range_extent(f, p.values, b.load, b.turned ? last : last - 1);
  return min(f, k, max(f, end_a, end_b));
}

}  // namespace

Value transposed(Value v) {
  auto op = v.getDefiningOp<ir::PermuteOp>();
  if (!op) return {};
  ArrayRef<int64_t> order = op.getOrder();
  size_t n = order.size();
  for (size_t d = 0; d + 2 < n; ++d)
    if (order[d] != int64_t(d)) return {};
  return n >= 2 && order[n - 1] == int64_t(n - 2) && order[n - 2] == int64_t(n - 1) ? op.getOperand() : Value();
}

SmallVector<Value> matrix_limits(Value v, Value rows, Value columns) {
  SmallVector<Value> l(ir::shapeOf(v.getType()).size());
  l[l.size() - 2] = rows;
  l[l.size() - 1] = columns;
  return l;
}

int64_t group_of(const VectorTarget& target, Type a, Type b) {
  bool tiles = target.tiles != TileUnit::none, bytes = a.isInteger(8) && b.isInteger(8);
  if (a.isBF16() && b.isBF16() && (tiles || target.bf16_dot)) return 2;
  return bytes && (tiles || (target.int8_dot && !b.isUnsignedInteger())) ? 4 : 1;
}

namespace {
/// Rows of a register block, so that few rows of a tile are left for smaller ones.
int64_t block_rows(int64_t m, bool many) {
  // Twelve rows of two vectors are 24 of 32 registers, with room to load; 16 hold six.
  if (!many) return 6;
  // Four rows or fewer wait for the latency of multiplications.
  return m >= 0 && m % 12 > 0 && m % 12 < 8 && m % 8 == 0 ? 8 : 12;
}
}  // namespace

Product::Product(Frame& frame, Values& vs, Value a_, Value b_, const Buffer& c_, Value rows_, Value columns_, std::optional<Rounds> rounds_)
    : f(frame), values(vs), a(a_), b(b_), c(c_), rounds(std::move(rounds_)) {
  size_t dims = c.shape.size();
  m = c.shape[dims - 2];
  n = c.shape[dims - 1];
  k = ir::shapeOf(a.getType())[dims - 1];
  sum = f.register_type(c.element);
  element = c.element;
  unit = sum;
  lanes = f.target.vector_bytes / ir::bytesOf(c.element);

  Type ea = ir::elementOf(a.getType()), eb = ir::elementOf(b.getType());
  bool large = (m < 0 || m >= 16) && (n < 0 || n >= 16);
  VectorTarget vectors_alone = f.target;
  vectors_alone.tiles = TileUnit::none;
  tiles = f.target.tiles != TileUnit::none && large && group_of(f.target, ea, eb) > 1;
  group = group_of(tiles ? f.target : vectors_alone, ea, eb);
  flip_a = !tiles && group == 4 && !ea.isUnsignedInteger();
  if (group > 1) element = eb, unit = f.b.getI32Type();

  bool many = f.target.vector_bytes == 64;
  vectors = 2;
  rows = block_rows(m, many);
  if (n >= 0 && n <= lanes && !tiles) vectors = 1, rows = many ? 16 : 8;
  if (m >= 0) rows = std::max<int64_t>(1, std::min(rows, m));
  m_end = rows_ ? rows_ : f.extent(m);
  n_end = columns_ ? columns_ : f.extent(n);
  k_end = contracted(*this);
}

Value Product::groups() { return mul(f, ceildiv(f, k_end, k_unit()), f.i64(k_unit() / group)); }
Type Product::storage() { return group > 1 ? f.storage_type(element) : unit; }

Value Product::multiply_add(Value x, Value y, Value acc) {
  if (group == 1 && isa<FloatType>(sum)) return LLVM::FMAOp::create(f.b, f.loc, acc.getType(), x, y, acc);
  if (group == 1) return arith::AddIOp::create(f.b, f.loc, acc, arith::MulIOp::create(f.b, f.loc, x, y));
  StringRef name = group == 2 ? "llvm.x86.avx512bf16.dpbf16ps.512" : "llvm.x86.avx512.vpdpbusd.512";
  VectorType narrow = VectorType::get({lanes * group}, group == 2 ? Type(f.b.getBF16Type()) : Type(f.b.getI8Type()));
  Value p = LLVM::BitcastOp::create(f.b, f.loc, narrow, x), q = LLVM::BitcastOp::create(f.b, f.loc, narrow, y);
  return LLVM::CallIntrinsicOp::create(f.b, f.loc, acc.getType(), f.b.getStringAttr(name), ValueRange{acc, p, q}).getResult(0);
}

}  // namespace tine::cpu
