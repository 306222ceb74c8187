// Runs the layer and compares it with f64. The error allowed is that of f32 sums along the chain of products.
#include "examples/host/decoder_layer/layer.hpp"
#include "examples/support/compare.hpp"

using namespace examples;

int main() {
  const LayerShape shape;
  const LayerWeights weights = random_weights(shape, 1);
  const auto x = random_vector<float>(shape.tokens * shape.hidden, 2, 1.7);
  std::vector<float> y(x.size());
  DecoderLayer layer(shape, weights);
  layer.run(x.data(), y.data());
  return report("decoder layer, 333 tokens", compare(y, decoder_layer_reference(shape, weights, x), {5e-5, 1e-5}));
}
