// erf, by one polynomial inside expm1: erf(x) = 1 - exp(-x Q(x)) for x >= 0, where -log(erfc(x)) / x = Q(x) is smooth.
// Near 0 expm1 keeps the relative error of x Q(x); far out exp(-x Q(x)) makes Q's error small.
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
// erf_f32 in tools/minimax/fits.py: 2^-24.2 relative to erf on [0, 4] (the first coefficient's rounding), 2^-31 else
constexpr double erf_f32[] = {0x1.20dd76p+0, 0x1.45f2a4p-1, 0x1.a5094ep-4, -0x1.39915ep-6, -0x1.94a94cp-12, 0x1.214ba8p-9, -0x1.4023f2p-10, 0x1.d57bbep-12, -0x1.a9f95cp-14, 0x1.54a4f6p-17};
}  // namespace

Value erf(Emit& e, Value x) {
  if (Emit::width(x) == 64) return {};
  Value a = e.at_most(e.abs(x), 4);
  Value y = e.mul(a, e.poly(a, erf_f32));
  return e.copysign(expm1_core(e, e.neg(y)), x);
}

}  // namespace tine::math
