// expect: tine: arrangement returns a std::tuple of arranged tensors and scalars, also when there is one
#include "mistake.hpp"
struct K {
  nt::BlockSize n{64};
  auto arrangement(nt::Tensor<float, 1> x) const {
    return x.tile({n});
  }
  void application(auto x) const { x = x * 2; }
};
int main() { tine::core::release(tine::define(K{})); }
