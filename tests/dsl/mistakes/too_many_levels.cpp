// expect: tine: a tensor has at most 8 levels
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({1, 1}).tile({1, 1}).tile({1, 1}).tile({1, 1}).tile({1, 1}).tile({1, 1}).tile({1, 1}).tile({1, 1}), y.tile({1, n})};
  }
  void application(auto x, auto y) const { (void)x, (void)y; }
};
int main() { tine::core::release(tine::define(K{})); }
