// erf, by one polynomial inside expm1: erf(x) = 1 - exp(-x Q(x)) for x >= 0, where -log(erfc(x)) / x = Q(x) is smooth.
// Near 0 expm1 keeps the relative error of x Q(x); far out exp(-x Q(x)) makes Q's error small.
#include "codegen/math/parts.hpp"

namespace tine::math {
namespace {
// erf_f32 in tools/minimax/fits.py: 2^-24.2 relative to erf on [0, 4] (the first coefficient's rounding), 2^-31 else
constexpr double erf_f32[] = {0x1.20dd76p+0, 0x1.45f2a4p-1,   0x1.a5094ep-4,  -0x1.39915ep-6,  -0x1.94a94cp-12,
                              0x1.214ba8p-9, -0x1.4023f2p-10, 0x1.d57bbep-12, -0x1.a9f95cp-14, 0x1.54a4f6p-17};
// erf_f64: minimax 2^-55.22, as rounded 2^-54.37
constexpr double erf_f64[] = {
    0x1.20dd750429b6dp+0,   0x1.45f306dc9c8c7p-1,   0x1.a4f4e2a1ab927p-4,   -0x1.3966859130138p-6,
    -0x1.b6b69e15c6228p-13, 0x1.bca68e9424b35p-10,  -0x1.35661cbb2cfeep-11, 0x1.b28e063a1fa36p-16,
    0x1.0e3ad8bdd7631p-14,  -0x1.f06c90d5ace67p-16, 0x1.abff2c6df8027p-19,  0x1.a1a5d00e94b3bp-19,
    -0x1.0eece9fae6bdfp-19, 0x1.2b5e66e9c6d62p-21,  -0x1.31eb8bc41222dp-28, -0x1.2830af698fa63p-24,
    0x1.32e2f3b46638p-25,   -0x1.7d17b4a48a8b7p-27, 0x1.4de056c8e9dfcp-29,  -0x1.a9e84d4b9b004p-32,
    0x1.86551b4bdc194p-35,  -0x1.e9582bd4879bdp-39, 0x1.78982429fb04dp-43,  -0x1.0ca9713ec9d66p-48};
}  // namespace

Value erf(Emit& e, Value x) {
  const bool wide = Emit::width(x) == 64;
  Value a = e.at_most(e.abs(x), wide ? 6 : 4);  // 1 from there on
  Value y = e.mul(a, wide ? e.poly(a, erf_f64) : e.poly(a, erf_f32));
  return e.copysign(expm1_core(e, e.neg(y)), x);
}

}  // namespace tine::math
