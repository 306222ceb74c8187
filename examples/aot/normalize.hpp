#pragma once
#include <tine/tine.hpp>
namespace nt = tine;

// Each row of x divided by its sum.
struct Normalize {
  nt::BlockSize rows{4};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    nt::require(x.size(0) == y.size(0));
    nt::require(x.size(1) == y.size(1));
    return std::tuple{x.tile({rows, nt::whole}).squeeze(1), y.tile({rows, nt::whole}).squeeze(1)};
  }
  void application(auto x, auto& y) const {
    auto sums = nt::sum(x, nt::axis(1));
    y = x / sums(nt::whole, nt::newaxis);
  }
};
