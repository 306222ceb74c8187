#include "tests/math/accuracy.hpp"

namespace tine::math::test {
using graph::Op;

long double reference(Op op, long double x, long double y) {
  switch (op) {
    case Op::exp:
      return std::exp(x);
    case Op::exp2:
      return std::exp2(x);
    case Op::expm1:
      return std::expm1(x);
    case Op::log:
      return std::log(x);
    case Op::log2:
      return std::log2(x);
    case Op::log10:
      return std::log10(x);
    case Op::log1p:
      return std::log1p(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::rsqrt:
      return 1 / std::sqrt(x);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::asinh:
      return std::asinh(x);
    case Op::acosh:
      return std::acosh(x);
    case Op::atanh:
      return std::atanh(x);
    case Op::erf:
      return std::erf(x);
    case Op::sigmoid: {
      if (x >= 0) return 1 / (1 + std::exp(-x));
      const long double e = std::exp(x);
      return e / (1 + e);
    }
    case Op::pow:
      return std::pow(x, y);
    case Op::atan2:
      return std::atan2(x, y);
    default:
      return std::numeric_limits<long double>::quiet_NaN();
  }
}

}  // namespace tine::math::test
