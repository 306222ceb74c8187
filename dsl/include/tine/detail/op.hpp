// The operations of the graph, as the headers and the graph name them.
#pragma once
#include <cstdint>

// The operations. Operands of element-wise operations have been converted to one element type by the front end; their
// shapes broadcast as in NumPy. Comparisons give bool. `type` and `shape` of a node are its result's.
#define TINE_GRAPH_OPS(X)                                                                                               \
  /* leaves; `literal` and `size` are in no region's list */                                                            \
  X(literal)       /* `integer` (exact) or, for floats, `real`; rank 0 */                                               \
  X(size)          /* i64 value of `expr` (no `var` in it); rank 0 */                                                   \
  X(full)          /* (scalar) -> tile of `shape` */                                                                    \
  X(arange)        /* 0, 1, 2, ... along the only dim, i64 unless cast */                                               \
  X(program_index) /* i64 index of this program along dim `attr` of the grid */                                         \
  /* parameters: `attr` is the param; args are the indices of its middle levels, outermost first */                     \
  X(load)          /* (i...) -> tile */                                                                                 \
  X(store)         /* (value, i...): value broadcasts to the tile; in-range lanes only */                               \
  X(valid)         /* (i...) -> bool tile: which lanes are in range */                                                  \
  X(offsets)       /* (i...) -> i64 tile of full tile shape: source coordinate along dim `attr2`; attr2 -1: row-major */ \
                   /* position in the source's shape */                                                                 \
  /* shape */                                                                                                           \
  X(cast)          /* element type changes to `type`, by the rules of the language; `attr` 1: to fp8, overflow as in IEEE */ \
  X(broadcast)     /* to `shape` */                                                                                     \
  X(unsqueeze)     /* a new dim of size 1 at `attr` */                                                                  \
  X(permute)       /* result dim k is operand dim `list[k]` */                                                          \
  X(reshape)       /* same elements in row-major order */                                                               \
  /* element-wise, two operands */                                                                                      \
  X(add) X(sub) X(mul) X(div) X(mod) X(floordiv) X(floormod) X(cdiv) X(min) X(max) X(fmin) X(fmax) X(umulhi)            \
  X(band) X(bor) X(bxor) X(shl) X(shr) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(land) X(lor)                               \
  X(pow) X(atan2) X(copysign)                                                                                           \
  /* element-wise, one operand */                                                                                       \
  X(neg) X(abs) X(bnot) X(lnot) X(popcount) X(clz) X(bitcast) X(isnan) X(isinf) X(isfinite) X(signbit)                  \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(rsqrt)                                             \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(sigmoid)     \
  X(floor) X(ceil) X(round) X(trunc)                                                                                    \
  /* element-wise, three operands */                                                                                    \
  X(fma) X(where) /* (condition, a, b) */ X(clamp) /* (x, low, high) */                                                 \
  /* reductions over the axes in `list`, which disappear; not element-wise */                                           \
  X(sum) X(prod) X(rmax) X(rmin) X(any) X(all) X(rxor) X(argmax) X(argmin)                                              \
  /* contraction: (a[..., m, k], b[..., k, n]) -> [..., m, n]; `type` is the accumulator's; `attr` is the precision that   \
     f32 may be lowered to: 0 IEEE, 1 tf32, 2 tf32x3 */                                                                  \
  X(dot)                                                                                                                \
  /* element-wise: a call of `Graph::foreign[attr]`; operands have its parameters' types */                             \
  X(foreign)                                                                                                            \
  /* structure: see `Node` */                                                                                           \
  X(for_) X(if_) X(while_) X(loop_var) X(iter_arg) X(result)

namespace tine::core {
enum class Op : uint8_t {
#define X(n) n,
  TINE_GRAPH_OPS(X)
#undef X
};
}  // namespace tine::core
