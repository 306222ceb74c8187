// Prints the graphs of several kernels: two compilers must print the same.
#include <cstdio>

#include "dsl/core/trace.hpp"
#include "kernels.hpp"

static void dump(tine::core::Definition* d) {
  auto g = tine::core::trace(*d);
  tine::core::release(d);
  std::printf("%s\n%s", tine::graph::hash(g).c_str(), tine::graph::text(g).c_str());
  for (std::byte b : tine::graph::canonical_bytes(g)) std::printf("%02x", unsigned(b));
  std::puts("\n");
}

int main() {
  dump(tine::define(Add<float>{}));
  dump(tine::define(Add<nt::bf16>{.n{64}}));
  dump(tine::define(Matmul<nt::f16>{}));
  dump(tine::define(Conv2d<nt::f16>{{}, 1, 1}));
  dump(tine::define(Softmax<nt::f16>{}));
  dump(tine::define(RmsNorm<nt::f16>{}));
  dump(tine::define(Attention<nt::f16>{.causal = true}));
  dump(tine::define(Order{}));
  dump(tine::define(Bits{}));
}
