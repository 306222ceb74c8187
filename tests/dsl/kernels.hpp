// Kernels of several kinds, as users write them: for the checks of warnings and of equal graphs from two compilers.
#pragma once
#include <tine/dsl.hpp>

namespace nt = tine;

template <class T>
struct Add {
  nt::BlockSize n{1024, 2048};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 1> a, nt::Tensor<T, 1> b, nt::Tensor<T, 1> c) const { return std::tuple{a.tile({n}), b.tile({n}), c.tile({n})}; }
  void application(auto a, auto b, auto c) const { c = a + b; }
};

template <class T>
struct Matmul {
  nt::BlockSize bm{64, 128}, bn{64, 128}, bk{32, 64};
  static constexpr auto names = nt::names("a", "b", "c");
  auto arrangement(nt::Tensor<T, 2> a, nt::Tensor<T, 2> b, nt::Tensor<T, 2> c) const {
    nt::require(a.size(1) == b.size(0));
    auto ct = c.tile({bm, bn});
    auto at = a.tile({bm, bk}).tile({1, nt::whole}).expand({nt::keep, ct.size(1)}).squeeze(0, nt::level<1>);
    auto bt = b.tile({bk, bn}).tile({nt::whole, 1}).expand({ct.size(0), nt::keep}).squeeze(1, nt::level<1>);
    return std::tuple{at, bt, ct};
  }
  void application(auto a, auto b, auto c) const {
    auto acc = nt::zeros<float>(c.shape());
    for (auto k : nt::range(a.size(0))) acc += nt::dot(a[k], b[k]);
    c = acc;
  }
};

template <class T>
struct Conv2d : Matmul<T> {
  int pad_h = 0, pad_w = 0;
  static constexpr auto names = nt::names("x", "w", "y");
  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> w, nt::Tensor<T, 4> y) const {
    auto windows = x.pad({{0, 0}, {0, 0}, {pad_h, pad_h}, {pad_w, pad_w}})
                       .tile({1, w.size(1), w.size(2), w.size(3)}, {.strides = {nt::whole, nt::whole, 1, 1}, .mode = nt::Mode::floor})
                       .squeeze(1)
                       .squeeze(0, nt::level<1>)
                       .ravel()
                       .flatten(nt::dims<0, 3>)
                       .flatten(nt::dims<1>);
    auto filter = w.flatten(nt::dims<1>).permute({1, 0});
    auto out = y.permute({0, 2, 3, 1}).flatten(nt::dims<0, 3>);
    return Matmul<T>::arrangement(windows, filter, out);
  }
};

template <class T>
struct Softmax {
  nt::BlockSize rows{1};
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> y) const { return std::tuple{x.tile({rows, nt::whole}), y.tile({rows, nt::whole})}; }
  void application(auto x, auto y) const {
    auto f = nt::cast<float>(x);
    auto e = nt::exp(f - nt::max(f, nt::axis(1))(nt::whole, nt::newaxis));
    y = e / nt::sum(e, nt::axis(1), nt::keep_dims);
  }
};

template <class T>
struct RmsNorm {
  nt::BlockSize rows{1};
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 1> w, nt::Scalar<float> eps, nt::Tensor<T, 2> y) const {
    auto yt = y.tile({rows, nt::whole});
    return std::tuple{x.tile({rows, nt::whole}), w.tile({nt::whole}).unsqueeze(1).expand({yt.size(0), nt::keep}), eps, yt};
  }
  void application(auto x, auto w, auto eps, auto y) const {
    auto f = nt::cast<float>(x);
    auto mean = nt::sum(f * f, nt::axis(1)) / nt::size(x, 1);
    y = f * nt::rsqrt(mean + eps)(nt::whole, nt::newaxis) * w(nt::newaxis, nt::whole);
  }
};

template <class T>
struct Attention {
  nt::BlockSize bm{64, 128}, bn{32, 64};
  bool causal = false;
  auto arrangement(nt::Tensor<T, 4> q, nt::Tensor<T, 4> k, nt::Tensor<T, 4> v, nt::Tensor<T, 4> o) const {
    auto rows = [&](auto x) { return x.tile({1, 1, bm, nt::whole}).squeeze(3).squeeze({0, 1}, nt::level<1>); };
    auto qt = rows(q);
    auto blocks = [&](auto x) {
      return x.tile({1, 1, bn, nt::whole}).tile({1, 1, nt::whole, nt::whole}).squeeze(3).expand({nt::keep, nt::keep, qt.size(-1)})
          .squeeze({0, 1, 3}, nt::level<1>).squeeze({0, 1}, nt::level<2>);
    };
    return std::tuple{qt, blocks(k), blocks(v), rows(o)};
  }
  void application(auto q, auto k, auto v, auto o) const {
    auto scaled = nt::cast<T>(q * 1.44269504f);
    auto acc = nt::zeros<float>(o.shape());
    auto l = nt::zeros<float>({q.size(0)});
    auto m = nt::full<float>({q.size(0)}, -nt::inf);
    for (auto i : nt::range(k.size(0))) {
      auto qk = nt::dot(scaled, nt::trans(k[i]));
      auto column = nt::trans(nt::offsets(k[i], -2))(nt::whole, nt::whole);
      auto inside = nt::sum(nt::cast<int>(column < nt::size(k, -2)), nt::axis(0)) > 0;
      qk = nt::where(inside(nt::newaxis, nt::whole), qk, -nt::inf);
      auto old = m;
      m = nt::max(m, nt::max(qk, nt::axis(1)));
      auto p = nt::exp2(qk - m(nt::whole, nt::newaxis));
      auto alpha = nt::exp2(old - m);
      acc = acc * alpha(nt::whole, nt::newaxis) + nt::dot(nt::cast<T>(p), v[i]);
      l = l * alpha + nt::sum(p, nt::axis(1));
      if (causal) l = l + 0.0f;
    }
    o = acc / l(nt::whole, nt::newaxis);
  }
};

// Operands with effects on the order of evaluation: helpers with loops, loads and variables inside arguments.
struct Order {
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y, nt::Tensor<float, 2> z) const {
    return std::tuple{x.tile({8, 8}), y.tile({8, 8}), z.tile({8, 8})};
  }
  static auto power(auto x, int n) {
    auto p = nt::load(x);
    for (auto k : nt::range(n)) p = p * x + k;
    return p;
  }
  void application(auto x, auto y, auto z) const {
    z = power(x, 2) * nt::max(power(y, 3), power(x + y, 4)) - nt::where(nt::sin(x) < nt::cos(y), nt::size(x, 0), nt::size(y, 1));
    z += nt::fma(x, nt::exp(y), nt::log(z)) + (nt::sum(y) - nt::sum(x)) * nt::program_index(0);
    nt::if_(nt::sum(x) > nt::sum(y), [&] { z = z * 2; });
  }
};

struct Bits {
  auto arrangement(nt::Tensor<nt::i8, 1> a, nt::Tensor<nt::u16, 1> b, nt::Scalar<nt::i64> s, nt::Tensor<bool, 1> m, nt::Tensor<nt::u32, 1> out) const {
    return std::tuple{a.tile({32}), b.tile({32}), s, m.tile({32}), out.tile({32})};
  }
  void application(auto a, auto b, auto s, auto m, auto out) const {
    auto t = (a & 15) | ((b << 2) ^ ~b);
    auto r = nt::where((m && !(a > 3)) || valid(a), nt::popcount(t) + s, nt::clz(b) >> 1);
    r %= 7;
    out = r;
    out |= nt::bitcast<nt::u32>(nt::cast<float>(b)) + nt::cdiv(a, 3) + nt::umulhi(b, b) - -m;
  }
};
