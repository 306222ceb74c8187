// Cases round_modes, nan_minmax_compare, bf16_f16_round, math_accuracy and quantize_per_token.
#include "check.hpp"
#include "elementwise.hpp"

using namespace tine;
using namespace tine::test;

namespace {

template <class T, class R, class F>
void map(Run& r, const char* x, const char* out) {
  auto k = make(Map<T, R, F>{});
  k.set("block", 16);
  k(r.view<const T, 1>(x), r.view<R, 1>(out));
}
template <class R, class F>
void pair(Run& r, const char* a, const char* b, const char* out) {
  make(Zip<float, R, F>{})(r.view<const float, 1>(a), r.view<const float, 1>(b), r.view<R, 1>(out));
}

struct Same {
  auto operator()(const auto& x) const { return nt::load(x); }
};
struct FloorF {
  auto operator()(const auto& x) const { return nt::floor(x); }
};
struct CeilF {
  auto operator()(const auto& x) const { return nt::ceil(x); }
};
struct TruncF {
  auto operator()(const auto& x) const { return nt::trunc(x); }
};
struct RoundF {
  auto operator()(const auto& x) const { return nt::round(x); }
};

struct MinF {
  auto operator()(const auto& a, const auto& b) const { return nt::min(a, b); }
};
struct MaxF {
  auto operator()(const auto& a, const auto& b) const { return nt::max(a, b); }
};
struct FminF {
  auto operator()(const auto& a, const auto& b) const { return nt::fmin(a, b); }
};
struct FmaxF {
  auto operator()(const auto& a, const auto& b) const { return nt::fmax(a, b); }
};
struct Eq {
  auto operator()(const auto& a, const auto& b) const { return a == b; }
};
struct Ne {
  auto operator()(const auto& a, const auto& b) const { return a != b; }
};
struct Lt {
  auto operator()(const auto& a, const auto& b) const { return a < b; }
};
struct Le {
  auto operator()(const auto& a, const auto& b) const { return a <= b; }
};
struct Gt {
  auto operator()(const auto& a, const auto& b) const { return a > b; }
};
struct Ge {
  auto operator()(const auto& a, const auto& b) const { return a >= b; }
};
struct NotLt {
  auto operator()(const auto& a, const auto& b) const { return !(a < b); }
};
struct Clamp01 {
  auto operator()(const auto& x) const { return nt::clamp(x, 0, 1); }
};

struct ExpF {
  auto operator()(const auto& x) const { return nt::exp(x); }
};
struct Log2F {
  auto operator()(const auto& x) const { return nt::log2(x); }
};
struct SinF {
  auto operator()(const auto& x) const { return nt::sin(x); }
};
struct CosF {
  auto operator()(const auto& x) const { return nt::cos(x); }
};
struct RsqrtF {
  auto operator()(const auto& x) const { return nt::rsqrt(x); }
};
struct Reciprocal {
  auto operator()(const auto& x) const { return 1 / x; }
};
struct ErfF {
  auto operator()(const auto& x) const { return nt::erf(x); }
};
struct PowF {
  auto operator()(const auto& x, const auto& y) const { return nt::pow(x, y); }
};

template <class F>
void accuracy(const char* id) {
  INFO(id);
  check_variant("math_accuracy", id, [](Run& r) { map<float, float, F>(r, "x", "out"); });
}

struct Dequantize {
  static constexpr auto names = nt::names("q", "s", "out");
  auto arrangement(nt::Tensor<i8, 2> q, nt::Tensor<float, 1> s, nt::Tensor<float, 2> out) const {
    auto row = [](auto x) { return x.tile({1, nt::whole}).squeeze(1).squeeze(0, nt::level<1>); };
    return std::tuple{row(q), s.tile({1}), row(out)};
  }
  void application(auto& q, auto& s, auto& out) const { out = nt::cast<float>(q) * s; }
};
struct Quantize {
  static constexpr auto names = nt::names("x", "s", "q");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> s, nt::Tensor<i8, 2> q) const {
    auto row = [](auto t) { return t.tile({1, nt::whole}).squeeze(1).squeeze(0, nt::level<1>); };
    return std::tuple{row(x), s.tile({1}), row(q)};
  }
  void application(auto& x, auto& s, auto& q) const {
    auto t = nt::load(x);
    auto scale = nt::max(nt::abs(t)) / 127;
    s = scale;
    q = nt::where(scale == 0, 0, nt::clamp(nt::round(t / scale), -127, 127));
  }
};

}  // namespace

TEST_CASE("round_modes", "[case]") {
  check_variant("round_modes", "f32", [](Run& r) {
    map<float, float, FloorF>(r, "x", "floor");
    map<float, float, CeilF>(r, "x", "ceil");
    map<float, float, TruncF>(r, "x", "trunc");
    map<float, float, RoundF>(r, "x", "rint");
  });
}

TEST_CASE("nan_minmax_compare", "[case]") {
  check_variant("nan_minmax_compare", "skip_nan", [](Run& r) {
    pair<float, FmaxF>(r, "a", "b", "max");
    pair<float, FminF>(r, "a", "b", "min");
  });
  check_variant("nan_minmax_compare", "propagate_nan", [](Run& r) {
    pair<float, MaxF>(r, "a", "b", "max");
    pair<float, MinF>(r, "a", "b", "min");
  });
  check_variant("nan_minmax_compare", "compare", [](Run& r) {
    pair<bool, Eq>(r, "a", "b", "eq");
    pair<bool, Ne>(r, "a", "b", "ne");
    pair<bool, Lt>(r, "a", "b", "lt");
    pair<bool, Le>(r, "a", "b", "le");
    pair<bool, Gt>(r, "a", "b", "gt");
    pair<bool, Ge>(r, "a", "b", "ge");
    pair<bool, NotLt>(r, "a", "b", "not_lt");
  });
  check_variant("nan_minmax_compare", "clamp_nan", [](Run& r) { map<float, float, Clamp01>(r, "x", "out"); });
}

TEST_CASE("bf16_f16_round", "[case]") {
  check_variant("bf16_f16_round", "f32_to_bf16", [](Run& r) { map<float, bf16, Same>(r, "x", "out"); });
  check_variant("bf16_f16_round", "f64_to_bf16", [](Run& r) { map<double, bf16, Same>(r, "x", "out"); });
  check_variant("bf16_f16_round", "bf16_to_f32", [](Run& r) { map<bf16, float, Same>(r, "x", "out"); });
}

TEST_CASE("math_accuracy", "[case]") {
  accuracy<ExpF>("exp");
  accuracy<Log2F>("log2");
  accuracy<SinF>("sin");
  accuracy<CosF>("cos");
  accuracy<RsqrtF>("rsqrt");
  accuracy<Reciprocal>("reciprocal");
  accuracy<ErfF>("erf");
  check_variant("math_accuracy", "pow", [](Run& r) { pair<float, PowF>(r, "x", "y", "out"); });
}

TEST_CASE("quantize_per_token", "[case]") {
  auto back = make(Dequantize{});
  check_variant("quantize_per_token", "dequantize",
                [&](Run& r) { back(r.view<const i8, 2>("q"), r.view<const float, 1>("s"), r.view<float, 2>("out")); });
  // Quantising what was dequantised gives the integers again, where a row holds a 127; a zero row gives zeros.
  const float x[2][5] = {{127, -3, 0.5f, 1.5f, -2.5f}, {0, 0, 0, 0, 0}};
  float s[2] = {-1, -1};
  i8 q[2][5] = {};
  make(Quantize{})(view(x), view(s), view(q));
  CHECK((s[0] == 1 && s[1] == 0));
  const i8 want[2][5] = {{127, -3, 0, 2, -2}, {0, 0, 0, 0, 0}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 5; ++j) CHECK(q[i][j] == want[i][j]);
}

TEST_CASE("BR-43: subnormal bf16 are kept", "[fault]") {
  std::vector<float> x{0x1p-130f, -0x1p-133f, 0x1p-134f}, back(3, -1);
  std::vector<bf16> narrow(3);
  make(Map<float, bf16, Same>{})(x, narrow);
  CHECK((narrow[0].bits == 0x0008 && narrow[1].bits == 0x8001 && narrow[2].bits == 0));
  make(Map<bf16, float, Same>{})(narrow, back);
  CHECK(back == std::vector<float>{0x1p-130f, -0x1p-133f, 0});
}
