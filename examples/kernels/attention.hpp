// o = softmax(scale q k^T) v for each batch entry and query head, without the matrix of scores: keys pass by in blocks,
// and what was summed so far is rescaled when a row's maximum grows. Queries and keys may have different lengths.
// Several query heads may share a key and value head (their number is a multiple). A row that may attend to nothing
// gives 0.
#pragma once
#include <tine/tine.hpp>

namespace nt = tine;

/// Which keys a query may see. With `top_left`, key j from query i on if j <= i; with `bottom_right` the last query
/// sees all keys, which is what decoding with a cache of earlier keys wants.
enum class Causal { none, top_left, bottom_right };

template <class T>
struct Attention {
  nt::BlockSize bm{128, 64}, bn{128, 64};
  Causal causal = Causal::none;
  static constexpr auto names = nt::names("q", "k", "v", "scale", "o");

  auto arrangement(nt::Tensor<T, 4> q, nt::Tensor<T, 4> k, nt::Tensor<T, 4> v, nt::Scalar<float> scale,
                   nt::Tensor<T, 4> o) const {
    for (int d : {0, 1, 2, 3}) nt::require(q.size(d) == o.size(d)), nt::require(k.size(d) == v.size(d));
    nt::require(q.size(0) == k.size(0)), nt::require(q.size(3) == k.size(3));
    auto rows = [&](auto x) { return x.tile({1, 1, bm, nt::whole}).squeeze({0, 1}, nt::level<1>); };
    auto qt = rows(q);
    auto heads_together = nt::floordiv(q.size(1), k.size(1));  // query heads of one key head
    nt::require(q.size(1) == k.size(1) * heads_together);
    auto blocks = [&](auto x) {
      auto all = x.tile({1, 1, bn, nt::whole})
                     .tile({1, 1, nt::whole, nt::whole})
                     .squeeze({0, 1, 3}, nt::level<1>)
                     .squeeze({0, 1}, nt::level<2>);  // (batch, head, 1, 1) (blocks) (bn, dim)
      auto shared =
          all.unsqueeze(2).expand({nt::keep, nt::keep, heads_together, nt::keep, nt::keep}).flatten(nt::dims<1, 3>);
      return shared.expand({nt::keep, nt::keep, qt.size(2), nt::keep});
    };
    return std::tuple{qt, blocks(k), blocks(v), scale, rows(o)};
  }
  void application(auto q, auto k, auto v, auto scale, auto& o) const {
    auto sum = nt::zeros<float>(o.shape());
    auto total = nt::zeros<float>({bm});
    auto largest =
        nt::full<float>({bm}, -0x1.fffffep127f);  // finite, so that -inf - largest is no NaN where nothing was seen yet
    const nt::Size rows = bm, columns = bn,
                   ahead = causal == Causal::bottom_right ? nt::size(k, 2) - nt::size(q, 2) : nt::Size(0);
    auto first = nt::program_index(2) * rows + ahead;       // the last key that the first row sees when causal
    auto seen = nt::full<nt::i64>({rows}, nt::size(k, 2));  // the number of keys that each row sees
    auto stop = nt::load(k.size(0));
    if (causal != Causal::none) {
      seen = nt::min(seen, nt::arange(rows) + (first + 1));
      stop = nt::min(stop, nt::cdiv(first + rows, columns));
    }
    auto factor = scale * 1.44269504f;  // 2^(x log2(e)) = e^x
    for (auto i : nt::range(stop)) {
      auto column = nt::arange(columns) + i * columns;
      auto score = nt::where(column < seen(nt::whole, nt::newaxis), nt::dot(q, nt::trans(k[i])) * factor, -nt::inf);
      auto before = largest;
      largest = nt::max(largest, nt::max(score, nt::axis(1)));
      auto weight = nt::exp2(score - largest(nt::whole, nt::newaxis));
      auto shrink = nt::exp2(before - largest);
      sum = sum * shrink(nt::whole, nt::newaxis) + nt::dot(nt::cast<T>(weight), v[i]);
      total = total * shrink + nt::sum(weight, nt::axis(1));
    }
    o = sum * (1.0f / nt::max(total, 1e-9f))(nt::whole,
                                             nt::newaxis);  // at least 1, the largest one's, or 0 if nothing was seen
  }
};

TINE_EXPORT(Attention, float, tine::f16, tine::bf16);
