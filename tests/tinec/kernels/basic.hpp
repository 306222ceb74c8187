// Kernels for the tests of tinec: one for each way in which arguments reach a kernel.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

template <class T>
struct Add {
  nt::BlockSize block{64, 16};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 1> a, nt::Tensor<T, 1> b, nt::Tensor<T, 1> c) const {
    nt::require(a.size(0) == b.size(0));
    return std::tuple{a.tile({block}), b.tile({block}), c.tile({block})};
  }
  void application(auto a, auto b, auto& c) const { c = a + b; }
};

template <class T>
struct Copy {
  nt::BlockSize bm{4}, bn{8};
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const {
    return std::tuple{x.tile({bm, bn}), y.tile({bm, bn})};
  }
  void application(auto x, auto& y) const { y = x; }
};

template <class T, class S = float>
struct Scale {
  nt::BlockSize block{32};
  bool negate = false;
  static constexpr auto names = nt::names("x", "factor");
  auto arrangement(nt::Tensor<T, 1> x, nt::Scalar<S> factor) const { return std::tuple{x.tile({block}), factor}; }
  void application(auto& x, auto factor) const {
    if (negate) x = nt::cast<T>(x * -factor);
    else x = nt::cast<T>(x * factor);
  }
};

// No names: p0, p1. No meta-parameters.
struct Widen {
  auto arrangement(nt::Tensor<nt::bf16, 1> x, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({8}), y.tile({8})};
  }
  void application(auto x, auto& y) const { y = nt::cast<float>(x); }
};

template <class T>
struct Decode {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<float, 1> y) const { return std::tuple{x.tile({16}), y.tile({16})}; }
  void application(auto x, auto& y) const { y = nt::cast<float>(x); }
};

struct Not {
  static constexpr auto names = nt::names("x", "y");
  auto arrangement(nt::Tensor<bool, 1> x, nt::Tensor<bool, 1> y) const { return std::tuple{x.tile({8}), y.tile({8})}; }
  void application(auto x, auto& y) const { y = !x; }
};

inline Scale<float> negated() {
  Scale<float> s;
  s.negate = true;
  return s;
}
inline const Scale<double> as_constant{};

TINE_EXPORT(Add, float, nt::f16);
TINE_EXPORT(Copy, nt::i32);
TINE_EXPORT(Widen);
