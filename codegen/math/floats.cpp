// f32 and f64: operators, remainders, and the way to each function.
#include "codegen/math/parts.hpp"

namespace tine::math {
using graph::Op;

Value float_binary(Emit& e, Op op, Value x, Value y) {
  switch (op) {
    case Op::add:
      return e.add(x, y);
    case Op::sub:
      return e.sub(x, y);
    case Op::mul:
      return e.mul(x, y);
    case Op::div:
      return e.div(x, y);
    case Op::mod:
      return remainder(e, x, y);
    case Op::floordiv:
      return quotient_floor(e, x, y);
    case Op::floormod:
      return remainder_floor(e, x, y);
    case Op::cdiv:
      return e.neg(quotient_floor(e, e.neg(x), y));
    case Op::min:
    case Op::max:
    case Op::fmin:
    case Op::fmax:
      return float_minmax(e, op, x, y);
    case Op::copysign:
      return e.copysign(x, y);
    case Op::pow:
      return pow(e, x, y);
    case Op::atan2:
      return atan2(e, x, y);
    default:
      return {};
  }
}

Value float_unary(Emit& e, Op op, Value x) {
  switch (op) {
    case Op::neg:
      return e.neg(x);
    case Op::abs:
      return e.abs(x);
    case Op::floor:
      return e.floor(x);
    case Op::ceil:
      return e.ceil(x);
    case Op::trunc:
      return e.trunc(x);
    case Op::round:
      return e.round_even(x);
    case Op::sqrt:
      return e.sqrt(x);
    case Op::rsqrt:
      return e.div(e.f(x, 1), e.sqrt(x));
    case Op::exp:
      return exp(e, x);
    case Op::exp2:
      return exp2(e, x);
    case Op::expm1:
      return expm1(e, x);
    case Op::sigmoid:
      return sigmoid(e, x);
    case Op::log:
      return log(e, x);
    case Op::log2:
      return log2(e, x);
    case Op::log10:
      return log10(e, x);
    case Op::log1p:
      return log1p(e, x);
    case Op::sin:
      return sin(e, x);
    case Op::cos:
      return cos(e, x);
    case Op::tan:
      return tan(e, x);
    case Op::asin:
      return asin(e, x);
    case Op::acos:
      return acos(e, x);
    case Op::atan:
      return atan(e, x);
    case Op::sinh:
      return sinh(e, x);
    case Op::cosh:
      return cosh(e, x);
    case Op::tanh:
      return tanh(e, x);
    case Op::asinh:
      return asinh(e, x);
    case Op::acosh:
      return acosh(e, x);
    case Op::atanh:
      return atanh(e, x);
    case Op::erf:
      return erf(e, x);
    default:
      return {};
  }
}

}  // namespace tine::math
