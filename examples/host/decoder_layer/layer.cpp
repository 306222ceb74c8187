#include "examples/host/decoder_layer/layer.hpp"

#include <cmath>

#include "examples/kernels/add.hpp"
#include "examples/kernels/attention.hpp"
#include "examples/kernels/matmul.hpp"
#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/rope.hpp"
#include "examples/kernels/swiglu.hpp"

namespace examples {

LayerWeights random_weights(const LayerShape& s, uint64_t seed) {
  const auto matrix = [&](int64_t from, int64_t to) {  // variance 1 / from
    return random_vector<float>(from * to, ++seed, std::sqrt(3.0 / static_cast<double>(from)));
  };
  const auto norm = [&] {
    auto w = random_vector<float>(s.hidden, ++seed, 0.25);
    for (float& x : w) x += 1;
    return w;
  };
  LayerWeights w;
  w.norm_attention = norm(), w.norm_mlp = norm();
  w.query = matrix(s.hidden, s.query_heads * s.head_dim);
  w.key = matrix(s.hidden, s.key_heads * s.head_dim), w.value = matrix(s.hidden, s.key_heads * s.head_dim);
  w.output = matrix(s.query_heads * s.head_dim, s.hidden);
  w.gate = matrix(s.hidden, s.intermediate), w.up = matrix(s.hidden, s.intermediate),
  w.down = matrix(s.intermediate, s.hidden);
  for (int64_t position = 0; position < s.tokens; ++position)
    for (int64_t j = 0; j < s.head_dim / 2; ++j) {
      const double angle = double(position) * std::pow(s.rope_base, -2.0 * double(j) / double(s.head_dim));
      w.sin.push_back(float(std::sin(angle)));
      w.cos.push_back(float(std::cos(angle)));
    }
  return w;
}

struct DecoderLayer::State {
  LayerShape shape;
  const LayerWeights& weights;
  tine::Kernel<RmsNorm<float>> rms_norm = tine::make(RmsNorm<float>{});
  tine::Kernel<Matmul<float>> matmul = tine::make(Matmul<float>{});
  tine::Kernel<Rope<float>> rope = tine::make(Rope<float>{});
  tine::Kernel<Attention<float>> attention = tine::make(Attention<float>{.causal = Causal::top_left});
  tine::Kernel<Add<float>> add = tine::make(Add<float>{});
  tine::Kernel<Swiglu<float>> swiglu = tine::make(Swiglu<float>{});
  std::vector<float> normed, query, key, value, attended, projected, middle, gate, up;

  State(const LayerShape& s, const LayerWeights& w, int threads, const char* device) : shape(s), weights(w) {
    const auto on = [&](auto&... kernels) { (kernels.threads(threads).device(device), ...); };
    on(rms_norm, matmul, rope, attention, add, swiglu);
    const auto elements = [&](int64_t columns) { return static_cast<std::size_t>(s.tokens * columns); };
    normed.resize(elements(s.hidden)), projected.resize(elements(s.hidden)), middle.resize(elements(s.hidden));
    query.resize(elements(s.query_heads * s.head_dim)), attended.resize(query.size());
    key.resize(elements(s.key_heads * s.head_dim)), value.resize(key.size());
    gate.resize(elements(s.intermediate)), up.resize(gate.size());
  }
  // (tokens, from) times (from, to).
  void product(const std::vector<float>& x, const std::vector<float>& w, int64_t from, int64_t to,
               std::vector<float>& y) const {
    matmul(tine::view(x, {shape.tokens, from}), tine::view(w, {from, to}), tine::view(y, {shape.tokens, to}));
  }
  // Elements are (token, head, dim).
  void rotate(std::vector<float>& x, int64_t heads) const {
    const auto v = tine::view(x, {1, shape.tokens, heads, shape.head_dim});
    rope(v, tine::view(weights.sin, {shape.tokens, shape.head_dim / 2}),
         tine::view(weights.cos, {shape.tokens, shape.head_dim / 2}), v);
  }
  // The same elements seen as (1, head, token, dim), which is how attention wants them.
  tine::View<float, 4> by_head(std::vector<float>& x, int64_t heads) const {
    const int64_t d = shape.head_dim;
    return {x.data(), {1, heads, shape.tokens, d}, {x.size(), d, heads * d, 1}};
  }
};

DecoderLayer::DecoderLayer(const LayerShape& s, const LayerWeights& w, int threads, const char* device)
    : state_(new State(s, w, threads, device)) {}
DecoderLayer::~DecoderLayer() = default;

void DecoderLayer::run(const float* x, float* y) {
  State& t = *state_;
  const LayerShape& s = t.shape;
  const LayerWeights& w = t.weights;
  const int64_t elements = s.tokens * s.hidden, queries = s.query_heads * s.head_dim, keys = s.key_heads * s.head_dim;

  t.rms_norm(tine::view(x, {s.tokens, s.hidden}), w.norm_attention, s.eps, tine::view(t.normed, {s.tokens, s.hidden}));
  t.product(t.normed, w.query, s.hidden, queries, t.query);
  t.product(t.normed, w.key, s.hidden, keys, t.key);
  t.product(t.normed, w.value, s.hidden, keys, t.value);
  t.rotate(t.query, s.query_heads);
  t.rotate(t.key, s.key_heads);
  t.attention(t.by_head(t.query, s.query_heads), t.by_head(t.key, s.key_heads), t.by_head(t.value, s.key_heads),
              1 / std::sqrt(double(s.head_dim)), t.by_head(t.attended, s.query_heads));
  t.product(t.attended, w.output, queries, s.hidden, t.projected);
  t.add(tine::view(x, {elements}), t.projected, t.middle);

  t.rms_norm(tine::view(t.middle, {s.tokens, s.hidden}), w.norm_mlp, s.eps, tine::view(t.normed, {s.tokens, s.hidden}));
  t.product(t.normed, w.gate, s.hidden, s.intermediate, t.gate);
  t.product(t.normed, w.up, s.hidden, s.intermediate, t.up);
  t.swiglu(t.up, t.gate, t.up);
  t.product(t.up, w.down, s.intermediate, s.hidden, t.projected);
  t.add(t.middle, t.projected, tine::view(y, {elements}));
}

int64_t multiplications(const LayerShape& s) {
  const int64_t projections =
      s.hidden * (2 * s.query_heads + 2 * s.key_heads) * s.head_dim + 3 * s.hidden * s.intermediate;
  const int64_t seen = s.tokens * (s.tokens + 1) / 2;  // pairs of query and key
  return s.tokens * projections + 2 * seen * s.query_heads * s.head_dim;
}

}  // namespace examples
