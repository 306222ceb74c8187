// One decoder layer of a language model, as it runs while a prompt is read: normalise, project to queries, keys and
// values, rotate queries and keys, attend, project, add; normalise, gated feed-forward network, add.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "examples/support/data.hpp"

namespace examples {

/// Sizes of a model of 1.5 billion parameters.
struct LayerShape {
  int64_t tokens = 333, hidden = 1536, intermediate = 8960, query_heads = 12, key_heads = 2, head_dim = 128;
  double eps = 1e-6, rope_base = 1e6;
};

struct LayerWeights {
  std::vector<float> norm_attention, norm_mlp;   // (hidden)
  std::vector<float> query, key, value, output;  // (hidden, heads * head_dim), output the other way round
  std::vector<float> gate, up, down;             // (hidden, intermediate), down the other way round
  std::vector<float> sin, cos;                   // (tokens, head_dim / 2)
};
/// Random weights of the sizes that training leaves, so that activations stay near 1.
LayerWeights random_weights(const LayerShape&, uint64_t seed);

/// The layer with Tine's kernels. Kernels compile at the first call.
class DecoderLayer {
 public:
  /// `device`: where kernels run, one that reads the host's memory.
  DecoderLayer(const LayerShape&, const LayerWeights&, int threads = 0, const char* device = "cpu");
  ~DecoderLayer();
  /// x and the result are (tokens, hidden); the result may be x.
  void run(const float* x, float* y);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same in f64, from the same numbers.
Doubles decoder_layer_reference(const LayerShape&, const LayerWeights&, const std::vector<float>& x);
/// Products of a sum that it takes, for rates; twice that many floating-point operations.
int64_t multiplications(const LayerShape&);

}  // namespace examples
