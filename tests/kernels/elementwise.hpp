// Kernels that compute each element by itself.
#pragma once
#include <tine/tine.hpp>

namespace tine::test {
namespace nt = tine;

/// out = F(x). F is a function object type without state.
template <class T, class R, class F>
struct Map {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<R, 1> out) const {
    return std::tuple{x.tile({block}), out.tile({block})};
  }
  void application(auto x, auto& out) const { out = F{}(x); }
};

/// out = F(x, y).
template <class T, class R, class F>
struct Zip {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "y", "out");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<T, 1> y, nt::Tensor<R, 1> out) const {
    return std::tuple{x.tile({block}), y.tile({block}), out.tile({block})};
  }
  void application(auto x, auto y, auto& out) const { out = F{}(x, y); }
};

struct AddFunction {
  auto operator()(const auto& x, const auto& y) const { return x + y; }
};
template <class T>
using Add = Zip<T, T, AddFunction>;

/// out = a*x + y.
template <class T, class A>
struct Axpy {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("a", "x", "y", "out");
  auto arrangement(nt::Scalar<A> a, nt::Tensor<T, 1> x, nt::Tensor<T, 1> y, nt::Tensor<T, 1> out) const {
    return std::tuple{a, x.tile({block}), y.tile({block}), out.tile({block})};
  }
  void application(auto a, auto x, auto y, auto& out) const { out = a * x + y; }
};

// The activations compute in f32 and round once.
struct SiluFunction {
  auto operator()(const auto& x) const {
    auto t = nt::cast<float>(x);
    return t * nt::sigmoid(t);
  }
};
struct SigmoidFunction {
  auto operator()(const auto& x) const { return nt::sigmoid(x); }
};
struct SigmoidFormula {
  auto operator()(const auto& x) const { return 1 / (1 + nt::exp(-nt::cast<float>(x))); }
};
struct TanhFunction {
  auto operator()(const auto& x) const { return nt::tanh(x); }
};
struct GeluErfFunction {
  auto operator()(const auto& x) const {
    auto t = nt::cast<float>(x);
    return 0.5 * t * (1 + nt::erf(t * 0.70710678118654752));
  }
};
struct GeluTanhFunction {
  auto operator()(const auto& x) const {
    auto t = nt::cast<float>(x);
    return 0.5 * t * (1 + nt::tanh(0.7978845608028654 * (t + 0.044715 * t * t * t)));
  }
};
struct SwigluFunction {
  auto operator()(const auto& a, const auto& b) const {
    auto t = nt::cast<float>(b);
    return nt::cast<float>(a) * (t * nt::sigmoid(t));
  }
};

}  // namespace tine::test
