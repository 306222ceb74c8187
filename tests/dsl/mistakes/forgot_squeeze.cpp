// expect: tine: this level has more than one dim or none; index it with p(i, j)
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.tile({4, n}).tile({1, nt::whole}), y.tile({4, n})};
  }
  void application(auto x, auto y) const { y = x[0]; }
};
int main() { tine::core::release(tine::define(K{})); }
