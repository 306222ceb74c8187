// expect: tine: sizes are known at the call, not to a C++ if, while, for or ?:; use nt::require in an arrangement, nt::if_ or nt::range in an application
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    if (x.size(0) == 1) return std::tuple{x.tile({1, n}), y.tile({1, n})};
    return std::tuple{x.tile({4, n}), y.tile({4, n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
