// Error-free sums and products: a value as the unevaluated sum of two floats (Dekker 1971, Knuth 4.2.2).
#pragma once
#include "codegen/math/builder.hpp"

namespace tine::math {

struct Pair {
  Value high, low;
};

/// x y, rounded, that a code generator cannot contract into a neighbouring addition: the low parts below are exact only
/// for the rounded product. (x y + 0 differs from x y only in the sign of a zero, so nothing may turn it into a
/// multiply.)
inline Value rounded_product(Emit& e, Value x, Value y) { return e.fma(x, y, 0.0); }

/// x + y exactly.
inline Pair two_sum(Emit& e, Value x, Value y) {
  Value s = e.add(x, y);
  Value t = e.sub(s, x);
  return {s, e.add(e.sub(x, e.sub(s, t)), e.sub(y, t))};
}
/// x + y exactly, for |x| >= |y| or x = 0.
inline Pair fast_two_sum(Emit& e, Value x, Value y) {
  Value s = e.add(x, y);
  return {s, e.sub(y, e.sub(s, x))};
}
/// x y exactly, barring underflow.
inline Pair two_product(Emit& e, Value x, Value y) {
  Value p = rounded_product(e, x, y);
  return {p, e.fma(x, y, e.neg(p))};
}
/// The same, with p's square root of the work where one factor is a pair; the product of the low parts is dropped.
inline Pair multiply(Emit& e, Pair x, Pair y) {
  Pair p = two_product(e, x.high, y.high);
  p.low = e.fma(x.high, y.low, e.fma(x.low, y.high, p.low));
  return p;
}

}  // namespace tine::math
