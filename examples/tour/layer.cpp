// One whole decoder layer, made of the kernels above.
#include "examples/host/decoder_layer/layer.hpp"

#include "examples/tour/tour.hpp"

namespace tour {

void layer(Tour& tour) {
  using namespace examples;
  Row row;
  const Sizes z = tour.sizes();
  row.kernel = "decoder layer";
  row.shapes = std::to_string(z.tokens) + " tokens, hidden " + std::to_string(z.hidden);
  try {
    const LayerShape shape{z.tokens, z.hidden, z.intermediate, z.heads, z.key_heads, z.head_dim};
    const LayerWeights weights = random_weights(shape, 1);
    const auto x = random_vector<float>(shape.tokens * shape.hidden, 2, 1.7);
    std::vector<float> y(x.size());
    DecoderLayer decoder(shape, weights, 0, tour.device.c_str());
    const tine::JitStatistics before = tine::jit_statistics();
    const double first_ms = once_ms([&] { decoder.run(x.data(), y.data()); });
    const tine::JitStatistics after = tine::jit_statistics();
    row.compile_ms = static_cast<double>(after.compile_ns + after.load_ns - before.compile_ns - before.load_ns) * 1e-6;
    row.difference = compare(y, decoder_layer_reference(shape, weights, x), {5e-5, 1e-5});
    row.run_ms =
        tour.emulated() ? first_ms - row.compile_ms : median_ms([&] { decoder.run(x.data(), y.data()); });
    row.operations = 2.0 * static_cast<double>(multiplications(shape));
    row.programs = after.compiled + after.from_disk - before.compiled - before.from_disk;
    row.config = "(kernels compiled)";
  } catch (const std::exception& e) {
    row.problem = e.what();
  }
  tour.table.add(row);
}

}  // namespace tour
