// expect: tine: tile needs one size for each dim of the level that it tiles
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({n}), y.tile({1, n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
