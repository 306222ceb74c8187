// expect: tine: the outermost levels of all arranged parameters must have the same rank
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 1> y) const {
    return std::tuple{x.tile({1, n}).squeeze(0, nt::level<1>), y.tile({n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
