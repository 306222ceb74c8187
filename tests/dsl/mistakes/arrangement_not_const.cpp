// expect: tine: `arrangement` is a const member function
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) {
    return std::tuple{x.tile({4, n}), y.tile({4, n})};
  }
  void application(auto x, auto y) const { y = x; }
};
int main() { tine::core::release(tine::define(K{})); }
