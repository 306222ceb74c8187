// Rotary position embedding, in place: what a kernel stores may overlap what it reads.
#include "examples/kernels/rope.hpp"

#include <cmath>

#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

namespace {

int rotate(const char* what, Pairs pairs) {
  const int64_t batch = 2, positions = 37, heads = 3, dim = 64;
  auto rope = tine::make(Rope<float>{.pairs = pairs});
  auto x = random_vector<float>(batch * positions * heads * dim, 1);
  std::vector<float> sin, cos;
  for (int64_t p = 0; p < positions; ++p)
    for (int64_t j = 0; j < dim / 2; ++j) {
      const double angle = double(p) * std::pow(10'000.0, -2.0 * double(j) / double(dim));
      sin.push_back(float(std::sin(angle)));
      cos.push_back(float(std::cos(angle)));
    }
  const Doubles want =
      reference::rope(widened(x), widened(sin), widened(cos), batch, positions, heads, dim, pairs == Pairs::neighbours);
  const auto view = tine::view(x, {batch, positions, heads, dim});
  rope(view, tine::view(sin, {positions, dim / 2}), tine::view(cos, {positions, dim / 2}), view);
  return report(what, compare(x, want, {3e-7, 0}));
}

}  // namespace

int main() {
  return rotate("rope, halves, in place", Pairs::halves) + rotate("rope, neighbours, in place", Pairs::neighbours) ? 1
                                                                                                                   : 0;
}
