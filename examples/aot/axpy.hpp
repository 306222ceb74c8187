#pragma once
#include <tine/tine.hpp>
namespace nt = tine;

// y = s x + y
template <class T> struct Axpy {
  nt::BlockSize block{4096, 1024, 16384};
  static constexpr auto names = nt::names("s", "x", "y");
  auto arrangement(nt::Scalar<float> s, nt::Tensor<T, 1> x, nt::Tensor<T, 1> y) const {
    nt::require(x.size(0) == y.size(0));
    return std::tuple{s, x.tile({block}), y.tile({block})};
  }
  void application(auto s, auto x, auto& y) const { y = nt::cast<float>(x) * s + nt::cast<float>(y); }
};
