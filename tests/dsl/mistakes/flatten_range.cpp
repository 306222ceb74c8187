// expect: tine: flatten joins a range of dims that is empty or not there; dims<0, 2> are dims 0 and 1
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 2> x, nt::Tensor<float, 2> y) const {
    return std::tuple{x.flatten(nt::dims<0, 3>), y};
  }
  void application(auto x, auto y) const { (void)x, (void)y; }
};
int main() { tine::core::release(tine::define(K{})); }
