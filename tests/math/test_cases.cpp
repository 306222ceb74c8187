// The element-wise cases of tests/data/cases, each as the chain of operations that its kernel is.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/math/accuracy.hpp"
#include "tests/math/harness.hpp"
#include "tests/math/names.hpp"
#include "tests/math/npy.hpp"

using namespace tine;
using namespace tine::math;
using namespace tine::math::test;
using graph::DType;
using graph::Op;

namespace {
Array load(const std::string& file, DType t) { return read_npy(TINE_TEST_DATA "/cases/kernels/" + file + ".npy", t); }

struct Evaluator {
  int width;
  Array run(Spec s, size_t n, const Array& x, const Array* y = nullptr, const Array* z = nullptr) const {
    s.width = width;
    Array r(s.out, n);
    compile(s).run(n, r.bytes.data(), x.bytes.data(), y ? y->bytes.data() : nullptr, z ? z->bytes.data() : nullptr);
    return r;
  }
  Array op(Op o, const Array& x) const { return typed(o, x.type, x); }
  Array op(Op o, const Array& x, const Array& y) const { return typed(o, x.type, x, &y); }
  Array typed(Op o, DType out, const Array& x, const Array* y = nullptr, const Array* z = nullptr) const {
    Spec s;
    s.op = o;
    s.in = x.type;
    s.out = out;
    s.operands = arity(o);
    return run(s, x.size(), x, y, z);
  }
  Array by_constant(Op o, const Array& x, int64_t c) const {
    Spec s;
    s.op = o;
    s.in = s.out = x.type;
    s.operands = 2;
    s.constant_divisor = true;
    s.divisor = c;
    return run(s, x.size(), x, &x);
  }
  Array cast(const Array& x, DType to, Overflow overflow = Overflow::saturate) const {
    Spec s;
    s.op = Op::cast;
    s.in = x.type;
    s.out = to;
    s.cast.overflow = overflow;
    return run(s, x.size(), x);
  }
  Array full(const Array& like, double v) const {
    Array a(like.type, like.size());
    for (size_t k = 0; k < a.size(); ++k) a.set(k, encode_float(like.type, v));
    return a;
  }
};

void same(const Array& got, const Array& want, bool zero_sign = true) {
  REQUIRE(got.size() == want.size());
  for (size_t k = 0; k < got.size(); ++k) {
    const Bits g = got.get(k), w = want.get(k);
    if (g == w || (is_nan(got.type, g) && is_nan(want.type, w))) continue;
    if (!zero_sign && decode(got.type, g) == 0 && decode(want.type, w) == 0) continue;
    FAIL_CHECK("element " << k << " is " << show(got.type, g) << ", not " << show(want.type, w));
  }
}
void near(const Array& got, const Array& want, double max_ulp, double atol, double rtol = 0) {
  REQUIRE(got.size() == want.size());
  for (size_t k = 0; k < got.size(); ++k) {
    const long double g = decode(got.type, got.get(k)), w = decode(want.type, want.get(k));
    if ((std::isnan(g) && std::isnan(w)) || g == w || std::fabs(g - w) <= atol + rtol * std::fabs(w)) continue;
    const auto rank = [&](Bits b) {
      const int64_t sign = int64_t{1} << (8 * graph::bytes(got.type) - 1);
      return int64_t(b) & sign ? sign - int64_t(b) : int64_t(b);
    };
    if (!std::isnan(g) && !std::isnan(w) && std::abs(double(rank(got.get(k)) - rank(want.get(k)))) <= max_ulp) continue;
    FAIL_CHECK("element " << k << " is " << double(g) << ", not " << double(w));
  }
}
}  // namespace

TEST_CASE("cases: functions, activations, roundings, conversions") {
  for (int width : {1, 4, 8, 16}) {
    const Evaluator e{width};
    const DType f32 = DType::f32;

    for (auto [name, op, ulp, atol] : {std::tuple{"exp", Op::exp, 2.0, 1.2e-38},
                                       {"log2", Op::log2, 2.0, 0.0},
                                       {"sin", Op::sin, 4.0, 3e-9},
                                       {"cos", Op::cos, 4.0, 3e-9},
                                       {"rsqrt", Op::rsqrt, 2.0, 0.0},
                                       {"erf", Op::erf, 4.0, 0.0}}) {
      INFO(name);
      near(e.op(op, load(std::string("math_accuracy/") + name + ".x", f32)),
           load(std::string("math_accuracy/") + name + ".expect_out", f32), ulp, atol);
    }
    const Array rx = load("math_accuracy/reciprocal.x", f32);
    near(e.op(Op::div, e.full(rx, 1), rx), load("math_accuracy/reciprocal.expect_out", f32), 0, 0);
    near(e.op(Op::pow, load("math_accuracy/pow.x", f32), load("math_accuracy/pow.y", f32)),
         load("math_accuracy/pow.expect_out", f32), 8, 1e-40);

    // Activations: the narrow ones compute in f32 and round once.
    const auto activation = [&](const char* kernel, DType t, auto&& formula) {
      INFO(kernel);
      const std::string base = std::string(kernel) + "/" + name_of(t);
      const Array y = formula(e.cast(load(base + ".x", t), f32));
      const Array want = load(base + ".expect_out", t);
      if (t == f32)
        near(y, want, 0, 2e-6, 4e-6);
      else
        near(e.cast(y, t), want, 1, 1e-6);
    };
    const auto scaled = [&](const Array& x, double c) { return e.op(Op::mul, x, e.full(x, c)); };
    const auto half_x_times_1_plus = [&](const Array& x, const Array& y) {
      return e.op(Op::mul, scaled(x, 0.5), e.op(Op::add, y, e.full(y, 1)));
    };
    const auto gelu_erf = [&](const Array& x) {
      return half_x_times_1_plus(x, e.op(Op::erf, scaled(x, 0.70710678118654752)));
    };
    const auto gelu_tanh = [&](const Array& x) {
      const Array cube = scaled(e.op(Op::mul, e.op(Op::mul, x, x), x), 0.044715);
      return half_x_times_1_plus(x, e.op(Op::tanh, scaled(e.op(Op::add, x, cube), 0.79788456080286536)));
    };
    const auto sigmoid = [&](const Array& x) { return e.op(Op::sigmoid, x); };
    const auto silu = [&](const Array& x) { return e.op(Op::mul, x, e.op(Op::sigmoid, x)); };
    const auto tanh = [&](const Array& x) { return e.op(Op::tanh, x); };
    activation("gelu_erf", f32, gelu_erf);
    activation("gelu_erf", DType::bf16, gelu_erf);
    activation("gelu_tanh", f32, gelu_tanh);
    activation("gelu_tanh", DType::bf16, gelu_tanh);
    activation("silu", f32, silu);
    activation("silu", DType::f16, silu);
    activation("sigmoid", f32, sigmoid);
    activation("sigmoid", DType::bf16, sigmoid);
    activation("tanh", DType::f16, tanh);
    activation("tanh", DType::bf16, tanh);

    const Array r = load("round_modes/f32.x", f32);
    same(e.op(Op::floor, r), load("round_modes/f32.expect_floor", f32));
    same(e.op(Op::ceil, r), load("round_modes/f32.expect_ceil", f32));
    same(e.op(Op::trunc, r), load("round_modes/f32.expect_trunc", f32));
    same(e.op(Op::round, r), load("round_modes/f32.expect_rint", f32));

    for (auto [name, from, to] : {std::tuple{"f32_to_u8", f32, DType::u8},
                                  {"f32_to_i16", f32, DType::i16},
                                  {"f32_to_i32", f32, DType::i32},
                                  {"f32_to_u64", f32, DType::u64},
                                  {"i32_to_f32", DType::i32, f32},
                                  {"u32_to_f32", DType::u32, f32},
                                  {"i64_to_f32", DType::i64, f32}})
      same(e.cast(load(std::string("float_to_int/") + name + ".x", from), to),
           load(std::string("float_to_int/") + name + ".expect_out", to));
    for (auto [name, from, to] : {std::tuple{"f32_to_bf16", f32, DType::bf16},
                                  {"f64_to_bf16", DType::f64, DType::bf16},
                                  {"bf16_to_f32", DType::bf16, f32}})
      same(e.cast(load(std::string("bf16_f16_round/") + name + ".x", from), to),
           load(std::string("bf16_f16_round/") + name + ".expect_out", to));
    same(e.cast(load("fp8_encode/e4m3fn_nosat.x", f32), DType::f8e4m3fn, Overflow::ieee),
         load("fp8_encode/e4m3fn_nosat.expect_out", DType::f8e4m3fn));
    same(e.cast(load("fp8_encode/e5m2_sat.x", f32), DType::f8e5m2),
         load("fp8_encode/e5m2_sat.expect_out", DType::f8e5m2));
    same(e.cast(load("fp8_decode_all/e4m3fn_to_bf16.x", DType::f8e4m3fn), DType::bf16),
         load("fp8_decode_all/e4m3fn_to_bf16.expect_out", DType::bf16));
    same(e.cast(load("fp8_decode_all/e5m2_to_f32.x", DType::f8e5m2), f32),
         load("fp8_decode_all/e5m2_to_f32.expect_out", f32));
  }
}

TEST_CASE("cases: minima, comparisons, integers") {
  for (int width : {1, 4, 8, 16}) {
    const Evaluator e{width};
    const DType f32 = DType::f32, i32 = DType::i32, u8 = DType::u8, b1 = DType::b1;
    const std::string nan = "nan_minmax_compare/", wrap = "int_wrap_shift/", div = "int_div_mod/";

    same(e.op(Op::fmax, load(nan + "skip_nan.a", f32), load(nan + "skip_nan.b", f32)),
         load(nan + "skip_nan.expect_max", f32), false);
    same(e.op(Op::fmin, load(nan + "skip_nan.a", f32), load(nan + "skip_nan.b", f32)),
         load(nan + "skip_nan.expect_min", f32), false);
    same(e.op(Op::max, load(nan + "propagate_nan.a", f32), load(nan + "propagate_nan.b", f32)),
         load(nan + "propagate_nan.expect_max", f32), false);
    same(e.op(Op::min, load(nan + "propagate_nan.a", f32), load(nan + "propagate_nan.b", f32)),
         load(nan + "propagate_nan.expect_min", f32), false);
    const Array a = load(nan + "compare.a", f32), b = load(nan + "compare.b", f32);
    for (auto [name, op] :
         {std::pair{"eq", Op::eq}, {"ne", Op::ne}, {"lt", Op::lt}, {"le", Op::le}, {"gt", Op::gt}, {"ge", Op::ge}})
      same(e.typed(op, b1, a, &b), load(nan + "compare.expect_" + name, b1));
    same(e.op(Op::lnot, e.typed(Op::lt, b1, a, &b)), load(nan + "compare.expect_not_lt", b1));
    const Array c = load(nan + "clamp_nan.x", f32), zero = e.full(c, 0), one = e.full(c, 1);
    same(e.typed(Op::clamp, f32, c, &zero, &one), load(nan + "clamp_nan.expect_out", f32));

    const std::pair<const char*, Op> divisions[] = {
        {"trunc_div", Op::div}, {"trunc_rem", Op::mod}, {"floor_div", Op::floordiv}, {"floor_mod", Op::floormod}};
    for (auto [name, op] : divisions)
      same(e.op(op, load(div + "pairs.x", i32), load(div + "pairs.y", i32)), load(div + "pairs.expect_" + name, i32));
    for (int d : {4, 8, 3, 7, -4})
      for (auto [name, op] : divisions) {
        const std::string base = div + "by_const_" + std::to_string(d);
        same(e.by_constant(op, load(base + ".x", i32), d), load(base + ".expect_" + name, i32));
      }
    same(e.op(Op::div, load(div + "tail_lanes_divisor.x", i32), load(div + "tail_lanes_divisor.y", i32)),
         load(div + "tail_lanes_divisor.expect_out", i32));

    for (auto [name, op] : {std::pair{"add", Op::add}, {"sub", Op::sub}, {"mul", Op::mul}})
      same(e.op(op, load(wrap + "u8_wrap.x", u8), load(wrap + "u8_wrap.y", u8)),
           load(wrap + "u8_wrap.expect_" + name, u8));
    const Array u = load(wrap + "widen.u", u8), i = load(wrap + "widen.i", DType::i8);
    same(e.cast(u, i32), load(wrap + "widen.expect_u_i32", i32));
    same(e.cast(i, i32), load(wrap + "widen.expect_i_i32", i32));
    same(e.cast(u, f32), load(wrap + "widen.expect_u_f32", f32));
    same(e.cast(i, DType::u32), load(wrap + "widen.expect_i_u32", DType::u32));
    for (int n : {1, 15, 31}) {
      const std::string base = wrap + "shift_" + std::to_string(n);
      const Array x = load(base + ".x", i32);
      same(e.by_constant(Op::shl, x, n), load(base + ".expect_left", i32));
      same(e.by_constant(Op::shr, x, n), load(base + ".expect_arith", i32));
      same(e.by_constant(Op::shr, e.cast(x, DType::u32), n), load(base + ".expect_logical", DType::u32));
    }
    const Array m = load(wrap + "i32_mul_wrap.x", i32);
    same(e.op(Op::mul, m, m), load(wrap + "i32_mul_wrap.expect_out", i32));
    const Array wide = e.cast(load(wrap + "mixed_width.x", i32), DType::i64);
    same(e.op(Op::add, wide, load(wrap + "mixed_width.y", DType::i64)),
         load(wrap + "mixed_width.expect_out", DType::i64));
    same(e.op(Op::umulhi, load(wrap + "umulhi.x", DType::u32), load(wrap + "umulhi.y", DType::u32)),
         load(wrap + "umulhi.expect_hi", DType::u32));
  }
}
