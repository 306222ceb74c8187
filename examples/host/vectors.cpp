// Kernels over vectors: from std::vector as it is, with a meta-parameter and the number of threads set, and on f16.
#include "examples/kernels/add.hpp"
#include "examples/kernels/silu.hpp"
#include "examples/kernels/swiglu.hpp"
#include "examples/support/compare.hpp"
#include "examples/support/reference.hpp"

using namespace examples;

int main() {
  const int64_t n = 100'003;  // no multiple of anything
  int wrong = 0;
  {
    auto add = tine::make(Add<float>{});
    const auto a = random_vector<float>(n, 1), b = random_vector<float>(n, 2);
    std::vector<float> c(n);
    add(a, b, c);
    wrong += report("add, f32", compare(c, reference::add(widened(a), widened(b)), {0, rounding<float>()}));

    add.set("block", 1000).threads(2);  // other speed, same result
    std::vector<float> again(n);
    add(a, b, again);
    wrong += report("add, f32, blocks of 1000", compare(again, widened(c), {}));
  }
  {
    auto silu = tine::make(Silu<tine::f16>{});
    const auto x = random_vector<tine::f16>(n, 3, 8);
    std::vector<tine::f16> y(n);
    silu(x, y);
    wrong += report("silu, f16", compare(y, reference::silu(widened(x)), {1e-7, 1.01 * rounding<tine::f16>()}));
  }
  {
    auto swiglu = tine::make(Swiglu<tine::bf16>{});
    const auto up = random_vector<tine::bf16>(n, 4), gate = random_vector<tine::bf16>(n, 5, 8);
    std::vector<tine::bf16> y(n);
    swiglu(up, gate, y);
    const Doubles want = reference::swiglu(widened(up), widened(gate));
    wrong += report("swiglu, bf16", compare(y, want, {1e-7, 1.01 * rounding<tine::bf16>()}));
  }
  return wrong ? 1 : 0;
}
