#include "examples/support/reference.hpp"

#include <cmath>

#include "examples/host/decoder_layer/layer.hpp"

namespace examples {
namespace {

// (token, head, dim) to (head, token, dim), and back.
Doubles heads_first(const Doubles& x, int64_t tokens, int64_t heads, int64_t dim) {
  Doubles y(x.size());
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t d = 0; d < dim; ++d)
        y[static_cast<std::size_t>((h * tokens + t) * dim + d)] =
            x[static_cast<std::size_t>((t * heads + h) * dim + d)];
  return y;
}

}  // namespace

Doubles decoder_layer_reference(const LayerShape& s, const LayerWeights& w, const std::vector<float>& input) {
  using namespace reference;
  const int64_t queries = s.query_heads * s.head_dim, keys = s.key_heads * s.head_dim;
  const auto product = [&](const Doubles& x, const std::vector<float>& weights, int64_t from, int64_t to) {
    return matmul(x, widened(weights), s.tokens, to, from);
  };
  const auto rotated = [&](const Doubles& x, int64_t heads) {
    return rope(x, widened(w.sin), widened(w.cos), 1, s.tokens, heads, s.head_dim, false);
  };
  const Doubles x = widened(input);
  const Doubles normed = rms_norm(x, widened(w.norm_attention), s.eps, s.tokens, s.hidden);
  const Doubles q = rotated(product(normed, w.query, s.hidden, queries), s.query_heads);
  const Doubles k = rotated(product(normed, w.key, s.hidden, keys), s.key_heads);
  const Doubles v = product(normed, w.value, s.hidden, keys);
  const Heads heads{1, s.query_heads, s.key_heads, s.tokens, s.tokens, s.head_dim};
  const Doubles by_head = attention(
      heads_first(q, s.tokens, s.query_heads, s.head_dim), heads_first(k, s.tokens, s.key_heads, s.head_dim),
      heads_first(v, s.tokens, s.key_heads, s.head_dim), heads, 1 / std::sqrt(double(s.head_dim)), Mask::top_left);
  const Doubles attended = heads_first(by_head, s.query_heads, s.tokens, s.head_dim);  // the same swap once more
  const Doubles middle = add(x, product(attended, w.output, queries, s.hidden));
  const Doubles normed_again = rms_norm(middle, widened(w.norm_mlp), s.eps, s.tokens, s.hidden);
  const Doubles gated = swiglu(product(normed_again, w.up, s.hidden, s.intermediate),
                               product(normed_again, w.gate, s.hidden, s.intermediate));
  return add(middle, product(gated, w.down, s.intermediate, s.hidden));
}

}  // namespace examples
