// Attention of a decoder layer, and a convolution.
#include "examples/kernels/attention.hpp"

#include <cmath>

#include "examples/kernels/conv2d.hpp"
#include "examples/support/reference.hpp"
#include "examples/tour/tour.hpp"

namespace tour {
namespace {

using namespace examples;

template <class T>
void attention(Tour& tour) {
  const Sizes z = tour.sizes();
  const reference::Heads s{1, z.heads, z.key_heads, z.tokens, z.tokens, z.head_dim};
  const auto q = random_vector<T>(s.query_heads * s.queries * s.dim, 1, 2);
  const auto k = random_vector<T>(s.key_heads * s.keys * s.dim, 2, 2),
             v = random_vector<T>(s.key_heads * s.keys * s.dim, 3);
  std::vector<T> o(q.size());
  const double scale = 1 / std::sqrt(double(s.dim));
  Row r;
  r.kernel = std::string("attention ") + type_name<T>;
  r.shapes = shape(1, s.query_heads, s.queries, s.dim) + " " + shape(1, s.key_heads, s.keys, s.dim);
  r.operations =
      2.0 * double(s.query_heads * s.dim) * double(s.queries * (s.queries + 1));  // of pairs that see each other
  const auto check = [&] {
    const Doubles want = reference::attention(widened(q), widened(k), widened(v), s, scale, reference::Mask::top_left);
    return compare(o, want, {2e-6 + rounding<T>(), 2e-5 + 2 * rounding<T>()});
  };
  const auto query_view = [&](auto& x) { return tine::view(x, {1, s.query_heads, s.queries, s.dim}); };
  const auto key_view = [&](auto& x) { return tine::view(x, {1, s.key_heads, s.keys, s.dim}); };
  visit(tour, r, Attention<T>{.causal = Causal::top_left}, check, query_view(q), key_view(k), key_view(v), scale,
        query_view(o));
}

template <class T>
void conv2d(Tour& tour) {
  const Sizes z = tour.sizes();
  const reference::Convolution v{1, z.channels, z.image, z.image, z.channels, 3, 3, 1, 1};
  const auto x = random_vector<T>(v.c * v.h * v.w, 4), w = random_vector<T>(v.k * v.c * v.r * v.s, 5);
  std::vector<T> y(static_cast<std::size_t>(v.k * v.p() * v.q()));
  Row r;
  r.kernel = std::string("conv2d ") + type_name<T>,
  r.shapes = shape(1, v.c, v.h, v.w) + " " + shape(v.k, v.c, v.r, v.s);
  r.operations = 2.0 * double(v.k * v.p() * v.q()) * double(v.c * v.r * v.s);
  const auto check = [&] {
    return compare(y, reference::conv2d(widened(x), widened(w), v), of_products<T>(v.c * v.r * v.s));
  };
  visit(tour, r, Conv2d<T>{.at = {.pad_h = 1, .pad_w = 1}}, check, tine::view(x, {1, v.c, v.h, v.w}),
        tine::view(w, {v.k, v.c, v.r, v.s}), tine::view(y, {1, v.k, v.p(), v.q()}));
}

}  // namespace

void attention_and_convolution(Tour& tour) {
  attention<float>(tour);
  attention<tine::bf16>(tour);
  conv2d<float>(tour);
}

}  // namespace tour
