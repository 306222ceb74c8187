// Kernels over rows: attention scores, and activations between the layers.
#include "examples/kernels/rms_norm.hpp"
#include "examples/kernels/softmax.hpp"
#include "examples/kernels/transpose.hpp"
#include "examples/support/reference.hpp"
#include "examples/tour/tour.hpp"

namespace tour {
namespace {

using namespace examples;

template <class T>
Row row(const char* name, int64_t m, int64_t n) {
  Row r;
  r.kernel = std::string(name) + " " + type_name<T>, r.shapes = shape(m, n);
  r.bytes = static_cast<double>(m * n) * sizeof(T) * 2;
  return r;
}

template <class T>
void softmax(Tour& tour) {
  const int64_t n = tour.sizes().tokens, m = tour.sizes().heads * n;
  const auto x = random_vector<T>(m * n, 1, 10);
  std::vector<T> y(x.size());
  const auto check = [&] { return compare(y, reference::softmax(widened(x), m, n), {1e-7, rounding<T>() + 3e-6}); };
  visit(tour, row<T>("softmax", m, n), Softmax<T>{}, check, tine::view(x, {m, n}), tine::view(y, {m, n}));
}

template <class T>
void rms_norm(Tour& tour) {
  const int64_t tokens = tour.sizes().tokens, hidden = tour.sizes().hidden;
  const auto x = random_vector<T>(tokens * hidden, 2, 3), w = random_vector<T>(hidden, 3);
  std::vector<T> y(x.size());
  const auto check = [&] {
    return compare(y, reference::rms_norm(widened(x), widened(w), 1e-6, tokens, hidden), {1e-6, rounding<T>() + 2e-6});
  };
  visit(tour, row<T>("rms_norm", tokens, hidden), RmsNorm<T>{}, check, tine::view(x, {tokens, hidden}), w, 1e-6,
        tine::view(y, {tokens, hidden}));
}

template <class T>
void transpose(Tour& tour) {
  const int64_t tokens = tour.sizes().tokens, hidden = tour.sizes().hidden;
  const auto x = random_vector<T>(tokens * hidden, 4);
  std::vector<T> y(x.size());
  const auto check = [&] { return compare(y, reference::transpose(widened(x), tokens, hidden), {}); };
  visit(tour, row<T>("transpose", tokens, hidden), Transpose<T>{}, check, tine::view(x, {tokens, hidden}),
        tine::view(y, {hidden, tokens}));
}

}  // namespace

void rows(Tour& tour) {
  softmax<float>(tour);
  softmax<tine::f16>(tour);
  rms_norm<float>(tour);
  rms_norm<tine::bf16>(tour);
  transpose<float>(tour);
  transpose<tine::f16>(tour);
}

}  // namespace tour
