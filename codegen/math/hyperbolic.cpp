// tanh and its family, on the core of expm1.
#include "codegen/math/parts.hpp"

namespace tine::math {

Value tanh(Emit& e, Value x) {
  // tanh |x| = t / (t + 2) with t = e^(2|x|) - 1. Past the clamp the result is 1.
  Value a = e.at_most(e.abs(x), Emit::width(x) == 64 ? 22 : 10);
  Value t = expm1_core(e, e.add(a, a));
  return e.copysign(e.div(t, e.add(t, 2)), x);
}

}  // namespace tine::math
