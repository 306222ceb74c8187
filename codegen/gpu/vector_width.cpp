#include "codegen/gpu/vector_width.hpp"
#include <numeric>
#include "codegen/gpu/index_divisor.hpp"
#include "dsl/graph/divisor.hpp"

using namespace mlir;

namespace tine::gpu {
using compiler::linear_in;
using compiler::uses_dim;

namespace {
/// The common divisor of the addresses (in elements) of all elements whose axes `d` knows, the base's alignment included.
int64_t address_divisor(ir::KernelOp kernel, const Places& p, const IndexDivisor& d) {
  ir::SourceAttr source = kernel.getSource(p.param.getSource());
  ArrayRef<int64_t> unit = source.getUnit().asArrayRef();
  ArrayRef<int64_t> by16 = source.getStride16() ? source.getStride16().asArrayRef() : ArrayRef<int64_t>();
  int64_t g = std::max<int64_t>(source.getAlign() / ir::bytesOf(source.getType()), 1);
  for (auto [e, dim] : compiler::address_map(kernel, p.param)) {
    int64_t stride = dim < 0 || llvm::is_contained(unit, dim) ? 1 : llvm::is_contained(by16, dim) ? 16 : 1;
    g = std::gcd(g, graph::divisor_of_product(d(e), stride));
  }
  return g;
}

/// Whether one step along dim k of the tile is one element in memory.
bool contiguous_along(ir::KernelOp kernel, const Places& p, unsigned k) {
  ArrayRef<int64_t> unit = kernel.getSource(p.param.getSource()).getUnit().asArrayRef();
  int terms = 0;
  for (auto [e, dim] : compiler::address_map(kernel, p.param)) {
    if (!uses_dim(e, p.first + k)) continue;
    auto l = linear_in(e, p.first + k);
    auto c = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
    if (!c || c.getValue() != 1 || !(dim < 0 || llvm::is_contained(unit, dim))) return false;
    ++terms;
  }
  return terms == 1;
}
}  // namespace

Contiguity contiguity(ir::KernelOp kernel, int64_t number, ValueRange indices, int64_t widest_bytes) {
  Places p(kernel, number);
  Contiguity best;
  if (kernel.getSource(p.param.getSource()).getRank() == 0) return best;
  bool found = false;
  for (unsigned k = unsigned(p.tile.size()); k-- > 0;) {
    if (p.tile[k] == 1 || !contiguous_along(kernel, p, k)) continue;
    int64_t v = std::max<int64_t>(widest_bytes / ir::bytesOf(kernel.getSource(p.param.getSource()).getType()), 1);
    for (; v > 1; v /= 2) {
      IndexDivisor d(kernel, p, indices);
      d.axes[p.first + k] = v;
      if (address_divisor(kernel, p, d) % v == 0) break;
    }
    if (!found || v > best.elements) best = {v, k};
    found = true;
  }
  if (!found) best.dim = p.tile.empty() ? 0 : unsigned(p.tile.size()) - 1;
  return best;
}

VectorWidth vector_width(ir::KernelOp kernel, int64_t number, ValueRange indices, ir::LayoutAttr layout, int64_t widest_bytes) {
  VectorWidth w;
  Places p(kernel, number);
  if (!layout || kernel.getSource(p.param.getSource()).getRank() == 0) return w;
  Contiguity c = contiguity(kernel, number, indices, widest_bytes);
  if (c.elements == 1) return w;
  w.bits.clear();
  for (int bit : layout.getLayout().contiguous_bits(int(c.dim))) {
    if (w.elements == c.elements) break;
    w.bits.push_back(bit);
    w.elements *= 2;
  }
  if (w.elements == 1) return w;
  IndexDivisor d(kernel, p, indices);
  d.axes[p.first + c.dim] = w.elements;
  AffineMap bounds = p.param.getBounds().getValue(), limits = p.param.getLimits().getValue();
  for (unsigned i = 0; i < bounds.getNumResults(); ++i) {
    AffineExpr e = bounds.getResult(i);
    if (!uses_dim(e, p.first + c.dim) && !uses_dim(limits.getResult(i), p.first + c.dim)) continue;
    auto l = linear_in(e, p.first + c.dim);
    auto one = l ? dyn_cast<AffineConstantExpr>(l->coefficient) : AffineConstantExpr();
    w.uniform &= one && one.getValue() == 1 && d(e) % w.elements == 0 && d(limits.getResult(i)) % w.elements == 0;
  }
  int64_t size = layout.getShape()[c.dim];
  w.uniform &= p.tile[c.dim] == size || d.extent(p.tile[c.dim]) % w.elements == 0;
  return w;
}

}  // namespace tine::gpu
