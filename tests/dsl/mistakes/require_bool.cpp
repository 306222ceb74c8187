// expect: tine: require takes one comparison of sizes, such as a.size(1) == b.size(0)
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    nt::require(true);
    return std::tuple{x.tile({4, n}), y.tile({4, n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
