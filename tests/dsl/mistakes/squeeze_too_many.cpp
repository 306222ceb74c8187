// expect: tine: squeeze drops more dims than the level has
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.squeeze({0, 1, 2}), y};
  }
  void application(auto x, auto y) const { (void)x, (void)y; }
};
int main() { tine::core::release(tine::define(K{})); }
