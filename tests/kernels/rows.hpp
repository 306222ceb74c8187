// Kernels that reduce along rows.
#pragma once
#include <tine/tine.hpp>

namespace tine::test {
namespace nt = tine;

/// Softmax of a row that one tile holds: as wide as the row (`width` 0), or wider and padded with -inf.
template <class T>
struct SoftmaxRow {
  int64_t width = 0;
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> out) const {
    const nt::Size w = width ? nt::Size(width) : nt::Size(nt::whole);
    return std::tuple{x.other(-nt::inf).tile({1, w}), out.tile({1, w})};
  }
  void application(auto x, auto& out) const {
    auto t = nt::load(x);
    auto e = nt::exp(t - nt::max(t, nt::axis(1), nt::keep_dims));
    out = e / nt::sum(e, nt::axis(1), nt::keep_dims);
  }
};

/// Softmax with a running maximum and sum over blocks of the row.
template <class T>
struct SoftmaxOnline {
  nt::BlockSize block{256};
  static constexpr auto names = nt::names("x", "out");
  auto blocks(nt::Tensor<T, 2> x) const {
    return x.tile({1, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(0, nt::level<2>);
  }
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<T, 2> out) const {
    return std::tuple{blocks(x.other(-nt::inf)), blocks(out)};
  }
  void application(auto& x, auto& out) const {
    auto m = nt::full<float>(nt::Shape<0>{}, -nt::inf);
    auto s = nt::full<float>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) {
      auto t = nt::cast<float>(x[k]);
      auto next = nt::max(m, nt::max(t));
      // A row that begins with nothing but -inf: its maximum so far is -inf, and exp(-inf - -inf) would be NaN.
      auto guarded = nt::where(next == -nt::inf, 0.0f, next);
      s = s * nt::exp(m - guarded) + nt::sum(nt::exp(t - guarded));
      m = next;
    }
    for (auto k : nt::range(x.size(0))) out[k] = nt::exp(nt::cast<float>(x[k]) - m) / s;
  }
};

/// The same along the middle dim of three.
template <class T>
struct SoftmaxMiddle {
  nt::BlockSize block{16};
  static constexpr auto names = nt::names("x", "out");
  auto rows(nt::Tensor<T, 3> x) const {
    return x.permute({0, 2, 1})
        .flatten(nt::dims<0, 2>)
        .tile({1, block})
        .tile({1, nt::whole})
        .squeeze(0, nt::level<1>)
        .squeeze(0, nt::level<2>);
  }
  auto arrangement(nt::Tensor<T, 3> x, nt::Tensor<T, 3> out) const {
    return std::tuple{rows(x.other(-nt::inf)), rows(out)};
  }
  void application(auto& x, auto& out) const { SoftmaxOnline<T>{}.application(x, out); }
};

/// x / sqrt(mean(x^2) + eps) * w, in blocks; the mean is over the row's own length.
template <class T, class R>
struct RmsNormBlocks {
  nt::BlockSize block{256};
  static constexpr auto names = nt::names("x", "w", "eps", "out");
  template <class E>
  auto blocks(nt::Tensor<E, 2> x) const {
    return x.tile({1, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(0, nt::level<2>);
  }
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<float, 1> w, nt::Scalar<double> eps, nt::Tensor<R, 2> out) const {
    return std::tuple{blocks(x), blocks(w.unsqueeze(0).expand({x.size(0), nt::keep})), eps, blocks(out)};
  }
  void application(auto& x, auto& w, auto eps, auto& out) const {
    auto squares = nt::full<float>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) {
      auto t = nt::cast<float>(x[k]);
      squares += nt::sum(t * t);
    }
    auto scale = nt::rsqrt(squares / nt::cast<float>(nt::size(x, 1)) + eps);
    for (auto k : nt::range(x.size(0))) out[k] = nt::cast<float>(x[k]) * scale * w[k];
  }
};

/// (x - mean) / sqrt(var + eps) * w + b in two passes over blocks.
struct LayerNorm {
  nt::BlockSize block{512};
  static constexpr auto names = nt::names("x", "w", "b", "eps", "out");
  auto blocks(nt::Tensor<float, 2> x) const {
    return x.tile({1, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(0, nt::level<2>);
  }
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> w, nt::Tensor<float, 1> b, nt::Scalar<double> eps,
                   nt::Tensor<float, 2> out) const {
    auto row = [&](nt::Tensor<float, 1> v) { return blocks(v.unsqueeze(0).expand({x.size(0), nt::keep})); };
    return std::tuple{blocks(x), row(w), row(b), eps, blocks(out)};
  }
  void application(auto& x, auto& w, auto& b, auto eps, auto& out) const {
    auto n = nt::cast<float>(nt::size(x, 1));
    auto total = nt::full<float>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) total += nt::sum(x[k]);
    auto mean = total / n;
    auto squares = nt::full<float>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) {
      auto d = nt::where(nt::valid(x[k]), x[k] - mean, 0);
      squares += nt::sum(d * d);
    }
    auto scale = 1 / nt::sqrt(squares / n + eps);
    for (auto k : nt::range(x.size(0))) out[k] = (x[k] - mean) * scale * w[k] + b[k];
  }
};

/// log(sum(exp(x))) of rows, in blocks with a running maximum (`block` wider than the row: in one).
struct LogSumExp {
  nt::BlockSize block{256};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> out) const {
    return std::tuple{x.other(-nt::inf).tile({1, block}).tile({1, nt::whole}).squeeze(0, nt::level<1>).squeeze(1),
                      out.tile({1})};
  }
  void application(auto& x, auto& out) const {
    auto m = nt::full<float>(nt::Shape<0>{}, -nt::inf);
    auto s = nt::full<float>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) {
      auto next = nt::max(m, nt::max(x[k]));
      auto guarded = nt::where(next == -nt::inf, 0.0f, next);
      s = s * nt::exp(m - guarded) + nt::sum(nt::exp(x[k] - guarded));
      m = next;
    }
    out = nt::log(s) + m;
  }
};

/// logsumexp(x) - x[label], and 0 for the label -100.
struct CrossEntropy {
  static constexpr auto names = nt::names("x", "label", "loss");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<i64, 1> label, nt::Tensor<float, 1> loss) const {
    return std::tuple{x.other(-nt::inf).tile({1, nt::whole}).squeeze(1).squeeze(0, nt::level<1>), label.tile({1}),
                      loss.tile({1})};
  }
  void application(auto& x, auto& label, auto& loss) const {
    auto t = nt::load(x);
    auto m = nt::max(t);
    auto here = nt::sum(nt::where(nt::arange(t.size(0)) == label, t, 0));
    loss = nt::where(label == -100, 0, nt::log(nt::sum(nt::exp(t - m))) + m - here);
  }
};

/// Reductions of a whole vector, in one tile.
template <class T, class R, class F>
struct ReduceAll {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<R, 1> out) const {
    return std::tuple{x.tile({nt::whole}), out.tile({1})};
  }
  void application(auto x, auto& out) const { out = F{}(x); }
};
/// The same in a tile of `width`, whose lanes beyond the data hold `rest`.
template <class T, class R, class F>
struct ReduceWide {
  int64_t width;
  int64_t rest;
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 1> x, nt::Tensor<R, 1> out) const {
    return std::tuple{x.other(rest).tile({width}), out.tile({1})};
  }
  void application(auto x, auto& out) const { out = F{}(x); }
};
/// Along one axis of a matrix that one tile holds.
template <class T, class R, int Axis, class F>
struct ReduceAxis {
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<T, 2> x, nt::Tensor<R, 1> out) const {
    return std::tuple{x.tile({nt::whole, nt::whole}).squeeze(1), out.tile({nt::whole})};
  }
  void application(auto x, auto& out) const { out = F{}(x, nt::axis(Axis)); }
};

struct SumOf {
  auto operator()(const auto& x, auto... axes) const { return nt::sum(x, axes...); }
};
struct ProdOf {
  auto operator()(const auto& x, auto... axes) const { return nt::prod(x, axes...); }
};
struct MaxOf {
  auto operator()(const auto& x, auto... axes) const { return nt::max(x, axes...); }
};
struct MinOf {
  auto operator()(const auto& x, auto... axes) const { return nt::min(x, axes...); }
};
struct XorOf {
  auto operator()(const auto& x, auto... axes) const { return nt::xor_sum(x, axes...); }
};
struct ArgmaxOf {
  auto operator()(const auto& x, auto... axes) const { return nt::argmax(x, axes...); }
};
struct ArgminOf {
  auto operator()(const auto& x, auto... axes) const { return nt::argmin(x, axes...); }
};

/// Rows of a matrix, each reduced by a program of its own.
template <class R, class F>
struct ReduceRows {
  nt::BlockSize rows{1};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<R, 1> out) const {
    return std::tuple{x.tile({rows, nt::whole}).squeeze(1), out.tile({rows})};
  }
  void application(auto x, auto& out) const { out = F{}(x, nt::axis(1)); }
};

/// The index of the largest element, in blocks; ties between blocks keep the earlier one.
struct ArgmaxBlocks {
  nt::BlockSize block{4};
  static constexpr auto names = nt::names("x", "out");
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<i32, 1> out) const {
    return std::tuple{x.other(-nt::inf)
                          .tile({1, block})
                          .tile({1, nt::whole})
                          .squeeze(0, nt::level<1>)
                          .squeeze(1)
                          .squeeze(0, nt::level<2>),
                      out.tile({1})};
  }
  void application(auto& x, auto& out) const {
    auto best = nt::full<float>(nt::Shape<0>{}, -nt::inf);
    auto at = nt::full<i32>(nt::Shape<0>{}, 0);
    for (auto k : nt::range(x.size(0))) {
      auto m = nt::max(x[k]);
      auto i = nt::argmax(x[k]) + nt::cast<i32>(k * int64_t(block.value()));
      at = nt::where(m > best, i, at);
      best = nt::max(best, m);
    }
    out = at;
  }
};

}  // namespace tine::test
