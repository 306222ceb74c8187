// Element-wise kernels over activations of the feed-forward network.
#include "examples/kernels/add.hpp"
#include "examples/kernels/rope.hpp"
#include "examples/kernels/silu.hpp"
#include "examples/kernels/swiglu.hpp"
#include "examples/support/reference.hpp"
#include "examples/tour/tour.hpp"

namespace tour {
namespace {

using namespace examples;

int64_t elements(const Tour& tour) { return tour.sizes().tokens * tour.sizes().intermediate; }

template <class T>
Row row(const Tour& tour, const char* name, int tensors) {
  Row r;
  r.kernel = std::string(name) + " " + type_name<T>, r.shapes = shape(tour.sizes().tokens, tour.sizes().intermediate);
  r.bytes = static_cast<double>(elements(tour)) * sizeof(T) * tensors;
  return r;
}

template <class T>
void add(Tour& tour) {
  const int64_t n = elements(tour);
  const auto a = random_vector<T>(n, 1), b = random_vector<T>(n, 2);
  std::vector<T> c(a.size());
  visit(
      tour, row<T>(tour, "add", 3), Add<T>{},
      [&] {
        return compare(c, reference::add(widened(a), widened(b)), {0, rounding<T>()});
      },
      a, b, c);
}

template <class T>
void silu(Tour& tour) {
  const int64_t n = elements(tour);
  const auto x = random_vector<T>(n, 3, 8);
  std::vector<T> y(x.size());
  visit(
      tour, row<T>(tour, "silu", 2), Silu<T>{},
      [&] {
        return compare(y, reference::silu(widened(x)), {3e-7, 2 * rounding<T>() + 5e-7});
      },
      x, y);
}

template <class T>
void swiglu(Tour& tour) {
  const int64_t n = elements(tour);
  const auto up = random_vector<T>(n, 4), gate = random_vector<T>(n, 5, 8);
  std::vector<T> y(up.size());
  const auto check = [&] {
    return compare(y, reference::swiglu(widened(up), widened(gate)), {3e-7, 2 * rounding<T>() + 5e-7});
  };
  visit(tour, row<T>(tour, "swiglu", 3), Swiglu<T>{}, check, up, gate, y);
}

void rope(Tour& tour) {
  const Sizes s = tour.sizes();
  const int64_t tokens = s.tokens, heads = s.heads, dim = s.head_dim, half = dim / 2;
  const auto x = random_vector<float>(tokens * heads * dim, 6), sin = random_vector<float>(tokens * half, 7),
             cos = random_vector<float>(tokens * half, 8);
  std::vector<float> y(x.size());
  Row r;
  r.kernel = "rope f32", r.shapes = shape(1, tokens, heads, dim),
  r.bytes = static_cast<double>(x.size() * 8 + sin.size() * 8);
  const auto check = [&] {
    return compare(y, reference::rope(widened(x), widened(sin), widened(cos), 1, tokens, heads, dim, false), {3e-7, 0});
  };
  visit(tour, r, Rope<float>{}, check, tine::view(x, {1, tokens, heads, dim}), tine::view(sin, {tokens, half}),
        tine::view(cos, {tokens, half}), tine::view(y, {1, tokens, heads, dim}));
}

}  // namespace

void vectors(Tour& tour) {
  add<float>(tour);
  add<tine::bf16>(tour);
  silu<float>(tour);
  silu<tine::f16>(tour);
  swiglu<float>(tour);
  rope(tour);
}

}  // namespace tour
