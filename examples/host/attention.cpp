// Attention: more queries than keys and the other way round, both ways of masking, and several query heads for each key
// head.
#include "examples/kernels/attention.hpp"

#include <cmath>

#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

template <class T>
int attend(const char* what, const reference::Heads& s, Causal causal, reference::Mask mask, Tolerance tolerance) {
  auto attention = tine::make(Attention<T>{.causal = causal});
  const auto q = random_vector<T>(s.batch * s.query_heads * s.queries * s.dim, 1, 2);
  const auto k = random_vector<T>(s.batch * s.key_heads * s.keys * s.dim, 2, 2);
  const auto v = random_vector<T>(s.batch * s.key_heads * s.keys * s.dim, 3);
  std::vector<T> o(q.size());
  const double scale = 1 / std::sqrt(static_cast<double>(s.dim));
  attention(tine::view(q, {s.batch, s.query_heads, s.queries, s.dim}),
            tine::view(k, {s.batch, s.key_heads, s.keys, s.dim}), tine::view(v, {s.batch, s.key_heads, s.keys, s.dim}),
            scale, tine::view(o, {s.batch, s.query_heads, s.queries, s.dim}));
  return report(what, compare(o, reference::attention(widened(q), widened(k), widened(v), s, scale, mask), tolerance));
}

}  // namespace

int main() {
  using enum reference::Mask;
  const Tolerance f32{2e-6, 2e-5}, f16{2e-3, 2e-3};
  int wrong = 0;
  wrong += attend<float>("attention", {2, 3, 3, 65, 65, 64}, Causal::none, none, f32);
  wrong += attend<float>("attention, one query, 177 keys", {1, 2, 2, 1, 177, 128}, Causal::none, none, f32);
  wrong += attend<float>("attention, causal", {1, 6, 6, 133, 133, 64}, Causal::top_left, top_left, f32);
  wrong += attend<float>("attention, grouped heads, last rows aligned", {2, 6, 2, 33, 90, 80}, Causal::bottom_right,
                         bottom_right, f32);
  wrong +=
      attend<float>("attention, rows that see nothing", {1, 2, 2, 90, 33, 16}, Causal::bottom_right, bottom_right, f32);
  wrong += attend<tine::f16>("attention, f16, causal", {1, 2, 2, 100, 100, 64}, Causal::top_left, top_left, f16);
  return wrong ? 1 : 0;
}
