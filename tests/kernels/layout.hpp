// Kernels that move elements: copies of views, broadcasts, windows, rotations.
#pragma once
#include <tine/tine.hpp>

namespace tine::test {
namespace nt = tine;

template <class T>
struct Copy1 {
  nt::BlockSize block{16};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<T, 1> out) const {
    return std::tuple{x.tile({block}), out.tile({block})};
  }
  void application(auto x, auto& out) const { out = x; }
};
template <class T>
struct Copy2 {
  nt::BlockSize rows{4}, columns{4};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> out) const {
    return std::tuple{x.tile({rows, columns}), out.tile({rows, columns})};
  }
  void application(auto x, auto& out) const { out = x; }
};
template <class T>
struct Copy3 {
  nt::BlockSize rows{4}, columns{4};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 3> x, nt::Tensor<T, 3> out) const {
    return std::tuple{x.tile({2, rows, columns}), out.tile({2, rows, columns})};
  }
  void application(auto x, auto& out) const { out = x; }
};

/// out = a + b with a (m, 1) and b (1, n) expanded in the arrangement.
struct ExpandAdd {
  nt::BlockSize rows{2}, columns{4};
  static constexpr auto names = nt::names("a", "b", "out");
  auto arrangement(nt::Tensor<i32, 2> a, nt::Tensor<i32, 2> b, nt::Tensor<i32, 2> out) const {
    return std::tuple{a.expand({nt::keep, out.size(1)}).tile({rows, columns}),
                      b.expand({out.size(0), nt::keep}).tile({rows, columns}), out.tile({rows, columns})};
  }
  void application(auto a, auto b, auto& out) const { out = a + b; }
};
struct ExpandAdd1 {
  nt::BlockSize block{8};
  static constexpr auto names = nt::names("a", "b", "out");
  auto arrangement(nt::Tensor<i32, 1> a, nt::Tensor<i32, 1> b, nt::Tensor<i32, 1> out) const {
    return std::tuple{a.expand({out.size(0)}).tile({block}), b.tile({block}), out.tile({block})};
  }
  void application(auto a, auto b, auto& out) const { out = a + b; }
};
/// The same with the broadcast left to the application, and three operands.
struct BroadcastAdd {
  nt::BlockSize rows{2}, columns{4};
  static constexpr auto names = nt::names("a", "b", "c", "out");
  auto arrangement(nt::Tensor<i32, 2> a, nt::Tensor<i32, 2> b, nt::Tensor<i32, 2> c, nt::Tensor<i32, 2> out) const {
    auto o = out.tile({rows, columns});
    return std::tuple{a.tile({rows, 1}).expand({nt::keep, o.size(1)}),
                      b.tile({1, columns}).expand({o.size(0), nt::keep}), c.tile({1, 1}).expand({o.size(0), o.size(1)}),
                      o};
  }
  void application(auto a, auto b, auto c, auto& out) const { out = a + b + c; }
};

/// Sum of each row, also of rows without elements.
struct RowSums {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.tile({1, nt::whole}).squeeze(1), out.tile({1})};
  }
  void application(auto x, auto& out) const { out = nt::sum(x, nt::axis(1)); }
};

/// Windows of the last two dims of (n, c, h, w), one a program.
template <class T>
struct Windows {
  int64_t kernel[2], stride[2], padding[2], dilation[2];
  bool ceil;
  auto windows(nt::Tensor<T, 4> x) const {
    nt::TileOptions options{
        {1, 1, stride[0], stride[1]}, {1, 1, dilation[0], dilation[1]}, ceil ? nt::Mode::ceil : nt::Mode::floor};
    return x.pad({{0, 0}, {0, 0}, {padding[0], padding[0]}, {padding[1], padding[1]}})
        .tile({1, 1, kernel[0], kernel[1]}, options)
        .squeeze({0, 1}, nt::level<1>);
  }
  auto cells(nt::Tensor<T, 4> out) const { return out.tile({1, 1, 1, 1}).squeeze({0, 1}, nt::level<1>); }
};
template <class T>
struct MaxPool : Windows<T> {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 4> x, nt::Tensor<T, 4> out) const {
    return std::tuple{this->windows(x.other(-nt::inf)), this->cells(out)};
  }
  void application(auto x, auto& out) const { out = nt::max(x); }
};
struct AvgPool : Windows<float> {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 4> x, nt::Tensor<float, 4> out) const {
    return std::tuple{windows(x), cells(out)};
  }
  void application(auto x, auto& out) const { out = nt::sum(x) / float(kernel[0] * kernel[1]); }
};

/// Rotary embedding of (batch, seq, heads, dim); tables (batch, seq, heads, dim / 2), mostly of stride 0.
template <bool Interleaved>
struct Rope {
  static constexpr auto names = nt::names("x", "sin", "cos", "out");
  auto halves(nt::Tensor<float, 4> x, nt::Size half) const {
    auto cut = [&] {
      if constexpr (Interleaved)
        return x.tile({1, 1, 1, half}, nt::TileOptions{{1, 1, 1, 1}, {1, 1, 1, 2}}).tile({1, 1, 1, 2});
      else
        return x.tile({1, 1, 1, half}).tile({1, 1, 1, 2});
    }();
    return cut.squeeze({0, 1, 2}, nt::level<1>).squeeze({0, 1, 2}, nt::level<2>);
  }
  auto arrangement(nt::Tensor<float, 4> x, nt::Tensor<float, 4> sin, nt::Tensor<float, 4> cos,
                   nt::Tensor<float, 4> out) const {
    auto table = [](nt::Tensor<float, 4> t) { return t.tile({1, 1, 1, nt::whole}).squeeze({0, 1, 2}, nt::level<1>); };
    nt::require(x.size(3) == 2 * sin.size(3));
    return std::tuple{halves(x, sin.size(3)), table(sin), table(cos), halves(out, sin.size(3))};
  }
  void application(auto& x, auto& sin, auto& cos, auto& out) const {
    auto a = nt::load(x[0]), b = nt::load(x[1]);
    out[0] = a * cos - b * sin;
    out[1] = a * sin + b * cos;
  }
};

}  // namespace tine::test
