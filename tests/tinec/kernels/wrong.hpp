// Kernels that compile and that the language refuses, when they are made or at the call.
#pragma once
#include <stdexcept>
#include <tine/tine.hpp>

namespace nt = tine;

struct StoresNothing {
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({8})}; }
  void application(auto x) const { auto y = x + 1; }
};

struct SqueezesWide {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({4, 3}).squeeze(1, nt::level<1>), y.tile({4, 1}).squeeze(1, nt::level<1>)};
  }
  void application(auto x, auto& y) const { y = x; }
};

struct UnequalGrids {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({4}), y.tile({4})};
  }
  void application(auto x, auto& y) const { y = x; }
};

struct Throws {
  static constexpr auto names = nt::names("x");
  auto arrangement(nt::Tensor<float, 1> x) const {
    if (x.view >= 0) throw std::runtime_error("the kernel's own words");
    return std::tuple{x.tile({8})};
  }
  void application(auto& x) const { x = x + 1; }
};

struct ThrowsNumber : UnequalGrids {
  auto arrangement(nt::Tensor<float, 1> x, nt::Tensor<float, 1> y) const {
    if (x.view >= 0) throw 42;
    return UnequalGrids::arrangement(x, y);
  }
};

int defined_nowhere();
struct Unlinked {
  auto arrangement(nt::Tensor<float, 1> x) const { return std::tuple{x.tile({defined_nowhere()})}; }
  void application(auto& x) const { x = x + 1; }
};
