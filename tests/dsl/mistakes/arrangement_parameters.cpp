// expect: tine: the parameters of `arrangement` are nt::Tensor<T, N> and nt::Scalar<T>
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, float scale) const {
    return std::tuple{x.tile({4, n})};
  }
  void application(auto x) const { x = x * 2; }
};
int main() { tine::core::release(tine::define(K{})); }
