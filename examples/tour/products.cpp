// The products of a decoder layer: (tokens, k) times (k, n).
#include "examples/kernels/matmul.hpp"
#include "examples/support/reference.hpp"
#include "examples/tour/tour.hpp"

namespace tour {
namespace {

using namespace examples;

template <class T>
void matmul(Tour& tour, int64_t n, int64_t k) {
  const int64_t m = tour.sizes().tokens;
  const auto a = random_vector<T>(m * k, 1), b = random_vector<T>(k * n, 2);
  std::vector<T> c(static_cast<std::size_t>(m * n));
  Row r;
  r.kernel = std::string("matmul ") + type_name<T>, r.shapes = shape(m, k) + " " + shape(k, n);
  r.operations = 2.0 * static_cast<double>(m * n * k);
  const auto check = [&] { return compare(c, reference::matmul(widened(a), widened(b), m, n, k), of_products<T>(k)); };
  visit(tour, r, Matmul<T>{}, check, tine::view(a, {m, k}), tine::view(b, {k, n}), tine::view(c, {m, n}));
}

}  // namespace

void products(Tour& tour) {
  const Sizes s = tour.sizes();
  matmul<float>(tour, s.hidden, s.hidden);                      // queries, and after attention
  matmul<float>(tour, s.key_heads * s.head_dim, s.hidden);       // keys and values
  matmul<float>(tour, s.intermediate, s.hidden);                // gate and up
  matmul<float>(tour, s.hidden, s.intermediate);                // down
  matmul<tine::f16>(tour, s.hidden, s.hidden);
  matmul<tine::bf16>(tour, s.hidden, s.hidden);
}

}  // namespace tour
