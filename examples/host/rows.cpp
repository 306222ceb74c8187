// Kernels over rows: one compile serves rows of any length. Arguments are containers with a shape, spans, and a view
// with strides of its own.
#include <span>

#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

int softmax_of_several_lengths() {
  auto softmax = tine::make(Softmax<float>{});
  int wrong = 0;
  const int64_t compiled = tine::jit_statistics().compiled + tine::jit_statistics().from_disk;
  for (const int64_t columns : {1, 333, 4096, 10'007}) {
    const int64_t rows = 37;
    const auto x = random_vector<float>(rows * columns, 1, 20);
    std::vector<float> y(x.size());
    softmax(tine::view(std::span(x), {rows, columns}), tine::view(y, {rows, columns}));
    wrong += report("softmax, rows of " + std::to_string(columns),
                    compare(y, reference::softmax(widened(x), rows, columns), {1e-7, 2e-6}));
  }
  const int64_t compiles = tine::jit_statistics().compiled + tine::jit_statistics().from_disk - compiled;
  std::printf("%lld specialisations for 4 lengths\n", static_cast<long long>(compiles));
  return wrong;
}

// A matrix within a larger one: rows lie 1600 elements apart.
int rms_norm_of_a_part() {
  const int64_t rows = 29, columns = 1536, stride = 1600;
  auto rms_norm = tine::make(RmsNorm<tine::f16, float>{});
  const auto x = random_vector<tine::f16>(rows * stride, 2, 3);
  const auto w = random_vector<float>(columns, 3);
  std::vector<tine::f16> y(static_cast<std::size_t>(rows * columns));
  rms_norm(tine::view(x.data(), {rows, columns}, {stride, 1}), w, 1e-6, tine::view(y, {rows, columns}));
  Doubles part;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) part.push_back(widen(x[static_cast<std::size_t>(r * stride + c)]));
  const Doubles want = reference::rms_norm(part, widened(w), 1e-6, rows, columns);
  return report("rms_norm, f16, of a part", compare(y, want, {1e-6, 1.02 * rounding<tine::f16>()}));
}

// Rows of nothing but -inf: 0/0 as the formula says, or 0 if asked for.
int softmax_of_nothing() {
  const std::vector<float> x(6, -tine::inf);
  std::vector<float> y(6);
  auto softmax = tine::make(Softmax<float>{.empty_rows_give_zero = true});
  softmax(tine::view(x, {2, 3}), tine::view(y, {2, 3}));
  return report("softmax, nothing to attend to", compare(y, Doubles(6), {}));
}

}  // namespace

int main() { return softmax_of_several_lengths() + rms_norm_of_a_part() + softmax_of_nothing() ? 1 : 0; }
