// The kernels of tests/aot/ninetoothed/generate.py.
#pragma once
#include <tine/tine.hpp>
namespace nt = tine;

struct Add {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "y", "z");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y, nt::Tensor<float, 1> z) const {
    return std::tuple{x.tile({block}), y.tile({block}), z.tile({block})};
  }
  void application(auto x, auto y, auto& z) const { z = x + y; }
};

struct Scaled {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "s", "n", "y");
  auto arrangement(nt::Tensor<float, 1> x, nt::Scalar<float> s, nt::Scalar<nt::i32> n, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({block}), s, n, y.tile({block})};
  }
  void application(auto x, auto s, auto n, auto& y) const { y = x * s + n; }
};

template <int shift> struct Shifted {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({block}), y.tile({block})}; }
  void application(auto x, auto& y) const { y = x + shift; }
};

template <class T> struct Fill {
  nt::BlockSize block{64};
  static constexpr auto names = nt::names("y");
  auto arrangement(nt::Tensor<T, 1> y) const { return std::tuple{y.tile({block})}; }
  void application(auto& y) const { y = nt::cast<T>(nt::offsets(y, 0)); }
};
