// The functions against long double: the bounds that math.hpp and docs/math.md state, and the exceptions of C99 Annex
// F.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/math/accuracy.hpp"
#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/sweeps.hpp"
#include "tests/math/values.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
Spec spec(Op op, DType t, int width, const std::string& cpu, bool fuse) {
  Spec s;
  s.op = op;
  s.in = s.out = t;
  s.operands = arity(op);
  s.width = width;
  s.cpu = cpu;
  s.fuse = fuse;
  return s;
}

template <class T>
void check(Op op, DType t, double bound, int width, const std::string& cpu, bool fuse, size_t count) {
  const Function f = compile(spec(op, t, width, cpu, fuse));
  const Sweep<T> in = sweep<T>(op, count);
  std::vector<T> out(in.x.size());
  f.run(out.size(), out.data(), in.x.data(), in.y.empty() ? nullptr : in.y.data());
  double worst = 0;
  size_t where = 0;
  for (size_t k = 0; k < out.size(); ++k) {
    const double u = ulps<T>(out[k], reference(op, in.x[k], in.y.empty() ? 0 : in.y[k]));
    if (u > worst) worst = u, where = k;
  }
  INFO(name_of(op) << " " << name_of(t) << " of " << in.x[where] << ", " << (in.y.empty() ? 0 : in.y[where]) << " is "
                   << out[where] << " (width " << width << ", cpu " << cpu << ")");
  CHECK(worst <= bound);
}

struct Bound {
  Op op;
  double f32, f64;
};
const Bound bounds[] = {
    {Op::exp, 2, 4},   {Op::exp2, 2, 4},  {Op::expm1, 4, 4},    {Op::log, 2, 4},   {Op::log2, 2, 4},
    {Op::log10, 4, 4}, {Op::log1p, 4, 4}, {Op::sqrt, 0.5, 0.5}, {Op::rsqrt, 2, 4}, {Op::sin, 4, 4},
    {Op::cos, 4, 4},   {Op::tan, 4, 4},   {Op::asin, 4, 4},     {Op::acos, 4, 4},  {Op::atan, 4, 4},
    {Op::sinh, 4, 4},  {Op::cosh, 4, 4},  {Op::tanh, 4, 4},     {Op::asinh, 4, 4}, {Op::acosh, 4, 4},
    {Op::atanh, 4, 4}, {Op::erf, 4, 4},   {Op::sigmoid, 4, 4},  {Op::pow, 8, 8},   {Op::atan2, 4, 4}};

const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
struct Exact {
  Op op;
  double x, y, want;
};
const Exact exact[] = {{Op::exp, 0, 0, 1},
                       {Op::exp, -0.0, 0, 1},
                       {Op::exp, -inf, 0, 0},
                       {Op::exp, inf, 0, inf},
                       {Op::exp, nan, 0, nan},
                       {Op::exp, 1e30, 0, inf},
                       {Op::exp, -1e30, 0, 0},
                       {Op::exp2, 0, 0, 1},
                       {Op::exp2, -inf, 0, 0},
                       {Op::exp2, inf, 0, inf},
                       {Op::exp2, 10, 0, 1024},
                       {Op::exp2, -126, 0, 0x1p-126},
                       {Op::exp2, -149, 0, 0x1p-149},
                       {Op::exp2, 127, 0, 0x1p127},
                       {Op::expm1, 0, 0, 0},
                       {Op::expm1, -0.0, 0, -0.0},
                       {Op::expm1, -inf, 0, -1},
                       {Op::expm1, inf, 0, inf},
                       {Op::expm1, nan, 0, nan},
                       {Op::log, 1, 0, 0},
                       {Op::log, 0, 0, -inf},
                       {Op::log, -0.0, 0, -inf},
                       {Op::log, -1, 0, nan},
                       {Op::log, -inf, 0, nan},
                       {Op::log, inf, 0, inf},
                       {Op::log, nan, 0, nan},
                       {Op::log2, 1, 0, 0},
                       {Op::log2, 0, 0, -inf},
                       {Op::log2, 8, 0, 3},
                       {Op::log2, 0x1p-149, 0, -149},
                       {Op::log2, -1, 0, nan},
                       {Op::log2, inf, 0, inf},
                       {Op::log10, 1, 0, 0},
                       {Op::log10, 0, 0, -inf},
                       {Op::log10, -1, 0, nan},
                       {Op::log10, inf, 0, inf},
                       {Op::log1p, 0, 0, 0},
                       {Op::log1p, -0.0, 0, -0.0},
                       {Op::log1p, -1, 0, -inf},
                       {Op::log1p, -2, 0, nan},
                       {Op::log1p, inf, 0, inf},
                       {Op::log1p, -inf, 0, nan},
                       {Op::log1p, nan, 0, nan},
                       {Op::sqrt, -0.0, 0, -0.0},
                       {Op::sqrt, inf, 0, inf},
                       {Op::sqrt, -1, 0, nan},
                       {Op::rsqrt, 0, 0, inf},
                       {Op::rsqrt, -0.0, 0, -inf},
                       {Op::rsqrt, inf, 0, 0},
                       {Op::rsqrt, -1, 0, nan},
                       {Op::rsqrt, 4, 0, 0.5},
                       {Op::sin, 0, 0, 0},
                       {Op::sin, -0.0, 0, -0.0},
                       {Op::sin, inf, 0, nan},
                       {Op::sin, nan, 0, nan},
                       {Op::cos, 0, 0, 1},
                       {Op::cos, -inf, 0, nan},
                       {Op::tan, -0.0, 0, -0.0},
                       {Op::tan, inf, 0, nan},
                       {Op::asin, -0.0, 0, -0.0},
                       {Op::asin, 1.5, 0, nan},
                       {Op::asin, nan, 0, nan},
                       {Op::acos, 1, 0, 0},
                       {Op::acos, -1.5, 0, nan},
                       {Op::atan, -0.0, 0, -0.0},
                       {Op::atan, nan, 0, nan},
                       {Op::sinh, -0.0, 0, -0.0},
                       {Op::sinh, -inf, 0, -inf},
                       {Op::sinh, nan, 0, nan},
                       {Op::cosh, 0, 0, 1},
                       {Op::cosh, -inf, 0, inf},
                       {Op::tanh, -0.0, 0, -0.0},
                       {Op::tanh, inf, 0, 1},
                       {Op::tanh, -inf, 0, -1},
                       {Op::tanh, nan, 0, nan},
                       {Op::asinh, -0.0, 0, -0.0},
                       {Op::asinh, inf, 0, inf},
                       {Op::asinh, -inf, 0, -inf},
                       {Op::acosh, 1, 0, 0},
                       {Op::acosh, 0.5, 0, nan},
                       {Op::acosh, inf, 0, inf},
                       {Op::acosh, -inf, 0, nan},
                       {Op::atanh, -0.0, 0, -0.0},
                       {Op::atanh, 1, 0, inf},
                       {Op::atanh, -1, 0, -inf},
                       {Op::atanh, 2, 0, nan},
                       {Op::erf, -0.0, 0, -0.0},
                       {Op::erf, inf, 0, 1},
                       {Op::erf, -inf, 0, -1},
                       {Op::erf, nan, 0, nan},
                       {Op::sigmoid, 0, 0, 0.5},
                       {Op::sigmoid, -inf, 0, 0},
                       {Op::sigmoid, inf, 0, 1},
                       {Op::sigmoid, nan, 0, nan},
                       {Op::pow, 0, 3, 0},
                       {Op::pow, -0.0, 3, -0.0},
                       {Op::pow, -0.0, 2, 0},
                       {Op::pow, -0.0, 0.5, 0},
                       {Op::pow, 0, -3, inf},
                       {Op::pow, -0.0, -3, -inf},
                       {Op::pow, -0.0, -2, inf},
                       {Op::pow, 0, -inf, inf},
                       {Op::pow, -1, inf, 1},
                       {Op::pow, -1, -inf, 1},
                       {Op::pow, 1, nan, 1},
                       {Op::pow, 1, inf, 1},
                       {Op::pow, nan, 0, 1},
                       {Op::pow, nan, -0.0, 1},
                       {Op::pow, inf, 0, 1},
                       {Op::pow, -2, 0.5, nan},
                       {Op::pow, -2, 3, -8},
                       {Op::pow, -2, 2, 4},
                       {Op::pow, 0.5, -inf, inf},
                       {Op::pow, 2, -inf, 0},
                       {Op::pow, 0.5, inf, 0},
                       {Op::pow, -0.5, inf, 0},
                       {Op::pow, 2, inf, inf},
                       {Op::pow, -2, inf, inf},
                       {Op::pow, -inf, -3, -0.0},
                       {Op::pow, -inf, -2, 0},
                       {Op::pow, -inf, 3, -inf},
                       {Op::pow, -inf, 2, inf},
                       {Op::pow, -inf, 0.5, inf},
                       {Op::pow, -inf, -0.5, 0},
                       {Op::pow, inf, -1, 0},
                       {Op::pow, inf, 1, inf},
                       {Op::pow, nan, 1, nan},
                       {Op::pow, 2, nan, nan},
                       {Op::pow, -2, 1e30, inf},
                       {Op::pow, -1, 1e30, 1},
                       {Op::atan2, 0, 0, 0},
                       {Op::atan2, -0.0, 0, -0.0},
                       {Op::atan2, 0, 1, 0},
                       {Op::atan2, -0.0, 5, -0.0},
                       {Op::atan2, 1, inf, 0},
                       {Op::atan2, -1, inf, -0.0},
                       {Op::atan2, nan, 1, nan},
                       {Op::atan2, 1, nan, nan}};
}  // namespace

TEST_CASE("functions stay within their bounds") {
  for (const Bound& b : bounds) {
    check<float>(b.op, DType::f32, b.f32, 16, "x86-64-v4", false, 1 << 20);
    check<float>(b.op, DType::f32, b.f32, 8, "haswell", true, 1 << 16);
    check<float>(b.op, DType::f32, b.f32, 4, "", false, 1 << 14);
    check<float>(b.op, DType::f32, b.f32, 1, "", true, 1 << 16);
    check<double>(b.op, DType::f64, b.f64, 8, "x86-64-v4", false, 1 << 19);
    check<double>(b.op, DType::f64, b.f64, 4, "haswell", true, 1 << 16);
    check<double>(b.op, DType::f64, b.f64, 1, "", false, 1 << 14);
  }
}

TEST_CASE("every f32 of the exponential's range") {
  for (Op op : {Op::exp, Op::tanh, Op::sigmoid, Op::erf}) {
    const Function f = compile(spec(op, DType::f32, 16, "", false));
    std::vector<float> x, y;
    const uint32_t step = 37;  // all bit patterns by this stride: 116 million / 37
    for (uint64_t b = 0; b < (uint64_t{1} << 32); b += step * 16) x.push_back(std::bit_cast<float>(uint32_t(b)));
    y.resize(x.size());
    f.run(x.size(), y.data(), x.data());
    double worst = 0;
    for (size_t k = 0; k < x.size(); ++k) worst = std::max(worst, ulps<float>(y[k], reference(op, x[k])));
    INFO(name_of(op));
    CHECK(worst <= (op == Op::exp ? 2 : 4));
  }
}

TEST_CASE("exceptions of Annex F") {
  for (const Exact& c : exact)
    for (bool wide : {false, true})
      for (int width : {1, 8}) {
        const Function f = compile(spec(c.op, wide ? DType::f64 : DType::f32, width, "", false));
        double got;
        if (wide) {
          f.run(1, &got, &c.x, &c.y);
        } else {
          const float x = float(c.x), y = float(c.y);
          float r;
          f.run(1, &r, &x, &y);
          got = r;
        }
        INFO(name_of(c.op) << (wide ? " f64" : " f32") << " of " << c.x << ", " << c.y << " is " << got << ", not "
                           << c.want);
        const bool same =
            std::isnan(c.want) ? std::isnan(got) : got == c.want && std::signbit(got) == std::signbit(c.want);
        CHECK(same);
      }
}

TEST_CASE("f16 and bf16 compute in f32 and round once: within 1 in the last place, every value") {
  for (DType t : {DType::f16, DType::bf16})
    for (const Bound& b : bounds) {
      if (arity(b.op) != 1) continue;
      for (int width : {1, 16}) {
        const Function f = compile(spec(b.op, t, width, "", false));
        const Array x(t, inputs(t));
        Array y(t, x.size());
        f.run(x.size(), y.bytes.data(), x.bytes.data());
        size_t bad = 0, rounded_otherwise = 0;
        for (size_t k = 0; k < x.size(); ++k) {
          const long double want = reference(b.op, decode(t, x.get(k)));
          const Bits w = encode_float(t, want), got = y.get(k);
          if (w == got || (is_nan(t, w) && is_nan(t, got))) continue;
          ++rounded_otherwise;
          if (std::abs(int(w) - int(got)) > 1 && bad++ < 3)
            FAIL_CHECK(name_of(b.op) << " of " << show(t, x.get(k)) << " is " << show(t, got) << ", not "
                                     << show(t, w));
        }
        INFO(name_of(b.op) << " " << name_of(t));
        CHECK(bad == 0);
        CHECK(rounded_otherwise < 40);  // f32 errors decide a tie now and then
      }
    }
}
