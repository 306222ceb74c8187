#include "dsl/core/literal.hpp"

#include <algorithm>
#include <cmath>

namespace tine::core {

bool round_to(DType t, long double v, double& out) {
  struct Format {
    int precision, least_exponent;
    long double largest;
  };
  const Format f = t == DType::f8e4m3fn ? Format{4, -6, 448}
                   : t == DType::f8e5m2 ? Format{3, -14, 57344}
                   : t == DType::f16    ? Format{11, -14, 65504}
                   : t == DType::bf16   ? Format{8, -126, 0x1.fep127L}
                   : t == DType::f32    ? Format{24, -126, 0x1.fffffep127L}
                                        : Format{53, -1022, 0x1.fffffffffffffp1023L};
  if (v == 0 || std::isnan(v) || std::isinf(v)) {
    out = double(v);
    return true;
  }
  int e = std::max(std::ilogb(v), f.least_exponent) - (f.precision - 1);
  long double r = std::ldexp(std::nearbyint(std::ldexp(v, -e)), e);  // nearbyint: to even, in the default rounding mode
  if (std::fabs(r) > f.largest) return false;
  out = double(r);
  if (out == 0 && v < 0) out = -0.0;
  return true;
}

bool holds(DType t, int64_t v, bool is_natural) {
  int bits = t == DType::b1 ? 1 : 8 * bytes(t);
  if (is_natural && v < 0) return t == DType::u64;
  if (is_unsigned(t)) return v >= 0 && (bits == 64 || v < int64_t(1) << bits);
  return bits == 64 || (v >= -(int64_t(1) << (bits - 1)) && v < int64_t(1) << (bits - 1));
}

}  // namespace tine::core
