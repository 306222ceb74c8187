// Inputs for a function: a strided walk over all bit patterns, points near where the function is hard, and specials.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "dsl/graph/graph.hpp"

namespace tine::math::test {

template <class T>
struct Sweep {
  std::vector<T> x, y;
};

template <class T>
std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> v;
  for (T x : {T(0),
              L::denorm_min(),
              L::min() / 2,
              L::min(),
              L::min() * 2,
              L::epsilon(),
              L::epsilon() / 2,
              T(0.5),
              T(1),
              T(1) - L::epsilon() / 2,
              T(1) + L::epsilon(),
              T(1.5),
              T(2),
              T(2.5),
              T(3),
              T(4),
              T(10),
              T(16),
              T(100),
              T(0.1),
              L::max(),
              L::max() / 2,
              L::infinity(),
              L::quiet_NaN(),
              T(1e10),
              T(1e-10),
              T(8388607.5),
              T(4503599627370495.5),
              T(3.14159265358979323846),
              T(1.57079632679489661923),
              T(88.72283),
              T(88.72284),
              T(-103.97),
              T(-87.33),
              T(709.78271289338397),
              T(745.13321910194111),
              T(11),
              T(9.0109),
              T(0.69314718055994530942)}) {
    v.push_back(x);
    v.push_back(-x);
  }
  return v;
}

/// About `count` points: the bit patterns by a stride prime to everything, then the same number on a scale of interest.
template <class T>
Sweep<T> sweep(graph::Op op, size_t count = 1 << 20) {
  using graph::Op;
  using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  Sweep<T> s;
  s.x = specials<T>();
  const U step = U(std::numeric_limits<U>::max() / count) | 1;
  for (size_t k = 0; k < count; ++k) s.x.push_back(std::bit_cast<T>(U(U(k) * step)));
  std::mt19937_64 g(12345);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double scale : {1.0, 0.01, 2.0, 10.0, 100.0, 750.0, 1e4, 1e6})
    for (size_t k = 0; k < count / 8; ++k) s.x.push_back(T(scale * unit(g)));
  for (size_t k = 0; k < count / 8; ++k) s.x.push_back(T(1 + unit(g) * std::exp2(-20 * std::fabs(unit(g)))));
  for (int k = -1100; k <= 1100; ++k)
    for (double d : {0.0, 0.5, 1e-9, -1e-9}) s.x.push_back(T(k + d)), s.x.push_back(T(std::exp2(k) * (1 + d)));
  if (op == Op::sin || op == Op::cos || op == Op::tan) {
    // The f32 and the f64 nearest to a multiple of pi/2 (Muller et al., "Handbook of Floating-Point Arithmetic", 11.1),
    // and neighbours.
    const T near = sizeof(T) == 4 ? T(std::ldexp(16367173.0, 72)) : T(std::ldexp(6381956970095103.0, 797));
    for (int k = -8; k <= 8; ++k) s.x.push_back(std::bit_cast<T>(U(std::bit_cast<U>(near) + U(k))));
    for (size_t k = 0; k < count / 8; ++k) s.x.push_back(T(double(int64_t(g() >> 40)) * 1.57079632679489661923));
  }
  if (op == Op::pow || op == Op::atan2) {
    const auto sp = specials<T>();
    const size_t n = s.x.size();
    s.y.resize(n);
    for (size_t k = 0; k < n; ++k) {
      const unsigned mode = unsigned(g() % 8);
      if (mode == 0)
        s.y[k] = sp[g() % sp.size()];
      else if (mode == 1)
        s.y[k] = T(int(g() % 64) - 32);
      else if (mode == 2)
        s.y[k] = std::bit_cast<T>(U(g()));
      else if (mode == 3 && op == Op::pow) {
        const double l = std::log2(std::fabs(double(s.x[k])));  // results over the whole range
        s.y[k] = T((sizeof(T) == 4 ? 150 : 1080) * unit(g) / (l == 0 ? 1 : l));
      } else
        s.y[k] = T(unit(g) * std::exp2(8 * unit(g)));
    }
    for (T x : sp)
      for (T y : sp) s.x.push_back(x), s.y.push_back(y);
  }
  return s;
}

}  // namespace tine::math::test
